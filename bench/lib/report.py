"""Tables and pictures from records: results.csv, table.md, curves-*.svg.
"""
import csv
import json
import os
import statistics

from . import curves, peer_table
from .instances import rows
from .runs import name_of

COLUMNS = ("instance nodes edges solver budget budget_bytes order "
           "max_computes threads limit seed status verified tdi duration "
           "base_duration bound bound_tdi peak base_peak time_first time_best "
           "time_proof seconds rss_kb load_before exit_status program commit "
           "machine date found_by bound_by note").split()


def stored(work, key, job):
    path = os.path.join(work, "runs", name_of(key, job) + ".json")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as f:
        return json.load(f)


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


def medians(records):
    """One record per run apart from its seed: the median of every figure."""
    groups = {}
    for r in records:
        groups.setdefault((r["instance"], r["solver"], r["budget"], r["order"],
                           r["max_computes"]), []).append(r)
    result = []
    for group in groups.values():
        middle = dict(group[0], seeds=len(group))
        if len(group) > 1:
            for name in ("tdi", "bound_tdi", "peak", "time_first", "time_best",
                         "time_proof", "seconds", "duration", "bound"):
                values = [r[name] for r in group if r.get(name) is not None]
                middle[name] = statistics.median(values) if values else None
            if len({r["status"] for r in group}) > 1:
                middle["status"] = "mixed"
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
    others = [published_cell(published, record, s) for s in sources]
    c = record["max_computes"]
    budget = f"{record['budget']} %" + (f", C = {c or 'any'}" if c != 2
                                        else "")
    return [record["instance"], budget, percent(record.get("tdi")),
            record["status"], percent(record.get("bound_tdi")), gap(record),
            peak, seconds(record.get("time_first")),
            seconds(record.get("time_best")), seconds(record["seconds"]),
            *others]


def markdown(head, body):
    lines = ["| " + " | ".join(head) + " |",
             "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |"
                              for row in body]) + "\n"


HEAD = ["instance", "budget", "TDI %", "status", "bound %", "gap %", "peak %",
        "first s", "best s", "end s"]
SECTIONS = (
    ("input", "Input order, our figures beside the published ones (TDI %, "
     "seconds)", ["checkmate", "moccasin-paper", "experiment"],
     ["Checkmate", "CP-SAT (paper)", "earlier best"]),
    ("free", "Free order", ["fastsa", "experiment"],
     ["FastSA", "earlier best"]),
)
KEY = """\
TDI: total duration increase; bound: proven lower bound of it; gap: of the
extra duration, (found - bound) / bound; peak: of the input order's; first,
best, end: seconds to the first schedule, to the last one, and of the whole
process. Every schedule was checked by `bench/lib/compute_graph.py`.
"""


def setting(records):
    """Where and how it was measured, in a line."""
    ours = [r for r in records if r["solver"] == "moccasin"] or records
    first = ours[0]
    limits = sorted({r["limit"] for r in ours})
    span = f"{limits[0]:g}" if len(limits) == 1 else \
        f"{limits[0]:g} to {limits[-1]:g}"
    load = max(r.get("load_before") or 0 for r in records)
    return (f"{first['machine']}; {first['threads']} threads; limits {span} s "
            f"a run; {max(r.get('seeds', 1) for r in ours)} seed(s); commit "
            f"{first['commit']}; {first['date']} UTC; highest load before a "
            f"run {load:.1f}.")


def table(records):
    """The published table as Markdown."""
    published = rows("published.csv")
    middle = medians(records)
    parts = [setting(middle) + "\n"]
    for order, title, sources, names in SECTIONS:
        body = [result_row(r, published, sources) for r in middle
                if r["solver"] == "moccasin" and r["order"] == order]
        if body:
            parts.append(f"**{title}**\n\n" + markdown(HEAD + names, body))
    parts.append(KEY)
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
