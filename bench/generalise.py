#!/usr/bin/env python3
"""Does the search help on graphs that it was not made on?

Thirty generated graphs (plans/generalise.csv) of all kinds, C = 2, input order:
`moccasin solve` on one thread against the plain version of the search, which is
one annealing over the same seconds with inserts and deletes only (`plain` of
local-methods.h), from the same greedy start and with the same incremental
evaluation.  Won means a TDI less by 0.0001 points, or a schedule where the other has none.
Both get the same wall clock, one after the other, the plain one first.
"""
import argparse
import csv
import os
import subprocess
import sys

from lib import compute_graph, instances, report, runs


def parse():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--program", default="build/release/moccasin")
    p.add_argument("--plain", default="build/local-search",
                   help="bench/local-search.c, compiled")
    p.add_argument("--work", default="build/bench/generalise")
    p.add_argument("--limit", type=float, default=3.0, help="seconds a run")
    p.add_argument("--seed", type=int, default=1)
    return p.parse_args()


def generate(options, row):
    path = os.path.join(options.work, row["key"] + ".json")
    subprocess.run([options.program, "generate", *row["arguments"].split(),
                    "-o", path], check=True)
    return path


def plain(options, path, budget):
    """TDI in percent, or None."""
    run = subprocess.run([options.plain, f"{options.limit:g}s", "1", path,
                          budget, "2", "input", "plain"],
                         capture_output=True, text=True, check=True)
    tdi = float(run.stdout.splitlines()[-1].split("|")[2])
    return None if tdi < 0 else tdi


def ours(options, path, budget):
    """(TDI in percent or None, status), the schedule verified once more."""
    out = path.replace(".json", ".schedule.json")
    if os.path.exists(out):
        os.remove(out)
    subprocess.run([options.program, "solve", path, "--budget", budget + "%",
                    "--threads", "1", "--seed", str(options.seed), "-q",
                    "--time-limit", f"{options.limit:g}", "--json", "-o", out],
                   capture_output=True)
    g = compute_graph.load(path)
    document, sequence = compute_graph.read_sequence(g, out)
    if not sequence:
        return None, document["status"]
    wrong = compute_graph.faults(g, sequence, document["budget"], 2, "input")
    if wrong:
        sys.exit(f"{path}: wrong schedule: {wrong}")
    duration = sum(g.duration[v] for v in sequence)
    return compute_graph.tdi(g, duration), document["status"]


def verdict(mine, theirs):
    if mine is None or theirs is None:
        return "tie" if mine is theirs else "win" if theirs is None else "loss"
    if abs(mine - theirs) < 1e-4:
        return "tie"
    return "win" if mine < theirs else "loss"


def text_of(options, records):
    count = {v: sum(r["verdict"] == v for r in records)
             for v in ("win", "tie", "loss")}
    body = [[r["key"], r["budget"], report.percent(r["ours"]), r["status"],
             report.percent(r["plain"]), r["verdict"]] for r in records]
    head = ["graph", "budget, %", "TDI, %", "status", "plain, %", "verdict"]
    return (f"{count['win']} wins, {count['tie']} ties, {count['loss']} losses "
            f"against the plain search on {len(records)} generated graphs; "
            f"input order, C = 2, one thread, seed {options.seed}, "
            f"{options.limit:g} s a run; {runs.machine()}; "
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
        theirs = plain(options, path, row["budget"])
        mine, status = ours(options, path, row["budget"])
        records.append(dict(row, ours=mine, plain=theirs, status=status,
                            verdict=verdict(mine, theirs)))
        print(row["key"], status, mine, theirs, records[-1]["verdict"],
              flush=True)
    text = text_of(options, records)
    with open(os.path.join(options.work, "generalise.md"), "w",
              encoding="utf-8") as f:
        f.write(text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
