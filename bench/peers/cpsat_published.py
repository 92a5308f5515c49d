#!/usr/bin/env python3
"""Peer (a): the paper's formulation on CP-SAT as published.

Interval lengths take spaced values only; phase 1 minimises max(peak, budget)
from the input order, phase 2 minimises the duration from phase 1's schedule.
Its "optimal" is optimal for spaced lengths, not for the problem, so its bound
is not reported as one.  One correction in favour of comparability: the budget
is exact here (the published code rounds it up after scaling, so that its
schedules can exceed it).
"""
import time

from retention_model import RetentionModel, solve
from staged import Recorder, Staged, parse

LENGTH_RATIO = 1.1  # each length allowed is about a tenth above the one before


def main():
    options, g, budget = parse(__doc__, time.monotonic())
    problem = Staged(g, budget, options.max_computes)
    recorder = Recorder(problem, options, options.max_computes, False,
                        "cpsat-published")
    peak = RetentionModel(problem, LENGTH_RATIO, True)
    peak.hint([])
    verdict, found = solve(peak, recorder, False)
    if recorder.sequence is None:
        return recorder.finish("infeasible" if verdict == "optimal"
                               else "unknown")
    model = RetentionModel(problem, LENGTH_RATIO, False)
    model.hint(found)
    verdict, _ = solve(model, recorder, False)
    return recorder.finish("optimal" if verdict == "optimal" else "unknown")


if __name__ == "__main__":
    raise SystemExit(main())
