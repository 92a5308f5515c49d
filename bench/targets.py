#!/usr/bin/env python3
"""The goals that the project has set itself: met or missed, and by how much.

bench/targets.csv has them: `quality`, TDI of at most `value` percent within
`seconds`; `proof`, a proof within `seconds`; `bound`, within `seconds` a lower
bound of at least `value` percent of the best known extra duration (ours or an
earlier one in published.csv).  Each instance is run once a seed with the
largest limit that its goals name (cut at --most); the median over the seeds
counts.  A goal whose seconds exceed --most is judged at --most and marked.
"""
import argparse
import math
import os
import statistics
import sys

from lib import compute_graph, instances, report, runs


def parse():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--program", default="build/release/moccasin")
    p.add_argument("--work", default="build/bench/targets")
    p.add_argument("--data", help="folder of instances (MOCCASIN_DATA)")
    p.add_argument("--instances", default="*")
    p.add_argument("--kinds", default="quality proof bound")
    p.add_argument("--seeds", default="1")
    p.add_argument("--threads", type=int, default=os.cpu_count())
    p.add_argument("--most", type=float, default=60.0)
    p.add_argument("--fresh", action="store_true")
    return p.parse_args()


def read_goals(options, paths):
    goals = []
    for row in instances.rows("targets.csv"):
        row["seconds"] = float(row["seconds"])
        row["judged"] = min(row["seconds"], options.most)
        if row["kind"] in options.kinds.split() and row["instance"] in paths \
                and instances.chosen(options.instances, [row["instance"]]):
            goals.append(row)
    return goals


def case(goal):
    return tuple(goal[x] for x in ("instance", "budget", "order",
                                   "max_computes"))


def best_known(instance, budget, tdi):
    """The least TDI known of a case in input order, C = 2."""
    known = [math.inf if tdi is None else tdi]
    for row in instances.rows("published.csv"):
        if (row["instance"], row["budget_percent"], row["order"],
                row["source"]) == (instance, budget, "input", "experiment"):
            try:
                known.append(float(row["tdi_percent"]))
            except ValueError:
                pass
    return min(known)


def reached(goal, record, points, base):
    """The figure that a goal is about, of one run; None: nothing."""
    if goal["kind"] == "proof":
        return record.get("time_proof")
    column = 1 if goal["kind"] == "quality" else 2
    values = [p[column] for p in points
              if p[column] is not None and p[0] <= goal["judged"] + 0.05]
    if record.get("duration") is not None and \
            record["seconds"] <= goal["judged"] + 0.5:
        values.append(record["duration" if column == 1 else "bound"])
    if not values:
        return None
    figure = min(values) if column == 1 else max(values)
    return 100.0 * (figure - base) / base


def judge(goal, measured):
    """-> (figure as text, met)"""
    figures = [reached(goal, r, points, r["base_duration"])
               for r, points in measured]
    if goal["kind"] == "bound":
        best = best_known(goal["instance"], goal["budget"], min(
            (r["tdi"] for r, _ in measured if r.get("tdi") is not None),
            default=None))
        figures = [None if f is None else 100.0 * f / best for f in figures]
    worst = -math.inf if goal["kind"] == "bound" else math.inf
    middle = statistics.median(worst if f is None else f for f in figures)
    if not math.isfinite(middle):
        return "none", False
    if goal["kind"] == "proof":
        return f"{middle:.2f} s", middle <= goal["seconds"]
    if goal["kind"] == "bound":
        return f"{middle:.1f} %", middle >= float(goal["value"]) - 0.05
    return f"{middle:.4f} %", middle <= float(goal["value"]) + 5e-5


def wanted(goal):
    start = {"quality": f"TDI at most {goal['value']} %", "proof": "proof",
             "bound": f"bound at least {goal['value']} % of the extra"}
    return f"{start[goal['kind']]} in {goal['seconds']:g} s"


def main():
    options = parse()
    tools = runs.Tools(os.path.abspath(options.program), "", options.work)
    paths, _ = instances.find(options.data or instances.data_folder(),
                              tools.program, options.work)
    goals = read_goals(options, paths)
    measured = {}
    for key in dict.fromkeys(map(case, goals)):
        limit = max(g["judged"] for g in goals if case(g) == key)
        g = compute_graph.load(paths[key[0]])
        measured[key] = []
        for seed in map(int, options.seeds.split()):
            job = {"solver": "moccasin", "budget": int(key[1]),
                   "order": key[2], "max_computes": int(key[3]),
                   "limit": limit, "threads": options.threads, "seed": seed}
            r = runs.run(tools, key[0], paths[key[0]], g, job, options.fresh)
            log = os.path.join(tools.work, "runs",
                               runs.name_of(key[0], job) + ".log.csv")
            measured[key].append((r, runs.read_log(log, r.get("offset", 0))))
        print(f"{' '.join(key)}: {r['status']}, TDI {r.get('tdi')}, "
              f"{r['seconds']:.1f} s", file=sys.stderr)
    body, met = [], 0
    for goal in goals:
        text, good = judge(goal, measured[case(goal)])
        met += good
        cut = "" if goal["judged"] == goal["seconds"] else \
            f" (judged at {goal['judged']:g} s)"
        body.append([goal["instance"], f"{goal['budget']} % {goal['order']}, "
                     f"C = {goal['max_computes']}", wanted(goal), text + cut,
                     "met" if good else "missed"])
    text = (f"{met} of {len(goals)} goals met; {options.threads} threads, "
            f"median of {len(options.seeds.split())} seed(s); "
            f"{runs.machine()}; commit {runs.commit()}.\n\n"
            + report.markdown(["instance", "case", "goal", "reached", ""],
                              body))
    with open(os.path.join(options.work, "targets.md"), "w",
              encoding="utf-8") as f:
        f.write(text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
