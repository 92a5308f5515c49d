#include "solver/cp/cover.h"

#include <stddef.h>
#include <string.h>

struct cover {
  struct cp_propagator base;
  struct cp_interval user;
  int count;
  int watched[2]; /* supports, viable unless fewer than two are */
  struct cp_interval *support;
};

enum { V1 = 1, V2, V3, V4, RULES = 8 };

static inline struct cover *as_cover(struct cp_propagator *p) {
  return (struct cover *)(void *)p;
}
static inline const struct cover *const_cover(const struct cp_propagator *p) {
  return (const struct cover *)(const void *)p;
}

/* ---- propagation --------------------------------------------------------- */

static inline bool viable(const struct cp *cp, const struct cp_interval *s,
                          int32_t t_min, int32_t t_max) {
  return cp_view_min(cp, &s->start) < t_max && cp_view_max(cp, &s->end) > t_min;
}

/* V1: the least t >= min t that no support's bounds exclude. */
static bool raise_user(struct cp *cp, struct cover *c) {
  const struct cp_view *user = &c->user.start;
  int32_t t = cp_view_min(cp, user), best = INT32_MAX;
  for (int i = 0; i < c->count; i++) {
    const struct cp_interval *s = &c->support[i];
    if (cp_view_max(cp, &s->end) <= t)
      continue;
    int32_t from = cp_view_min(cp, &s->start) + 1;
    if (from <= t)
      return true;
    if (from < best)
      best = from;
  }
  struct cp_literal l =
      cp_at_least(user->variable, cp_interval_optional(&c->user)
                                      ? c->user.absent
                                      : cp_high(cp, user->variable) + 1);
  if (best < INT32_MAX) {
    struct cp_literal m = cp_view_at_least(cp, user, best);
    if (m.bound < l.bound)
      l = m;
  }
  return cp_push(cp, &c->base, l, V1);
}

/* V2: the largest such t <= max t; the user is present. */
static bool lower_user(struct cp *cp, struct cover *c) {
  const struct cp_view *user = &c->user.start;
  int32_t t = cp_view_max(cp, user), best = INT32_MIN;
  for (int i = 0; i < c->count; i++) {
    const struct cp_interval *s = &c->support[i];
    if (cp_view_min(cp, &s->start) >= t)
      continue;
    int32_t to = cp_view_max(cp, &s->end) - 1;
    if (to >= t)
      return true;
    if (to > best)
      best = to;
  }
  return cp_push(cp, &c->base, cp_view_at_most(cp, user, best), V2);
}

static bool cover_propagate(struct cp *cp, struct cp_propagator *self) {
  struct cover *c = as_cover(self);
  if (cp_is_absent(cp, &c->user))
    return true;
  if (!raise_user(cp, c))
    return false;
  if (!cp_is_present(cp, &c->user))
    return true;
  if (!lower_user(cp, c))
    return false;
  int32_t t_min = cp_view_min(cp, &c->user.start),
          t_max = cp_view_max(cp, &c->user.start);
  int found = 0, pair[2] = {0, 0};
  for (int i = 0; i < c->count && found < 2; i++)
    if (viable(cp, &c->support[i], t_min, t_max))
      pair[found++] = i;
  if (found == 2)
    memcpy(c->watched, pair, sizeof pair);
  if (found != 1)
    return true; /* none is impossible: V1 left t inside a window */
  int i = pair[0];
  const struct cp_interval *s = &c->support[i];
  int64_t data = (int64_t)i * RULES;
  if (cp_view_max(cp, &s->start) >= t_max &&
      !cp_push(cp, self, cp_view_at_most(cp, &s->start, (int64_t)t_max - 1),
               data + V3))
    return false;
  return cp_view_min(cp, &s->end) > t_min ||
         cp_push(cp, self, cp_view_at_least(cp, &s->end, (int64_t)t_min + 1),
                 data + V4);
}

/* Data: the support's number, -1 for the user.  With a fixed user nothing can
 * happen while both watched supports are viable; the other one of the pair is
 * left in place when it falls, and is the first to return on backtracking. */
static bool cover_wake(struct cp *cp, struct cp_propagator *self, int32_t data,
                       int32_t old, int32_t now) {
  (void)old;
  (void)now;
  const struct cover *c = as_cover(self);
  return data < 0 || c->count <= 2 || data == c->watched[0] ||
         data == c->watched[1] ||
         cp_low(cp, c->user.start.variable) !=
             cp_high(cp, c->user.start.variable);
}

/* ---- explanations ------------------------------------------------------- */

/* What the reasons so far say about the user: t >= low, t <= high. */
struct range {
  int32_t low, high; /* INT32_MIN, INT32_MAX: nothing said */
};

/* Why support s serves no t of [t_min, t_max], the user's bounds at the time:
 * it starts at t_max or later, or ends at t_min or earlier.  What the reasons
 * say about the user already is used where it suffices; for a use at a fixed
 * time the user's literals are true at the root and cost nothing. */
static void exclude(struct cp *cp, const struct cp_interval *s, int32_t at,
                    int32_t t_min, int32_t t_max, struct range *r) {
  int32_t from = cp_view_min_at(cp, &s->start, at),
          to = cp_view_max_at(cp, &s->end, at);
  bool late = from >= t_max, early = to <= t_min;
  if (late && (from >= r->high || !early || to > r->low)) {
    if (from < r->high || r->high == INT32_MAX)
      r->high = t_max;
    cp_because(cp, cp_view_at_least(cp, &s->start, r->high));
  } else {
    if (to > r->low)
      r->low = t_min;
    cp_because(cp, cp_view_at_most(cp, &s->end, r->low));
  }
}

static void say_range(struct cp *cp, const struct cover *c,
                      const struct range *r) {
  if (r->low != INT32_MIN)
    cp_because(cp, cp_view_at_least(cp, &c->user.start, r->low));
  if (r->high != INT32_MAX)
    cp_because(cp, cp_view_at_most(cp, &c->user.start, r->high));
}

static void cover_explain(struct cp *cp, struct cp_propagator *self,
                          struct cp_literal l, int64_t data, int32_t at) {
  const struct cover *c = const_cover(self);
  const struct cp_view *t = &c->user.start;
  int rule = (int)(data % RULES), served = -1;
  int32_t t_min = cp_view_min_at(cp, t, at), t_max = cp_view_max_at(cp, t, at);
  struct range r = {INT32_MIN, INT32_MAX};
  if (rule == V1) { /* nothing serves t <= value(b - 1) */
    r.high = t_max = cp_view_value(t, l.bound - 1);
  } else if (rule == V2) { /* nothing serves t >= value(b + 1) */
    r.low = t_min = cp_view_value(t, 1 - l.bound);
  } else if (rule == V3) { /* start < t <= value(b + 1) */
    served = (int)(data / RULES);
    const struct cp_interval *s = &c->support[served];
    if (1 - l.bound < s->absent)
      r.high = cp_view_value(&s->start, 1 - l.bound);
  } else { /* end > t >= value(b - 1) */
    served = (int)(data / RULES);
    r.low = cp_view_value(&c->support[served].end, l.bound - 1);
  }
  for (int i = 0; i < c->count; i++)
    if (i != served)
      exclude(cp, &c->support[i], at, t_min, t_max, &r);
  if (rule == V1)
    r.high = INT32_MAX;
  if (rule == V2)
    r.low = INT32_MIN;
  if (rule != V1 && r.high == INT32_MAX && cp_interval_optional(&c->user))
    cp_because(cp, cp_interval_present(&c->user));
  say_range(cp, c, &r);
}

/* ---- the rest ------------------------------------------------------------ */

static void cover_post(struct cp *cp, struct cp_propagator *self) {
  const struct cover *c = const_cover(self);
  cp_watch(cp, self, 2 * c->user.start.variable, -1);
  cp_watch(cp, self, 2 * c->user.start.variable + 1, -1);
  for (int i = 0; i < c->count; i++) {
    cp_watch(cp, self, 2 * c->support[i].start.variable, i);
    cp_watch(cp, self, 2 * c->support[i].start.variable + 1, i);
    cp_watch(cp, self, 2 * c->support[i].end.variable, i);
    cp_watch(cp, self, 2 * c->support[i].end.variable + 1, i);
  }
}

static bool cover_check(const struct cp *cp, const struct cp_propagator *self,
                        const int32_t *value) {
  (void)cp;
  const struct cover *c = const_cover(self);
  if (value[c->user.start.variable] >= c->user.absent)
    return true;
  int32_t t = cp_naive_value(value, &c->user.start);
  for (int i = 0; i < c->count; i++)
    if (cp_naive_value(value, &c->support[i].start) < t &&
        cp_naive_value(value, &c->support[i].end) > t)
      return true;
  return false;
}

/* Can support s serve a use at index x of the user? */
static bool serves(const struct cover *c, const int32_t *bound, int s,
                   int32_t x) {
  int32_t t = cp_view_value(&c->user.start, x);
  return cp_naive_min(bound, &c->support[s].start) < t &&
         cp_naive_max(bound, &c->support[s].end) > t;
}

static bool served(const struct cover *c, const int32_t *bound, int32_t x) {
  for (int s = 0; s < c->count; s++)
    if (x >= c->user.absent || serves(c, bound, s, x))
      return true;
  return x >= c->user.absent;
}

static bool cover_naive(const struct cp *cp, const struct cp_propagator *self,
                        int32_t *bound) {
  const struct cover *c = const_cover(self);
  int v = c->user.start.variable;
  int32_t first = bound[2 * v], last = -bound[2 * v + 1];
  while (first <= last && !served(c, bound, first))
    first++;
  while (first <= last && !served(c, bound, last))
    last--;
  if (first > last)
    return false;
  bound[2 * v] = first;
  bound[2 * v + 1] = -last;
  if (last >= c->user.absent)
    return true;
  int able = 0, only = -1;
  for (int s = 0; s < c->count; s++)
    for (int32_t x = first; x <= last; x++)
      if (serves(c, bound, s, x)) {
        able++;
        only = s;
        break;
      }
  if (able != 1)
    return able > 1;
  const struct cp_interval *s = &c->support[only];
  return cp_naive_push(bound,
                       cp_view_at_most(cp, &s->start,
                                       cp_view_value(&c->user.start, last) -
                                           (int64_t)1)) &&
         cp_naive_push(bound,
                       cp_view_at_least(cp, &s->end,
                                        cp_view_value(&c->user.start, first) +
                                            (int64_t)1));
}

static const char *cover_rule(const struct cp_propagator *self, int64_t data) {
  (void)self;
  static const char *const label[] = {"", "V1", "V2", "V3", "V4"};
  return label[data % RULES];
}

static void cover_print(const struct cp *cp, const struct cp_propagator *self,
                        FILE *out) {
  const struct cover *c = const_cover(self);
  fprintf(out, "cover %s by", cp_name(cp, c->user.start.variable));
  for (int i = 0; i < c->count; i++)
    fprintf(out, " [%s, %s)", cp_name(cp, c->support[i].start.variable),
            cp_name(cp, c->support[i].end.variable));
}

static const struct cp_class cover_class = {
    .name = "cover",
    .priority = CP_PRIORITY_CHEAP,
    .option = offsetof(struct cp_options, cover),
    .post = cover_post,
    .wake = cover_wake,
    .propagate = cover_propagate,
    .explain = cover_explain,
    .check = cover_check,
    .naive = cover_naive,
    .rule = cover_rule,
    .print = cover_print,
};

bool cp_post_cover(struct cp *cp, const struct cp_interval *user,
                   const struct cp_interval *support, int count) {
  struct cover *c = cp_get(cp, sizeof *c);
  c->user = *user;
  c->count = count;
  c->support = cp_get(cp, (size_t)count * sizeof *support);
  memcpy(c->support, support, (size_t)count * sizeof *support);
  c->watched[1] = count > 1;
  return cp_add(cp, &cover_class, &c->base);
}
