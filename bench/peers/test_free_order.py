#!/usr/bin/env python3
"""free_order.py against exhaustive search over schedules in free order.

usage: build/peers/bin/python bench/peers/test_free_order.py [CASES [FIRST]]

Random graphs of up to six nodes with workspaces, kept outputs, own limits and
fixed memory, at budgets that cannot be kept without recomputes.  Where the least
extra duration is X, a claim with `extra` >= X must never be proven; how often
extra = X - 1 is proven, or any extra if there is no schedule, is counted.  In
every fourth graph the program's numbers are rounded to a few units.
"""
import heapq
import itertools
import random
import sys
import unittest

import free_order
from staged import compute_graph

CASES, FIRST = 300, 0
ENDLESS = 10**6  # more than any schedule of these graphs takes


def random_graph(chance):
    n = chance.choice((4, 5, 6, 6, 6))
    rows = [{"id": v, "duration": chance.randint(0, 9),
             "size": chance.randint(0, 9),
             "workspace": chance.choice((0, 0, 0, 3)),
             "keep": chance.random() < 0.15,
             "limit": chance.choice((0, 0, 0, 0, 0, 1, 2, 3))}
            for v in range(n)]
    density = chance.choice((0.3, 0.4, 0.5))
    preds = [[u for u in range(v) if chance.random() < density]
             for v in range(n)]
    return compute_graph.Graph("", chance.randint(0, 3), rows, preds)


def shortest(g, budget, limit):
    """A schedule of least duration, None: there is none.  Dijkstra's algorithm
    on states (computes of each node, nodes held); a step drops any nodes, then
    computes one that is not held from inputs that are."""
    queue, seen = [(0, (0,) * g.n, (), ())], set()
    while queue:
        duration, count, held, steps = heapq.heappop(queue)
        if (count, held) in seen:
            continue
        seen.add((count, held))
        if all(count) and all(v in held for v in range(g.n) if g.keep[v]):
            return steps
        for size in range(len(held) + 1):
            for stay in itertools.combinations(held, size):
                memory = g.fixed + sum(g.size[u] for u in stay)
                for v in range(g.n):
                    if (count[v] < limit[v] and v not in stay
                            and all(u in stay for u in g.preds[v])
                            and memory + g.size[v] + g.workspace[v] <= budget):
                        more = tuple(c + (u == v) for u, c in enumerate(count))
                        heapq.heappush(queue, (
                            duration + g.duration[v], more,
                            tuple(sorted(stay + (v,))), steps + (v,)))
    return None


def limits(g):
    return [own or 2 for own in g.limit]


def by_sequences(g, budget):
    """The least duration over all sequences there are, or None."""
    best = None
    for count in itertools.product(*(range(1, k + 1) for k in limits(g))):
        nodes = [v for v in range(g.n) for _ in range(count[v])]
        duration = sum(g.duration[v] for v in nodes)
        if (best is None or duration < best) and any(
                not compute_graph.faults(g, s, budget, 2, "free")
                for s in set(itertools.permutations(nodes))):
            best = duration
    return best


def proven(g, budget, extra, cuts):
    try:
        free_order.Proof(free_order.Problem(g, budget, extra), cuts, 60).run()
        return True
    except free_order.NotProven:
        return False


def cases(first):
    """(seed, graph, budget, least extra duration or None), one a graph."""
    for seed in itertools.count(first):
        chance = random.Random(seed)
        g = random_graph(chance)
        budgets = [b for b in range(g.working_set(), g.base_peak)
                   if shortest(g, b, [1] * g.n) is None]
        if budgets:
            budget = chance.choice(budgets)
            steps = shortest(g, budget, limits(g))
            if steps is not None:
                bad = compute_graph.faults(g, steps, budget, 2, "free")
                assert not bad, (seed, bad)
                steps = sum(g.duration[v] for v in steps) - g.base_duration
            elif seed % 4:
                continue
            yield seed, g, budget, steps


class FreeOrder(unittest.TestCase):
    def test_oracle_against_all_sequences(self):
        for seed in range(60):
            g = random_graph(random.Random(seed))
            if g.n > 4 or 3 in g.limit:
                continue
            for budget in range(g.working_set(), g.base_peak + 1, 2):
                steps = shortest(g, budget, limits(g))
                self.assertEqual(by_sequences(g, budget),
                                 None if steps is None else
                                 sum(g.duration[v] for v in steps), seed)

    def test_against_exhaustive_search(self):
        count = {}
        for seed, g, budget, least in itertools.islice(cases(FIRST), CASES):
            cuts = 1 + seed % 3
            rounded = seed // 4 % 4 == 3
            free_order.LARGEST = 8 if rounded else 10**6
            free_order.START, free_order.MORE = 1 + seed % 2, 1
            if least is None:
                claim = "no schedule at all"
                outcome = proven(g, budget, ENDLESS, cuts)
            else:
                for extra in (least, least + 1, ENDLESS):
                    self.assertFalse(proven(g, budget, extra, cuts),
                                     (seed, budget, extra))
                claim = "least - 1" if least else "least is 0"
                outcome = least > 0 and proven(g, budget, least - 1, cuts)
            claim += " (rounded)" if rounded else ""
            total = count.setdefault(claim, [0, 0])
            total[0] += outcome
            total[1] += 1
        for claim, (good, total) in sorted(count.items()):
            print(f"{claim}: {good} of {total} proven")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        CASES, *rest = map(int, sys.argv[1:])
        FIRST = rest[0] if rest else FIRST
    unittest.main(argv=sys.argv[:1])
