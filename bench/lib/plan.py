"""Plans: which runs a table consists of.

A plan (bench/plans/*.csv) has a line per group of runs:

    solver,instances,budgets,order,max_computes,limit,threads,seeds

with blank-separated patterns and budgets in percent.  Empty `threads`: those
of the command line; empty `seeds`: all of the command line, else only the
first so many of them.
"""
import csv
import os

from .instances import HERE, chosen


def seeds_of(text):
    """"5" means the seeds 1 to 5; several numbers mean these."""
    numbers = [int(x) for x in text.split()]
    return list(range(1, numbers[0] + 1)) if len(numbers) == 1 else numbers


def read(name):
    """The lines of a plan, by its name or its file."""
    path = name if os.path.exists(name) else \
        os.path.join(HERE, "plans", name + ".csv")
    with open(path, newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


def jobs_of(line, key, seed, options):
    """The runs of a line for one instance and seed."""
    limit = options.limit or float(line["limit"])
    return [(key, {"solver": line["solver"], "budget": int(budget),
                   "order": line["order"], "seed": seed,
                   "max_computes": int(line["max_computes"]),
                   "limit": limit * options.scale,
                   "threads": int(line.get("threads") or options.threads)})
            for budget in line["budgets"].split()]


def jobs(options, keys):
    """[(instance key, job)] of all lines: every line with the first seed, then
    with the second..., so that what is interrupted has all rows."""
    lines = [line for name in options.plan.split() for line in read(name)]
    found = []
    for number, seed in enumerate(seeds_of(options.seeds)):
        for line in lines:
            if line.get("seeds") and number >= int(line["seeds"]):
                continue
            wanted = chosen(line["instances"], keys)
            for key in chosen(options.instances, wanted):
                found += jobs_of(line, key, seed, options)
    return found
