#!/usr/bin/env python3
"""Runs plans (lib/plan.py): our program and the peers on the same instances.

Each run leaves a file, so that what was interrupted continues where it was (a
run of our program is repeated when the program has changed).  At the end, and
when interrupted, all tables are written to the work folder: results.csv,
table.md, peers.md, curves-*.svg.  Of the solvers that are not run this time,
their earlier runs are in the tables.
"""
import argparse
import math
import os
import signal
import sys
import time

from lib import compute_graph, instances, plan, report, runs


def parse():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--plan", default="table peers",
                   help="names or files, blank-separated (%(default)s)")
    p.add_argument("--program", default="build/release/moccasin")
    p.add_argument("--peers", default="build/peers/bin/python",
                   help="Python that has the peers' solvers")
    p.add_argument("--work", help="default: build/bench/ and the first plan")
    p.add_argument("--data", help="folder of instances (MOCCASIN_DATA)")
    p.add_argument("--threads", type=int, default=os.cpu_count())
    p.add_argument("--seeds", default="1",
                   help="5: the seeds 1 to 5; '3 4': these")
    p.add_argument("--solvers", default="*", help="patterns, run only these")
    p.add_argument("--instances", default="*", help="patterns, only these")
    p.add_argument("--scale", type=float, default=1.0,
                   help="factor on the plan's time limits")
    p.add_argument("--limit", type=float, help="one time limit for all")
    p.add_argument("--fresh", action="store_true", help="repeat all runs")
    p.add_argument("--dry", action="store_true",
                   help="list what would be run, with the time expected")
    p.add_argument("--report", action="store_true",
                   help="run nothing, only write the tables")
    return p.parse_args()


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
            f"c{record['max_computes']} seed {record['seed']} "
            f"{record['status']:11} {figures} ({record['seconds']:.1f} s)")


def case_of(key, job):
    """All of a job but its seed, limit and threads."""
    return (key, *(job[x] for x in ("solver", "budget", "order",
                                    "max_computes")))


class Bench:
    """What is needed to run a job, and what has come of it so far."""

    def __init__(self, options, work):
        self.options, self.work = options, work
        self.tools = runs.Tools(os.path.abspath(options.program),
                                os.path.abspath(options.peers), work)
        folder = options.data or instances.data_folder()
        self.paths, self.kind = instances.find(folder, self.tools.program,
                                               work)
        self.graphs, self.records, self.short = {}, [], {}
        earlier = os.path.join(instances.HERE, "results", "results.csv")
        if os.path.exists(earlier):
            self.remember(report.read_csv(earlier))

    def graph(self, key):
        if key not in self.graphs:
            self.graphs[key] = compute_graph.load(self.paths[key])
            instances.check(key, self.graphs[key])
        return self.graphs[key]

    def wanted(self, job):
        """Is the job to be run, not only to be shown?"""
        return not self.options.report and \
            instances.chosen(self.options.solvers, [job["solver"]]) and \
            (job["solver"] == "moccasin" or os.path.exists(self.tools.peers))

    def remember(self, records):
        """Runs that ended before their limit, to know how long jobs take."""
        for r in records:
            if r["seconds"] < r["limit"]:
                self.short[case_of(r["instance"], r)] = r["seconds"]

    def expected(self, jobs):
        """Seconds for the jobs not yet done: those that ended early before,
        as published or with another seed, are taken to do so again."""
        return sum(min(job["limit"] + 0.3,
                       self.short.get(case_of(key, job), math.inf))
                   for key, job in jobs if self.options.fresh
                   or runs.done(self.tools, key, job) is None)

    def run(self, jobs):
        """Runs the jobs or takes what is stored of them."""
        mine = [x for x in jobs if self.wanted(x[1])]
        for key, job in jobs:
            if not self.wanted(job):
                record = report.stored(self.work, key, job)
                self.records += [record] if record else []
        start = time.monotonic()
        for number, (key, job) in enumerate(mine, 1):
            record = runs.run(self.tools, key, self.paths[key],
                              self.graph(key), job, self.options.fresh)
            self.records.append(record)
            self.remember([record])
            left = self.expected(mine[number:]) / 60
            print(f"[{number}/{len(mine)} {time.monotonic() - start:.0f} s, "
                  f"{left:.0f} min left] " + describe(record),
                  flush=True)


def stop(*_):
    raise KeyboardInterrupt


def main():
    options = parse()
    signal.signal(signal.SIGTERM, stop)
    name = os.path.splitext(os.path.basename(options.plan.split()[0]))[0]
    work = options.work or os.path.join(instances.ROOT, "build", "bench", name)
    bench = Bench(options, work)
    jobs = plan.jobs(options, list(bench.paths))
    mine = [x for x in jobs if bench.wanted(x[1])]
    if options.dry:
        for key, job in mine:
            print(runs.name_of(key, job))
        print(f"{len(mine)} runs, about {bench.expected(mine) / 60:.0f} min")
        return 0
    interrupted = False
    try:
        bench.run(jobs)
    except KeyboardInterrupt:
        interrupted = True
        print("interrupted: the runs done are kept; the same command "
              "continues", file=sys.stderr)
    report.write_all(work, bench.records, bench.kind, name)
    if interrupted:
        return 130
    return 1 if any(r["status"] == "fault" for r in bench.records) else 0


if __name__ == "__main__":
    sys.exit(main())
