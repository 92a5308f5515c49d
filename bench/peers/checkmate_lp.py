#!/usr/bin/env python3
"""Peer (d): Checkmate's approximation, two-phase rounding of its LP.

Source: Checkmate, section 5: solve the linear relaxation with the budget
reduced by a tenth; round what is held (S) at one half; then compute the least
(R) that makes it correct.  After that, S is rounded at random a hundred times
(S[t,i] = 1 with the probability that the relaxation gives) and the best
schedule within the budget is kept.  When none is, the document holds the one
with the lowest peak and says so.
"""
import random
import time

from checkmate_model import LIMIT, Checkmate, new_highs
from staged import Recorder, Staged, compute_graph, parse, write_json

ALLOWANCE = 0.1
SAMPLES = 100


def complete(problem, held):
    """Phase 2: the least computes that make `held` {(t, i)} correct."""
    computed = set()
    for t in reversed(range(problem.n)):
        needed = {t} | {i for i in range(t)
                        if (t + 1, i) in held and (t, i) not in held}
        for k in reversed(range(t + 1)):
            if k in needed:
                needed |= {i for i in problem.preds[k] if (t, i) not in held}
        computed |= {(t, i) for i in needed if i < t}
    return computed


def roundings(model, values, seed):
    held = {key: values[column] for key, column in model.S.items()}
    yield {key for key, x in held.items() if x >= 0.5}
    chance = random.Random(seed)
    for _ in range(SAMPLES):
        yield {key for key, x in held.items() if chance.random() < x}


def main():
    options, g, budget = parse(__doc__, time.monotonic())
    problem = Staged(g, budget, 0)
    recorder = Recorder(problem, options, 0, False, "checkmate-lp-rounding")
    if Checkmate.size_estimate(problem) > LIMIT * options.time_limit / 60:
        return recorder.finish("unknown")
    model = Checkmate(problem, 1.0 - ALLOWANCE, False)
    if recorder.left() <= 0:
        return recorder.finish("unknown")
    highs = new_highs(options, recorder.left())
    model.load(highs)
    highs.run()
    values = highs.getSolution().col_value
    if highs.modelStatusToString(highs.getModelStatus()) != "Optimal":
        return recorder.finish("unknown")
    least = None
    for held in roundings(model, values, options.seed):
        steps = problem.sequence(complete(problem, held))
        peak = compute_graph.simulate(g, steps)[0]
        if not recorder.incumbent(steps) and (least is None
                                              or peak < least[0]):
            least = peak, steps
        if recorder.left() <= 0:
            break
    if recorder.sequence is None and least and options.output:
        document = compute_graph.document(
            g, least[1], budget, "input", 0, "over budget", None,
            {"name": recorder.name})
        recorder.finish("unknown")
        write_json(options.output, document)
        return 4
    return recorder.finish("unknown")


if __name__ == "__main__":
    raise SystemExit(main())
