"""Checkmate's mixed-integer program on HiGHS.

Source: Jain, Jain, Nrusimhan, Gholami, Abbeel, Keutzer, Stoica, Gonzalez,
"Checkmate: Breaking the Memory Wall with Optimal Tensor Rematerialization",
MLSys 2020, sections 4.2 to 4.8 (frontier-advancing stages).  Input order, any
number of computes.  For stage t and node i <= t:

    R[t,i]       i is computed in stage t            (i < t; R[t,t] = 1)
    S[t,i]       i is held from stage t-1 into t     (i < t)
    U[t,k]       bytes held when k has been computed in stage t
    F[t,i,k]     i is freed in stage t after k

    R[t,k] <= R[t,i] + S[t,i]                        i input of k
    S[t,i] <= R[t-1,i] + S[t-1,i]
    U[t,0] = sum_i m_i S[t,i] + m_0 R[t,0]
    U[t,k+1] = U[t,k] + m_{k+1} R[t,k+1] - sum_{i in inputs(k), k} m_i F[t,i,k]
    1 - F <= hazards <= (1 - F) * (most hazards),
    hazards = 1 - R[t,k] + S[t+1,i] + sum over later readers j of i: R[t,j]

Bytes are given in thousandths of the budget, durations in units of their
greatest common divisor, so that the solver's tolerances are small beside them.
"""
import math

import highspy
import numpy as np

LIMIT = 4_000_000  # nonzeros: beyond, building alone takes over a minute


class Rows:
    """Sparse rows, appended one by one."""

    def __init__(self):
        self.start, self.index, self.value = [0], [], []
        self.low, self.high = [], []

    def add(self, low, high, *terms):
        """terms: (column, coefficient); a column of None is the constant."""
        shift = 0.0
        for column, coefficient in terms:
            if column is None:
                shift += coefficient
            elif coefficient:
                self.index.append(column)
                self.value.append(coefficient)
        self.start.append(len(self.index))
        self.low.append(low - shift)
        self.high.append(high - shift)


class Checkmate:
    """The model in HiGHS.  budget_factor < 1: the allowance that LP rounding
    keeps; integer False: the linear relaxation."""

    def __init__(self, problem, budget_factor, integer):
        self.p, self.integer = problem, integer
        self.columns, self.rows = 0, Rows()
        self.low, self.high, self.cost, self.kind = [], [], [], []
        self.R, self.S, self.U = {}, {}, {}
        self.unit = math.gcd(*problem.duration) or 1
        self.capacity = 1000.0 * budget_factor
        self.scale = 1000.0 / max(1, problem.capacity)
        self.compute_and_hold()
        self.memory()

    @staticmethod
    def size_estimate(p):
        """Nonzeros, about, before building."""
        hazards = sum(len(p.succs[u]) for u in range(p.n)) + p.n
        return p.n * (4 * hazards + 4 * p.n) // 2

    def column(self, low, high, cost, kind):
        self.low.append(low)
        self.high.append(high)
        self.cost.append(cost)
        self.kind.append(kind)
        self.columns += 1
        return self.columns - 1

    def compute_and_hold(self):
        p, inf = self.p, highspy.kHighsInf
        for t in range(p.n):
            for i in range(t):
                self.R[t, i] = self.column(
                    0, 1, p.duration[i] // self.unit, True)
                self.S[t, i] = self.column(0, 1, 0, True)
        for t in range(p.n):
            for k in range(t + 1):
                for i in p.preds[k]:
                    self.rows.add(-inf, 0, self.r(t, k), self.r(t, i, -1.0),
                                  (self.S[t, i], -1.0))
            for i in range(t):
                terms = [(self.S[t, i], 1.0), self.r(t - 1, i, -1.0)]
                if i < t - 1:
                    terms.append((self.S[t - 1, i], -1.0))
                self.rows.add(-inf, 0, *terms)

    def r(self, t, i, factor=1.0):
        """R[t,i] as a term; the diagonal is the constant 1."""
        return (None if i == t else self.R[t, i], factor)

    def memory(self):
        p = self.p
        for t in range(p.n):
            for k in range(t + 1):
                # The workspace of k is held only while k is computed.
                work = p.workspace[k] * self.scale
                self.U[t, k] = self.column(0, self.capacity, 0, False)
                if work:
                    self.rows.add(-highspy.kHighsInf, self.capacity,
                                  (self.U[t, k], 1.0), self.r(t, k, work))
            terms = [(self.S[t, i], -p.size[i] * self.scale)
                     for i in range(t)]
            self.rows.add(0, 0, (self.U[t, 0], 1.0), *terms,
                          self.r(t, 0, -p.size[0] * self.scale))
            for k in range(t):
                freed = [(self.freed(t, i, k), p.size[i] * self.scale)
                         for i in p.preds[k] + [k]]
                self.rows.add(
                    0, 0, (self.U[t, k + 1], 1.0), (self.U[t, k], -1.0),
                    self.r(t, k + 1, -p.size[k + 1] * self.scale), *freed)

    def freed(self, t, i, k):
        p, inf = self.p, highspy.kHighsInf
        f = self.column(0, 1, 0, True)
        hazards = [(None, 1.0), self.r(t, k, -1.0)]
        if t + 1 < p.n:
            hazards.append((self.S[t + 1, i], 1.0))
        hazards += [self.r(t, j) for j in p.succs[i] if k < j <= t]
        most = float(len(hazards) - 1)
        self.rows.add(1, inf, *hazards, (f, 1.0))
        self.rows.add(-inf, most, *hazards, (f, most))
        return f

    def load(self, highs):
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = self.columns, len(self.rows.low)
        lp.col_cost_ = np.array(self.cost, dtype=float)
        lp.col_lower_ = np.array(self.low, dtype=float)
        lp.col_upper_ = np.array(self.high, dtype=float)
        lp.row_lower_ = np.array(self.rows.low, dtype=float)
        lp.row_upper_ = np.array(self.rows.high, dtype=float)
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.start_ = np.array(self.rows.start, dtype=np.int32)
        lp.a_matrix_.index_ = np.array(self.rows.index, dtype=np.int32)
        lp.a_matrix_.value_ = np.array(self.rows.value, dtype=float)
        if self.integer:
            kinds = (highspy.HighsVarType.kContinuous,
                     highspy.HighsVarType.kInteger)
            lp.integrality_ = [kinds[k] for k in self.kind]
        highs.passModel(lp)

    def recomputes(self, values):
        return [(t, i) for (t, i), c in self.R.items() if values[c] > 0.5]

    def duration(self, objective):
        """The objective's bound in cost units, rounded the safe way."""
        slack = 1e-6 * max(1.0, abs(objective))
        extra = max(0, math.ceil(objective - slack))
        return self.p.graph.base_duration + self.unit * extra


def new_highs(options, seconds):
    highs = highspy.Highs()
    for name, value in (("output_flag", False), ("time_limit", seconds),
                        ("threads", options.threads),
                        ("random_seed", options.seed), ("mip_rel_gap", 0.0)):
        highs.setOptionValue(name, value)
    return highs
