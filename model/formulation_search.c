#include "model/formulation_internal.h"

#include <string.h>

struct formulation_size formulation_size(const struct formulation *f) {
  return f->size;
}

struct cp *formulation_cp(struct formulation *f) {
  return f->cp;
}

const struct schedule *formulation_schedule(const struct formulation *f) {
  return f->schedule;
}

/* Ends are decided downwards only, whatever the last solution was. */
static void prefer_ends(struct formulation *f) {
  for (int i = 0; i < f->size.intervals; i++)
    cp_prefer(f->cp, f->interval[i].end.variable, 0);
}

/* The index in J(v) of a stage, or -1. */
static int stage_index(const struct formulation *f, int v, int stage) {
  const int *row = f->stage + f->event_row[v];
  int low = 0, high = formulation_stages(f, v);
  while (low < high) {
    int middle = (low + high) / 2;
    if (row[middle] < stage)
      low = middle + 1;
    else
      high = middle;
  }
  return low < formulation_stages(f, v) && row[low] == stage ? low : -1;
}

void formulation_prefer(struct formulation *f, const int *step, int length) {
  const struct problem *p = f->problem;
  if (length < p->n || !cp_options(f->cp)->phase)
    return;
  struct recompute *list =
      MEMORY_ARRAY(f->memory, struct recompute, length - p->n + 1);
  int *used = MEMORY_ARRAY(f->memory, int, p->n);
  int count = schedule_recomputes(p, step, length, list);
  for (int i = 0; i < f->size.intervals; i++)
    if (cp_interval_optional(&f->interval[i]))
      cp_prefer(f->cp, f->interval[i].start.variable, f->interval[i].absent);
  for (int k = 0; k < count; k++) {
    int v = list[k].node, index = stage_index(f, v, list[k].stage);
    int i = f->interval_row[v] + used[v] + 1;
    if (index < 0 || i >= f->interval_row[v + 1])
      continue;
    used[v]++;
    cp_prefer(f->cp, f->interval[i].start.variable, index);
  }
  prefer_ends(f);
  memory_put(f->memory, used);
  memory_put(f->memory, list);
}

/* The solution's sequence, trimmed and simulated. */
static void extract(struct formulation *f) {
  const struct problem *p = f->problem;
  struct memory *m = f->memory;
  struct recompute *list =
      MEMORY_ARRAY(m, struct recompute, f->size.recomputes + 1);
  int *step = MEMORY_ARRAY(m, int, p->n + f->size.recomputes);
  int count = 0;
  for (int v = 0; v < p->n; v++)
    for (int i = f->interval_row[v] + 1; i < f->interval_row[v + 1]; i++) {
      const struct cp_interval *it = &f->interval[i];
      int32_t x = cp_value(f->cp, it->start.variable);
      if (x < it->absent)
        list[count++] = (struct recompute){f->stage[f->event_row[v] + x], v};
    }
  int length = schedule_staged(p, list, count, step);
  length = schedule_trim(p, step, length, m);
  schedule_free(m, f->schedule);
  f->schedule = schedule_new(m, p, step, length);
  memory_put(m, step);
  memory_put(m, list);
}

static enum formulation_result translate(struct formulation *f,
                                         enum cp_result result) {
  switch (result) {
  case CP_SOLUTION:
    extract(f);
    prefer_ends(f);
    return FORMULATION_SCHEDULE;
  case CP_INFEASIBLE:
  case CP_INFEASIBLE_ASSUMED:
    return FORMULATION_DONE;
  case CP_FAULT:
    return FORMULATION_FAULT;
  default:
    return FORMULATION_LIMIT;
  }
}

/* ---- least duration -------------------------------------------------------
 */

static enum formulation_result run_duration(struct formulation *f,
                                            const struct cp_limits *limits) {
  enum formulation_result r = translate(f, cp_solve(f->cp, NULL, 0, limits));
  /* Trimming can only shorten; the engine must know. */
  if (r == FORMULATION_SCHEDULE)
    cp_objective_limit(f->cp,
                       f->schedule->duration - f->problem->base_duration - 1);
  return r;
}

/* ---- least peak -----------------------------------------------------------
 */

/* Largest step whose capacity is below `peak`, or -1. */
static int32_t step_below(const struct formulation *f, int64_t peak) {
  int64_t room = peak - 1 - f->options.low;
  return room < 0 ? -1 : (int32_t)(room / f->unit);
}

/* Nothing is left: the steps up to `high` are refuted, hence all peaks below
 * the next possible one. */
static enum formulation_result peak_done(struct formulation *f, int32_t high) {
  int64_t bound = f->options.low + f->unit * high + f->grain;
  if (bound > f->peak_bound)
    f->peak_bound = bound;
  return FORMULATION_DONE;
}

/* What is left of the caller's limits, at most a probe's conflicts; false if
 * nothing is. */
static bool probe_limits(const struct formulation *f,
                         const struct cp_limits *limits,
                         const struct cp_statistics *begin,
                         struct cp_limits *probe) {
  const struct cp_statistics *now = cp_statistics(f->cp);
  *probe = limits ? *limits : (struct cp_limits){0};
  if (probe->stop && probe->stop(probe->stop_data))
    return false;
  if (probe->conflicts &&
      (probe->conflicts -= now->conflicts - begin->conflicts) <= 0)
    return false;
  if (probe->propagations &&
      (probe->propagations -= now->propagations - begin->propagations) <= 0)
    return false;
  if (!probe->conflicts || probe->conflicts > f->probe_conflicts)
    probe->conflicts = f->probe_conflicts;
  return true;
}

/* The capacity that the next probe allows.  Probes take turns below the best
 * peak known (a schedule is hoped for) and above what is refuted (a refutation
 * is), at a part of the open range that halves when both ends were too hard;
 * then each also gets more conflicts. */
static int32_t next_probe(const struct formulation *f, int32_t low,
                          int32_t high) {
  int32_t part = (high - low) >> f->probe_shift;
  return f->probe_upper ? high - part : low + part;
}

static void probe_failed(struct formulation *f) {
  f->probe_upper = !f->probe_upper;
  if (!f->probe_upper)
    return;
  f->probe_shift += f->probe_shift < 30;
  f->probe_conflicts += f->probe_conflicts / 2;
}

static void probe_succeeded(struct formulation *f) {
  f->probe_shift -= f->probe_shift > 1;
}

/* A dichotomy that does not insist: see next_probe. */
static enum formulation_result run_peak(struct formulation *f,
                                        const struct cp_limits *limits) {
  struct cp_statistics begin = *cp_statistics(f->cp);
  struct cp_limits probe;
  for (;;) {
    if (f->schedule && step_below(f, f->schedule->peak) < f->top)
      f->top = step_below(f, f->schedule->peak);
    int32_t top = f->top;
    if (top < 0 || !cp_require(f->cp, cp_at_most(f->capacity, top)) ||
        !cp_propagate_root(f->cp))
      return peak_done(f, top);
    int32_t low = cp_min(f->cp, f->capacity), high = cp_max(f->cp, f->capacity);
    f->peak_bound = f->options.low + f->unit * low;
    if (!probe_limits(f, limits, &begin, &probe))
      return FORMULATION_LIMIT;
    int32_t most = next_probe(f, low, high);
    struct cp_literal assumed = cp_at_most(f->capacity, most);
    enum cp_result r = cp_solve(f->cp, &assumed, 1, &probe);
    if (r == CP_INFEASIBLE)
      return peak_done(f, top);
    if (r == CP_INFEASIBLE_ASSUMED) {
      probe_succeeded(f);
      if (!cp_require(f->cp, cp_at_least(f->capacity, most + 1)))
        return peak_done(f, top);
    } else if (r == CP_LIMIT) {
      probe_failed(f);
    } else {
      probe_succeeded(f);
      return translate(f, r);
    }
  }
}

enum formulation_result formulation_run(struct formulation *f,
                                        const struct cp_limits *limits) {
  if (f->failed)
    return FORMULATION_DONE;
  return f->peak ? run_peak(f, limits) : run_duration(f, limits);
}

void formulation_limit(struct formulation *f, int64_t upper) {
  if (!f->peak)
    cp_objective_limit(f->cp, upper - 1 - f->problem->base_duration);
  else if (step_below(f, upper) < f->top)
    f->top = step_below(f, upper);
}

int64_t formulation_bound(const struct formulation *f) {
  if (f->peak)
    return f->peak_bound;
  return f->problem->base_duration + cp_objective_min(f->cp);
}
