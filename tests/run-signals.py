#!/usr/bin/env python3
"""Signals at random moments of solves, on layered graphs of 400 to 20 000 nodes,
in both orders, for both objectives, on one and two threads.

After each signal the output must be the complete old file or a complete new
one whose schedule verifies, with the exit status that belongs to it, and no
other file may be left.  Prints how long it took from signal to exit, processor
time and clock: count, median, 99 %, maximum, and the slowest runs.

usage: tests/run-signals.py PROGRAM [COUNT [SEED]]     (100: about 2 minutes)
"""
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU]
NODES = [400, 2000, 20000]


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def fault(program, graph, status):
    """What is wrong with file s after this exit status; None if nothing is."""
    with open("s") as f:
        text = f.read()
    left = set(os.listdir()) - {"s"} - {f"g{n}" for n in NODES}
    if left:
        return f"left behind: {left}"
    if status < 0:  # the signal came before it could be caught
        return None if text == "old\n" else "killed, yet the file changed"
    if status not in (0, 3, 4):
        return f"exit status {status}"
    try:
        document = json.loads(text)
    except ValueError:
        return "the file is no document"
    if (document.get("sequence") is not None) != (status == 0):
        return f"exit status {status} with status {document.get('status')}"
    if status:
        return None
    check = subprocess.run([program, "verify", graph, "s"], stdout=subprocess.DEVNULL)
    return "the schedule does not verify" if check.returncode else None


def one(program, choose):
    """(clock, processor time, what), or None where the solve ended before."""
    graph = f"g{choose.choice(NODES)}"
    arguments = [graph, "--threads", choose.choice("12"), "--order"]
    arguments += [choose.choice(["input", "input", "free"])]
    goal = choose.choice(["-b 90%", "-b 90%", "-b 80%", "--objective peak"])
    arguments += goal.split()
    with open("s", "w") as f:
        f.write("old\n")
    process = subprocess.Popen([program, "solve", "-q", "-o", "s"] + arguments)
    number = choose.choice(SIGNALS)
    time.sleep(choose.uniform(0, 1.5))
    if process.poll() is not None:
        return None
    used = processor_seconds(process.pid) + children_seconds()
    process.send_signal(number)
    sent = time.monotonic()
    status = process.wait()
    took = time.monotonic() - sent, children_seconds() - used
    what = f"{number.name}: solve {' '.join(arguments)}"
    wrong = fault(program, graph, status)
    if wrong:
        sys.exit(f"{what}: {wrong}")
    return took + (what,)


def summary(name, seconds):
    seconds = sorted(seconds)
    count = len(seconds)
    print(f"{name}: {count} signals, median {seconds[count // 2]:.3f} s, "
          f"99 % {seconds[count * 99 // 100]:.3f} s, most {seconds[-1]:.3f} s")


def main():
    program = os.path.realpath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    choose = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for n in NODES:
            subprocess.run([program, "generate", "layered", "-n", str(n),
                            "-o", f"g{n}"], check=True)
        runs = []
        while len(runs) < count:
            run = one(program, choose)
            if run:
                runs.append(run)
        os.chdir("/")
    summary("processor", [run[1] for run in runs])
    summary("clock", [run[0] for run in runs])
    for clock, used, what in sorted(runs, key=lambda run: -run[1])[:5]:
        print(f"  {used:.2f} s of processor time, {clock:.2f} s: {what}")


main()
