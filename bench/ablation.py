#!/usr/bin/env python3
"""Ablations: what does each part of the solver contribute?

1. Every variant of bench/plans/ablation.csv (a value of --engine) solves the
   same instances on one thread with the same seed, so that counts (conflicts,
   propagations, moves...) compare and no second does.  Ratios are geometric
   means over the instances that both the variant and the one it is set
   `against` ended with a proof; where one of them did not, the counts say
   nothing.
2. Learning against plain branch and bound on random graphs of 20 to 60 nodes.
3. Incremental evaluation in the local search against simulating every
   sequence (evaluation.c), in CPU seconds of one core.
"""
import argparse
import csv
import math
import os
import re
import statistics
import subprocess
import sys

from lib import compute_graph, instances, report, runs

SET = "rl-n100 rl-n250 rl-n500 fcn8-train vgg19-train segnet-train " \
      "mobilenet-train resnet50-train unet-train layered-100 layered-300"
EVALUATED = "rl-n100 rl-n250 rl-n500 rl-n1000 layered-100 layered-1000"
COUNTERS = {"conflicts": "engine: conflicts",
            "bound changes": "engine: bound changes processed",
            "moves": "local: moves"}
PLAIN = "learn=0,bound=0,neighbourhood=0"
LEARNING = "learn=1,bound=0,neighbourhood=0"


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
    p.add_argument("--limit", type=float, default=5.0)
    p.add_argument("--random", type=int, default=200, help="random graphs")
    p.add_argument("--random-limit", type=float, default=1.0)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--fresh", action="store_true")
    return p.parse_args()


def counts(path):
    """{name: value} of the table that --statistics prints."""
    found = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            match = re.match(r"  (\S.*?)\s{2,}(-?\d+)$", line.rstrip())
            if match:
                found[match.group(1)] = int(match.group(2))
    return found


class Ablation:
    def __init__(self, options):
        self.options = options
        self.tools = runs.Tools(os.path.abspath(options.program), "",
                                options.work)
        self.paths, _ = instances.find(
            options.data or instances.data_folder(), self.tools.program,
            options.work)
        self.graphs = {}

    def measure(self, key, path, engine, budget, limit):
        """One run on one thread, with its counts."""
        if key not in self.graphs:
            self.graphs[key] = compute_graph.load(path)
        job = {"solver": "moccasin", "budget": budget, "order": "input",
               "max_computes": 2, "limit": limit, "threads": 1,
               "seed": self.options.seed,
               "options": f"--engine {engine}" if engine else ""}
        record = runs.run(self.tools, key, path, self.graphs[key], job,
                          self.options.fresh)
        stem = os.path.join(self.tools.work, "runs", runs.name_of(key, job))
        return dict(record, counts=counts(stem + ".stderr"))


def proven(record):
    return record["status"] in ("optimal", "infeasible")


def ratios(pairs, name):
    """(b + 1) / (a + 1) of a count, of each pair."""
    return [(b["counts"].get(name, 0) + 1) / (a["counts"].get(name, 0) + 1)
            for a, b in pairs]


def mean_ratio(values):
    """Geometric mean as text."""
    if not values:
        return "–"
    return f"{math.exp(statistics.fmean(map(math.log, values))):.2f}"


# ---- 1: the parts -----------------------------------------------------------


def summary(variant, mine, base):
    both = [(base[k], mine[k]) for k in mine
            if proven(base[k]) and proven(mine[k])]
    none = lambda r: r.get("duration") or math.inf
    longer = 0 if mine is base else sum(
        none(mine[k]) > none(base[k]) for k in mine)
    shorter = sum(none(mine[k]) < none(base[k]) for k in mine)
    cells = ["" if mine is base else mean_ratio(ratios(both, name))
             for name in COUNTERS.values()]
    return [variant["variant"], variant["what is changed"],
            f"{sum(map(proven, mine.values()))} of {len(mine)}",
            f"{longer} / {shorter}" if mine is not base else "",
            *cells, len(both) if mine is not base else ""]


def parts(ablation):
    """-> (Markdown, records)"""
    options = ablation.options
    with open(options.plan, newline="", encoding="utf-8") as f:
        variants = list(csv.DictReader(f))
    keys = instances.chosen(options.instances, list(ablation.paths))
    found, everything, body = {}, [], []
    for variant in variants:
        mine = found[variant["variant"]] = {}
        for key in keys:
            for budget in map(int, options.budgets.split()):
                mine[key, budget] = ablation.measure(
                    key, ablation.paths[key], variant["arguments"], budget,
                    options.limit)
        everything += [dict(r, variant=variant["variant"])
                       for r in mine.values()]
        body.append(summary(variant, mine,
                            found[variant["against"] or variant["variant"]]))
        print(" | ".join(map(str, body[-1])), flush=True)
    head = ["variant", "what is changed", "proven",
            "schedule longer / shorter on"] \
        + [f"{name}, ratio" for name in COUNTERS] + ["compared on"]
    against = ", ".join(v["variant"] for v in variants if not v["against"])
    return (f"One thread, seed {options.seed}, {options.limit:g} s a run; "
            f"instances {' '.join(keys)} at {options.budgets} %. Ratios are "
            f"against the nearest row above of: {against}.\n\n"
            + report.markdown(head, body)), everything


# ---- 2: random graphs -------------------------------------------------------


def random_graph(ablation, number):
    folder = os.path.join(ablation.options.work, "graphs")
    os.makedirs(folder, exist_ok=True)
    size = 20 + number % 41
    path = os.path.join(folder, f"random-{number}.json")
    if not os.path.exists(path):
        subprocess.run([ablation.tools.program, "generate", "layered", "-n",
                        str(size), "--seed", str(number), "-o", path],
                       check=True, capture_output=True)
    return path


def random_graphs(ablation):
    options = ablation.options
    if not options.random:
        return ""
    pairs = []
    for number in range(1, options.random + 1):
        path = random_graph(ablation, number)
        pairs.append([ablation.measure(f"random-{number}", path, engine, 80,
                                       options.random_limit)
                      for engine in (PLAIN, LEARNING)])
        if number % 50 == 0:
            print(f"{number} random graphs", flush=True)
    both = [p for p in pairs if all(map(proven, p))]
    conflicts = [(a["counts"].get("engine: conflicts", 0),
                  b["counts"].get("engine: conflicts", 0)) for a, b in both]
    searched = [(a + 1) / (b + 1) for a, b in conflicts if a + b > 0]
    text = (f"{len(pairs)} layered random graphs, 20 to 60 nodes, at 80 %, "
            f"{options.random_limit:g} s each, one thread, without the bound: "
            f"learning proves {sum(proven(b) for _, b in pairs)}, plain "
            f"branch and bound {sum(proven(a) for a, _ in pairs)}; ")
    if searched:
        text += (f"on the {len(searched)} that both prove and that need any "
                 "search, plain has a median of "
                 f"{statistics.median(searched):.1f} times the conflicts "
                 f"(largest {max(searched):.0f} times).\n")
    return text


# ---- 3: incremental evaluation ----------------------------------------------


def evaluation_program(options):
    """evaluation.c, built against the library beside the program."""
    library = os.path.join(os.path.dirname(options.program), "libmoccasin.a")
    out = os.path.join(options.work, "evaluation")
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-I" + instances.ROOT,
                    os.path.join(instances.HERE, "evaluation.c"), library,
                    "-lm", "-pthread", "-o", out], check=True)
    return out


def evaluate(program, path, budget, seconds):
    """{"incremental": row, "whole": row} of evaluation.c."""
    run = subprocess.run([program, path, str(budget), str(seconds)],
                         check=True, capture_output=True, text=True)
    return {row["evaluation"]: row
            for row in csv.DictReader(run.stdout.splitlines())}


def evaluation(ablation):
    program = evaluation_program(ablation.options)
    body = []
    for key in instances.chosen(EVALUATED, list(ablation.paths)):
        rows = evaluate(program, ablation.paths[key], 80,
                        ablation.options.limit)
        fast, slow = rows["incremental"], rows["whole"]
        ratio = float(fast["moves_per_second"]) \
            / float(slow["moves_per_second"])
        body.append([key, fast["moves_per_second"], slow["moves_per_second"],
                     f"{ratio:.0f}",
                     fast["tdi_percent"] or "none",
                     slow["tdi_percent"] or "none"])
    return (f"Local search alone at 80 %, {ablation.options.limit:g} CPU "
            "seconds of one core; the moves are the same, only their number "
            "differs.\n\n" + report.markdown(
                ["instance", "moves/s, incremental", "moves/s, simulating",
                 "ratio", "TDI %, incremental", "TDI %, simulating"], body))


def main():
    ablation = Ablation(parse())
    text, everything = parts(ablation)
    text = (f"{runs.machine()}; commit {runs.commit()}. "
            "`bench/run.sh ablation`.\n\n## Parts of the solver\n\n" + text
            + "\n## Learning on random graphs\n\n" + random_graphs(ablation)
            + "\n## Incremental evaluation\n\n" + evaluation(ablation))
    work = ablation.options.work
    with open(os.path.join(work, "ablation.md"), "w", encoding="utf-8") as f:
        f.write(text)
    write_csv(os.path.join(work, "ablation.csv"), everything)
    print(text)
    return 0


def write_csv(path, records):
    names = ["variant", "instance", "budget", "status", "tdi", "bound_tdi",
             "seconds", *COUNTERS.values()]
    with open(path, "w", newline="", encoding="utf-8") as f:
        table = csv.DictWriter(f, names, extrasaction="ignore",
                               lineterminator="\n")
        table.writeheader()
        for r in records:
            table.writerow({**r, **r["counts"]})


if __name__ == "__main__":
    sys.exit(main())
