#!/usr/bin/env python3
"""Appends the figures of the last quick run to bench/history.csv.

A commit measured again on the same machine replaces its earlier lines.
"""
import argparse
import csv
import os
import sys

from lib import instances, report

COLUMNS = ("commit date machine threads instance budget order max_computes "
           "limit status tdi bound_tdi time_first time_best seconds "
           "cpu_seconds rss_kb").split()


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--results", default="build/bench/quick/results.csv")
    p.add_argument("--history",
                   default=os.path.join(instances.HERE, "history.csv"))
    options = p.parse_args()
    new = [r for r in report.read_csv(options.results)
           if r["solver"] == "moccasin"]
    if not new:
        print("no run of our program in " + options.results, file=sys.stderr)
        return 1
    if any(r["commit"].endswith("+") for r in new):
        print("measured with uncommitted changes: commit first, then "
              "bench/run.sh quick again", file=sys.stderr)
        return 1
    old = []
    if os.path.exists(options.history):
        with open(options.history, newline="", encoding="utf-8") as f:
            old = list(csv.DictReader(f))
    measured = {(r["commit"], r["machine"]) for r in new}
    kept = [r for r in old if (r["commit"], r["machine"]) not in measured]
    with open(options.history, "w", newline="", encoding="utf-8") as f:
        table = csv.DictWriter(f, COLUMNS, extrasaction="ignore",
                               lineterminator="\n")
        table.writeheader()
        table.writerows(kept)
        for r in new:
            for name, value in r.items():
                if isinstance(value, float):
                    r[name] = f"{value:.4f}"
            table.writerow(r)
    print(f"{options.history}: {len(new)} lines for {new[0]['commit']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
