#!/usr/bin/env python3
"""Peer (c): Checkmate's MILP on HiGHS (input order, unlimited computes)."""
import math
import sys
import time

import highspy

from checkmate_model import LIMIT, Checkmate, new_highs
from staged import Recorder, Staged, parse


def listen(highs, model, recorder):
    """Incumbents and dual bounds as they come."""
    kind = highspy.cb.HighsCallbackType

    def on_event(type_, message, out, into, data):
        if type_ == kind.kCallbackMipImprovingSolution:
            recorder.incumbent(model.p.sequence(
                model.recomputes(out.mip_solution)))
        if math.isfinite(out.mip_dual_bound):
            recorder.lower_bound(model.duration(out.mip_dual_bound))

    highs.setCallback(on_event, None)
    highs.startCallback(kind.kCallbackMipImprovingSolution)
    highs.startCallback(kind.kCallbackMipLogging)


def main():
    options, g, budget = parse(__doc__, time.monotonic())
    problem = Staged(g, budget, 0)
    recorder = Recorder(problem, options, 0, True, "checkmate-highs")
    if Checkmate.size_estimate(problem) > LIMIT * options.time_limit / 60:
        print("checkmate-highs: model too large for the limit", file=sys.stderr)
        return recorder.finish("unknown")
    model = Checkmate(problem, 1.0, True)
    if recorder.left() <= 0:
        return recorder.finish("unknown")
    highs = new_highs(options, recorder.left())
    model.load(highs)
    listen(highs, model, recorder)
    highs.run()
    status = highs.getModelStatus()
    if status == highspy.HighsModelStatus.kInfeasible:
        return recorder.finish("infeasible")
    values = highs.getSolution().col_value
    if len(values) == model.columns:
        recorder.incumbent(problem.sequence(model.recomputes(values)))
    optimal = (status == highspy.HighsModelStatus.kOptimal
               and recorder.sequence is not None)
    return recorder.finish("optimal" if optimal else "unknown")


if __name__ == "__main__":
    raise SystemExit(main())
