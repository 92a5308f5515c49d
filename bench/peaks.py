#!/usr/bin/env python3
"""The least peak reached, and whether `solve` keeps up with it.

For every training graph and every rl-* instance, with C = 2, 3 and unlimited:
`--objective peak` for --limit seconds, then `solve` with a budget 5 % (--above)
over that peak, which must find a schedule within --find seconds of wall clock
from the process' start.  All schedules are verified by lib/compute_graph.py.
Writes peaks.csv and peaks.md; a row that is there already, of the same
program, is not measured again (--fresh: is).
"""
import argparse
import csv
import json
import math
import os
import sys

from lib import compute_graph, instances, report, runs

FIELDS = ["instance", "order", "max_computes", "baseline_peak", "working_set",
          "least_peak", "optimal", "limit", "budget", "found", "first_seconds",
          "find_limit", "threads", "seed", "program"]
SAME = ["instance", "order", "max_computes", "limit", "find_limit", "threads",
        "seed", "program"]


def parse():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--program", default="build/release/moccasin")
    p.add_argument("--work", default="build/bench/peaks")
    p.add_argument("--out", default="bench/results")
    p.add_argument("--data", help="folder of instances (MOCCASIN_DATA)")
    p.add_argument("--instances", default="*-train rl-*")
    p.add_argument("--computes", default="2 3 0")
    p.add_argument("--order", default="input")
    p.add_argument("--limit", type=float, default=60.0)
    p.add_argument("--find", type=float, default=10.0)
    p.add_argument("--above", type=float, default=5.0)
    p.add_argument("--threads", type=int, default=os.cpu_count())
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--fresh", action="store_true")
    return p.parse_args()


def solve(options, tools, path, g, row, extra, limit):
    """-> (document, seconds until its first schedule or None)"""
    stem = os.path.join(tools.work, "runs", "-".join(
        [row["instance"], row["order"], f"c{row['max_computes']}", extra[0]
         .strip("-")]))
    if os.path.exists(stem + ".json"):
        os.remove(stem + ".json")
    status, (wall, _), _, text = runs.watch(
        [tools.program, "solve", path, *extra, "--order", row["order"], "-c",
         str(row["max_computes"]), "--threads", str(options.threads), "--seed",
         str(options.seed), "-t", f"{limit:g}", "-o", stem + ".json", "--log",
         stem + ".csv"], limit)
    try:
        document, steps = compute_graph.read_sequence(g, stem + ".json")
    except (OSError, ValueError, KeyError) as e:
        print(f"{stem}: exit status {status}, {e}: {text[-300:]}",
              file=sys.stderr)
        return None, None
    if not steps:
        return document, None
    bad = compute_graph.faults(g, steps, document.get("budget") or math.inf,
                               int(row["max_computes"]), row["order"])
    peak, _, _ = compute_graph.simulate(g, steps)
    if bad or peak != document["peak_memory"]:
        sys.exit(f"{stem}.json does not verify: {bad}")
    outside = max(0.0, wall - document["solver"]["seconds"])
    first = [t for t, incumbent, _ in runs.read_log(stem + ".csv", outside)
             if incumbent is not None]
    return document, first[0] if first else wall


def measure(options, tools, path, row):
    g = compute_graph.load(path)
    document, _ = solve(options, tools, path, g, row,
                        ["--objective", "peak"], options.limit)
    if not document or "peak_memory" not in document:
        sys.exit(f"{row['instance']}: no schedule for the least peak")
    peak = document["peak_memory"]
    budget = math.floor(peak * (1 + options.above / 100))
    row.update(baseline_peak=document["baseline_peak_memory"],
               working_set=g.working_set(), least_peak=peak, budget=budget,
               optimal=int(peak == document["peak_lower_bound"]))
    _, first = solve(options, tools, path, g, row, ["--budget", str(budget)],
                     options.find)
    row["found"] = int(first is not None and first <= options.find)
    row["first_seconds"] = "" if first is None else f"{first:.2f}"


def read(path):
    if not os.path.exists(path):
        return []
    with open(path, newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


def write(path, rows):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as f:
        writer = csv.DictWriter(f, FIELDS)
        writer.writeheader()
        writer.writerows(rows)


def table(options, rows):
    body = []
    for r in rows:
        share = lambda field: f"{100 * int(r[field]) / int(r['baseline_peak']):.2f} %"
        body.append([
            r["instance"], r["order"],
            "any" if r["max_computes"] == "0" else r["max_computes"],
            share("working_set"),
            share("least_peak") + (" (least)" if r["optimal"] == "1" else ""),
            f"{r['first_seconds']} s" if r["first_seconds"] else "none",
            "yes" if r["found"] == "1" else "**no**"])
    good = sum(r["found"] == "1" for r in rows)
    return (f"Least peak in {options.limit:g} s, in percent of the input "
            f"order's, and `solve` {options.above:g} % above it: a schedule "
            f"within {options.find:g} s in {good} of {len(rows)} cases; "
            f"{options.threads} threads; {runs.machine()}; commit "
            f"{runs.commit()}.\n\n" + report.markdown(
                ["instance", "order", "C", "working set", "least peak",
                 "first schedule", "in time"], body))


def main():
    options = parse()
    tools = runs.Tools(os.path.abspath(options.program), "", options.work)
    paths, _ = instances.find(options.data or instances.data_folder(),
                              tools.program, options.work)
    target = os.path.join(options.out, "peaks.csv")
    known = [] if options.fresh else read(target)
    rows = []
    for name in sorted(paths):
        if not instances.chosen(options.instances, [name]):
            continue
        for order in options.order.split():
            for computes in options.computes.split():
                row = {k: str(v) for k, v in {
                    "instance": name, "order": order, "max_computes": computes,
                    "limit": f"{options.limit:g}", "threads": options.threads,
                    "find_limit": f"{options.find:g}", "seed": options.seed,
                    "program": tools.digest}.items()}
                old = [k for k in known if all(k[x] == row[x] for x in SAME)]
                if old:
                    row = old[0]
                else:
                    measure(options, tools, paths[name], row)
                    print(json.dumps(row), file=sys.stderr)
                rows.append({k: str(v) for k, v in row.items()})
                write(target, rows)
    text = table(options, rows)
    with open(os.path.join(options.out, "peaks.md"), "w",
              encoding="utf-8") as f:
        f.write(text)
    print(text)


if __name__ == "__main__":
    main()
