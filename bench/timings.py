#!/usr/bin/env python3
"""Whole-process timings with hyperfine: start to exit, output written.

Takes the runs of our program that ended with a proof within --below seconds
in an earlier results.csv, and times each from process start to exit.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import time

from lib import instances, report, runs


def parse():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--program", default="build/release/moccasin")
    p.add_argument("--results", default="build/bench/table/results.csv")
    p.add_argument("--data", help="folder of instances (MOCCASIN_DATA)")
    p.add_argument("--below", type=float, default=2.0)
    p.add_argument("--runs", type=int, default=5)
    return p.parse_args()


def time_one(program, path, record, repeats, out):
    """-> hyperfine's figures: mean, stddev, min, max in seconds."""
    command = (f"{program} solve {path} --budget {record['budget']}% "
               f"--order {record['order']} --threads {record['threads']} "
               f"-c {record['max_computes']} --seed {record['seed']} -q "
               f"-o {out}.schedule.json")
    subprocess.run(["hyperfine", "-N", "-i", "--warmup", "1", "--runs",
                    str(repeats), "--style", "none", "--export-json",
                    out + ".json", command], check=True,
                   stdout=subprocess.DEVNULL)
    with open(out + ".json", encoding="utf-8") as f:
        return json.load(f)["results"][0]


def main():
    options = parse()
    if not shutil.which("hyperfine"):
        print("hyperfine is not installed (Debian: hyperfine): no "
              "whole-process timings", file=sys.stderr)
        return 0
    work = os.path.dirname(options.results)
    paths, _ = instances.find(options.data or instances.data_folder(),
                              options.program, work)
    records = [r for r in report.read_csv(options.results)
               if r["solver"] == "moccasin"]
    threads = max((r["threads"] for r in records), default=0)
    body = []
    for r in report.medians(records):
        if (r["threads"] != threads or r["seconds"] > options.below
                or r["status"] not in ("optimal", "infeasible")
                or r["instance"] not in paths):
            continue
        found = time_one(options.program, paths[r["instance"]], r,
                         options.runs, os.path.join(work, "hyperfine"))
        body.append([r["instance"], f"{r['budget']} %", r["order"],
                     r["max_computes"], r["status"]]
                    + [f"{1000 * (found[x] or 0):.1f}"
                       for x in ("mean", "stddev", "min", "max")])
    head = ["instance", "budget", "order", "C", "proven", "mean ms", "± ms",
            "min ms", "max ms"]
    text = (f"{options.runs} runs each after a warm-up; {runs.machine()}; "
            f"commit {runs.commit()}; "
            f"{time.strftime('%Y-%m-%d', time.gmtime())}.\n\n"
            + report.markdown(head, body))
    with open(os.path.join(work, "timings.md"), "w", encoding="utf-8") as f:
        f.write(text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
