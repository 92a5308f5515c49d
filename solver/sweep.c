#include "solver/sweep.h"

#include <string.h>

struct sweep *sweep_new(struct memory *m, const struct moccasin_graph *g,
                        const struct moccasin_options *options) {
  struct sweep *s = MEMORY_NEW(m, struct sweep);
  s->graph = g;
  s->memory = m;
  s->options = *options;
  s->options.objective = MOCCASIN_DURATION;
  return s;
}

bool sweep_optimal(const struct sweep_point *p) {
  return p->length && p->duration <= p->lower_bound;
}

int sweep_left(const struct sweep *s) {
  int left = 0;
  for (int i = 0; i < s->count; i++)
    left += !s->point[i].done;
  return left;
}

int64_t sweep_between(int64_t from, int64_t to, int i, int steps) {
  if (steps < 2)
    return to;
  int64_t span = to - from, parts = steps - 1;
  return from + span / parts * i + span % parts * i / parts;
}

/* Where a point with this key stands or belongs. */
static int place_of(const struct sweep *s, bool free_order, int64_t budget) {
  int i = 0;
  while (i < s->count && (s->point[i].free_order < free_order ||
                          (s->point[i].free_order == free_order &&
                           s->point[i].budget < budget)))
    i++;
  return i;
}

static struct sweep_point *insert(struct sweep *s, bool free_order,
                                  int64_t budget) {
  int i = place_of(s, free_order, budget);
  if (i < s->count && s->point[i].free_order == free_order &&
      s->point[i].budget == budget)
    return &s->point[i];
  MEMORY_GROW(s->memory, s->point, s->count, s->capacity);
  memmove(&s->point[i + 1], &s->point[i],
          (size_t)(s->count - i) * sizeof *s->point);
  s->count++;
  s->point[i] =
      (struct sweep_point){.free_order = free_order,
                           .budget = budget,
                           .lower_bound = moccasin_baseline_duration(s->graph)};
  return &s->point[i];
}

void sweep_add(struct sweep *s, bool free_order, int64_t budget) {
  insert(s, free_order, budget);
}

/* ---- what points tell each other ---------------------------------------- */

/* Does a schedule for `from` serve `to`? Then bounds go the other way. */
static bool serves(const struct sweep_point *from,
                   const struct sweep_point *to) {
  return from->budget <= to->budget && from->free_order <= to->free_order;
}

static void share(struct sweep_point *from, struct sweep_point *to) {
  if (from->length &&
      (!to->length || from->duration < to->duration ||
       (from->duration == to->duration && from->peak < to->peak))) {
    to->length = from->length;
    to->sequence = from->sequence;
    to->peak = from->peak;
    to->duration = from->duration;
  }
  if (to->lower_bound > from->lower_bound)
    from->lower_bound = to->lower_bound;
  if (to->infeasible)
    from->infeasible = true;
}

void sweep_settle(struct sweep *s) {
  /* Ascending for schedules, descending for bounds: both passes do both. */
  for (int i = 0; i < s->count; i++)
    for (int k = 0; k < s->count; k++)
      if (i != k && serves(&s->point[i], &s->point[k]))
        share(&s->point[i], &s->point[k]);
  for (int i = 0; i < s->count; i++) {
    struct sweep_point *p = &s->point[i];
    p->infeasible =
        p->infeasible || p->budget < moccasin_working_set(s->graph, NULL);
    p->done = p->done || p->infeasible || sweep_optimal(p);
  }
}

/* ---- solving ------------------------------------------------------------ */

static void take(struct sweep *s, struct sweep_point *p,
                 const struct moccasin_result *found) {
  p->seconds += found->seconds;
  p->infeasible = found->status == MOCCASIN_INFEASIBLE;
  if (found->duration_lower_bound > p->lower_bound && !p->infeasible)
    p->lower_bound = found->duration_lower_bound;
  if (!found->length || (p->length && p->duration <= found->duration))
    return;
  p->length = found->length;
  p->peak = found->peak;
  p->duration = found->duration;
  p->sequence = MEMORY_ARRAY(s->memory, int, found->length);
  memcpy(p->sequence, found->sequence,
         (size_t)found->length * sizeof *p->sequence);
}

/* Runs one solve; the result is the caller's. */
static struct moccasin_result *solve(const struct sweep *s,
                                     const struct moccasin_options *o,
                                     struct error *error) {
  struct moccasin_result *found = NULL;
  char message[MOCCASIN_MESSAGE] = "";
  int status = moccasin_solve(s->graph, o, &found, message);
  if (!found)
    error_set(error, (enum status)status, "%s", message);
  return found;
}

static bool stopped(const struct moccasin_options *o) {
  return o->stop && o->stop(o->data);
}

struct sweep_point *sweep_next(struct sweep *s, struct error *error) {
  sweep_settle(s);
  int i = 0;
  while (i < s->count && s->point[i].done)
    i++;
  if (i == s->count || stopped(&s->options))
    return NULL;
  struct sweep_point *p = &s->point[i];
  struct moccasin_options o = s->options;
  o.budget = p->budget;
  o.order = p->free_order ? MOCCASIN_FREE_ORDER : MOCCASIN_INPUT_ORDER;
  o.start = p->length ? p->sequence : NULL;
  o.start_length = p->length;
  struct moccasin_result *found = solve(s, &o, error);
  if (!found)
    return NULL;
  take(s, p, found);
  p->done = !stopped(&s->options);
  moccasin_result_free(found);
  sweep_settle(s);
  return p;
}

int64_t sweep_least_budget(struct sweep *s, bool free_order,
                           struct error *error) {
  struct moccasin_options o = s->options;
  o.objective = MOCCASIN_PEAK;
  o.budget = INT64_MAX;
  o.order = free_order ? MOCCASIN_FREE_ORDER : MOCCASIN_INPUT_ORDER;
  for (int i = 0; i < s->count; i++) { /* the lowest peak known so far */
    const struct sweep_point *p = &s->point[i];
    if (p->length && p->free_order <= free_order &&
        (!o.start || p->budget < o.budget)) {
      o.start = p->sequence;
      o.start_length = p->length;
      o.budget = p->budget;
    }
  }
  o.budget = INT64_MAX;
  struct moccasin_result *found = solve(s, &o, error);
  if (!found)
    return INT64_MAX;
  int64_t least = found->length ? found->peak : INT64_MAX;
  if (found->length)
    take(s, insert(s, free_order, least), found);
  else
    error_set(error, STATUS_UNKNOWN, "no schedule was found");
  moccasin_result_free(found);
  return least;
}
