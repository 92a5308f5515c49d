#include "solver/cp/chain.h"

#include <stddef.h>
#include <string.h>

struct chain {
  struct cp_propagator base;
  int count;
  struct cp_interval *interval;
  int32_t *lowest; /* index of each end's lowest value */
};

enum { C0, C1, C2, C3, C4, C5, C6, C7, C8, RULES = 16 };

static const struct cp_class chain_class;

static inline const struct chain *as_chain(const struct cp_propagator *p) {
  return (const struct chain *)(const void *)p;
}

/* ---- the rules, written once over "current bound of a side" ------------- */

/* Where bounds come from and pushes go to: the engine, or a naive array. */
struct domain {
  const struct cp *cp;
  int32_t *bound; /* NULL: the engine's */
  struct cp *engine;
  struct cp_propagator *self;
};

static inline int32_t low(const struct domain *d, int variable) {
  return d->bound ? d->bound[2 * variable] : cp_low(d->cp, variable);
}
static inline int32_t high(const struct domain *d, int variable) {
  return d->bound ? -d->bound[2 * variable + 1] : cp_high(d->cp, variable);
}
static inline int32_t view_low(const struct domain *d,
                               const struct cp_view *v) {
  return cp_view_value(v, low(d, v->variable));
}
static inline int32_t view_high(const struct domain *d,
                                const struct cp_view *v) {
  return cp_view_value(v, high(d, v->variable));
}
static bool push(const struct domain *d, struct cp_literal l, int i, int rule) {
  return d->bound ? cp_naive_push(d->bound, l)
                  : cp_push(d->engine, d->self, l, (int64_t)i * RULES + rule);
}

/* value >= t and value <= t; the literal is looked up only if it is news. */
static bool raise_to(const struct domain *d, const struct cp_view *v, int64_t t,
                     int i, int rule) {
  return view_low(d, v) >= t || push(d, cp_view_at_least(d->cp, v, t), i, rule);
}
static bool lower_to(const struct domain *d, const struct cp_view *v, int64_t t,
                     int i, int rule) {
  return view_high(d, v) <= t || push(d, cp_view_at_most(d->cp, v, t), i, rule);
}

/* Rules within interval i. */
static bool run_single(const struct chain *c, const struct domain *d, int i) {
  const struct cp_interval *it = &c->interval[i];
  int s = it->start.variable, e = it->end.variable;
  if (cp_interval_optional(it)) {
    if (high(d, s) >= it->absent) {
      if (low(d, e) > c->lowest[i]) {
        if (!push(d, cp_interval_present(it), i, C1))
          return false;
      } else if (low(d, s) >= it->absent) {
        return push(d, cp_at_most(e, c->lowest[i]), i, C0);
      } else if (view_low(d, &it->start) >= view_high(d, &it->end)) {
        return push(d, cp_at_least(s, it->absent), i, C4) &&
               push(d, cp_at_most(e, c->lowest[i]), i, C0);
      } else {
        return true;
      }
    }
    if (!push(d, cp_at_least(e, c->lowest[i] + 1), i, C2))
      return false;
  }
  return raise_to(d, &it->end, (int64_t)view_low(d, &it->start) + 1, i, C2) &&
         lower_to(d, &it->start, (int64_t)view_high(d, &it->end) - 1, i, C3);
}

/* Rules between intervals i and i+1; forward. */
static bool run_forward(const struct chain *c, const struct domain *d, int i) {
  const struct cp_interval *a = &c->interval[i], *b = a + 1;
  if (!raise_to(d, &b->start, view_low(d, &a->end), i, C5))
    return false;
  if (low(d, a->start.variable) >= a->absent)
    return push(d, cp_at_least(b->start.variable, b->absent), i, C7);
  return raise_to(d, &b->start, (int64_t)view_low(d, &a->start) + 1, i, C7);
}

/* And backward. */
static bool run_backward(const struct chain *c, const struct domain *d, int i) {
  const struct cp_interval *a = &c->interval[i], *b = a + 1;
  if (high(d, b->start.variable) >= b->absent)
    return true;
  int64_t t = view_high(d, &b->start);
  return lower_to(d, &a->end, t, i, C6) && lower_to(d, &a->start, t - 1, i, C8);
}

static bool run(const struct chain *c, const struct domain *d) {
  for (int i = c->count - 2; i >= 0; i--)
    if (!run_backward(c, d, i))
      return false;
  for (int i = 0; i < c->count; i++)
    if (!run_single(c, d, i) || (i + 1 < c->count && !run_forward(c, d, i)))
      return false;
  return true;
}

static bool chain_propagate(struct cp *cp, struct cp_propagator *self) {
  struct domain d = {cp, NULL, cp, self};
  return run(as_chain(self), &d);
}

static bool chain_naive(const struct cp *cp, const struct cp_propagator *self,
                        int32_t *bound) {
  struct domain d = {cp, bound, NULL, NULL};
  const struct chain *c = as_chain(self);
  for (int round = 0; round < 4 * c->count; round++)
    if (!run(c, &d))
      return false;
  return true;
}

/* ---- explanations ------------------------------------------------------- */

/* S > value(b - 1) of the pushed view, hence "start_i >= value(b - 1)" etc.:
 * every rule is turned around at the needed bound, not at the pushed one. */
static void chain_explain(struct cp *cp, struct cp_propagator *self,
                          struct cp_literal l, int64_t data, int32_t at) {
  const struct chain *c = as_chain(self);
  int i = (int)(data / RULES);
  const struct cp_interval *a = &c->interval[i],
                           *b = i + 1 < c->count ? a + 1 : NULL;
  int32_t up = l.bound, down = -l.bound;
  switch (data % RULES) {
  case C0:
    cp_because(cp, cp_at_least(a->start.variable, a->absent));
    break;
  case C1:
    cp_because(cp, cp_at_least(a->end.variable, c->lowest[i] + 1));
    break;
  case C2:
    if (cp_interval_optional(a))
      cp_because(cp, cp_interval_present(a));
    if (!cp_interval_optional(a) || up > c->lowest[i] + 1)
      cp_because(
          cp, cp_view_at_least(cp, &a->start, cp_view_value(&a->end, up - 1)));
    break;
  case C3:
    if (cp_interval_optional(a))
      cp_because(cp, cp_interval_present(a));
    cp_because(
        cp, cp_view_at_most(cp, &a->end, cp_view_value(&a->start, down + 1)));
    break;
  case C4: {
    int32_t t = cp_view_max_at(cp, &a->end, at);
    cp_because(cp, cp_view_at_least(cp, &a->start, t));
    cp_because(cp, cp_view_at_most(cp, &a->end, t));
    break;
  }
  case C5:
    cp_because(cp,
               cp_view_at_least(cp, &a->end,
                                (int64_t)cp_view_value(&b->start, up - 1) + 1));
    break;
  case C6:
    cp_because(cp,
               cp_view_at_most(cp, &b->start,
                               (int64_t)cp_view_value(&a->end, down + 1) - 1));
    break;
  case C7:
    cp_because(
        cp, cp_view_at_least(cp, &a->start, cp_view_value(&b->start, up - 1)));
    break;
  case C8:
    cp_because(cp, down + 1 >= a->absent
                       ? cp_interval_present(b)
                       : cp_view_at_most(cp, &b->start,
                                         cp_view_value(&a->start, down + 1)));
    break;
  default:
    break;
  }
}

/* ---- the rest ------------------------------------------------------------ */

static void chain_post(struct cp *cp, struct cp_propagator *self) {
  const struct chain *c = as_chain(self);
  for (int i = 0; i < c->count; i++)
    for (int upper = 0; upper < 2; upper++) {
      cp_watch(cp, self, 2 * c->interval[i].start.variable + upper, i);
      cp_watch(cp, self, 2 * c->interval[i].end.variable + upper, i);
    }
}

static bool chain_check(const struct cp *cp, const struct cp_propagator *self,
                        const int32_t *value) {
  (void)cp;
  const struct chain *c = as_chain(self);
  for (int i = 0; i < c->count; i++) {
    const struct cp_interval *a = &c->interval[i], *b = a + 1;
    bool lowest = value[a->end.variable] == c->lowest[i];
    if (value[a->start.variable] >= a->absent) {
      if (!lowest)
        return false;
    } else if ((lowest && cp_interval_optional(a)) ||
               cp_naive_value(value, &a->start) >=
                   cp_naive_value(value, &a->end)) {
      return false;
    }
    if (i + 1 == c->count || value[b->start.variable] >= b->absent)
      continue;
    if (value[a->start.variable] >= a->absent ||
        cp_naive_value(value, &a->end) > cp_naive_value(value, &b->start))
      return false;
  }
  return true;
}

static const char *chain_rule(const struct cp_propagator *self, int64_t data) {
  (void)self;
  static const char *const label[] = {"C0", "C1", "C2", "C3", "C4",
                                      "C5", "C6", "C7", "C8"};
  return label[data % RULES];
}

static void chain_print(const struct cp *cp, const struct cp_propagator *self,
                        FILE *out) {
  const struct chain *c = as_chain(self);
  fprintf(out, "chain");
  for (int i = 0; i < c->count; i++)
    fprintf(out, " [%s, %s)%s", cp_name(cp, c->interval[i].start.variable),
            cp_name(cp, c->interval[i].end.variable),
            cp_interval_optional(&c->interval[i]) ? "?" : "");
}

static const struct cp_class chain_class = {
    .name = "chain",
    .priority = CP_PRIORITY_CHEAP,
    .option = offsetof(struct cp_options, chain),
    .post = chain_post,
    .propagate = chain_propagate,
    .explain = chain_explain,
    .check = chain_check,
    .naive = chain_naive,
    .rule = chain_rule,
    .print = chain_print,
};

bool cp_post_chain(struct cp *cp, const struct cp_interval *interval,
                   int count) {
  struct chain *c = cp_get(cp, sizeof *c);
  c->count = count;
  c->interval = cp_get(cp, (size_t)count * sizeof *interval);
  memcpy(c->interval, interval, (size_t)count * sizeof *interval);
  c->lowest = cp_get(cp, (size_t)count * sizeof *c->lowest);
  for (int i = 0; i < count; i++)
    c->lowest[i] = cp_low(cp, interval[i].end.variable);
  return cp_add(cp, &chain_class, &c->base);
}
