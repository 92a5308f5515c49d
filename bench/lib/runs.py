"""One measured run: start a solver, watch it, verify what it wrote."""
import csv
import hashlib
import json
import os
import platform
import signal
import subprocess
import sys
import threading
import time

from . import compute_graph
from .instances import HERE, ROOT

MOST_CHECKED = 20000  # nodes that the second checker is asked about
GRACE = 10.0  # seconds past the limit before a solver is stopped
PEERS = {
    "cpsat-published": "cpsat_published.py",
    "cpsat-free": "cpsat_free.py",
    "checkmate": "checkmate.py",
    "checkmate-lp": "checkmate_lp.py",
}
# Whose "optimal" is optimal for the problem itself, and for which C.
EXACT = {"moccasin": None, "cpsat-free": None, "checkmate": 0}


class Tools:
    """Paths of what is run: our program, the peers' Python, the work folder."""

    def __init__(self, program, peers, work):
        self.program, self.peers, self.work = program, peers, work
        with open(program, "rb") as f:
            self.digest = hashlib.sha256(f.read()).hexdigest()[:12]
        for sub in ("runs", "hints"):
            os.makedirs(os.path.join(work, sub), exist_ok=True)


def commit():
    """The checked-out commit, short, with + when files differ from it."""
    def git(*arguments):
        return subprocess.run(["git", "-C", ROOT, *arguments], text=True,
                              capture_output=True).stdout.strip()
    dirty = git("status", "--porcelain", "--untracked-files=no")
    return git("rev-parse", "--short", "HEAD") + ("+" if dirty else "")


def machine():
    """Processor, its count, system: no name of the machine."""
    model = platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as f:
            for line in f:
                if line.startswith("model name"):
                    model = line.split(":", 1)[1].strip()
                    break
    except OSError:
        pass
    return f"{model}, {os.cpu_count()} cores, {platform.system()}"


class MemoryWatch(threading.Thread):
    """The peak resident size of a process, kB, asked for every so often.
    (What wait4 says starts from the peak of the process that forked it.)"""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.path, self.peak, self.over = f"/proc/{pid}/status", 0, False
        self.start()

    def run(self):
        pause = 0.002
        while not self.over:
            try:
                with open(self.path, encoding="utf-8") as f:
                    for line in f:
                        if line.startswith("VmHWM:"):
                            self.peak = int(line.split()[1])
            except OSError:
                return
            time.sleep(pause)
            pause = min(0.1, pause * 1.5)


def watch(command, limit):
    """-> (exit status, wall and processor seconds, peak resident kB, text of
    stderr).
    Stopped by SIGTERM at limit + GRACE, by SIGKILL three seconds later."""
    start = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE)
    timers = [threading.Timer(limit + GRACE + more, child.send_signal, [sig])
              for more, sig in ((0, signal.SIGTERM), (3, signal.SIGKILL))]
    for timer in timers:
        timer.start()
    memory = MemoryWatch(child.pid)
    try:
        text = child.stderr.read().decode("utf-8", "replace")
        _, status, usage = os.wait4(child.pid, 0)
    except KeyboardInterrupt:
        child.kill()
        raise
    finally:
        for timer in timers:
            timer.cancel()
    seconds = time.monotonic() - start
    memory.over = True
    child.returncode = os.waitstatus_to_exitcode(status)
    child.stderr.close()
    return child.returncode, (seconds, usage.ru_utime + usage.ru_stime), \
        memory.peak or usage.ru_maxrss, text


def read_log(path, offset=0.0):
    """[(seconds, incumbent or None, bound or None)], seconds with `offset`
    added."""
    points = []
    try:
        with open(path, newline="", encoding="utf-8") as f:
            for row in csv.DictReader(f):
                number = lambda *names: next(
                    (float(row[n]) for n in names if row.get(n)), None)
                seconds = number("seconds", "time")
                if seconds is not None:
                    points.append((seconds + offset,
                                   number("duration", "incumbent"),
                                   number("bound", "lower_bound")))
    except (OSError, ValueError):
        pass
    return points


def arrival(points, duration):
    """When the incumbent was first at most `duration`; None: never."""
    for seconds, incumbent, _ in points:
        if incumbent is not None and incumbent <= duration:
            return seconds
    return None


def hint(tools, key, path, job):
    """The document of peers/greedy.py, made once; None when it finds nothing.
    The job remembers the hint's duration."""
    name = f"{key}-b{job['budget']}-c{job['max_computes']}.json"
    out = os.path.join(tools.work, "hints", name)
    if not os.path.exists(out):
        watch([sys.executable, os.path.join(HERE, "peers", "greedy.py"), path,
               "--budget", f"{job['budget']}%", "-c",
               str(job["max_computes"]), "--time-limit", "20", "-o", out], 20)
    try:
        with open(out, encoding="utf-8") as f:
            job["hint_duration"] = json.load(f)["duration"]
    except (OSError, ValueError, KeyError):
        return None
    return out


def command_of(tools, key, path, job, stem):
    common = [path, "--budget", f"{job['budget']}%", "--time-limit",
              f"{job['limit']:g}", "--threads", str(job["threads"]), "--seed",
              str(job["seed"]), "-c", str(job["max_computes"]),
              "-o", stem + ".schedule.json", "--log", stem + ".log.csv"]
    if job["solver"] == "moccasin":
        return [tools.program, "solve", *common, "--order", job["order"],
                "--statistics", *job.get("options", "").split()]
    script = os.path.join(HERE, "peers", PEERS[job["solver"]])
    command = [tools.peers, script, *common]
    if job["solver"] == "cpsat-free":
        start = hint(tools, key, path, job)
        command += ["--hint", start] if start else []
    return command


def name_of(key, job):
    extra = "".join(c if c.isalnum() else "_" for c in job.get("options", ""))
    return (f"{job['solver']}-{key}-b{job['budget']}-{job['order']}"
            f"-c{job['max_computes']}-t{job['limit']:g}-p{job['threads']}"
            f"-s{job['seed']}" + (f"-{extra}" if extra else ""))


def outside(job, record, document):
    """Our log's clock starts when solving does; the whole process counts, so
    all that it spent outside (start, reading, writing) is added in front."""
    stated = document.get("solver", {}).get("seconds")
    if job["solver"] != "moccasin" or stated is None:
        return 0.0
    return max(0.0, record["seconds"] - stated)


def checker(path):
    """The independent checker beside the folder of a graph, None: there is
    none.  MOCCASIN_CHECK names another."""
    for name in (os.environ.get("MOCCASIN_CHECK", ""),
                 os.path.join(os.path.dirname(path), "..", "check",
                              "verify_schedule.py"),
                 os.path.join(ROOT, "..", "shared", "check",
                              "verify_schedule.py")):
        if os.path.isfile(name):
            return name
    return None


def check(path, stem, record):
    """A second opinion on a schedule, by a program that shares no line with
    this one or with the solver."""
    program = checker(path)
    if record.get("tdi") is None or program is None \
            or record["nodes"] > MOST_CHECKED:
        return
    run = subprocess.run([sys.executable, program, path,
                          stem + ".schedule.json", "--budget",
                          str(record["budget_bytes"])],
                         capture_output=True, text=True)
    record["checked"] = run.returncode == 0
    if run.returncode != 0:
        record.update(status="fault", note="checker: "
                      + (run.stdout + run.stderr).strip()[:160])


def judge(g, job, stem, record):
    """Reads the document, verifies the sequence, fills in exact figures."""
    try:
        document, steps = compute_graph.read_sequence(
            g, stem + ".schedule.json")
    except (OSError, ValueError, KeyError) as e:
        record.update(status="none", note=str(e)[:80])
        return
    record["status"] = document.get("status", "?")
    solver = document.get("solver", {})
    record.update(found_by=solver.get("found_by"),
                  bound_by=solver.get("bound_by"))
    record["offset"] = outside(job, record, document)
    bound = document.get("duration_lower_bound")
    if bound is not None and record["status"] != "infeasible":
        record.update(bound=bound, bound_tdi=compute_graph.tdi(g, bound))
    if not steps:
        return
    peak, duration, _ = compute_graph.simulate(g, steps)
    computes = 0 if job["solver"].startswith("checkmate") else \
        job["max_computes"]
    bad = compute_graph.faults(g, steps, g.percent_budget(job["budget"]),
                               computes, job["order"])
    if bad:
        record.update(status="fault", note="; ".join(bad)[:200], peak=peak)
        if bad == [f"peak {peak} exceeds the budget "
                   f"{g.percent_budget(job['budget'])}"]:
            record["status"] = "over budget"
        record["fault_tdi"] = compute_graph.tdi(g, duration)
        return
    record.update(duration=duration, peak=peak, verified=True,
                  tdi=compute_graph.tdi(g, duration))
    if bound is not None and bound > duration:
        record.update(status="fault", note="the bound exceeds the duration")


def at(record, points, column, seconds):
    """Incumbent (1) or bound (2) after these seconds as TDI percent; None
    before there is one, and for a clock that had not got there."""
    values = [p[column] for p in points
              if p[column] is not None and p[0] <= seconds]
    final = record.get("duration" if column == 1 else "bound")
    if final is not None and record["seconds"] <= seconds:
        values.append(final)
    base = record["base_duration"]
    if not values or not base:
        return None
    value = min(values) if column == 1 else max(values)
    return 100.0 * (value - base) / base


def times(record, points):
    """When the first and the last schedule came, and the proof; how good they
    were when."""
    for seconds in (2, 10, 60):
        record[f"tdi_{seconds}"] = at(record, points, 1, seconds)
    for seconds in (5, 60):
        record[f"bound_tdi_{seconds}"] = at(record, points, 2, seconds)
    kept = [p for p in points if p[1] is not None]
    record["time_first"] = kept[0][0] if kept else None
    if record.get("duration") is not None:
        best = arrival(points, record["duration"])
        record["time_best"] = record["seconds"] if best is None else best
    if record["status"] in ("optimal", "infeasible"):
        record["time_proof"] = (points[-1][0] if points and
                                record["solver"] != "moccasin"
                                else record["seconds"])


def done(tools, key, job):
    """The job's earlier record, None when it has to be run."""
    try:
        with open(os.path.join(tools.work, "runs", name_of(key, job)
                               + ".json"), encoding="utf-8") as f:
            record = json.load(f)
    except OSError:
        return None
    if job["solver"] == "moccasin" and record["program"] != tools.digest:
        return None
    return record


def run(tools, key, path, g, job, fresh=False):
    """Runs one job or takes its earlier result.  -> record (a dict)"""
    stem = os.path.join(tools.work, "runs", name_of(key, job))
    earlier = None if fresh else done(tools, key, job)
    if earlier:
        return earlier
    for suffix in (".schedule.json", ".log.csv"):
        if os.path.exists(stem + suffix):
            os.remove(stem + suffix)
    command = command_of(tools, key, path, job, stem)
    load = os.getloadavg()[0]
    status, (seconds, cpu), kilobytes, text = watch(command, job["limit"])
    record = dict(job, instance=key, nodes=g.n, edges=g.edges,
                  budget_bytes=g.percent_budget(job["budget"]),
                  base_peak=g.base_peak, base_duration=g.base_duration,
                  exit_status=status, seconds=seconds, cpu_seconds=cpu,
                  rss_kb=kilobytes,
                  load_before=load, program=tools.digest, commit=commit(),
                  machine=machine(),
                  date=time.strftime("%Y-%m-%d %H:%M", time.gmtime()))
    with open(stem + ".stderr", "w", encoding="utf-8") as f:
        f.write(text)
    judge(g, job, stem, record)
    check(path, stem, record)
    times(record, read_log(stem + ".log.csv", record.get("offset", 0.0)))
    if record["status"] == "none" and not record.get("note"):
        record["note"] = text.strip().splitlines()[-1:] or ""
    with open(stem + ".json.tmp", "w", encoding="utf-8") as f:
        json.dump(record, f, indent=1)
    os.replace(stem + ".json.tmp", stem + ".json")
    return record
