#!/usr/bin/env python3
"""Proves with HiGHS, independently of our program, what free order must take.

usage: build/peers/bin/python bench/peers/free_order.py GRAPH.json
           --budget 80% --extra 1531 [--cuts 6] [--time-limit 3600] [--seed 0]

Claim: no schedule whose first computes come in any topological order stays
within the budget and takes at most `extra` cost units more than every node
once; C = 2, so nodes without a limit of their own are computed at most twice.
Exit status 0: proven; 4: not proven, which does not say that it is false.

The argument
------------
Suppose there is such a schedule.  Let [t] be the step of node t's first
compute.  At every such step (a *cut*) each node is

    later        first computed at [t] or after it; t itself is later
    recomputed   computed before [t], not held at it, computed again after it
    held         computed before [t], and an instance of it is retained at [t]
    done         computed before [t], not held at it, not computed after it

which is written with three 0/1 variables, computed >= settled >= done:
computed_u = 1 if u is recomputed, held or done; settled_u = 1 if u is held or
done; done_u = 1 if u is done.  So u is recomputed if computed_u - settled_u =
1, and held if settled_u - done_u = 1.

(1) One cut.  If u is computed before [t], so are its inputs p: computed_u <=
    computed_p.  Ancestors of t are computed, t and its
    descendants later.  [t] reads the inputs of t: they are held.  If p is done,
    nothing reads it from [t] on: its instances are all before [t], and were one
    of them read at [t] or later, it would be retained at [t].  So no consumer u
    of p is computed from [t] on, which leaves held and done: done_p <=
    settled_u (for u = t this says done_p = 0: p is held).  A node to be kept is
    not done: its last instance is after [t] or held at it.  Held nodes are not
    t, whose only instance is just being made; and one step retains at most one
    instance of a node.  Hence

        sum of size_u (settled_u - done_u)
            <=  budget - fixed - workspace_t - size_t.

    Let z_u = 1 if u is computed more than once, else 0: computed_u - settled_u
    <= z_u, and sum of w_u z_u <= extra.  z_u = 0 if the limit of u is 1 or if
    w_u > extra.
(2) Nested.  Of two cuts t and s one comes first; it is t if computed^s_t = 1.
    So computed^s_t + computed^t_s = 1, and if t comes first, what is computed
    before [t] is computed before [s]: computed^t_u <= computed^s_u.
(3) Twice.  Let t come before s, and let u be recomputed at both.  A consumer x
    first computed between them (computed^s_x - computed^t_x = 1; for x = t, u
    would be held) reads an instance of u made after [t], as none is held at
    [t], and before [s].  With one before [t] and one after [s] these are three:
    impossible if the limit of u is 2.  Nor can a consumer x be recomputed at t
    but not at s: were none of its computes between them, one would be after
    [s], so x would be held at [s], by an instance from before [t], hence held
    at [t], which it is not.  So one is between them and reads u likewise.
(4) Step one: the program of (1) to (3) for a few cuts, any cuts.  A solution is
    recorded as the set Z of nodes with z_u = 1 and w_u > 0, and the row "not
    all z_u of Z are 1" is added; again, until there is no solution.  Then the
    schedule breaks a row that was added: it recomputes all nodes of some Z
    recorded.  The nodes it recomputes beyond Z take at most extra - w(Z)
    together, so none of them takes more than that alone.
(5) Step two, for each Z recorded: the same program with z_u = 1 in Z and, of
    the other nodes, z_u = 0 if w_u > extra - w(Z).  As long as it has a
    solution, cuts are added; when it has none, no schedule in question
    recomputes all of Z.  (Nor if w(Z) > extra.)  If this succeeds for every Z,
    there is no schedule.

The cuts of step one are those that need most memory without recomputes.  Step
two begins with the cuts that need most memory while Z may be recomputed, and
adds those that need most under the order that the solution found implies: each
is a linear program, and only a guide.  Step one minimises the sum of w_u z_u so
that its sets are few; step two takes any solution.

What is relied on
-----------------
Only verdicts "infeasible" of HiGHS, on programs whose variables, coefficients
and sides are all integers: no objective value, dual bound, gap or solution (a
wrong solution at worst records a useless Z or adds a useless cut).  Bytes and
cost units are divided by their common divisor, and further if the budget or
`extra` would still exceed 10^6, all coefficients and sides rounded down: for
non-negative a_i and 0/1 x_i, sum of a_i x_i <= b implies the same of the
quotients, so rows only get weaker.  The tolerance of HiGHS for rows and
integrality (1e-6) errs towards "feasible".  What is left is trust in floating
point inside its presolve, cuts and simplex; another --seed takes another path.
"""
import argparse
import math
import sys
import time

import highspy

from staged import compute_graph

LARGEST = 10**6  # the budget and `extra`, after division, are at most this
START, MORE = 8, 3  # cuts that step two begins with, and adds at a time
INFINITY = highspy.kHighsInf


class NotProven(Exception):
    """Says what is left."""


class Problem:
    """The graph in the solver's units, with ancestors and descendants."""

    def __init__(self, g, budget, extra):
        self.g, self.n, self.extra = g, g.n, extra
        unit = divisor(g.size, budget)
        self.size = [m // unit for m in g.size]
        self.capacity = [
            (budget - g.fixed - g.workspace[t] - g.size[t]) // unit
            for t in range(g.n)]
        unit = divisor(g.duration, extra)
        self.weight = [w // unit for w in g.duration]
        self.most = extra // unit
        self.ancestors = [set() for _ in range(g.n)]
        self.descendants = [set() for _ in range(g.n)]
        for v in range(g.n):  # inputs have smaller numbers
            for u in g.preds[v]:
                self.ancestors[v] |= self.ancestors[u] | {u}
            for u in self.ancestors[v]:
                self.descendants[u].add(v)

    def duration(self, nodes):
        return sum(self.g.duration[u] for u in nodes)

    def open(self, chosen):
        """The nodes that can be recomputed if all of `chosen` are."""
        left = self.extra - self.duration(chosen)
        return sorted(set(chosen) | {
            u for u in range(self.n)
            if self.g.limit[u] != 1 and self.g.duration[u] <= left})


def divisor(values, most):
    common = math.gcd(*values) or 1
    return common * max(1, -(-most // (common * LARGEST)))


class Cut:
    """The columns of a cut.  Nodes that cannot be recomputed have one column
    for computed and settled."""

    def __init__(self, program, t):
        limits = column_limits(program, t)
        first, n = program.columns(limits), program.p.n
        self.t, self.all = t, list(range(first, first + len(limits)))
        self.settled, self.done = self.all[:n], self.all[n:2 * n]
        own = dict(zip(program.open, self.all[2 * n:]))
        self.computed = [own.get(u, self.settled[u]) for u in range(n)]


def column_limits(program, t, before=(), after=()):
    """[(low, high)] of settled, done and own computed columns at cut t.
    `before`, `after`: nodes to be computed before [t], later than it, beside
    those that are so in any order."""
    p, settled, done, computed = program.p, [], [], []
    for u in range(p.n):
        low = int(u in p.ancestors[t] or u in before)
        high = int(u != t and u not in p.descendants[t] and u not in after)
        held = u in p.g.preds[t]
        computed.append((low, high))
        settled.append((int(held or low and u not in program.z), high))
        done.append((0, int(high and not held and not p.g.keep[u])))
    return settled + done + [computed[u] for u in program.open]


class Program:
    """Rules (1) to (3) for `cuts`: nodes of `chosen` are recomputed and only
    those of `open_nodes`.  Minimises the sum of w_u z_u."""

    def __init__(self, p, cuts, open_nodes, chosen=()):
        self.p, self.open, self.chosen = p, open_nodes, chosen
        self.cut = {}
        self.low, self.high, self.cost = [], [], []
        self.row_high, self.start, self.index, self.value = [], [0], [], []
        self.z = {}
        for u in open_nodes:
            self.z[u] = self.columns([(int(u in chosen), 1)], p.weight[u])
        self.row(p.most, *((z, p.weight[u]) for u, z in self.z.items()))
        for t in cuts:
            self.add_cut(t)
        for a in self.cut.values():
            for b in self.cut.values():
                if a != b and b.t not in p.ancestors[a.t]:
                    self.add_pair(a, b)

    def columns(self, limits, cost=0):
        """Appends columns; returns the first."""
        first = len(self.cost)
        self.low += [low for low, _ in limits]
        self.high += [high for _, high in limits]
        self.cost += [cost] * len(limits)
        return first

    def row(self, most, *terms):
        """sum of terms (column, coefficient) <= most"""
        merged = {}
        for column, coefficient in terms:
            merged[column] = merged.get(column, 0) + coefficient
        self.index += merged.keys()
        self.value += merged.values()
        self.start.append(len(self.index))
        self.row_high.append(most)

    def add_cut(self, t):
        """Rule (1); the row of the memory comes last."""
        p, c = self.p, Cut(self, t)
        self.cut[t] = c
        for u in range(p.n):
            self.row(0, (c.done[u], 1), (c.settled[u], -1))
            for v in p.g.preds[u]:
                self.row(0, (c.computed[u], 1), (c.computed[v], -1))
                self.row(0, (c.done[v], 1), (c.settled[u], -1))
        for u, z in self.z.items():
            self.row(0, (c.settled[u], 1), (c.computed[u], -1))
            self.row(0, (c.computed[u], 1), (c.settled[u], -1), (z, -1))
        self.row(p.capacity[t], *self.memory(c))

    def memory(self, c):
        size = self.p.size
        return ([(column, size[u]) for u, column in enumerate(c.settled)]
                + [(column, -size[u]) for u, column in enumerate(c.done)])

    def add_pair(self, a, b):
        """Rules (2) and (3), should the node of a come before that of b."""
        g, first = self.p.g, (b.computed[a.t], 1)
        if a.t < b.t:
            other = a.computed[b.t]
            self.row(1, first, (other, 1))
            self.row(-1, (first[0], -1), (other, -1))
        for u in range(g.n):
            if self.high[a.computed[u]] and not self.low[b.computed[u]]:
                self.row(1, first, (a.computed[u], 1), (b.computed[u], -1))
        for u in self.open:
            twice = (first, (a.computed[u], 1), (a.settled[u], -1),
                     (b.computed[u], 1), (b.settled[u], -1))
            for x in g.succs[u] if g.limit[u] <= 2 else ():
                self.row(3, *twice, (b.computed[x], 1), (a.computed[x], -1))
                if x in self.chosen:  # for all it would be too many rows
                    self.row(3, *twice, (a.computed[x], 1), (a.settled[x], -1),
                             (b.computed[x], -1), (b.settled[x], 1))

    def solver(self, integer=True, **options):
        """The program in HiGHS."""
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = len(self.cost), len(self.row_high)
        lp.col_cost_ = self.cost
        lp.col_lower_, lp.col_upper_ = self.low, self.high
        lp.row_lower_ = [-INFINITY] * lp.num_row_
        lp.row_upper_ = self.row_high
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.start_ = self.start
        lp.a_matrix_.index_, lp.a_matrix_.value_ = self.index, self.value
        if integer:
            lp.integrality_ = [highspy.HighsVarType.kInteger] * lp.num_col_
        highs = highspy.Highs()
        options |= {"output_flag": False, "threads": 1, "mip_rel_gap": 0.0}
        for name, value in options.items():
            highs.setOptionValue(name, value)
        if highs.passModel(lp) == highspy.HighsStatus.kError:
            raise RuntimeError("HiGHS refuses the program")
        return highs


class Ranking:
    """By how much single cuts exceed their capacity at least, as linear
    programs that differ in their columns' limits only: one basis leads to the
    next.  (Without recomputes each is a minimum cut.)"""

    def __init__(self, p, open_nodes, chosen=()):
        self.p, self.program = p, Program(p, [0], open_nodes, chosen)
        cut = self.program.cut[0]
        self.program.row_high[-1] = INFINITY
        self.program.cost = [0] * len(self.program.cost)
        for column, size in self.program.memory(cut):
            self.program.cost[column] = size
        self.columns, self.highs = cut.all, self.program.solver(False)

    def excess(self, t, before=(), after=()):
        """INFINITY: the cut cannot be."""
        low, high = zip(*column_limits(self.program, t, before, after))
        self.highs.changeColsBounds(len(low), self.columns, low, high)
        self.highs.run()
        if self.highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return INFINITY
        return (self.highs.getInfo().objective_function_value
                - self.p.capacity[t])

    def all_cuts(self):
        return sorted(range(self.p.n), key=self.excess, reverse=True)

    def other_cuts(self, program, values):
        """Cuts not in the program, those that need most first under the order
        that a solution of it implies: nodes are placed among its cuts."""
        place = [sum(values[c.computed[u]] < 0.5 for c in program.cut.values())
                 for u in range(self.p.n)]
        excess = {}
        for t in set(range(self.p.n)) - set(program.cut):
            before = {u for u, k in enumerate(place) if k < place[t]}
            after = {u for u, k in enumerate(place) if k > place[t]}
            excess[t] = self.excess(t, before, after)
        return sorted(excess, key=excess.get, reverse=True)


class Proof:
    """run() returns the recompute sets refuted or raises NotProven."""

    def __init__(self, problem, cuts=6, seconds=3600.0, seed=0, log=None):
        self.p, self.cuts, self.seed, self.log = problem, cuts, seed, log
        self.begin = time.monotonic()
        self.end = self.begin + seconds

    def say(self, text):
        if self.log:
            seconds = time.monotonic() - self.begin
            print(f"{seconds:8.1f} s  {text}", file=self.log, flush=True)

    def names(self, nodes):
        ids = ", ".join(str(self.p.g.ids[u]) for u in nodes)
        return f"{{{ids}}} of duration {self.p.duration(nodes)}"

    def solve(self, program):
        """A solution's values; None if, and only if, HiGHS says infeasible."""
        left = max(0.0, self.end - time.monotonic())
        highs = program.solver(random_seed=self.seed, time_limit=left)
        highs.run()
        status = highs.getModelStatus()
        if status == highspy.HighsModelStatus.kInfeasible:
            return None
        if status == highspy.HighsModelStatus.kOptimal:
            return list(highs.getSolution().col_value)
        raise NotProven(highs.modelStatusToString(status))

    def sets(self):
        """Step one: every schedule recomputes all nodes of one of these."""
        p, found = self.p, []
        cuts = Ranking(p, []).all_cuts()[:self.cuts]
        self.say("step one, cuts " + " ".join(str(p.g.ids[t]) for t in cuts))
        program = Program(p, cuts, p.open(()))
        while (values := self.solve(program)) is not None:
            chosen = [u for u, z in program.z.items()
                      if values[z] > 0.5 and p.g.duration[u] > 0]
            program.row(len(chosen) - 1, *((program.z[u], 1) for u in chosen))
            self.say("may be recomputed: " + self.names(chosen))
            found.append(chosen)
        self.say("nothing else may be")
        return found

    def refute(self, chosen):
        """Step two."""
        p, open_nodes = self.p, self.p.open(chosen)
        if p.duration(chosen) > p.extra:
            return
        ranking = Ranking(p, open_nodes, chosen)
        cuts = ranking.all_cuts()[:START]
        self.say("step two: " + self.names(chosen))
        while True:
            self.say("cuts " + " ".join(str(p.g.ids[t]) for t in cuts))
            program = Program(p, cuts, open_nodes, chosen)
            program.cost = [0] * len(program.cost)
            values = self.solve(program)
            if values is None:
                self.say("refuted")
                return
            if len(cuts) == p.n:
                raise NotProven("all cuts are within the budget")
            cuts += ranking.other_cuts(program, values)[:MORE]

    def run(self):
        try:
            sets = self.sets()
        except NotProven as e:
            raise NotProven(f"step one: {e}") from e
        left = []
        for chosen in sets:
            try:
                self.refute(chosen)
            except NotProven as e:
                self.say(f"not refuted: {e}")
                left.append(f"{self.names(chosen)} ({e})")
        if left:
            raise NotProven("what is recomputed may contain "
                            + " or ".join(left))
        return sets


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("graph")
    parser.add_argument("--budget", required=True, help="bytes, or percent")
    parser.add_argument("--extra", required=True, type=int, help="cost units")
    parser.add_argument("--cuts", type=int, default=6, help="of step one")
    parser.add_argument("--time-limit", type=float, default=3600.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    g = compute_graph.load(options.graph)
    budget = (g.percent_budget(options.budget[:-1])
              if options.budget.endswith("%") else int(options.budget))
    try:
        Proof(Problem(g, budget, options.extra), options.cuts,
              options.time_limit, options.seed, sys.stderr).run()
    except NotProven as e:
        print(f"not proven: {e}")
        return 4
    print(f"no schedule in free order within {budget} bytes takes at most "
          f"{options.extra} more than every node once (C = 2)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
