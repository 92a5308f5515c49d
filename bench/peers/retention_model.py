"""The paper's formulation on OR-Tools CP-SAT, with lengths free or spaced.

Source: Bartan, Li, Teague, Lott, Dilkina, "Moccasin: Efficient Tensor
Rematerialization for Neural Networks", ICML 2023, section 2, written from the
text.  A node v has C_v retention intervals [s, e); the first starts at
T(v, v), a further one is absent or starts at some T(j, v), j > v, after the
previous one ends.  Sizes of the intervals that hold a time sum to at most the
budget (cumulative); each use at t is covered by an interval of the input with
s + 1 <= t and t + 1 <= e.  The text leaves the encoding of "covered by some
interval" open: here one literal chooses the interval, which CP-SAT's presolve
and linear relaxation know well.
"""
import math

from ortools.sat.python import cp_model

from staged import event


def spaced_lengths(horizon, ratio):
    """1, 2, 3, ... growing by `ratio`, up to the horizon."""
    lengths, value = [], 1.0
    while math.ceil(value) < horizon:
        lengths.append(math.ceil(value))
        value = max(value * ratio, value + 1)
    lengths.append(horizon)
    return sorted(set(lengths))


class Interval:
    """start and end in event time; present is None for the first."""

    def __init__(self, present, start, end, length, interval):
        self.present, self.start, self.end = present, start, end
        self.length, self.interval = length, interval


class RetentionModel:
    """length_ratio None: lengths are free.  capacity None: the budget;
    "minimise": phase 1, the objective is max(peak, budget)."""

    def __init__(self, problem, length_ratio, minimise_peak):
        self.p, self.model = problem, cp_model.CpModel()
        self.lengths = None
        if length_ratio is not None:
            self.lengths = spaced_lengths(problem.horizon, length_ratio)
        self.scale = math.gcd(*problem.size, *problem.workspace) or 1
        self.unit = math.gcd(*problem.duration) or 1
        self.intervals = [self.intervals_of(v) for v in range(problem.n)]
        self.choices = {}
        for v in range(problem.n):
            for u in problem.preds[v]:
                for i in range(len(self.intervals[v])):
                    self.cover(u, v, i)
        self.memory(minimise_peak)

    def new_length(self, name):
        if self.lengths is None:
            return self.model.NewIntVar(1, self.p.horizon, name)
        return self.model.NewIntVarFromDomain(
            cp_model.Domain.FromValues(self.lengths), name)

    def intervals_of(self, v):
        """Chain: [first] end <= [second] start, in which absence is last."""
        m, p = self.model, self.p
        end = m.NewIntVar(event(v, v) + 1, 2 * p.horizon, f"e{v}.1")
        length = self.new_length(f"l{v}.1")
        first = Interval(None, event(v, v), end, length,
                         m.NewIntervalVar(event(v, v), length, end, f"i{v}.1"))
        found = [first]
        stages = range(v + 1, p.n)
        count = min(p.limit[v] - 1, len(stages)) if p.succs[v] else 0
        for k in range(count):
            a = m.NewBoolVar(f"a{v}.{k + 2}")
            s = m.NewIntVarFromDomain(cp_model.Domain.FromValues(
                [event(j, v) for j in stages]), f"s{v}.{k + 2}")
            e = m.NewIntVar(1, 2 * p.horizon, f"e{v}.{k + 2}")
            length = self.new_length(f"l{v}.{k + 2}")
            found.append(Interval(a, s, e, length, m.NewOptionalIntervalVar(
                s, length, e, a, f"i{v}.{k + 2}")))
            m.Add(found[-2].end <= s).OnlyEnforceIf(a)
            if found[-2].present is not None:
                m.AddImplication(a, found[-2].present)
        return found

    def cover(self, u, v, i):
        m, use = self.model, self.intervals[v][i]
        literals = []
        for k, source in enumerate(self.intervals[u]):
            b = m.NewBoolVar(f"b{u}.{k}>{v}.{i}")
            self.choices[u, k, v, i] = b
            if source.present is not None:
                m.AddImplication(b, source.present)
                m.Add(source.start + 1 <= use.start).OnlyEnforceIf(b)
            m.Add(use.start + 1 <= source.end).OnlyEnforceIf(b)
            literals.append(b)
        if use.present is None:
            m.AddBoolOr(literals)
        else:
            m.AddBoolOr(literals).OnlyEnforceIf(use.present)

    def memory(self, minimise_peak):
        m, p = self.model, self.p
        demands, intervals = [], []
        for v in range(p.n):
            for k, x in enumerate(self.intervals[v]):
                if p.size[v]:
                    intervals.append(x.interval)
                    demands.append(p.size[v] // self.scale)
                if p.workspace[v]:
                    intervals.append(self.workspace_at(v, k, x))
                    demands.append(p.workspace[v] // self.scale)
        budget = max(0, p.capacity // self.scale)  # exact: never rounded up
        self.peak = None
        if minimise_peak:
            self.peak = m.NewIntVar(budget, max(budget, sum(demands)), "peak")
            m.AddCumulative(intervals, demands, self.peak)
            m.Minimize(self.peak)
            return
        m.AddCumulative(intervals, demands, budget)
        m.Minimize(sum(p.duration[v] // self.unit * x.present
                       for v in range(p.n) for x in self.intervals[v]
                       if x.present is not None))

    def workspace_at(self, v, k, x):
        if x.present is None:
            return self.model.NewFixedSizeIntervalVar(x.start, 1, f"w{v}.{k}")
        return self.model.NewOptionalFixedSizeIntervalVar(
            x.start, 1, x.present, f"w{v}.{k}")

    def duration(self, objective):
        """The objective of phase 2, in cost units of the whole schedule."""
        return self.p.graph.base_duration + self.unit * objective

    def recomputes(self, value):
        found = []
        for v in range(self.p.n):
            for x in self.intervals[v]:
                if x.present is not None and value(x.present):
                    stage = stage_of(value(x.start))
                    found.append((stage, v))
        return found

    def hint(self, recomputes):
        """Starts the search from a staged schedule.  Ends are minimal; with
        spaced lengths they are stretched to the next length allowed."""
        m, p = self.model, self.p
        starts = [[event(v, v)] for v in range(p.n)]
        for stage, v in sorted(recomputes):
            starts[v].append(event(stage, v))
        ends = [[s + 1 for s in row] for row in starts]
        chosen = set()
        for v in range(p.n):
            for i, t in enumerate(starts[v]):
                for u in p.preds[v]:
                    k = sum(s < t for s in starts[u]) - 1
                    ends[u][k] = max(ends[u][k], t + 1)
                    chosen.add((u, k, v, i))
        for key, literal in self.choices.items():
            m.AddHint(literal, key in chosen)
        for v in range(p.n):
            for k, x in enumerate(self.intervals[v]):
                there = k < len(starts[v])
                if x.present is not None:
                    m.AddHint(x.present, there)
                    if there:
                        m.AddHint(x.start, starts[v][k])
                if there:
                    length = ends[v][k] - starts[v][k]
                    if self.lengths is not None:
                        length = min(a for a in self.lengths if a >= length)
                    m.AddHint(x.length, length)
                    m.AddHint(x.end, starts[v][k] + length)


def stage_of(time):
    """The stage j with T(j, 0) <= time < T(j + 1, 0)."""
    return (math.isqrt(8 * time + 1) - 1) // 2


class Watch(cp_model.CpSolverSolutionCallback):
    """Gives every solution to the recorder."""

    def __init__(self, model, recorder):
        super().__init__()
        self.model, self.recorder = model, recorder

    def on_solution_callback(self):
        steps = self.model.p.sequence(self.model.recomputes(self.Value))
        self.recorder.incumbent(steps)


def solve(model, recorder, with_bound):
    """Runs CP-SAT for the time left; -> (status, recomputes or None)."""
    options, solver = recorder.options, cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = recorder.left()
    solver.parameters.num_workers = options.threads
    solver.parameters.random_seed = options.seed
    if with_bound:
        solver.best_bound_callback = lambda bound: recorder.lower_bound(
            model.duration(math.ceil(bound - 1e-6)))
    if recorder.left() <= 0:
        return "unknown", None
    status = solver.Solve(model.model, Watch(model, recorder))
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        name = "optimal" if status == cp_model.OPTIMAL else "feasible"
        return name, model.recomputes(solver.Value)
    if status == cp_model.INFEASIBLE:
        return "infeasible", None
    return "unknown", None
