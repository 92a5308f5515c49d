#!/usr/bin/env python3
"""Puts the last tables into bench/results and the README's section.

Everything between the markers in README.md is replaced; figures come from the
runs in build/bench only.
"""
import argparse
import os
import shutil
import sys

from lib import instances, report

BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"
INTRO = """\
## Benchmarks

Measured by `bench/run.sh table --seeds 5`, put here by `bench/run.sh publish`;
no figure is typed by hand. `make bench` is that and whole-process timings,
`make bench-quick` the short form; `MOCCASIN_DATA=FOLDER` names the folder of the
published instances. How it works: [bench/README.md](bench/README.md).

"""
FILES = ("results.csv", "peers.csv", "table.md", "timings.md",
         "curves-input.svg", "curves-free.svg")
LINKS = (
    ("scaling", "Scaling: generated graphs of 100 to 100 000 nodes"),
    ("ablation", "What each part contributes"),
    ("generalise", "30 generated graphs against a plain search"),
    ("peaks", "Least peaks"),
    ("targets", "The goals set for the project, met and missed"),
    ("timings", "Whole-process timings by hyperfine"),
)


def copy(source, target, names):
    os.makedirs(target, exist_ok=True)
    there = []
    for name in names:
        path = os.path.join(source, name)
        if os.path.exists(path):
            shutil.copyfile(path, os.path.join(target, name))
            there.append(name)
    return there


def text_of(folder, name):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as f:
        return f.read()


def section(results, work):
    records = report.read_csv(os.path.join(results, "results.csv"))
    text = INTRO + report.table(records)
    peers = text_of(work, "peers.md")
    if peers:
        text += ("\n### Peers on the same machine\n\nMeasured by "
                 "`bench/run.sh peers`, one seed each.\n\n" + peers)
    text += "\n![Best schedule and bound over time]" \
            "(bench/results/curves-input.svg)\n"
    for name, title in LINKS:
        if os.path.exists(os.path.join(results, name + ".md")):
            text += (f"\n- {title}: [bench/results/{name}.md]"
                     f"(bench/results/{name}.md), `bench/run.sh {name}`")
    text += "\n" if not text.endswith("\n") else ""
    return text


def insert(readme, text):
    """Replaces what is between the markers; appends them when missing."""
    with open(readme, encoding="utf-8") as f:
        old = f.read()
    block = f"{BEGIN}\n{text}{END}"
    if BEGIN in old and END in old:
        head, rest = old.split(BEGIN, 1)
        new = head + block + rest.split(END, 1)[1]
    else:
        new = old.rstrip("\n") + "\n\n" + block + "\n"
    with open(readme + ".tmp", "w", encoding="utf-8") as f:
        f.write(new)
    os.replace(readme + ".tmp", readme)


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--work", default="build/bench")
    p.add_argument("--plan", default="table")
    p.add_argument("--readme", default="README.md")
    options = p.parse_args()
    results = os.path.join(instances.HERE, "results")
    work = os.path.join(options.work, options.plan)
    if not copy(work, results, FILES):
        print(f"nothing in {work}: run make bench first", file=sys.stderr)
        return 1
    for name in ("scaling", "ablation", "generalise", "targets"):
        copy(os.path.join(options.work, name), results,
             (name + ".csv", name + ".md", name + ".svg"))
    insert(options.readme, section(results, work))
    print(f"{options.readme} and {results} are up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main())
