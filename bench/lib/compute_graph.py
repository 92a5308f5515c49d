"""Compute graphs and schedules for the benchmark, independent of the product.

Written from the problem's definition, not from the C sources, so that it can
serve as the one verifier for the program and for every peer.  Standard library
only.

Nodes are numbered along the input order (0 is computed first), so every edge
goes from a smaller to a larger number.  Bytes and cost units are Python
integers, hence exact.
"""
import json


class Graph:
    """n, ids[k], duration, size, workspace, keep, limit (0: none), preds,
    succs, fixed, name; base_peak and base_duration of the input order."""

    def __init__(self, name, fixed, rows, preds):
        self.name, self.fixed, self.n = name, fixed, len(rows)
        self.ids = [r["id"] for r in rows]
        self.duration = [r["duration"] for r in rows]
        self.size = [r["size"] for r in rows]
        self.workspace = [r["workspace"] for r in rows]
        self.keep = [r["keep"] for r in rows]
        self.limit = [r["limit"] for r in rows]
        self.preds = preds
        self.succs = [[] for _ in rows]
        for v, inputs in enumerate(preds):
            for u in inputs:
                self.succs[u].append(v)
        self.edges = sum(map(len, preds))
        base = simulate(self, range(self.n))
        self.base_peak, self.base_duration = base[0], base[1]

    def percent_budget(self, percent):
        """ceil(percent/100 * peak of the input order), in integers."""
        return -(-self.base_peak * int(percent) // 100)

    def working_set(self):
        """No schedule has a lower peak than this."""
        return self.fixed + max(
            self.size[v] + self.workspace[v]
            + sum(self.size[u] for u in self.preds[v])
            for v in range(self.n))


def pick(record, *keys, default=None):
    for key in keys:
        if key in record:
            return record[key]
    return default


def integer(value):
    if isinstance(value, float) and value != int(value):
        raise ValueError(f"{value} is no whole number")
    return int(value)


def generation_order(preds, succs):
    """Generation by generation, in file order of nodes and of out-edges."""
    left = [len(p) for p in preds]
    order = []
    generation = [v for v, count in enumerate(left) if count == 0]
    while generation:
        following = []
        for u in generation:
            order.append(u)
            for v in succs[u]:
                left[v] -= 1
                if left[v] == 0:
                    following.append(v)
        generation = following
    if len(order) != len(preds):
        raise ValueError("the graph has a cycle")
    return order


def read_node(record, place):
    return {
        "id": pick(record, "id", "name", default=place),
        "duration": integer(pick(record, "duration", "cost_cpu", default=0)),
        "size": integer(
            pick(record, "size", "cost_ram", "out_cost", default=0)),
        "workspace": integer(record.get("workspace", 0)),
        "keep": bool(record.get("keep", False)),
        "limit": integer(record.get("max_computes", 0)),
        "param": integer(record.get("param_cost", 0)),
    }


def load(path):
    """Reads networkx node-link JSON in either published variant."""
    with open(path, encoding="utf-8") as f:
        document = json.load(f)
    rows = [read_node(r, k) for k, r in enumerate(document["nodes"])]
    index = {r["id"]: k for k, r in enumerate(rows)}
    if len(index) != len(rows):
        raise ValueError(f"{path}: a node id occurs twice")
    meta = document.get("graph", {})
    meta = dict(meta) if isinstance(meta, list) else meta
    preds, succs = [[] for _ in rows], [[] for _ in rows]
    seen = set()
    for edge in pick(document, "links", "edges", default=[]):
        u = index[pick(edge, "source", "0")]
        v = index[pick(edge, "target", "1")]
        if (u, v) not in seen:
            seen.add((u, v))
            preds[v].append(u)
            succs[u].append(v)
    if "order" in meta:
        order = [index[i] for i in meta["order"]]
    else:
        order = generation_order(preds, succs)
    place = {v: k for k, v in enumerate(order)}
    fixed = integer(meta.get("fixed_memory", 0)) + sum(r["param"] for r in rows)
    return Graph(str(meta.get("name", "")), fixed, [rows[v] for v in order],
                 [sorted(place[u] for u in preds[v]) for v in order])


def simulate(g, sequence):
    """-> (peak, duration, last step at which each instance is held)."""
    sequence = list(sequence)
    current = [-1] * g.n
    last = list(range(len(sequence)))
    for step, v in enumerate(sequence):
        for u in g.preds[v]:
            if current[u] < 0:
                raise ValueError(f"step {step}: node {g.ids[v]!r} before its "
                                 f"input {g.ids[u]!r}")
            last[current[u]] = step
        current[v] = step
    for v in range(g.n):
        if g.keep[v] and current[v] >= 0:
            last[current[v]] = len(sequence) - 1
    freed = [0] * len(sequence)
    for step, v in enumerate(sequence):
        freed[last[step]] += g.size[v]
    held = peak = g.fixed
    for step, v in enumerate(sequence):
        held += g.size[v]
        peak = max(peak, held + g.workspace[v])
        held -= freed[step]
    return peak, sum(g.duration[v] for v in sequence), last


def faults(g, sequence, budget, max_computes, order):
    """Every reason why this is no schedule of the kind asked for; [] if it
    is.  `order` is "input" or "free", `max_computes` 0 for unlimited."""
    count = [0] * g.n
    firsts = []
    for v in sequence:
        if count[v] == 0:
            firsts.append(v)
        count[v] += 1
    found = []
    if len(firsts) != g.n:
        found.append(f"{g.n - len(firsts)} nodes are never computed")
    elif order == "input" and firsts != list(range(g.n)):
        found.append("first computes do not follow the input order")
    for v in range(g.n):
        limit = g.limit[v] or max_computes
        if limit and count[v] > limit:
            found.append(f"node {g.ids[v]!r}: {count[v]} computes of {limit}")
            break
    try:
        peak = simulate(g, sequence)[0]
        if peak > budget:
            found.append(f"peak {peak} exceeds the budget {budget}")
    except ValueError as e:
        found.append(str(e))
    return found


def tdi(g, duration):
    """Total duration increase, percent."""
    if g.base_duration == 0:
        return 0.0
    return 100.0 * (duration - g.base_duration) / g.base_duration


def read_sequence(g, path):
    """The sequence of a schedule document, in this module's numbers."""
    with open(path, encoding="utf-8") as f:
        document = json.load(f)
    index = {str(i): k for k, i in enumerate(g.ids)}
    return document, [index[str(i)] for i in document.get("sequence", [])]


def document(g, sequence, budget, order, max_computes, status, bound, solver):
    """A schedule document, moccasin-schedule/1, with its exact figures."""
    peak, duration, last = simulate(g, sequence)
    number = [0] * g.n
    intervals = []
    for step, v in enumerate(sequence):
        number[v] += 1
        intervals.append({"node": g.ids[v], "compute": number[v],
                          "start": step, "end": last[step]})
    result = {
        "format": "moccasin-schedule/1",
        "graph": {"name": g.name, "nodes": g.n, "edges": g.edges},
        "status": status,
        "scope": {"order": order, "max_computes": max_computes},
        "budget": budget, "peak_memory": peak, "duration": duration,
        "tdi_percent": tdi(g, duration),
        "baseline_peak_memory": g.base_peak,
        "baseline_duration": g.base_duration,
        "sequence": [g.ids[v] for v in sequence], "intervals": intervals,
        "solver": solver,
    }
    if bound is not None:
        result["duration_lower_bound"] = bound
        result["gap_percent"] = (
            100.0 * (duration - bound) / bound if bound > 0 else 0.0)
    return result
