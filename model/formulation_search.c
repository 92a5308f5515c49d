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

/* Ends and sums are decided downwards only, whatever the last solution was. */
static void prefer_ends(struct formulation *f) {
  for (int i = 0; i < f->size.intervals; i++)
    cp_prefer(f->cp, f->interval[i].end.variable, 0);
  for (int k = 0; k < f->size.parts; k++)
    cp_prefer(f->cp, f->part_sum[k], 0);
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
  enum formulation_result r =
      translate(f, cp_solve_least(f->cp, &f->probe, limits));
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

static enum formulation_result run_peak(struct formulation *f,
                                        const struct cp_limits *limits) {
  if (f->schedule && step_below(f, f->schedule->peak) < f->top)
    f->top = step_below(f, f->schedule->peak);
  if (f->top < 0 || !cp_require(f->cp, cp_at_most(f->capacity, f->top)))
    return peak_done(f, f->top);
  enum cp_result r = cp_solve_least(f->cp, &f->probe, limits);
  if (r == CP_INFEASIBLE)
    return peak_done(f, f->top);
  f->peak_bound = f->options.low + f->unit * cp_min(f->cp, f->capacity);
  return translate(f, r);
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
