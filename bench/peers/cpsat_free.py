#!/usr/bin/env python3
"""Peer (b): the stronger variant of the paper's formulation on CP-SAT.

Lengths are free, so a proof is a proof for the problem; no phase 1: the search
starts from the schedule document given with --hint (that of greedy.py, where
it finds one), which also counts as its first incumbent.
"""
import time

from retention_model import RetentionModel, solve
from staged import Recorder, Staged, compute_graph, parse


def main():
    options, g, budget = parse(__doc__, time.monotonic())
    problem = Staged(g, budget, options.max_computes)
    recorder = Recorder(problem, options, options.max_computes, True,
                        "cpsat-free")
    hint = []
    if options.hint:
        _, steps = compute_graph.read_sequence(g, options.hint)
        recorder.incumbent(steps)
        hint = problem.recomputes(steps)
        recorder.incumbent(problem.sequence(hint))
    model = RetentionModel(problem, None, False)
    if hint:
        model.hint(hint)
    verdict, _ = solve(model, recorder, True)
    return recorder.finish("unknown"
                           if verdict == "feasible" else verdict)


if __name__ == "__main__":
    raise SystemExit(main())
