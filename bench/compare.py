#!/usr/bin/env python3
"""Compares two commits: which differences exceed noise?

usage: bench/run.sh compare A B [options]

Both are checked out and built under build/compare.  In every round each job of
the plan is run by both, the first of the pair alternating, so that drift of
the machine hits both alike.  Each figure is then tested by a sign-flip
permutation test on the rounds' paired log ratios (exact up to 12 rounds): how
often would a difference this large come about if A and B were the same?
"""
import argparse
import itertools
import math
import os
import random
import statistics
import subprocess
import sys

from lib import compute_graph, instances, plan, report, runs

METRICS = (  # name, what, floor below which differences do not count
    ("extra", "extra duration", 1e-9),
    ("time_best", "seconds to the best", 0.01),
    ("seconds", "seconds to the end", 0.01),
    ("cpu_seconds", "processor seconds", 0.01),
    ("rss_kb", "memory", 1024),
)


def parse():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("commits", nargs=2)
    p.add_argument("--plan", default="quick")
    p.add_argument("--instances", default="*")
    p.add_argument("--rounds", type=int, default=6)
    p.add_argument("--limit", type=float, default=3.0)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--level", type=float, default=0.05)
    p.add_argument("--data")
    options = p.parse_args()
    options.solvers, options.seeds, options.scale = "moccasin", "1", 1.0
    return options


def build(commit, folder):
    """A worktree of the commit, built.  -> the program's path"""
    git = lambda *a: subprocess.run(["git", "-C", instances.ROOT, *a],
                                    check=True, text=True,
                                    capture_output=True).stdout.strip()
    git("worktree", "prune")  # a `make clean` removes the trees alone
    name = git("rev-parse", "--short", commit + "^{commit}")
    tree = os.path.join(folder, name)
    if not os.path.isdir(tree):
        git("worktree", "add", "--force", "--detach", tree, name)
    subprocess.run(["make", "-C", tree, "-j2", "--no-print-directory",
                    "build/release/moccasin"], check=True,
                   stdout=subprocess.DEVNULL)
    return name, os.path.join(tree, "build", "release", "moccasin")


def figures(record):
    """The figures compared; a missing schedule counts as a doubled one."""
    extra = record["base_duration"]
    if record.get("duration") is not None:
        extra = record["duration"] - record["base_duration"]
    limit = record["limit"]
    best = record.get("time_best")
    return {"extra": float(extra), "time_best": limit if best is None
            else best, "seconds": record["seconds"],
            "cpu_seconds": record["cpu_seconds"],
            "rss_kb": float(record["rss_kb"])}


def ratios(pairs, floor):
    """log(B / A) of each round."""
    return [math.log(max(b, floor) / max(a, floor)) for a, b in pairs]


def chance(logs):
    """Probability of a mean at least this far from 0 under random signs."""
    seen = abs(sum(logs))
    if seen < 1e-12:
        return 1.0
    if len(logs) <= 12:
        signs = itertools.product((1, -1), repeat=len(logs))
    else:
        coin = random.Random(1)
        signs = ([coin.choice((1, -1)) for _ in logs] for _ in range(20000))
    total = hits = 0
    for flip in signs:
        total += 1
        hits += abs(sum(s * x for s, x in zip(flip, logs))) >= seen - 1e-12
    return hits / total


def rounds_of(options, tools, jobs, paths, graphs):
    """{(job index, metric): [(figure of A, figure of B)]}"""
    found = {}
    for k in range(options.rounds):
        for number, (key, job) in enumerate(jobs):
            job = dict(job, seed=k + 1)
            pair = [None, None]
            for side in ((0, 1) if (k + number) % 2 == 0 else (1, 0)):
                pair[side] = figures(runs.run(
                    tools[side], key, paths[key], graphs[key], job, True))
            for metric, _, _ in METRICS:
                found.setdefault((number, metric), []).append(
                    (pair[0][metric], pair[1][metric]))
        print(f"round {k + 1} of {options.rounds} done", file=sys.stderr)
    return found


def main():
    options = parse()
    if 0.5 ** (options.rounds - 1) >= options.level:
        print(f"{options.rounds} rounds are too few for p < {options.level}: "
              "nothing can exceed noise", file=sys.stderr)
    folder = os.path.join(instances.ROOT, "build", "compare")
    os.makedirs(folder, exist_ok=True)
    built = [build(c, folder) for c in options.commits]
    tools = [runs.Tools(program, "", os.path.join(folder, "work-" + name))
             for name, program in built]
    paths, _ = instances.find(options.data or instances.data_folder(),
                              built[0][1], folder)
    jobs = plan.jobs(options, list(paths))
    graphs = {key: compute_graph.load(paths[key]) for key, _ in jobs}
    found = rounds_of(options, tools, jobs, paths, graphs)
    body = []
    for metric, what, floor in METRICS:
        rounds = [[] for _ in range(options.rounds)]
        for number, (key, job) in enumerate(jobs):
            pairs = found[number, metric]
            logs = ratios(pairs, floor)
            for k, log in enumerate(logs):
                rounds[k].append(log)
            body.append(row_of(what, f"{key} {job['budget']} % "
                               f"{job['order']}", pairs, logs, options))
        body.append(row_of(what, "all", None,
                           [statistics.fmean(x) for x in rounds], options))
    beyond = [r for r in body if r[-1]]
    print(f"B = {built[1][0]} against A = {built[0][0]}, {options.rounds} "
          f"rounds, {options.threads} threads, {options.limit:g} s a run\n")
    print(report.markdown(["figure", "job", "A", "B", "B / A", "p",
                           "beyond noise"], body))
    print(f"{len(beyond)} of {len(body)} differences exceed noise (p < "
          f"{options.level}); {options.level * len(body):.1f} are expected "
          "by chance alone.")
    return 0


def row_of(what, name, pairs, logs, options):
    p, ratio = chance(logs), math.exp(statistics.fmean(logs))
    middle = ["", ""] if pairs is None else \
        [f"{statistics.median(x[i] for x in pairs):.4g}" for i in (0, 1)]
    mark = ""
    if p < options.level:
        mark = "less" if ratio < 1 else "more"
    return [what, name, *middle, f"{ratio:.3f}", f"{p:.3f}", mark]


if __name__ == "__main__":
    sys.exit(main())
