#!/usr/bin/env python3
"""Does the search help on graphs that it was not made on?

Thirty generated graphs (plans/generalise.csv) of all kinds, C = 2, input order:
the local search as it is against the plain version of the search, which is one
annealing over the same time with inserts and deletes only (`plain` of
local-methods.h), from the same greedy start, with the same incremental
evaluation.  Both get the same CPU seconds on one core, so that the load of the
machine does not matter; medians over the seeds.  Won means a TDI less by 0.0001
points, or a schedule where the other has none.
"""
import argparse
import csv
import os
import subprocess
import sys

from lib import instances, report, runs


def parse():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--program", default="build/release/moccasin")
    p.add_argument("--search", default="build/local-search",
                   help="bench/local-search.c, compiled")
    p.add_argument("--work", default="build/bench/generalise")
    p.add_argument("--limit", type=float, default=1.5,
                   help="CPU seconds a run")
    p.add_argument("--seeds", type=int, default=1)
    return p.parse_args()


def generate(options, row):
    path = os.path.join(options.work, row["key"] + ".json")
    subprocess.run([options.program, "generate", *row["arguments"].split(),
                    "-o", path], check=True)
    return path


def measure(options, path, budget, variant):
    """The median TDI in percent, or None."""
    run = subprocess.run([options.search, f"{options.limit:g}s",
                          str(options.seeds), path, budget, "2", "input",
                          variant], capture_output=True, text=True, check=True)
    tdi = float(run.stdout.splitlines()[-1].split("|")[2])
    return None if tdi < 0 else tdi


def verdict(mine, theirs):
    if mine is None or theirs is None:
        return "tie" if mine is theirs else "win" if theirs is None else "loss"
    if abs(mine - theirs) < 1e-4:
        return "tie"
    return "win" if mine < theirs else "loss"


def text_of(options, records):
    count = {v: sum(r["verdict"] == v for r in records)
             for v in ("win", "tie", "loss")}
    body = [[r["key"], r["budget"], report.percent(r["ours"]),
             report.percent(r["plain"]), r["verdict"]] for r in records]
    head = ["graph", "budget, %", "ours, TDI %", "plain, TDI %", "verdict"]
    return (f"{count['win']} wins, {count['tie']} ties, {count['loss']} losses "
            f"against the plain search on {len(records)} generated graphs; "
            f"input order, C = 2, {options.seeds} seeds, "
            f"{options.limit:g} CPU seconds a run; {runs.machine()}; "
            f"commit {runs.commit()}; `bench/run.sh generalise`.\n\n"
            + report.markdown(head, body))


def main():
    options = parse()
    os.makedirs(options.work, exist_ok=True)
    with open(os.path.join(instances.HERE, "plans", "generalise.csv"),
              newline="", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    records = []
    for row in rows:
        path = generate(options, row)
        theirs = measure(options, path, row["budget"], "plain")
        mine = measure(options, path, row["budget"], "as it is")
        records.append(dict(row, ours=mine, plain=theirs,
                            verdict=verdict(mine, theirs)))
        print(row["key"], mine, theirs, records[-1]["verdict"],
              flush=True)
    text = text_of(options, records)
    with open(os.path.join(options.work, "generalise.md"), "w",
              encoding="utf-8") as f:
        f.write(text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
