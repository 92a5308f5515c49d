"""Where the instances are: the published files, or our own generated set."""
import csv
import fnmatch
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(HERE)


def rows(name):
    with open(os.path.join(HERE, name), newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


def data_folder():
    named = os.environ.get("MOCCASIN_DATA")
    return named or os.path.join(ROOT, "..", "shared", "graphs")


def published(folder):
    """{key: path} of the published instances found in a folder, under the
    names used here or the original ones (they begin alike)."""
    found = {}
    if not os.path.isdir(folder):
        return found
    names = sorted(n for n in os.listdir(folder) if n.endswith(".json"))
    for row in rows("instances.csv"):
        pattern = re.compile(row["file_pattern"], re.IGNORECASE)
        matches = [n for n in names if pattern.search(n)]
        if matches:
            found[row["key"]] = os.path.join(folder, matches[0])
    return found


def generated(folder, program):
    """{key: path}: our own set, made by `generate` where not yet there."""
    os.makedirs(folder, exist_ok=True)
    found = {}
    for row in rows("generated.csv"):
        path = os.path.join(folder, row["key"] + ".json")
        if not os.path.exists(path):
            run = subprocess.run([program, "generate",
                                  *row["arguments"].split(), "-o", path])
            if run.returncode != 0:
                print(f"cannot generate {row['key']}", file=sys.stderr)
                continue
        found[row["key"]] = path
    return found


def find(folder, program, work):
    """The published set where there is one, else the generated set."""
    found = published(folder)
    if found:
        return found, "published"
    print(f"no published instance in {folder} (set MOCCASIN_DATA): "
          "using our own generated set", file=sys.stderr)
    return generated(os.path.join(work, "graphs"), program), "generated"


def chosen(patterns, keys):
    """The keys that match one of the blank-separated patterns, in order."""
    return [k for k in keys
            if any(fnmatch.fnmatch(k, p) for p in patterns.split())]


def check(key, g):
    """Complains when a file is not the published instance it is taken for."""
    for row in rows("instances.csv"):
        if row["key"] != key:
            continue
        have = (g.n, g.edges, g.base_peak, g.base_duration)
        want = tuple(int(row[x]) for x in
                     ("nodes", "edges", "base_peak", "base_duration"))
        if have != want:
            print(f"{key}: (nodes, edges, peak, duration) {have} are not "
                  f"those published, {want}", file=sys.stderr)
            return False
    return True
