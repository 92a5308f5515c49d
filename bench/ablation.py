#!/usr/bin/env python3
"""Ablations: what does each part of the solver contribute?

Every variant of bench/plans/ablation.csv (command-line arguments for `solve`)
solves the same instances on one thread with the same seed, so that counts
(conflicts, propagations, moves...) compare and no second does.  Ratios are
geometric means over the instances that both the variant and the baseline ended
with a proof; where one of them did not, the counts say nothing.
"""
import argparse
import csv
import math
import os
import re
import sys

from lib import compute_graph, instances, report, runs

SET = "rl-n100 rl-n250 rl-n500 fcn8-train vgg19-train segnet-train " \
      "mobilenet-train resnet50-train layered-100 layered-300"


def parse():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--program", default="build/release/moccasin")
    p.add_argument("--work", default="build/bench/ablation")
    p.add_argument("--data", help="folder of instances (MOCCASIN_DATA)")
    p.add_argument("--plan",
                   default=os.path.join(instances.HERE, "plans",
                                        "ablation.csv"))
    p.add_argument("--instances", default=SET)
    p.add_argument("--budgets", default="90 80")
    p.add_argument("--limit", type=float, default=10.0)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--fresh", action="store_true")
    return p.parse_args()


def statistics(path):
    """{name: value} of the table that --statistics prints."""
    found = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            match = re.match(r"  (\S.*?)\s{2,}(-?\d+)$", line.rstrip())
            if match:
                found[match.group(1)] = int(match.group(2))
    return found


def measure(options, tools, variant, key, path, g, budget):
    job = {"solver": "moccasin", "budget": budget, "order": "input",
           "max_computes": 2, "limit": options.limit, "threads": 1,
           "seed": options.seed, "options": variant["arguments"]}
    record = runs.run(tools, key, path, g, job, options.fresh)
    stem = os.path.join(tools.work, "runs", runs.name_of(key, job))
    return dict(record, variant=variant["variant"],
                statistics=statistics(stem + ".stderr"))


def proven(record):
    return record["status"] in ("optimal", "infeasible")


def mean_ratio(pairs):
    """Geometric mean of (b + 1) / (a + 1); None without pairs."""
    if not pairs:
        return None
    return math.exp(sum(math.log((b + 1) / (a + 1)) for a, b in pairs)
                    / len(pairs))


def summary(variant, mine, base, counters):
    both = [(base[k], mine[k]) for k in mine
            if proven(base[k]) and proven(mine[k])]
    cells = []
    for name in counters:
        ratio = mean_ratio([(a["statistics"].get(name, 0),
                             b["statistics"].get(name, 0)) for a, b in both])
        cells.append("–" if ratio is None else f"{ratio:.2f}")
    worse = sum((mine[k].get("duration") or math.inf)
                > (base[k].get("duration") or math.inf) for k in mine)
    return [variant["variant"], variant["what is changed"],
            f"{sum(map(proven, mine.values()))} of {len(mine)}", worse,
            len(both), *cells]


def counters_of(records):
    """The counts worth a column, those that the program states."""
    wanted = ("conflicts", "decisions", "bound changes", "propagat", "moves")
    names = dict.fromkeys(n for r in records for n in r["statistics"])
    return [n for n in names if any(w in n.lower() for w in wanted)]


def main():
    options = parse()
    tools = runs.Tools(os.path.abspath(options.program), "", options.work)
    folder = options.data or instances.data_folder()
    paths, _ = instances.find(folder, tools.program, options.work)
    keys = instances.chosen(options.instances, list(paths))
    graphs = {key: compute_graph.load(paths[key]) for key in keys}
    with open(options.plan, newline="", encoding="utf-8") as f:
        variants = list(csv.DictReader(f))
    found = {}
    for variant in variants:
        mine = found[variant["variant"]] = {}
        for key in keys:
            for budget in map(int, options.budgets.split()):
                mine[key, budget] = measure(options, tools, variant, key,
                                            paths[key], graphs[key], budget)
        solved = sum(map(proven, mine.values()))
        print(f"{variant['variant']}: {solved} of {len(mine)} proven",
              flush=True)
    everything = [r for mine in found.values() for r in mine.values()]
    counters = counters_of(everything)
    base = found[variants[0]["variant"]]
    body = [summary(v, found[v["variant"]], base, counters)
            for v in variants]
    head = ["variant", "what is changed", "proven", "longer schedule on",
            "compared on"] + [f"{c}, ratio" for c in counters]
    text = (f"One thread, seed {options.seed}, {options.limit:g} s a run; "
            f"instances {' '.join(keys)} at {options.budgets} %; "
            f"{runs.machine()}; commit {runs.commit()}.\n\n"
            + report.markdown(head, body))
    with open(os.path.join(options.work, "ablation.md"), "w",
              encoding="utf-8") as f:
        f.write(text)
    write_csv(os.path.join(options.work, "ablation.csv"), everything,
              counters)
    print(text)
    return 0


def write_csv(path, records, counters):
    names = ["variant", "instance", "budget", "status", "tdi", "bound_tdi",
             "seconds", *counters]
    with open(path, "w", newline="", encoding="utf-8") as f:
        table = csv.DictWriter(f, names, extrasaction="ignore",
                               lineterminator="\n")
        table.writeheader()
        for r in records:
            table.writerow({**r, **r["statistics"]})


if __name__ == "__main__":
    sys.exit(main())
