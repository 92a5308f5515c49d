#!/usr/bin/env python3
"""A greedy schedule within the budget: the start that cpsat_free is given.

At the first step over the budget, of all outputs held across it the one whose
recompute costs least per byte that it frees is dropped there and recomputed
right before its next use; until nothing is over the budget.  (Inputs of the
recompute that are not held so long have to be held longer: what that adds at
the step is taken off what is freed.)
"""
import time

from staged import Recorder, Staged, compute_graph, parse


def held_across(g, steps, last, k):
    """Instances (steps) that are held at step k without being used there."""
    used = set(g.preds[steps[k]])
    return [s for s in range(k) if last[s] > k and steps[s] not in used]


def first_over(g, steps, last, budget):
    """The first step over the budget, or None."""
    held, ends = g.fixed, {}
    for k, v in enumerate(steps):
        held += g.size[v]
        if held + g.workspace[v] > budget:
            return k
        ends.setdefault(last[k], []).append(v)
        held -= sum(g.size[x] for x in ends.pop(k, []))
    return None


def next_use(g, steps, s, k):
    """The first step after k that reads the instance of step s."""
    v = steps[s]
    for r in range(k + 1, len(steps)):
        if v in g.preds[steps[r]]:
            return r
    return len(steps)


def improve(g, steps, last, k, limits):
    """Drops one output across step k.  -> the new steps, or None"""
    best = None
    held = {steps[s]: s for s in range(k + 1) if last[s] >= k}
    for s in held_across(g, steps, last, k):
        v = steps[s]
        if steps.count(v) >= limits[v]:
            continue
        freed = g.size[v] - sum(g.size[u] for u in g.preds[v]
                                if u not in held)
        if freed > 0:
            price = g.duration[v] / freed
            if best is None or price < best[0]:
                best = price, v, next_use(g, steps, s, k)
    if best is None:
        return None
    _, v, place = best
    return steps[:place] + [v] + steps[place:]


def greedy(problem, deadline):
    """-> a sequence within the budget, or None."""
    g, steps = problem.graph, list(range(problem.graph.n))
    while time.monotonic() < deadline:
        _, _, last = compute_graph.simulate(g, steps)
        k = first_over(g, steps, last, problem.budget)
        if k is None:
            return problem.sequence(problem.recomputes(steps))
        steps = improve(g, steps, last, k, problem.limit)
        if steps is None:
            return None
    return None


def main():
    options, g, budget = parse(__doc__, time.monotonic())
    problem = Staged(g, budget, options.max_computes)
    recorder = Recorder(problem, options, options.max_computes, True, "greedy")
    found = greedy(problem, options.started + options.time_limit)
    if found is not None:
        recorder.incumbent(found)
    return recorder.finish("unknown")


if __name__ == "__main__":
    raise SystemExit(main())
