#include "solver/cp/cumulative_internal.h"

static inline const struct cumulative *
const_cumulative(const struct cp_propagator *p) {
  return (const struct cumulative *)(const void *)p;
}

/* The least height of the blocks at points p .. q-1. */
static int64_t least_fixed(const struct cumulative *c, int p, int q) {
  int64_t least = INT64_MAX;
  for (; p < q; p++)
    if (c->fixed[p] < least)
      least = c->fixed[p];
  return least;
}

int cumulative_reach(const struct cumulative *c, int i, int p, int q,
                     int64_t limit) {
  while (q > p + 1) {
    int64_t sum = least_fixed(c, p, q);
    for (int k = 0; k < c->touched_count && sum <= limit; k++) {
      const struct part *part = &c->part[c->touched[k]];
      if (c->touched[k] != i && part->from <= p && part->to >= q)
        sum += c->task[c->touched[k]].height;
    }
    if (sum > limit)
      break;
    q = p + (q - p) / 2;
  }
  return q;
}

/* ---- explanations ---------------------------------------------------------
 */

static void say_task(struct cp *cp, const struct cp_interval *it, int32_t from,
                     int32_t to) {
  cp_because(cp, cp_view_at_most(cp, &it->start, from));
  cp_because(cp, cp_view_at_least(cp, &it->end, (int64_t)to + 1));
}

void cumulative_because(struct cp *cp, struct cumulative *c, int skip,
                        int32_t from, int32_t to, int64_t limit, int32_t at) {
  int64_t sum = 0;
  if (c->profile.points) {
    int p = cumulative_point(c, from);
    sum = least_fixed(c, p, cumulative_point(c, (int64_t)to + 1));
  }
  int count = 0;
  for (int i = 0; i < c->tasks && sum <= limit; i++) {
    const struct cp_interval *it = &c->task[i].interval;
    if (i == skip || cp_view_max_at(cp, &it->start, at) > from ||
        cp_view_min_at(cp, &it->end, at) <= to)
      continue;
    if (cp_free_literal(cp, cp_view_at_most(cp, &it->start, from)) &&
        cp_free_literal(cp, cp_view_at_least(cp, &it->end, (int64_t)to + 1))) {
      sum += c->task[i].height;
      say_task(cp, it, from, to);
    } else {
      c->chosen[count++] = i;
    }
  }
  int used = 0;
  while (used < count && sum <= limit)
    sum += c->task[c->chosen[used++]].height;
  for (int k = used - 1; k >= 0; k--) { /* lowest first */
    const struct cp_task *task = &c->task[c->chosen[k]];
    if (sum - task->height > limit)
      sum -= task->height;
    else
      say_task(cp, &task->interval, from, to);
  }
}

/* The capacity minus `height` as it was, and why it was no larger: the
 * capacity's upper bound may be as weak as the profile's sum allows, but the
 * sum is not known before; so the bound itself is said. */
static int64_t limit_at(struct cp *cp, const struct cumulative *c,
                        int64_t height, int32_t at) {
  if (c->capacity.variable < 0)
    return c->capacity.base - height;
  int32_t most = -cp_bound_at(cp, 2 * c->capacity.variable + 1, at);
  cp_because(cp, cp_at_most(c->capacity.variable, most));
  return c->capacity.base + c->capacity.unit * most - height;
}

void cumulative_explain(struct cp *cp, struct cp_propagator *self,
                        struct cp_literal l, int64_t data, int32_t at) {
  struct cumulative *c = as_cumulative(self);
  int rule = (int)(data & 7), i = (int)(data >> 3 & 0x1fffffff);
  int32_t t = c->time[data >> 32], to = t;
  if (rule == R4) {
    int64_t below = c->capacity.base + c->capacity.unit * (l.bound - 1);
    if (below < c->capacity.base)
      below = c->capacity.base;
    cumulative_because(cp, c, -1, t, t, below, at);
    return;
  }
  const struct cp_task *task = &c->task[i];
  const struct cp_interval *it = &task->interval;
  int64_t limit = limit_at(cp, c, task->height, at);
  if (rule == R1) {
    cp_because(cp, cp_view_at_least(cp, &it->end, (int64_t)t + 1));
  } else if (rule == R2) {
    cp_because(cp, cp_view_at_most(cp, &it->start, t));
  } else {
    cp_because(cp, cp_view_at_least(cp, &it->start, t));
    to = cp_view_value(&it->start, l.bound - 1);
  }
  cumulative_because(cp, c, i, t, to, limit, at);
}

/* ---- the definition -------------------------------------------------------
 */

static inline int32_t *side(int32_t *bound, int variable, int upper) {
  return &bound[2 * variable + upper];
}

/* Height of the tasks other than `skip` that surely hold time t. */
static int64_t naive_height(const struct cumulative *c, const int32_t *bound,
                            int skip, int p) {
  int64_t sum = c->fixed[p];
  for (int k = 0; k < c->tasks; k++) {
    const struct cp_interval *it = &c->task[k].interval;
    if (k != skip && -bound[2 * it->start.variable + 1] < it->absent &&
        cp_naive_max(bound, &it->start) <= c->time[p] &&
        cp_naive_min(bound, &it->end) > c->time[p])
      sum += c->task[k].height;
  }
  return sum;
}

bool cumulative_check(const struct cp *cp, const struct cp_propagator *self,
                      const int32_t *value) {
  (void)cp;
  const struct cumulative *c = const_cumulative(self);
  int64_t capacity = c->capacity.base;
  if (c->capacity.variable >= 0)
    capacity += c->capacity.unit * value[c->capacity.variable];
  for (int k = 0; k < c->tasks; k++) {
    const struct cp_interval *it = &c->task[k].interval;
    if (value[it->start.variable] < it->absent &&
        cp_naive_value(value, &it->start) >= cp_naive_value(value, &it->end))
      return false;
  }
  for (int p = 0; p < c->profile.points; p++) {
    int64_t sum = c->fixed[p];
    for (int k = 0; k < c->tasks; k++) {
      const struct cp_interval *it = &c->task[k].interval;
      if (value[it->start.variable] < it->absent &&
          cp_naive_value(value, &it->start) <= c->time[p] &&
          cp_naive_value(value, &it->end) > c->time[p])
        sum += c->task[k].height;
    }
    if (sum > capacity)
      return false;
  }
  return true;
}

/* R1, R2, R3 for task i at point p. */
static bool naive_rules(const struct cumulative *c, int32_t *bound, int i,
                        int p) {
  const struct cp_interval *it = &c->task[i].interval;
  int32_t t = c->time[p];
  int s = it->start.variable, e = it->end.variable;
  if (cp_naive_min(bound, &it->end) > t)
    while (*side(bound, s, 0) < it->absent &&
           cp_naive_min(bound, &it->start) <= t)
      if (++*side(bound, s, 0) > -*side(bound, s, 1))
        return false;
  if (-*side(bound, s, 1) < it->absent && cp_naive_max(bound, &it->start) <= t)
    while (cp_naive_max(bound, &it->end) > t)
      if (++*side(bound, e, 1) > -*side(bound, e, 0))
        return false;
  if (*side(bound, s, 0) < it->absent && cp_naive_min(bound, &it->start) == t)
    if (++*side(bound, s, 0) > -*side(bound, s, 1))
      return false;
  return true;
}

bool cumulative_naive(const struct cp *cp, const struct cp_propagator *self,
                      int32_t *bound) {
  (void)cp;
  const struct cumulative *c = const_cumulative(self);
  int v = c->capacity.variable;
  for (int i = 0; i < c->tasks; i++) {
    const struct cp_interval *it = &c->task[i].interval;
    if (-*side(bound, it->start.variable, 1) < it->absent &&
        cp_naive_min(bound, &it->start) >= cp_naive_max(bound, &it->end))
      return false;
  }
  for (int p = 0; p < c->profile.points; p++) {
    int64_t height = naive_height(c, bound, -1, p);
    if (v < 0 && height > c->capacity.base)
      return false;
    while (v >= 0 &&
           height > c->capacity.base + c->capacity.unit * *side(bound, v, 0))
      if (++*side(bound, v, 0) > -*side(bound, v, 1))
        return false;
  }
  int64_t capacity = c->capacity.base;
  if (v >= 0)
    capacity += c->capacity.unit * -*side(bound, v, 1);
  for (int p = 0; p < c->profile.points; p++) {
    int64_t most = naive_height(c, bound, -1, p); /* of any but one */
    for (int i = 0; i < c->tasks; i++)
      if (most + c->task[i].height > capacity &&
          naive_height(c, bound, i, p) + c->task[i].height > capacity &&
          !naive_rules(c, bound, i, p))
        return false;
  }
  return true;
}

/* ---- texts ----------------------------------------------------------------
 */

const char *cumulative_rule(const struct cp_propagator *self, int64_t data) {
  (void)self;
  static const char *const label[] = {"R0", "R1", "R2", "R3", "R4"};
  return label[data & 7];
}

void cumulative_print(const struct cp *cp, const struct cp_propagator *self,
                      FILE *out) {
  const struct cumulative *c = const_cumulative(self);
  fprintf(out, "cumulative <= %lld", (long long)c->capacity.base);
  if (c->capacity.variable >= 0)
    fprintf(out, " + %lld %s", (long long)c->capacity.unit,
            cp_name(cp, c->capacity.variable));
  for (int i = 0; i < c->tasks; i++)
    fprintf(out, ", %lld [%s, %s)", (long long)c->task[i].height,
            cp_name(cp, c->task[i].interval.start.variable),
            cp_name(cp, c->task[i].interval.end.variable));
}
