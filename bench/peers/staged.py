"""What all peers share: the staged problem, the command line, the recorder.

Stage j ends with the first compute of node j; before it, any v < j may be
recomputed, in increasing order.  The event of node v in stage j is at time
T(j, v) = j (j + 1) / 2 + v.
"""
import argparse
import csv
import json
import os
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                ".."))
from lib import compute_graph  # noqa: E402


def event(stage, node):
    return stage * (stage + 1) // 2 + node


class Staged:
    """The problem in input order, with a sink (last, size and duration 0)
    that reads all nodes to be kept, so that keeping is an ordinary use."""

    def __init__(self, g, budget, max_computes):
        self.graph, self.budget = g, budget
        self.n = g.n + (1 if any(g.keep) else 0)
        extra = self.n - g.n
        self.duration = g.duration + [0] * extra
        self.size = g.size + [0] * extra
        self.workspace = g.workspace + [0] * extra
        self.preds = [list(p) for p in g.preds]
        limit = [own or max_computes or g.n for own in g.limit]
        self.limit = limit + [1] * extra
        if extra:
            self.preds.append([v for v in range(g.n) if g.keep[v]])
        self.succs = [[] for _ in range(self.n)]
        for v, inputs in enumerate(self.preds):
            for u in inputs:
                self.succs[u].append(v)
        self.horizon = event(self.n - 1, self.n - 1) + 1
        self.capacity = budget - g.fixed

    def sequence(self, recomputes):
        """(stage, node) pairs -> sequence of the graph, the sink left out,
        without recomputes that nobody reads."""
        by_stage = [[] for _ in range(self.n)]
        for stage, node in set(recomputes):
            by_stage[stage].append(node)
        steps = []
        for stage in range(self.n):
            steps += sorted(by_stage[stage]) + [stage]
        return self.trimmed([v for v in steps if v < self.graph.n])

    def trimmed(self, steps):
        while True:
            current, used = {}, set()
            for k, v in enumerate(steps):
                for u in self.graph.preds[v]:
                    used.add(current[u])
                current[v] = k
            for v in range(self.graph.n):
                if self.graph.keep[v]:
                    used.add(current[v])
            first = set()
            kept = []
            for k, v in enumerate(steps):
                if k in used or v not in first:
                    kept.append(v)
                first.add(v)
            if len(kept) == len(steps):
                return steps
            steps = kept

    def recomputes(self, sequence):
        """The reverse: [(stage, node)] of a sequence's recomputes."""
        first, pending, result = set(), [], []
        for v in sequence:
            if v in first:
                pending.append(v)
            else:
                result += [(v, u) for u in pending]
                pending = []
                first.add(v)
        return sorted(set(result))


class Recorder:
    """Incumbents and bounds over time: a line in the log at each change, the
    schedule document rewritten at each better schedule.  Thread-safe."""

    def __init__(self, problem, options, scope_computes, bound_is_valid, name):
        self.problem, self.options, self.name = problem, options, name
        self.scope_computes = scope_computes
        self.bound_is_valid = bound_is_valid
        self.best, self.bound, self.sequence = None, None, None
        self.start, self.lock = options.started, threading.Lock()
        self.file = open(options.log, "w", newline="") if options.log else None
        self.log = csv.writer(self.file or sys.stdout, lineterminator="\n")
        self.log.writerow(["seconds", "duration", "bound"])
        self.flush()

    def seconds(self):
        return time.monotonic() - self.start

    def left(self):
        return max(0.0, self.options.time_limit - self.seconds())

    def flush(self):
        (self.file or sys.stdout).flush()

    def line(self):
        show = lambda x: "" if x is None else x
        self.log.writerow([f"{self.seconds():.3f}", show(self.best),
                           show(self.bound)])
        self.flush()

    def incumbent(self, sequence):
        """Takes a schedule if it is valid, in budget and better."""
        g = self.problem.graph
        bad = compute_graph.faults(g, sequence, self.problem.budget,
                                   self.scope_computes, "input")
        if bad:
            return False
        duration = sum(g.duration[v] for v in sequence)
        with self.lock:
            if self.best is not None and duration >= self.best:
                return True
            self.best, self.sequence = duration, list(sequence)
            self.line()
            self.write("feasible")
        return True

    def lower_bound(self, value):
        with self.lock:
            if self.bound is None or value > self.bound:
                self.bound = value
                self.line()

    def write(self, status):
        if not self.options.output or self.sequence is None:
            return
        bound = self.bound if self.bound_is_valid else None
        if bound is not None:
            bound = min(bound, self.best)
        document = compute_graph.document(
            self.problem.graph, self.sequence, self.problem.budget, "input",
            self.scope_computes, status, bound,
            {"name": self.name, "seconds": round(self.seconds(), 3),
             "seed": self.options.seed, "threads": self.options.threads})
        write_json(self.options.output, document)

    def finish(self, verdict):
        """verdict: optimal, infeasible or unknown (stopped by the limit)."""
        optimal = verdict == "optimal" and self.bound_is_valid
        if optimal:
            self.bound = self.best
        self.line()
        if self.sequence is None:
            if self.options.output:
                write_json(self.options.output, {
                    "format": "moccasin-schedule/1",
                    "status": ("infeasible" if verdict == "infeasible"
                               and self.bound_is_valid else "unknown"),
                    "model_verdict": verdict})
        else:
            self.write("optimal" if optimal else "feasible")
        print(f"{self.name}: {verdict}, duration {self.best}, "
              f"bound {self.bound}, {self.seconds():.2f} s", file=sys.stderr)
        return 0 if self.sequence is not None else (
            3 if verdict == "infeasible" else 4)


def write_json(path, document):
    with open(path + ".tmp", "w", encoding="utf-8") as f:
        json.dump(document, f)
    os.replace(path + ".tmp", path)


def parse(description, started):
    """The command line, the same for every peer and like the program's."""
    p = argparse.ArgumentParser(description=description)
    p.add_argument("graph")
    p.add_argument("--budget", required=True, help="bytes, or percent: 90%%")
    p.add_argument("--time-limit", type=float, default=60.0)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("-c", "--max-computes", type=int, default=2)
    p.add_argument("--hint", help="a schedule document to start from")
    p.add_argument("-o", "--output", help="schedule document")
    p.add_argument("--log", help="CSV (default: standard output)")
    options = p.parse_args()
    options.started = started
    g = compute_graph.load(options.graph)
    if options.budget.endswith("%"):
        budget = g.percent_budget(options.budget[:-1])
    else:
        budget = int(options.budget)
    return options, g, budget
