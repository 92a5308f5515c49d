#!/usr/bin/env python3
"""The peers' models against exhaustive search over staged schedules.

usage: build/peers/bin/python bench/peers/test_peers.py

Random graphs of four and five nodes with workspaces, kept outputs, own limits
and fixed memory, at every third budget between working set and baseline:
CP-SAT with free lengths must find the optimum for C = 2 and 3, Checkmate's
program the optimum for unlimited C, and both must agree on infeasibility.
"""
import itertools
import random
import types
import unittest

import highspy
from ortools.sat.python import cp_model

from checkmate_model import Checkmate, new_highs
from retention_model import RetentionModel
from staged import Staged, compute_graph


def random_graph(chance, n):
    rows = [{"id": v, "duration": chance.randint(0, 9),
             "size": chance.randint(0, 9),
             "workspace": chance.choice((0, 0, 3)),
             "keep": chance.random() < 0.2,
             "limit": chance.choice((0, 0, 0, 1))} for v in range(n)]
    preds = [[u for u in range(v) if chance.random() < 0.5]
             for v in range(n)]
    return compute_graph.Graph("", chance.randint(0, 3), rows, preds)


def optimum(g, budget, max_computes):
    """The least duration over all staged schedules; None: infeasible.  With
    kept outputs, recomputes may also follow the last first compute."""
    stages = g.n + any(g.keep)
    pairs = [(t, v) for t in range(stages) for v in range(t)]
    best = None
    for chosen in itertools.product((False, True), repeat=len(pairs)):
        steps, count = [], [1] * g.n
        for t in range(stages):
            for (stage, v), there in zip(pairs, chosen):
                if stage == t and there:
                    steps.append(v)
                    count[v] += 1
            steps += [t] if t < g.n else []
        if any((g.limit[v] or max_computes) and
               count[v] > (g.limit[v] or max_computes) for v in range(g.n)):
            continue
        peak, duration, _ = compute_graph.simulate(g, steps)
        if peak <= budget and (best is None or duration < best):
            best = duration
    return best


def by_cpsat(g, budget, max_computes):
    model = RetentionModel(Staged(g, budget, max_computes), None, False)
    solver = cp_model.CpSolver()
    status = solver.Solve(model.model)
    if status == cp_model.INFEASIBLE:
        return None
    assert status == cp_model.OPTIMAL
    steps = model.p.sequence(model.recomputes(solver.Value))
    assert not compute_graph.faults(g, steps, budget, max_computes, "input")
    return compute_graph.simulate(g, steps)[1]


def by_checkmate(g, budget):
    problem = Staged(g, budget, 0)
    model = Checkmate(problem, 1.0, True)
    highs = new_highs(types.SimpleNamespace(threads=1, seed=1), 60.0)
    model.load(highs)
    highs.run()
    status = highs.getModelStatus()
    if status == highspy.HighsModelStatus.kInfeasible:
        return None
    assert status == highspy.HighsModelStatus.kOptimal, status
    steps = problem.sequence(model.recomputes(highs.getSolution().col_value))
    assert not compute_graph.faults(g, steps, budget, 0, "input")
    return compute_graph.simulate(g, steps)[1]


class Peers(unittest.TestCase):
    def test_against_exhaustive_search(self):
        for seed in range(40):
            g = random_graph(random.Random(seed), 4 + seed % 2)
            low, high = g.working_set(), g.base_peak
            for budget in range(max(1, low - 1), high + 1, 3):
                with self.subTest(seed=seed, budget=budget):
                    for c in (2, 3):
                        self.assertEqual(by_cpsat(g, budget, c),
                                         optimum(g, budget, c))
                    if not any(g.limit):
                        self.assertEqual(by_checkmate(g, budget),
                                         optimum(g, budget, 0))


if __name__ == "__main__":
    unittest.main()
