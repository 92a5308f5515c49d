#!/usr/bin/env python3
"""The goals that the project has set itself: met or missed, and by how much.

Runs nothing: it reads what `table`, `peers`, `scaling` and `long` have left in
build/bench.  bench/targets.csv has the goals, by the issue that set them:

    quality  TDI of at most `value` percent within `seconds`
    first    a schedule within the budget within `seconds`
    proof    a proof, optimal or infeasible, within `seconds`
    bound    within `seconds` a lower bound of at least `value` percent of the
             best extra duration known (ours or in published.csv)
    ahead P  time to the quality of peer P: at least `value` times faster, and
             faster in proof where both prove
    memory   megabytes at most `value`
    cuts     a bound above zero within `seconds`
    rate     moves a second, at least `value`, of the local search alone

Seconds are of the whole process; the median over the seeds counts.  Empty
`threads`: as many as the table was made with.  A run that was given less time
than its goal allows is judged by what it had, and says so.
"""
import argparse
import csv
import math
import os
import sys

from lib import instances, report


def parse():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--work", default="build/bench")
    p.add_argument("--issues", default="2 3 4 5 7")
    p.add_argument("--missed", action="store_true", help="only these")
    return p.parse_args()


def rows_of(path, read):
    return read(path) if os.path.exists(path) else []


def plain(path):
    with open(path, newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


class Measured:
    """What the earlier commands have left."""

    def __init__(self, work):
        at = lambda *names: os.path.join(work, *names)
        ours = rows_of(at("table", "results.csv"), report.read_csv)
        ours = [r for r in ours if r["solver"] == "moccasin"]
        self.records = ours
        self.threads = max((r["threads"] for r in ours), default=0)
        self.runs = report.medians(ours) + report.medians(
            rows_of(at("long", "results.csv"), report.read_csv))
        self.peers = rows_of(at("table", "peers.csv"), plain)
        self.scaling = rows_of(at("scaling", "scaling.csv"), plain)

    def run(self, goal):
        """The median run of a goal's case: one that has proven something, else
        the one that was given the goal's time and little more; None: not
        measured."""
        threads = int(goal["threads"] or self.threads)
        mine = [r for r in self.runs if
                (r["instance"], r["budget"], r["order"], r["max_computes"],
                 r["threads"]) == (goal["instance"], int(goal["budget"]),
                                   goal["order"], int(goal["max_computes"]),
                                   threads)]
        return max(mine, default=None, key=lambda r: (
            r.get("time_proof") is not None,
            min(r["limit"], float(goal["seconds"])), -r["limit"]))

    def best_known(self, goal):
        """The least TDI known of a case in input order, C = 2."""
        key = goal["instance"], goal["budget"]
        known = [r["tdi"] for r in self.records if r.get("tdi") is not None
                 and (r["instance"], str(r["budget"])) == key
                 and (r["order"], r["max_computes"]) == ("input", 2)]
        for row in instances.rows("published.csv"):
            if (row["instance"], row["budget_percent"]) == key and \
                    (row["order"], row["source"]) == ("input", "experiment"):
                try:
                    known.append(float(row["tdi_percent"]))
                except ValueError:
                    pass
        return min(known, default=math.inf)


def number(text):
    return float(text) if text else None


def within(goal, figure, run):
    """(text, met) of a figure in seconds."""
    if figure is None:
        return f"none in {run['limit']:g} s", False
    return f"{figure:.2f} s", figure <= float(goal["seconds"])


def judge_run(goal, run, measured):
    """(text, met) of a goal about a run of the table."""
    seconds = float(goal["seconds"])
    kind = goal["kind"]
    if kind == "proof":
        return within(goal, run.get("time_proof"), run)
    if kind == "first":
        first = run.get("time_first")
        if run["status"] == "infeasible":  # nothing to find: the proof counts
            first = run.get("time_proof")
        return within(goal, first, run)
    column = "tdi" if kind == "quality" else "bound_tdi"
    figure = run.get(f"{column}_{seconds:g}")
    if run["limit"] < seconds or (figure is None
                                  and run["seconds"] <= seconds):
        figure = run.get(column)
    cut = f" (in {run['limit']:g} s)" if run["limit"] < seconds \
        and not run.get("time_proof") else ""
    if figure is None:
        return "none" + cut, False
    if kind == "quality":
        return f"{figure:.4f} %{cut}", figure <= float(goal["value"]) + 5e-5
    best = measured.best_known(goal)
    share = 100.0 if figure >= best else 100.0 * figure / best
    return f"{share:.1f} %{cut}", share >= float(goal["value"]) - 0.05


def judge_peer(goal, measured):
    peer = goal["kind"].split()[1]
    for row in measured.peers:
        if (row["instance"], row["budget"], row["peer"]) == \
                (goal["instance"], goal["budget"], peer):
            ratio, proof = number(row["quality_ratio"]), \
                number(row["proof_ratio"])
            text = row["verdict"]
            text += f", {ratio:.1f} times" if ratio else ""
            text += f", proof {proof:.1f} times" if proof else ""
            return text, (ratio or 0) >= float(goal["value"]) and \
                row["verdict"] != "behind" and (proof is None or proof > 1)
    return None


def judge_scaling(goal, measured):
    """Goals about generated graphs: the nearest size of that kind."""
    kind, size = goal["instance"].rsplit("-", 1)
    rows = [r for r in measured.scaling if r["kind"] == kind
            and abs(int(r["nodes"]) / int(size) - 1) < 0.1]
    if not rows:
        return None
    row = rows[0]
    if goal["kind"] == "memory":
        return f"{float(row['mb']):.0f} MB", \
            float(row["mb"]) <= float(goal["value"])
    if goal["kind"] == "rate":
        rate = number(row.get("alone_per_second"))
        return None if rate is None else \
            (f"{rate:.0f} a second", rate >= float(goal["value"]))
    if goal["kind"] == "cuts":
        bound = number(row["bound_tdi"])
        return f"{bound or 0:.4f} %", (bound or 0) > 0
    first = number(row["first"])
    return ("none", False) if first is None else \
        (f"{first:.2f} s", first <= float(goal["seconds"]))


def judge(goal, measured):
    """(text, met), or None: not measured."""
    if goal["kind"].startswith("ahead"):
        return judge_peer(goal, measured)
    if goal["instance"].startswith("layered"):
        return judge_scaling(goal, measured)
    run = measured.run(goal)
    return run and judge_run(goal, run, measured)


def wanted(goal):
    value, seconds = goal["value"], goal["seconds"]
    kind = goal["kind"].split()[0]
    text = {"quality": f"TDI at most {value} %", "proof": "proof",
            "first": "a schedule", "cuts": "a bound",
            "bound": f"bound at least {value} % of the extra",
            "memory": f"at most {value} MB", "rate": f"{value} moves/s",
            "ahead": f"{value} times as fast as {goal['kind'][6:]}"}[kind]
    return text + (f" in {seconds} s" if seconds else "")


def case(goal):
    threads = f", {goal['threads']} thread" if goal["threads"] else ""
    budget = f"{goal['budget']} % " if goal["budget"] else ""
    return f"{budget}{goal['order']}, C = {goal['max_computes']}{threads}"


def main():
    options = parse()
    measured = Measured(options.work)
    goals = [g for g in instances.rows("targets.csv")
             if g["issue"] in options.issues.split()]
    body, count = [], {"met": 0, "missed": 0, "not measured": 0}
    for goal in goals:
        text, met = judge(goal, measured) or ("–", None)
        verdict = {True: "met", False: "missed", None: "not measured"}[met]
        count[verdict] += 1
        if not options.missed or met is not True:
            body.append([goal["issue"], goal["instance"], case(goal),
                         wanted(goal), text, verdict])
    text = ", ".join(f"{n} {verdict}" for verdict, n in count.items())
    text = f"{len(goals)} goals: {text}.\n\n"
    if measured.records:
        text += report.setting(measured.records) + "\n\n"
    text += report.markdown(["issue", "instance", "case", "goal", "reached",
                             ""], body)
    os.makedirs(os.path.join(options.work, "targets"), exist_ok=True)
    with open(os.path.join(options.work, "targets", "targets.md"), "w",
              encoding="utf-8") as f:
        f.write(text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
