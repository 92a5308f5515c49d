#include "solver/cp/cumulative_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- the profile follows the bounds -------------------------------------- */

/* Binary search over all points. */
static int search_point(const struct cumulative *c, int64_t t) {
  int from = 0, to = c->profile.points;
  while (from < to) {
    int middle = from + (to - from) / 2;
    if (c->time[middle] < t)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

int cumulative_point(const struct cumulative *c, int64_t t) {
  if (!c->point_at)
    return search_point(c, t);
  if (t <= c->time[0])
    return 0;
  t -= c->time[0];
  return t < c->span ? c->point_at[t] : c->profile.points;
}

static inline int64_t pack(struct part part) {
  return (int64_t)part.from << 32 | part.to;
}
static inline struct part unpack(int64_t mark) {
  return (struct part){(int)(mark >> 32), (int)(mark & INT32_MAX)};
}

/* Takes out of the profile what was added at levels that are gone. */
static void synchronise(struct cp *cp, struct cumulative *c) {
  int64_t backjumps = cp_backjumps(cp);
  if (backjumps == c->backjumps)
    return;
  c->backjumps = backjumps;
  for (int k = 0; k < c->touched_count; k++) {
    int i = c->touched[k];
    struct part *part = &c->part[i], now = unpack(c->mark[i].value);
    if (part->from == now.from && part->to == now.to)
      continue;
    cp_profile_add(&c->profile, part->from, part->to, -c->task[i].height);
    cp_profile_add(&c->profile, now.from, now.to, c->task[i].height);
    *part = now;
  }
  c->touched_count = (int)c->touched_now.value;
}

/* Brings the mandatory part of task i up to date; it only grows. */
static void update(struct cp *cp, struct cumulative *c, int i) {
  const struct cp_interval *it = &c->task[i].interval;
  int32_t s = cp_view_max(cp, &it->start), e = cp_view_min(cp, &it->end);
  struct part *part = &c->part[i];
  if (s >= e || !cp_is_present(cp, it))
    return;
  struct part now = {cumulative_point(c, s), cumulative_point(c, e)};
  if (now.from >= now.to || (now.from == part->from && now.to == part->to))
    return;
  int64_t height = c->task[i].height;
  if (part->from == part->to) {
    cp_profile_add(&c->profile, now.from, now.to, height);
    c->touched[c->touched_count++] = i;
    cp_set(cp, &c->touched_now, c->touched_count);
  } else {
    cp_profile_add(&c->profile, now.from, part->from, height);
    cp_profile_add(&c->profile, part->to, now.to, height);
  }
  *part = now;
  cp_set(cp, &c->mark[i], pack(now));
}

/* ---- filtering ------------------------------------------------------------
 */

/* R3: raises the start past every point it does not fit at.  One push reaches
 * as far as the tasks that hold the whole of [p, q) exceed the limit. */
static bool filter_start(struct cp *cp, struct cumulative *c, int i,
                         int64_t limit) {
  const struct cp_task *task = &c->task[i];
  const struct part *part = &c->part[i];
  for (;;) {
    int p = cumulative_point(c, cp_view_min(cp, &task->interval.start));
    if (p >= c->profile.points || (part->from < part->to && p >= part->from) ||
        cp_profile_height(&c->profile, p) <= limit)
      return true;
    int q = cp_profile_first_within(&c->profile, p, limit);
    if (part->from < part->to && q > part->from)
      q = part->from;
    q = cumulative_reach(c, i, p, q, limit);
    int64_t next =
        q < c->profile.points ? c->time[q] : (int64_t)c->time[q - 1] + 1;
    if (!cp_push(cp, &c->base,
                 cp_view_at_least(cp, &task->interval.start, next),
                 cumulative_data(R3, i, p)))
      return false;
  }
}

static bool filter(struct cp *cp, struct cumulative *c, int i, int64_t limit) {
  const struct cp_interval *it = &c->task[i].interval;
  if (!filter_start(cp, c, i, limit))
    return false;
  int32_t s_min = cp_view_min(cp, &it->start),
          s_max = cp_view_max(cp, &it->start),
          e_min = cp_view_min(cp, &it->end), e_max = cp_view_max(cp, &it->end);
  if (e_min > s_min) {
    int to = cumulative_point(c, e_min < s_max ? e_min : s_max);
    int p = cp_profile_last_above(&c->profile, cumulative_point(c, s_min), to,
                                  limit);
    if (p >= 0 &&
        !cp_push(cp, &c->base,
                 cp_view_at_least(cp, &it->start, (int64_t)c->time[p] + 1),
                 cumulative_data(R1, i, p)))
      return false;
  }
  if (!cp_is_present(cp, it))
    return true;
  s_max = cp_view_max(cp, &it->start);
  int p = cp_profile_first_above(
      &c->profile, cumulative_point(c, s_max > e_min ? s_max : e_min),
      cumulative_point(c, e_max), limit);
  return p < 0 ||
         cp_push(cp, &c->base, cp_view_at_most(cp, &it->end, c->time[p]),
                 cumulative_data(R2, i, p));
}

static int64_t capacity_now(const struct cp *cp, const struct cumulative *c) {
  return c->capacity.variable < 0
             ? c->capacity.base
             : c->capacity.base +
                   c->capacity.unit * cp_high(cp, c->capacity.variable);
}

/* R4: the capacity reaches the profile's highest point. */
static bool filter_capacity(struct cp *cp, struct cumulative *c) {
  int64_t highest = cp_profile_highest(&c->profile);
  if (!c->profile.points || highest <= c->capacity.base)
    return true;
  int p =
      cp_profile_first_above(&c->profile, 0, c->profile.points, highest - 1);
  if (c->capacity.variable < 0) {
    cumulative_because(cp, c, -1, c->time[p], c->time[p], c->capacity.base,
                       cp_head(cp)->trail_size);
    return cp_fail(cp, &c->base, cumulative_data(R4, 0, p));
  }
  int64_t steps =
      (highest - c->capacity.base + c->capacity.unit - 1) / c->capacity.unit;
  int64_t beyond = (int64_t)cp_high(cp, c->capacity.variable) + 1;
  return cp_push(cp, &c->base,
                 cp_at_least(c->capacity.variable,
                             (int32_t)(steps < beyond ? steps : beyond)),
                 cumulative_data(R4, 0, p));
}

/* R0: a decided task that is present ends after its start. */
static bool decided(struct cp *cp, struct cumulative *c, int i) {
  const struct cp_interval *it = &c->task[i].interval;
  int32_t s = cp_view_min(cp, &it->start), e = cp_view_max(cp, &it->end);
  if (cp_is_absent(cp, it) || s < e)
    return true;
  if (cp_interval_optional(it))
    cp_because(cp, cp_interval_present(it));
  cp_because(cp, cp_view_at_least(cp, &it->start, e));
  cp_because(cp, cp_view_at_most(cp, &it->end, e));
  return cp_fail(cp, &c->base, cumulative_data(R0, i, 0));
}

static bool cumulative_propagate(struct cp *cp, struct cp_propagator *self) {
  struct cumulative *c = as_cumulative(self);
  synchronise(cp, c);
  for (int k = 0; k < c->dirties; k++) {
    c->is_dirty[c->dirty[k]] = false;
    update(cp, c, c->dirty[k]);
  }
  c->dirties = 0;
  if (!filter_capacity(cp, c))
    return false;
  int64_t capacity = capacity_now(cp, c),
          spare = capacity - cp_profile_highest(&c->profile);
  int64_t open = c->open.value;
  for (int64_t k = 0; k < open;) {
    int i = c->sparse[k];
    const struct cp_interval *it = &c->task[i].interval;
    if (cp_is_absent(cp, it) ||
        (cp_low(cp, it->start.variable) == cp_high(cp, it->start.variable) &&
         cp_low(cp, it->end.variable) == cp_high(cp, it->end.variable))) {
      c->sparse[k] = c->sparse[--open];
      c->sparse[open] = i;
      if (!decided(cp, c, i))
        return false;
      continue;
    }
    k++;
    if (c->task[i].height > spare &&
        !filter(cp, c, i, capacity - c->task[i].height))
      return false;
  }
  cp_set(cp, &c->open, open);
  return true;
}

static bool cumulative_wake(struct cp *cp, struct cp_propagator *self,
                            int32_t data, int32_t old, int32_t now) {
  (void)cp;
  (void)old;
  (void)now;
  struct cumulative *c = as_cumulative(self);
  if (data >= 0 && !c->is_dirty[data]) {
    c->is_dirty[data] = true;
    c->dirty[c->dirties++] = data;
  }
  return true;
}

static void cumulative_post(struct cp *cp, struct cp_propagator *self) {
  struct cumulative *c = as_cumulative(self);
  for (int i = 0; i < c->tasks; i++) {
    const struct cp_interval *it = &c->task[i].interval;
    for (int upper = 0; upper < 2; upper++) {
      cp_watch(cp, self, 2 * it->start.variable + upper, i);
      if (it->end.variable != it->start.variable)
        cp_watch(cp, self, 2 * it->end.variable + upper, i);
    }
    c->sparse[i] = i;
    cumulative_wake(cp, self, i, 0, 0);
  }
  c->open.value = c->tasks;
  if (c->capacity.variable >= 0)
    cp_watch(cp, self, 2 * c->capacity.variable + 1, -1);
}

const struct cp_class cumulative_class = {
    .name = "cumulative",
    .priority = CP_PRIORITY_TIMETABLE,
    .option = offsetof(struct cp_options, cumulative),
    .post = cumulative_post,
    .wake = cumulative_wake,
    .propagate = cumulative_propagate,
    .explain = cumulative_explain,
    .check = cumulative_check,
    .naive = cumulative_naive,
    .rule = cumulative_rule,
    .print = cumulative_print,
};

/* ---- posting --------------------------------------------------------------
 */

static int by_height(const void *left, const void *right) {
  const struct cp_task *a = left, *b = right;
  return (a->height < b->height) - (a->height > b->height);
}

static int by_time(const void *left, const void *right) {
  int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
  return (a > b) - (a < b);
}

/* All possible starts and block starts, sorted, each once. */
static void collect_points(struct cp *cp, struct cumulative *c,
                           const struct cp_block *block, int blocks) {
  size_t room = (size_t)blocks;
  for (int i = 0; i < c->tasks; i++)
    room += (size_t)(cp_high(cp, c->task[i].interval.start.variable) -
                     cp_low(cp, c->task[i].interval.start.variable) + 1);
  c->time = cp_get(cp, (room + 1) * sizeof *c->time);
  size_t count = 0;
  for (int b = 0; b < blocks; b++)
    c->time[count++] = block[b].from;
  for (int i = 0; i < c->tasks; i++) {
    const struct cp_interval *it = &c->task[i].interval;
    int32_t high = cp_high(cp, it->start.variable);
    for (int32_t x = cp_low(cp, it->start.variable);
         x <= high && x < it->absent; x++)
      c->time[count++] = cp_view_value(&it->start, x);
  }
  qsort(c->time, count, sizeof *c->time, by_time);
  int points = 0;
  for (size_t k = 0; k < count; k++)
    if (!points || c->time[points - 1] != c->time[k])
      c->time[points++] = c->time[k];
  c->profile.points = points;
}

/* Where times are dense a table answers cumulative_point. */
static void tabulate_points(struct cp *cp, struct cumulative *c) {
  int points = c->profile.points;
  if (!points)
    return;
  int64_t span = (int64_t)c->time[points - 1] - c->time[0] + 1;
  if (span > 4 * (int64_t)points + 1000)
    return;
  int *table = cp_get(cp, (size_t)span * sizeof *table);
  for (int64_t t = 0; t < span; t++)
    table[t] = search_point(c, c->time[0] + t);
  c->point_at = table;
  c->span = span;
}

bool cp_post_cumulative(struct cp *cp, const struct cp_task *task, int tasks,
                        const struct cp_block *block, int blocks,
                        struct cp_capacity capacity) {
  struct cumulative *c = cp_get(cp, sizeof *c);
  size_t count = (size_t)tasks;
  c->capacity = capacity;
  c->task = cp_get(cp, (count + 1) * sizeof *c->task);
  for (int i = 0; i < tasks; i++)
    if (task[i].height > 0)
      c->task[c->tasks++] = task[i];
  if (c->tasks)
    qsort(c->task, (size_t)c->tasks, sizeof *c->task, by_height);
  collect_points(cp, c, block, blocks);
  tabulate_points(cp, c);
  c->profile.size = cp_profile_size(c->profile.points);
  c->profile.node =
      cp_get(cp, 2 * (size_t)c->profile.size * sizeof *c->profile.node);
  c->fixed = cp_get(cp, ((size_t)c->profile.points + 1) * sizeof *c->fixed);
  for (int b = 0; b < blocks; b++) {
    int from = cumulative_point(c, block[b].from),
        to = cumulative_point(c, block[b].to);
    cp_profile_add(&c->profile, from, to, block[b].height);
    for (int p = from; p < to; p++)
      c->fixed[p] += block[b].height;
  }
  c->part = cp_get(cp, (count + 1) * sizeof *c->part);
  c->dirty = cp_get(cp, (count + 1) * sizeof *c->dirty);
  c->is_dirty = cp_get(cp, (count + 1) * sizeof *c->is_dirty);
  c->sparse = cp_get(cp, (count + 1) * sizeof *c->sparse);
  c->chosen = cp_get(cp, (count + 1) * sizeof *c->chosen);
  c->mark = cp_get(cp, (count + 1) * sizeof *c->mark);
  c->touched = cp_get(cp, (count + 1) * sizeof *c->touched);
  return cp_add(cp, &cumulative_class, &c->base);
}
