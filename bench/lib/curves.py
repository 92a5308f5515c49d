"""Incumbent and bound over time, all solvers in one picture."""
import os

from . import compute_graph
from .runs import EXACT, name_of, read_log
from .svgplot import Panel, figure

COLOURS = {"moccasin": "#0b62c4", "cpsat-published": "#e08b00",
           "cpsat-free": "#c0392b", "checkmate": "#0a8f6b",
           "checkmate-lp": "#a855c7"}
EARLIEST = 0.01  # seconds, the left end


class Base:
    """What compute_graph.tdi needs of a graph."""

    def __init__(self, record):
        self.base_duration = record["base_duration"]


def curve(work, record):
    """-> (incumbents, bounds) as [(seconds, TDI percent)]"""
    points = read_log(os.path.join(
        work, "runs", name_of(record["instance"], record) + ".log.csv"),
        record.get("offset", 0.0))
    base, end = Base(record), max(record["seconds"], EARLIEST)
    found = []
    for column in (1, 2):
        line = [(max(EARLIEST, p[0]), compute_graph.tdi(base, p[column]))
                for p in points if p[column] is not None]
        if line:
            line.append((end, line[-1][1]))
        found.append(line)
    if record["solver"] not in EXACT:
        found[1] = []
    return found


def panel(work, group):
    data = [(r, *curve(work, r)) for r in group]
    finals = [incumbents[-1][1] for _, incumbents, _ in data if incumbents]
    top = min(max(finals, default=1.0) * 1.6, min(finals, default=1.0) * 6)
    right = max(max(r["seconds"], 1.0) for r in group)
    first = group[0]
    p = Panel(f"{first['instance']} {first['budget']} %", (EARLIEST, right),
              (0.0, top if top > 0 else 1.0), x_log=True,
              x_label="seconds", y_label="TDI %")
    for record, incumbents, bounds in reversed(data):
        colour = COLOURS.get(record["solver"], "#888")
        width = 2.2 if record["solver"] == "moccasin" else 1.5
        p.steps(incumbents, colour, width)
        p.steps(bounds, colour, width * 0.7, "4 3")
        if record["status"] == "optimal" and incumbents:
            p.dot(*incumbents[-1], colour, f"{record['solver']}: proven")
    return p


def svg(work, records, order):
    """One panel for each instance and budget that anyone solved."""
    groups = {}
    threads = max(r["threads"] for r in records)
    for r in records:
        if r["order"] != order or r["threads"] != threads:
            continue
        if r["max_computes"] == 2 or r["solver"].startswith("checkmate"):
            groups.setdefault((r["instance"], r["budget"], r["order"]),
                              []).append(r)
    panels = [panel(work, g) for g in groups.values()
              if any(r.get("tdi") is not None for r in g)]
    used = {r["solver"] for r in records if r["order"] == order}
    legend = [(name, colour, None) for name, colour in COLOURS.items()
              if name in used]
    legend.append(("lower bound (dashed), proof (dot)", "#667085", "4 3"))
    title = f"Best schedule and lower bound over time, {order} order"
    return figure(title, panels, legend, columns=4, width=210, height=130) \
        if panels else None
