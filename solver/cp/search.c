/* The search: propagate, learn and jump back, or decide.
 *
 * Two modes take turns, since no single one is good at both finding and
 * refuting.  Focused: restarts as soon as the glue of recent clauses is worse
 * than usual (moving averages), scores that forget fast (decide.c).  Stable:
 * long runs (Luby's sequence) with slow activity, which complete the best
 * solution's phases.  The length of a turn is counted in propagations.
 *
 * Without learning: chronological branch and bound; the refuted decision is
 * negated one level up.  Its restarts grow geometrically, so it stays complete.
 *
 * Sources: Audemard, Simon, "Refining restarts strategies for SAT and UNSAT"
 * (2012); Biere et al., "CaDiCaL, Kissat ..." (SAT competition 2020); Luby,
 * Sinclair, Zuckerman, "Optimal speedup of Las Vegas algorithms" (1993).
 */
#include "solver/cp/internal.h"

enum { MINIMAL_RESTART = 2, PLAIN_RESTART = 200, FIRST_TURN = 1000 };

struct run {
  int64_t most_conflicts, most_propagations, next_poll;
};

/* ---- moving averages, corrected for their start -------------------------- */

static void average_add(struct cp *cp, double glue) {
  struct averages *a = &cp->averages;
  const double fast = 1.0 / 32, slow = 1.0 / 4096;
  a->fast += fast * (glue - a->fast);
  a->slow += slow * (glue - a->slow);
  a->fast_weight += fast * (1 - a->fast_weight);
  a->slow_weight += slow * (1 - a->slow_weight);
}

static bool glue_is_bad(const struct averages *a) {
  return a->slow_weight > 0 &&
         a->fast / a->fast_weight > 1.10 * a->slow / a->slow_weight;
}

/* Luby's sequence 1 1 2 1 1 2 4 ..., i from 1. */
static int64_t luby(int64_t i) {
  int64_t k = 1;
  while (k < i + 1)
    k *= 2;
  while (k != i + 1) {
    i -= k / 2 - 1;
    for (k = 1; k < i + 1;)
      k *= 2;
  }
  return k / 2;
}

/* ---- conflicts ------------------------------------------------------------
 */

static void jump(struct cp *cp, int32_t level) {
  trail_backjump(cp, level);
  if (cp->trace)
    trace_note(cp, "back to level %d", (int)level);
}

/* Learns from the conflict and asserts; false when it refutes everything. */
static bool learn(struct cp *cp) {
  int32_t glue;
  if (!analyze(cp, &glue))
    return false;
  int32_t size = cp->clause_size;
  int32_t level = size == 1 ? 0 : cp->head.trail[cp->clause_entry[1]].level;
  if (cp->trace)
    trace_learned(cp, glue, level);
  cp->statistics.learned++;
  cp->statistics.learned_literals += size;
  cp->statistics.glue += glue;
  average_add(cp, glue);
  decide_decay(cp);
  jump(cp, level);
  struct cp_literal l = cp->clause[0];
  if (size == 1) {
    cp->statistics.units++;
    trail_append(cp, l, reason(REASON_NONE, 0), 0);
  } else {
    uint32_t offset = clause_new(cp, cp->clause, size, true, glue);
    clause_attach(cp, offset);
    trail_append(cp, l, reason(REASON_CLAUSE, offset), 0);
  }
  if (cp->trace)
    trace_entry(cp, cp->head.trail_size - 1);
  return true;
}

/* Plain branch and bound: the last decision is refuted. */
static bool refute(struct cp *cp) {
  int32_t level = cp->head.level;
  const struct cp_entry *e = &cp->head.trail[cp->levels[level].trail];
  struct cp_literal l = cp_not((struct cp_literal){e->side, e->bound});
  jump(cp, level - 1);
  trail_append(cp, l, reason(REASON_NONE, 0), 0);
  if (cp->trace)
    trace_entry(cp, cp->head.trail_size - 1);
  return true;
}

/* After a conflict. CP_LIMIT means: go on. */
static enum cp_result after_conflict(struct cp *cp) {
  cp->statistics.conflicts++;
  if (cp->options.check > 1)
    check_level(cp);
  bool open = cp->head.level > 0;
  if (open && cp->options.learn)
    open = learn(cp);
  else if (open && cp->head.level <= cp->assumed_count) {
    analyze_core(cp, cp->assumed[cp->head.level - 1]);
    return CP_INFEASIBLE_ASSUMED;
  } else if (open)
    open = refute(cp);
  if (cp->fault[0])
    return CP_FAULT;
  if (open)
    return CP_LIMIT;
  cp->failed = true;
  return CP_INFEASIBLE;
}

/* ---- between conflicts ------------------------------------------------------
 */

bool search_stopped(struct cp *cp) {
  const struct cp_limits *l = cp->limits;
  if (!cp->stopped && l && l->stop)
    cp->stopped = l->stop(l->stop_data);
  return cp->stopped;
}

static bool exhausted(struct cp *cp, struct run *run) {
  const struct cp_statistics *s = &cp->statistics;
  if (s->conflicts >= run->most_conflicts ||
      s->propagations >= run->most_propagations || cp->stopped)
    return true;
  if (s->propagations < run->next_poll)
    return false;
  run->next_poll = s->propagations + 1000;
  return search_stopped(cp);
}

static bool restart_due(struct cp *cp) {
  if (!cp->options.restart || cp->head.level <= cp->assumed_count)
    return false;
  int64_t since = cp->statistics.conflicts - cp->last_restart;
  if (!cp->options.learn)
    return since >= cp->next_luby;
  if (cp->mode)
    return since >= luby(cp->luby) * cp->options.luby;
  return since >= MINIMAL_RESTART && glue_is_bad(&cp->averages);
}

static void restart(struct cp *cp) {
  jump(cp, cp->assumed_count);
  cp->statistics.restarts++;
  cp->last_restart = cp->statistics.conflicts;
  if (!cp->options.learn)
    cp->next_luby += cp->next_luby / 2;
  else if (cp->mode)
    cp->luby++;
}

/* Changes mode when the turn is over. */
static void take_turns(struct cp *cp) {
  struct cp_statistics *s = &cp->statistics;
  if (cp->options.mode || !cp->options.learn)
    return;
  bool over = cp->mode_length ? s->propagations >= cp->next_mode
                              : s->conflicts >= FIRST_TURN;
  if (!over)
    return;
  if (!cp->mode_length)
    cp->mode_length = s->propagations + 1;
  jump(cp, cp->assumed_count);
  cp->mode = !cp->mode;
  s->switches++;
  cp->next_mode = s->propagations + cp->mode_length * (s->switches / 2 + 1);
  cp->last_restart = s->conflicts;
  cp->luby = 1;
  decide_rebuild(cp);
  if (cp->trace)
    trace_note(cp, "%s mode", cp->mode ? "stable" : "focused");
}

static void maintain(struct cp *cp) {
  if (restart_due(cp))
    restart(cp);
  take_turns(cp);
  if (cp->options.reduce && cp->statistics.conflicts >= cp->next_reduce) {
    jump(cp, 0);
    reduce(cp);
  }
}

static void open_decision(struct cp *cp, struct cp_literal l) {
  trail_open_level(cp);
  trail_append(cp, l, reason(REASON_NONE, 0), 0);
  if (cp->trace)
    trace_entry(cp, cp->head.trail_size - 1);
}

static enum cp_result accept(struct cp *cp) {
  if (!propagate_idle(cp))
    return after_conflict(cp);
  for (int32_t v = 0; v < cp->variables; v++) {
    cp->solution[v] = cp_low(cp, v);
    if (cp->options.phase)
      cp->phase[v] = cp->solution[v];
  }
  cp->has_solution = true;
  cp->statistics.solutions++;
  char fault[200];
  if (cp->options.check &&
      !cp_satisfied(cp, cp->solution, fault, sizeof fault)) {
    cp_fault_set(cp, "solution violates %s", fault);
    return CP_FAULT;
  }
  if (cp->options.check)
    check_learned(cp);
  return cp->fault[0] ? CP_FAULT : CP_SOLUTION;
}

/* The next assumption or decision. CP_LIMIT means: go on. */
static enum cp_result advance(struct cp *cp) {
  struct cp_literal l;
  if (cp->head.level < cp->assumed_count) {
    l = cp->assumed[cp->head.level];
    if (cp_false(cp, l)) {
      analyze_core(cp, l);
      return CP_INFEASIBLE_ASSUMED;
    }
    if (cp_true(cp, l))
      trail_open_level(cp); /* keeps levels and assumptions in step */
    else
      open_decision(cp, l);
    return CP_LIMIT;
  }
  if (!decide(cp, &l))
    return accept(cp);
  cp->statistics.decisions++;
  open_decision(cp, l);
  return CP_LIMIT;
}

static enum cp_result search(struct cp *cp, struct run *run) {
  enum cp_result result = CP_LIMIT;
  while (result == CP_LIMIT) {
    if (!propagate(cp)) {
      result = after_conflict(cp);
      continue;
    }
    if (cp->fault[0])
      return CP_FAULT;
    if (cp->head.level == 0)
      trail_settle_root(cp);
    if (exhausted(cp, run))
      return CP_LIMIT;
    int64_t jumps = cp->backjumps;
    maintain(cp);
    if (cp->backjumps == jumps && cp->done == cp->head.trail_size)
      result = advance(cp);
  }
  return result;
}

enum cp_result cp_solve(struct cp *cp, const struct cp_literal *assumed,
                        int count, const struct cp_limits *limits) {
  if (cp->fault[0])
    return CP_FAULT;
  cp->core_size = 0;
  cp->limits = limits;
  cp->stopped = false;
  if (cp->failed || !cp_propagate_root(cp))
    return cp->fault[0] ? CP_FAULT : CP_INFEASIBLE;
  struct cp_statistics *s = &cp->statistics;
  struct run run = {INT64_MAX, INT64_MAX, 0};
  if (limits && limits->conflicts)
    run.most_conflicts = s->conflicts + limits->conflicts;
  if (limits && limits->propagations)
    run.most_propagations = s->propagations + limits->propagations;
  cp->assumed = assumed;
  cp->assumed_count = count;
  if (cp->options.mode)
    cp->mode = cp->options.mode - 1;
  if (!cp->next_luby)
    cp->next_luby = PLAIN_RESTART;
  decide_prepare(cp);
  decide_rebuild(cp);
  enum cp_result result = search(cp, &run);
  trail_backjump(cp, 0);
  cp->limits = NULL;
  cp->assumed = NULL;
  cp->assumed_count = 0;
  if (result == CP_SOLUTION && cp->has_objective)
    objective_solution(cp);
  return result;
}

const struct cp_literal *cp_core(const struct cp *cp, int *count) {
  *count = cp->core_size;
  return cp->core;
}
