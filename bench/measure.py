#!/usr/bin/env python3
"""Runs a plan: our program and the peers on the same instances.

A plan (bench/plans/*.csv) has a line per group of runs:

    solver,instances,budgets,order,max_computes,limit

with blank-separated patterns and budgets in percent.  Runs come in the plan's
order; each leaves a file, so an interrupted plan continues where it was (a
run of our program is repeated when the program has changed).  At the end all
tables are written to the work folder: results.csv, table.md, curves-*.svg.
"""
import argparse
import csv
import os
import sys
import time

from lib import compute_graph, instances, report, runs


def parse():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--plan", default="table", help="name or file (%(default)s)")
    p.add_argument("--program", default="build/release/moccasin")
    p.add_argument("--peers", default="build/peers/bin/python",
                   help="Python that has the peers' solvers")
    p.add_argument("--work", help="default: build/bench/PLAN")
    p.add_argument("--data", help="folder of instances (MOCCASIN_DATA)")
    p.add_argument("--threads", type=int, default=os.cpu_count())
    p.add_argument("--seeds", default="1", help="blank-separated")
    p.add_argument("--solvers", default="*", help="patterns, only these")
    p.add_argument("--instances", default="*", help="patterns, only these")
    p.add_argument("--scale", type=float, default=1.0,
                   help="factor on the plan's time limits")
    p.add_argument("--limit", type=float, help="one time limit for all")
    p.add_argument("--fresh", action="store_true", help="repeat all runs")
    p.add_argument("--report", action="store_true",
                   help="run nothing, only write the tables")
    return p.parse_args()


def plan_jobs(options, keys):
    """[(instance key, job)] of the plan."""
    path = options.plan
    if not os.path.exists(path):
        path = os.path.join(instances.HERE, "plans", options.plan + ".csv")
    with open(path, newline="", encoding="utf-8") as f:
        lines = list(csv.DictReader(f))
    jobs = []
    for line in lines:
        if not instances.chosen(options.solvers, [line["solver"]]):
            continue
        wanted = instances.chosen(line["instances"], keys)
        for key in instances.chosen(options.instances, wanted):
            for budget in line["budgets"].split():
                for seed in options.seeds.split():
                    limit = options.limit or float(line["limit"])
                    jobs.append((key, {
                        "solver": line["solver"], "budget": int(budget),
                        "order": line["order"], "seed": int(seed),
                        "max_computes": int(line["max_computes"]),
                        "limit": limit * options.scale,
                        "threads": options.threads}))
    return jobs


def describe(record):
    """One line for the terminal."""
    if record.get("tdi") is None:
        figures = record.get("note") or ""
    else:
        figures = f"TDI {record['tdi']:.4f} %"
        if record.get("bound_tdi") is not None:
            figures += f" bound {record['bound_tdi']:.4f} %"
        figures += f" first {record['time_first'] or 0:.2f} s" \
                   f" best {record['time_best'] or 0:.2f} s"
    return (f"{record['solver']:16} {record['instance']:16} "
            f"{record['budget']} % {record['order']:5} "
            f"c{record['max_computes']} {record['status']:11} {figures} "
            f"({record['seconds']:.1f} s)")


def main():
    options = parse()
    name = os.path.splitext(os.path.basename(options.plan))[0]
    work = options.work or os.path.join(instances.ROOT, "build", "bench", name)
    tools = runs.Tools(os.path.abspath(options.program),
                       os.path.abspath(options.peers), work)
    folder = options.data or instances.data_folder()
    paths, kind = instances.find(folder, tools.program, work)
    jobs = plan_jobs(options, list(paths))
    if not os.path.exists(tools.peers):
        left = [j for j in jobs if j[1]["solver"] == "moccasin"]
        if len(left) < len(jobs):
            print("peers left out: run bench/peers/setup.sh first",
                  file=sys.stderr)
        jobs = left
    graphs = {}
    for key in dict.fromkeys(key for key, _ in jobs):
        graphs[key] = compute_graph.load(paths[key])
        instances.check(key, graphs[key])
    records, start = [], time.monotonic()
    for number, (key, job) in enumerate(jobs, 1):
        if options.report:
            record = report.stored(work, key, job)
            if record is None:
                continue
        else:
            record = runs.run(tools, key, paths[key], graphs[key], job,
                              options.fresh)
            print(f"[{number}/{len(jobs)} {time.monotonic() - start:.0f} s] "
                  + describe(record), flush=True)
        records.append(record)
    report.write_all(work, records, kind, name)
    bad = [r for r in records if r["status"] == "fault"]
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
