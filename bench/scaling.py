#!/usr/bin/env python3
"""Scaling: generated graphs of 100 to 100 000 nodes.

For each kind and size: seconds to the first schedule within the budget, TDI
after 10 seconds and at the limit, the bound, memory, moves a second of the
whole program and of the local search alone on one core (evaluation.c).  Growth
is fitted as figure = a * n^b by least squares on logarithms, over the sizes of
at least 1000 nodes.  Runs already done with this program are kept.
"""
import argparse
import csv
import json
import math
import os
import re
import subprocess
import sys

import ablation
from lib import compute_graph, report, runs
from lib.svgplot import Panel, figure

SIZES = "100 300 1000 3000 10000 30000 100000"
DENSITY = 0.2  # the default; thinned out beyond 1000 nodes, where it would
# mean ever more inputs a node: this way there are about six
COLOURS = {"layered": "#0b62c4", "transformer": "#c0392b"}
COLUMNS = ("kind nodes edges budget first tdi_10 tdi_end limit bound_tdi "
           "moves_per_second alone_per_second mb status commit").split()


def parse():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--program", default="build/release/moccasin")
    p.add_argument("--work", default="build/bench/scaling")
    p.add_argument("--kinds", default="layered transformer")
    p.add_argument("--sizes", default=SIZES)
    p.add_argument("--budget", type=int, default=90)
    p.add_argument("--limit", type=float, default=60.0)
    p.add_argument("--alone", type=float, default=2.0,
                   help="CPU seconds for the local search alone")
    p.add_argument("--threads", type=int, default=os.cpu_count())
    p.add_argument("--fresh", action="store_true")
    return p.parse_args()


def make(program, arguments, path):
    run = subprocess.run([program, "generate", *arguments, "-o", path],
                         capture_output=True, text=True)
    if run.returncode != 0:
        raise SystemExit(f"generate {' '.join(arguments)}: {run.stderr}")


def node_count(path):
    with open(path, encoding="utf-8") as f:
        return len(json.load(f)["nodes"])


def generate(program, kind, size, folder):
    """The graph file of a kind with about `size` nodes."""
    path = os.path.join(folder, f"{kind}-{size}.json")
    if os.path.exists(path):
        return path
    if kind == "layered":
        density = DENSITY * min(1.0, math.sqrt(1000 / size))
        make(program, ["layered", "-n", str(size), "--seed", "1",
                       "--density", f"{density:.4f}"], path)
        return path
    probes = []
    for layers in (1, 2):
        make(program, ["transformer", "--layers", str(layers), "--training"],
             path)
        probes.append(node_count(path))
    per_layer = max(1, probes[1] - probes[0])
    layers = max(1, round((size - probes[0]) / per_layer) + 1)
    make(program, ["transformer", "--layers", str(layers), "--training"],
         path)
    return path


def quality_at(points, base, seconds):
    """TDI percent of the best schedule known at a time, None before."""
    best = [p[1] for p in points if p[1] is not None and p[0] <= seconds]
    if not best:
        return None
    return 100.0 * (min(best) - base) / base if base else 0.0


def moves_a_second(path, seconds):
    """The statistics' count of local search moves over the run's seconds;
    other tasks had a share of that time, so this is what users get."""
    with open(path, encoding="utf-8") as f:
        found = re.search(r"local: moves\s+(\d+)", f.read())
    return int(found.group(1)) / seconds if found else None


def alone(options, evaluation, path):
    """Moves a second of the local search by itself, one core."""
    rows = ablation.evaluate(evaluation, path, options.budget, options.alone)
    return float(rows["incremental"]["moves_per_second"])


def measure(options, tools, evaluation, kind, size):
    path = generate(tools.program, kind, size,
                    os.path.join(options.work, "graphs"))
    g = compute_graph.load(path)
    key = f"{kind}-{size}"
    job = {"solver": "moccasin", "budget": options.budget, "order": "input",
           "max_computes": 2, "limit": options.limit, "seed": 1,
           "threads": options.threads}
    record = runs.run(tools, key, path, g, job, options.fresh)
    stem = os.path.join(tools.work, "runs", runs.name_of(key, job))
    points = runs.read_log(stem + ".log.csv", record.get("offset", 0.0))
    return {"kind": kind, "nodes": g.n, "edges": g.edges,
            "budget": options.budget, "first": record.get("time_first"),
            "tdi_10": quality_at(points, g.base_duration, 10.0),
            "tdi_end": record.get("tdi"), "limit": options.limit,
            "bound_tdi": record.get("bound_tdi"),
            "moves_per_second": moves_a_second(
                stem + ".stderr", record["seconds"]),
            "alone_per_second": alone(options, evaluation, path),
            "mb": record["rss_kb"] / 1024, "status": record["status"],
            "commit": record["commit"]}


def exponent(rows, column):
    """(a, b) of column = a * nodes^b over rows of 1000 nodes or more."""
    points = [(math.log(r["nodes"]), math.log(r[column])) for r in rows
              if r["nodes"] >= 900 and r.get(column)]
    if len(points) < 3:
        return None
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    b = sum((x - mean_x) * (y - mean_y) for x, y in points) \
        / sum((x - mean_x) ** 2 for x, _ in points)
    return math.exp(mean_y - b * mean_x), b


def markdown(options, rows):
    show = lambda x, digits=4: "–" if x is None else f"{x:.{digits}f}"
    body = [[r["kind"], r["nodes"], r["edges"], report.seconds(r["first"]),
             show(r["tdi_10"]), show(r["tdi_end"]), show(r["bound_tdi"]),
             show(r["moves_per_second"], 0), show(r["alone_per_second"], 0),
             show(r["mb"], 0), r["status"]]
            for r in rows]
    head = ["kind", "nodes", "edges", "first s", "TDI % at 10 s",
            f"TDI % at {options.limit:g} s", "bound %", "moves/s",
            "moves/s alone", "MB", "status"]
    text = (f"Budget {options.budget} %, input order, C = 2, "
            f"{options.threads} threads; {runs.machine()}; commit "
            f"{runs.commit()}.\n\n" + report.markdown(head, body) + "\n")
    for kind in dict.fromkeys(r["kind"] for r in rows):
        mine = [r for r in rows if r["kind"] == kind]
        for column, what in (("first", "seconds to the first schedule"),
                             ("mb", "memory"),
                             ("moves_per_second", "moves a second"),
                             ("alone_per_second", "moves a second alone")):
            fit = exponent(mine, column)
            if fit:
                text += f"- {kind}: {what} grows as n^{fit[1]:.2f}\n"
    return text


def picture(rows):
    panels = []
    for column, title, unit in (
            ("first", "Time to the first schedule", "seconds"),
            ("tdi_end", "Quality at the limit", "TDI %"),
            ("alone_per_second", "Local search alone", "moves/s"),
            ("mb", "Memory", "MB")):
        values = [r[column] for r in rows if r.get(column)]
        if not values:
            continue
        spread = (min(values) / 1.5, max(values) * 1.5)
        sizes = [r["nodes"] for r in rows]
        p = Panel(title, (min(sizes) / 1.2, max(sizes) * 1.2), spread,
                  x_log=True, y_log=True, x_label="nodes", y_label=unit)
        for kind, colour in COLOURS.items():
            points = [(r["nodes"], r[column]) for r in rows
                      if r["kind"] == kind and r.get(column)]
            p.line(points, colour)
            for x, y in points:
                p.dot(x, y, colour, f"{kind}, {x} nodes: {y:.4g} {unit}")
        panels.append(p)
    legend = [(k, c, None) for k, c in COLOURS.items()
              if any(r["kind"] == k for r in rows)]
    return figure("Scaling on generated graphs", panels, legend, columns=2)


def main():
    options = parse()
    os.makedirs(os.path.join(options.work, "graphs"), exist_ok=True)
    tools = runs.Tools(os.path.abspath(options.program), "", options.work)
    evaluation = ablation.evaluation_program(options)
    rows = []
    for kind in options.kinds.split():
        for size in map(int, options.sizes.split()):
            rows.append(measure(options, tools, evaluation, kind, size))
            print({k: v for k, v in rows[-1].items() if v is not None},
                  flush=True)
    with open(os.path.join(options.work, "scaling.csv"), "w", newline="",
              encoding="utf-8") as f:
        table = csv.DictWriter(f, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    text = markdown(options, rows)
    for name, content in (("scaling.md", text), ("scaling.svg",
                                                 picture(rows))):
        with open(os.path.join(options.work, name), "w",
                  encoding="utf-8") as f:
            f.write(content)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
