#!/usr/bin/env python3
"""Reduced-cost fixing: how many nodes it closes, and what the complete search
then needs.

For each instance and budget: a solve of --limit seconds gives a schedule; given
that, the bound says how many nodes no shorter schedule recomputes.  Then the
complete search alone (no local search, no neighbourhoods) is asked to improve
on it or to refute, with everything, without the closed stages (windows=0), and
without the bound (bound=0, hence without closed stages, leaves and reduced
costs).  One thread, one seed: conflicts compare, seconds are not compared.
"""
import argparse
import json
import os
import subprocess
import sys

from ablation import counts
from lib import instances, report

SEARCH = "local=0,neighbourhood=0"
VARIANTS = [("fixing", SEARCH), ("without", SEARCH + ",windows=0"),
            ("no bound", SEARCH + ",bound=0")]


def parse():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--program", default="build/release/moccasin")
    p.add_argument("--work", default="build/bench/fixing")
    p.add_argument("--data", help="folder of instances (MOCCASIN_DATA)")
    p.add_argument("--instances", default="*")
    p.add_argument("--budgets", default="90 80")
    p.add_argument("--limit", type=float, default=5.0)
    p.add_argument("--seed", type=int, default=1)
    return p.parse_args()


class Row:
    """One instance at one budget; files go to the work folder."""

    def __init__(self, options, key, path, budget):
        self.options, self.path, self.budget = options, path, budget
        self.stem = os.path.join(options.work, f"{key}-{budget}")

    def solve(self, name, *more):
        """-> (document, counts); the document is {} without a schedule."""
        out, log = f"{self.stem}-{name}.json", f"{self.stem}-{name}.txt"
        if os.path.exists(out):
            os.remove(out)
        with open(log, "w", encoding="utf-8") as f:
            subprocess.run(
                [self.options.program, "solve", self.path, "--budget",
                 f"{self.budget}%", "--threads", "1", "--seed",
                 str(self.options.seed), "--time-limit",
                 str(self.options.limit), "--statistics", "-o", out, *more],
                stderr=f, stdout=subprocess.DEVNULL, check=False)
        document = {}
        if os.path.exists(out):
            with open(out, encoding="utf-8") as f:
                document = json.load(f)
        return document, counts(log)

    def bound(self, upper):
        text = subprocess.run(
            [self.options.program, "bound", self.path, "--budget",
             f"{self.budget}%", "--upper", str(upper), "--time-limit",
             str(self.options.limit), "--json"],
            stdout=subprocess.PIPE, check=False).stdout
        return json.loads(text)


def verdict(document, found, start):
    if not document:
        return "–"
    conflicts = found.get("engine: conflicts", 0)
    if document["status"] == "optimal":
        return f"{conflicts}, proven"
    shorter = start - document["duration"]
    return f"{conflicts}, " + (f"{shorter} shorter" if shorter else "open")


def measure(options, key, path, budget):
    row = Row(options, key, path, budget)
    best, _ = row.solve("best")
    if not best.get("duration"):
        return [key, budget, best.get("status", "no schedule")] + [""] * 7
    upper = best["duration"]
    fixed = row.bound(upper)
    runs = [row.solve(name.replace(" ", "-"), "--start",
                      f"{row.stem}-best.json", "--engine", engine)
            for name, engine in VARIANTS]
    return [key, budget, upper - fixed["baseline_duration"],
            fixed["duration_lower_bound"] - fixed["baseline_duration"],
            fixed.get("never_recomputed", ""), fixed.get("must_recompute", ""),
            fixed.get("open_windows", ""),
            *(verdict(d, c, upper) for d, c in runs)]


def main():
    options = parse()
    os.makedirs(options.work, exist_ok=True)
    paths, _ = instances.find(options.data or instances.data_folder(),
                              options.program, options.work)
    body = []
    for key in instances.chosen(options.instances, list(paths)):
        for budget in map(int, options.budgets.split()):
            body.append(measure(options, key, paths[key], budget))
            print(" | ".join(map(str, body[-1])), flush=True)
    head = ["instance", "budget", "extra", "bound", "never recomputed",
            "must be", "windows open", *(f"conflicts: {n}" for n, _ in VARIANTS)]
    target = os.path.join(options.work, "fixing.md")
    with open(target, "w", encoding="utf-8") as f:
        f.write(f"One thread, seed {options.seed}, {options.limit:g} s a run, "
                "input order, C = 2. `bench/run.sh fixing`\n\n"
                + report.markdown(head, body))
    print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
