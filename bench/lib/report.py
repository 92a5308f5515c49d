"""Tables and pictures from records: results.csv, table.md, curves-*.svg.
"""
import csv
import glob
import json
import math
import os
import re
import statistics

from . import curves, peer_table
from .instances import rows
from .runs import name_of

COLUMNS = ("instance nodes edges solver budget budget_bytes order "
           "max_computes threads limit seed status verified checked tdi "
           "tdi_2 tdi_10 tdi_60 duration base_duration bound bound_tdi "
           "bound_tdi_5 bound_tdi_60 peak base_peak time_first time_best "
           "time_proof cpu_seconds offset seconds rss_kb load_before "
           "exit_status program commit machine date found_by bound_by note").split()


def stored(work, key, job):
    """The record of a run done before, whatever its time limit: the longest
    one's; None without any."""
    name = name_of(key, job)
    pattern = re.sub(r"-t[^-]*-p", "-t*-p", glob.escape(name))
    paths = glob.glob(os.path.join(work, "runs", pattern + ".json"))
    records = []
    for path in paths:
        with open(path, encoding="utf-8") as f:
            records.append(json.load(f))
    return max(records, key=lambda r: r["limit"], default=None)


def write_csv(path, records):
    with open(path, "w", newline="", encoding="utf-8") as f:
        table = csv.DictWriter(f, COLUMNS, extrasaction="ignore",
                               lineterminator="\n")
        table.writeheader()
        table.writerows(records)


def read_csv(path):
    """The reverse, with numbers as numbers and empty as None."""
    texts = "instance solver order status program commit machine date "
    texts += "found_by bound_by note"
    records = []
    with open(path, newline="", encoding="utf-8") as f:
        for row in csv.DictReader(f):
            for name, value in row.items():
                if name in texts.split():
                    continue
                if value in ("", "True", "False"):
                    row[name] = value == "True" or None
                else:
                    row[name] = float(value) if "." in value or "e" in value \
                        else int(value)
            records.append(row)
    return records


FIGURES = ("tdi tdi_2 tdi_10 tdi_60 bound_tdi bound_tdi_5 bound_tdi_60 peak "
           "time_first time_best time_proof seconds duration bound").split()
RISING = ("bound", "bound_tdi", "bound_tdi_5", "bound_tdi_60")


def median(name, group):
    """The median of a figure over the seeds; a seed that never got there
    counts as the worst.  None where the median is such a seed."""
    worst = -math.inf if name in RISING else math.inf
    values = [worst if r.get(name) is None else r[name] for r in group]
    middle = sorted(values)[len(values) // 2] if len(values) % 2 else \
        statistics.median(values)
    return middle if math.isfinite(middle) else None


def status_of(group):
    """What the seeds have in common, else how many have proven."""
    names = {r["status"] for r in group}
    if len(names) == 1:
        return names.pop()
    proven = sum(r["status"] in ("optimal", "infeasible") for r in group)
    return "fault" if "fault" in names else f"{proven} of {len(group)} proven"


def medians(records):
    """One record per run apart from its seed: the median of every figure."""
    groups = {}
    for r in records:
        groups.setdefault((r["instance"], r["solver"], r["budget"], r["order"],
                           r["max_computes"], r["threads"]), []).append(r)
    result = []
    for group in groups.values():
        middle = dict(group[0], seeds=len(group))
        if len(group) > 1:
            middle.update({name: median(name, group) for name in FIGURES})
            middle["status"] = status_of(group)
        result.append(middle)
    return result


def seconds(value):
    if value is None:
        return "–"
    if value < 0.01:
        return "< 0.01"
    return f"{value:.2f}" if value < 10 else f"{value:.1f}"


def percent(value, digits=4):
    return "–" if value is None else f"{value:.{digits}f}"


def published_cell(published, record, source):
    wanted = record["instance"], record["budget"], record["order"], source
    for row in published:
        if wanted == (row["instance"], int(row["budget_percent"]),
                      row["order"], row["source"]):
            if not row["tdi_percent"]:
                return "none"
            took = f" ({row['seconds']} s)" if row["seconds"] else ""
            return row["tdi_percent"] + took
    return "–"


def gap(record):
    """(duration - bound) / bound of the extra cost, percent."""
    if record.get("bound_tdi") is None or record.get("tdi") is None:
        return "–"
    if record["duration"] == record["bound"]:
        return "0"
    if record["bound_tdi"] <= 0:
        return "no bound"
    return f"{100 * (record['tdi'] / record['bound_tdi'] - 1):.2f}"


def result_row(record, published, sources):
    peak = "–"
    if record.get("peak") is not None:
        peak = f"{100 * record['peak'] / record['base_peak']:.2f}"
    c = record["max_computes"]
    others = [published_cell(published, record, s) if c == 2 else "–"
              for s in sources]
    budget = f"{record['budget']} %" + (f", C = {c or 'any'}" if c != 2
                                        else "")
    early = [percent(record.get(x)) for x in ("tdi_2", "tdi_10")]
    return [record["instance"], budget, *early, percent(record.get("tdi")),
            record["status"], percent(record.get("bound_tdi")), gap(record),
            peak, seconds(record.get("time_first")),
            seconds(record.get("time_best")), seconds(record["seconds"]),
            *others]


def markdown(head, body):
    lines = ["| " + " | ".join(head) + " |",
             "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |"
                              for row in body]) + "\n"


HEAD = ["instance", "budget", "TDI %: 2 s", "10 s", "end", "status",
        "bound %", "gap %", "peak %", "first s", "best s", "end s"]
SECTIONS = (
    ("input", "Input order, our figures beside the published ones (TDI %, "
     "seconds)", ["checkmate", "moccasin-paper", "experiment"],
     ["Checkmate", "CP-SAT (paper)", "earlier best"]),
    ("free", "Free order", ["fastsa", "experiment"],
     ["FastSA", "earlier best"]),
)
KEY = """\
TDI: total duration increase, after 2 and 10 seconds of the process and at its
end; bound: proven lower bound of it; gap: of the extra duration, (found -
bound) / bound; peak: of the input order's; first, best, end: seconds to the
first schedule, to the last one, and of the whole process. All figures are
medians over the seeds, row by row. Every schedule was checked by
`bench/lib/compute_graph.py`{}.
"""


def setting(records):
    """Where and how it was measured, in a line."""
    every = lambda name: ", ".join(dict.fromkeys(
        str(r[name]) for r in records))
    dates = sorted(r["date"] for r in records)
    limits = sorted({r["limit"] for r in records})
    span = f"{limits[0]:g}" if len(limits) == 1 else \
        f"{limits[0]:g} to {limits[-1]:g}"
    count = max(len({r["seed"] for r in records
                     if r["instance"] == key}) for key in
                {r["instance"] for r in records})
    load = sorted(r.get("load_before") or 0 for r in records)
    return (f"{every('machine')}; {every('threads')} thread(s); limits {span} "
            f"s a run; {count} seed(s); commit {every('commit')}; {dates[0]} "
            f"to {dates[-1]} UTC; load before a run: median "
            f"{statistics.median(load):.1f}, highest {load[-1]:.1f}.")


def table(records):
    """The published table as Markdown: ours on all threads."""
    published = rows("published.csv")
    ours = [r for r in records if r["solver"] == "moccasin"]
    if not ours:
        return ""
    threads = max(r["threads"] for r in ours)
    ours = [r for r in ours if r["threads"] == threads]
    middle = medians(ours)
    parts = [setting(ours) + "\n"]
    for order, title, sources, names in SECTIONS:
        body = [result_row(r, published, sources) for r in middle
                if r["order"] == order]
        if body:
            parts.append(f"**{title}**\n\n" + markdown(HEAD + names, body))
    found = [r for r in ours if r.get("tdi") is not None]
    twice = sum(bool(r.get("checked")) for r in found)
    parts.append(KEY.format(
        f",\nand {twice} of {len(found)} also by the checker that came with "
        "the instances" if twice else ""))
    return "\n".join(parts)


def write_all(work, records, kind, plan):
    if not records:
        return
    def write(name, text):
        with open(os.path.join(work, name), "w", encoding="utf-8") as f:
            f.write(text)
    write_csv(os.path.join(work, "results.csv"), records)
    text = f"# Benchmark: plan {plan}, {kind} instances\n\n" + table(records)
    compared = peer_table.markdown_of(work, records)
    if compared:
        text += "\n## Peers on the same machine\n\n" + compared
        write("peers.md", compared)
    write("table.md", text)
    for order in ("input", "free"):
        picture = curves.svg(work, medians(records), order)
        if picture:
            write(f"curves-{order}.svg", picture)
    print(f"written to {work}: results.csv, table.md, curves-*.svg")
