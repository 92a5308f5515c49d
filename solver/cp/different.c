#include "solver/cp/different.h"

#include "solver/cp/interval.h"

#include <stddef.h>
#include <string.h>

struct different {
  struct cp_propagator base;
  int count;
  struct cp_view *x;
  int *by_min; /* falling; nearly sorted from run to run */
};

static inline struct different *as_different(struct cp_propagator *p) {
  return (struct different *)(void *)p;
}
static inline const struct different *
const_different(const struct cp_propagator *p) {
  return (const struct different *)(const void *)p;
}

static inline int64_t pack(int32_t a, int32_t b) {
  return (int64_t)((uint64_t)(uint32_t)a << 32 | (uint32_t)b);
}
static inline int32_t first_of(int64_t data) {
  return (int32_t)(data >> 32);
}
static inline int32_t last_of(int64_t data) {
  return (int32_t)(uint32_t)((uint64_t)data & UINT32_MAX);
}

static void sort_by_min(const struct cp *cp, struct different *d) {
  for (int k = 1; k < d->count; k++) {
    int i = d->by_min[k], j = k;
    int32_t key = cp_view_min(cp, &d->x[i]);
    for (; j && cp_view_min(cp, &d->x[d->by_min[j - 1]]) < key; j--)
      d->by_min[j] = d->by_min[j - 1];
    d->by_min[j] = i;
  }
}

static inline bool inside(const struct cp *cp, const struct cp_view *x,
                          int32_t a, int32_t b) {
  return cp_view_min(cp, x) >= a && cp_view_max(cp, x) <= b;
}

/* D1 and D2 from the Hall interval [a, b]; *pushed: whether anything grew. */
static bool prune(struct cp *cp, struct different *d, int32_t a, int32_t b,
                  bool *pushed) {
  int32_t before = cp_head(cp)->trail_size;
  for (int i = 0; i < d->count; i++) {
    const struct cp_view *x = &d->x[i];
    int32_t low = cp_view_min(cp, x), high = cp_view_max(cp, x);
    if (inside(cp, x, a, b))
      continue;
    if (low >= a && low <= b &&
        !cp_push(cp, &d->base, cp_view_at_least(cp, x, (int64_t)b + 1),
                 pack(a, b)))
      return false;
    if (high <= b && high >= a &&
        !cp_push(cp, &d->base, cp_view_at_most(cp, x, (int64_t)a - 1),
                 pack(a, b)))
      return false;
  }
  *pushed = cp_head(cp)->trail_size > before;
  return true;
}

/* What was pushed may have changed the order by smallest values, so a run ends
 * with its first success and is woken again by it. */
static bool different_propagate(struct cp *cp, struct cp_propagator *self) {
  struct different *d = as_different(self);
  sort_by_min(cp, d);
  for (int top = 0; top < d->count; top++) {
    int32_t b = cp_view_max(cp, &d->x[top]);
    int64_t count = 0;
    for (int k = 0; k < d->count; k++) {
      const struct cp_view *x = &d->x[d->by_min[k]];
      if (cp_view_max(cp, x) > b)
        continue;
      int32_t a = cp_view_min(cp, x);
      int64_t room = (int64_t)b - a + 1;
      if (++count < room)
        continue;
      if (count == room) {
        bool pushed = false;
        if (!prune(cp, d, a, b, &pushed))
          return false;
        if (pushed)
          return true;
        continue;
      }
      for (int j = 0; j <= k; j++)
        if (cp_view_max(cp, &d->x[d->by_min[j]]) <= b) {
          cp_because(cp, cp_view_at_least(cp, &d->x[d->by_min[j]], a));
          cp_because(cp, cp_view_at_most(cp, &d->x[d->by_min[j]], b));
        }
      return cp_fail(cp, self, pack(a, b));
    }
  }
  return true;
}

static void different_explain(struct cp *cp, struct cp_propagator *self,
                              struct cp_literal l, int64_t data, int32_t at) {
  const struct different *d = const_different(self);
  int32_t a = first_of(data), b = last_of(data);
  const struct cp_view *pushed = NULL;
  int64_t room = (int64_t)b - a + 1;
  for (int i = 0; i < d->count && room; i++) {
    const struct cp_view *x = &d->x[i];
    int32_t low = cp_view_min_at(cp, x, at), high = cp_view_max_at(cp, x, at);
    if (low >= a && high <= b) {
      cp_because(cp, cp_view_at_least(cp, x, a));
      cp_because(cp, cp_view_at_most(cp, x, b));
      room--;
    }
  }
  for (int i = 0; i < d->count; i++)
    if (d->x[i].variable == l.side / 2)
      pushed = &d->x[i];
  if (pushed)
    cp_because(cp, l.side & 1 ? cp_view_at_most(cp, pushed, b)
                              : cp_view_at_least(cp, pushed, a));
}

static void different_post(struct cp *cp, struct cp_propagator *self) {
  struct different *d = as_different(self);
  for (int i = 0; i < d->count; i++) {
    cp_watch(cp, self, 2 * d->x[i].variable, i);
    cp_watch(cp, self, 2 * d->x[i].variable + 1, i);
  }
}

static bool different_check(const struct cp *cp,
                            const struct cp_propagator *self,
                            const int32_t *value) {
  (void)cp;
  const struct different *d = const_different(self);
  for (int i = 0; i < d->count; i++)
    for (int j = 0; j < i; j++)
      if (cp_naive_value(value, &d->x[i]) == cp_naive_value(value, &d->x[j]))
        return false;
  return true;
}

/* Every pair (a, b) of some smallest and some largest value, one after the
 * other; the caller repeats to the fixpoint. */
static bool different_naive(const struct cp *cp,
                            const struct cp_propagator *self, int32_t *bound) {
  const struct different *d = const_different(self);
  for (int i = 0; i < d->count; i++)
    for (int j = 0; j < d->count; j++) {
      int64_t a = cp_naive_min(bound, &d->x[i]),
              b = cp_naive_max(bound, &d->x[j]), count = 0;
      for (int k = 0; k < d->count; k++)
        count += cp_naive_min(bound, &d->x[k]) >= a &&
                 cp_naive_max(bound, &d->x[k]) <= b;
      if (a <= b && count > b - a + 1)
        return false;
      for (int k = 0; k < d->count && a <= b && count == b - a + 1; k++) {
        int64_t low = cp_naive_min(bound, &d->x[k]),
                high = cp_naive_max(bound, &d->x[k]);
        if (low >= a && high <= b)
          continue;
        if (low >= a && low <= b &&
            !cp_naive_push(bound, cp_view_at_least(cp, &d->x[k], b + 1)))
          return false;
        if (high >= a && high <= b &&
            !cp_naive_push(bound, cp_view_at_most(cp, &d->x[k], a - 1)))
          return false;
      }
    }
  return true;
}

static const char *different_rule(const struct cp_propagator *self,
                                  int64_t data) {
  (void)self;
  (void)data;
  return "D";
}

static void different_print(const struct cp *cp,
                            const struct cp_propagator *self, FILE *out) {
  const struct different *d = const_different(self);
  fprintf(out, "all different");
  for (int i = 0; i < d->count; i++)
    fprintf(out, " %s", cp_name(cp, d->x[i].variable));
}

static const struct cp_class different_class = {
    .name = "different",
    .priority = CP_PRIORITY_LINEAR,
    .option = offsetof(struct cp_options, different),
    .post = different_post,
    .propagate = different_propagate,
    .explain = different_explain,
    .check = different_check,
    .naive = different_naive,
    .rule = different_rule,
    .print = different_print,
};

bool cp_post_different(struct cp *cp, const struct cp_view *x, int count) {
  struct different *d = cp_get(cp, sizeof *d);
  d->count = count;
  d->x = cp_get(cp, (size_t)count * sizeof *x);
  memcpy(d->x, x, (size_t)count * sizeof *x);
  d->by_min = cp_get(cp, (size_t)count * sizeof *d->by_min);
  for (int i = 0; i < count; i++)
    d->by_min[i] = i;
  return cp_add(cp, &different_class, &d->base);
}
