#include "solver/cp/precedence.h"

#include "solver/cp/interval.h"

#include <stddef.h>

struct precedence {
  struct cp_propagator base;
  struct cp_view x, y;
  int64_t delay;
};

enum { P1 = 1, P2 };

static inline const struct precedence *
as_precedence(const struct cp_propagator *p) {
  return (const struct precedence *)(const void *)p;
}

static void precedence_post(struct cp *cp, struct cp_propagator *self) {
  const struct precedence *p = as_precedence(self);
  for (int upper = 0; upper < 2; upper++) {
    cp_watch(cp, self, 2 * p->x.variable + upper, 0);
    cp_watch(cp, self, 2 * p->y.variable + upper, 1);
  }
}

static bool precedence_propagate(struct cp *cp, struct cp_propagator *self) {
  const struct precedence *p = as_precedence(self);
  return cp_push(cp, self,
                 cp_view_at_least(cp, &p->y, cp_view_min(cp, &p->x) + p->delay),
                 P1) &&
         cp_push(cp, self,
                 cp_view_at_most(cp, &p->x, cp_view_max(cp, &p->y) - p->delay),
                 P2);
}

/* P1: y > value(b - 1) because x > value(b - 1) - delay.
 * P2: x < value(b + 1) because y < value(b + 1) + delay. */
static void precedence_explain(struct cp *cp, struct cp_propagator *self,
                               struct cp_literal l, int64_t data, int32_t at) {
  (void)at;
  const struct precedence *p = as_precedence(self);
  if (data == P1)
    cp_because(
        cp, cp_view_at_least(cp, &p->x,
                             cp_view_value(&p->y, l.bound - 1) - p->delay + 1));
  else
    cp_because(
        cp, cp_view_at_most(cp, &p->y,
                            cp_view_value(&p->x, 1 - l.bound) + p->delay - 1));
}

static bool precedence_check(const struct cp *cp,
                             const struct cp_propagator *self,
                             const int32_t *value) {
  (void)cp;
  const struct precedence *p = as_precedence(self);
  return cp_naive_value(value, &p->x) + p->delay <=
         cp_naive_value(value, &p->y);
}

static bool precedence_naive(const struct cp *cp,
                             const struct cp_propagator *self, int32_t *bound) {
  (void)cp;
  const struct precedence *p = as_precedence(self);
  int32_t *y = &bound[2 * p->y.variable], *x = &bound[2 * p->x.variable + 1];
  while (cp_view_value(&p->y, *y) < cp_naive_min(bound, &p->x) + p->delay)
    if (++*y > -bound[2 * p->y.variable + 1])
      return false;
  while (cp_view_value(&p->x, -*x) + p->delay > cp_naive_max(bound, &p->y))
    if (++*x > -bound[2 * p->x.variable])
      return false;
  return true;
}

static const char *precedence_rule(const struct cp_propagator *self,
                                   int64_t data) {
  (void)self;
  return data == P1 ? "P1" : "P2";
}

static void precedence_print(const struct cp *cp,
                             const struct cp_propagator *self, FILE *out) {
  const struct precedence *p = as_precedence(self);
  fprintf(out, "precedence %s + %lld <= %s", cp_name(cp, p->x.variable),
          (long long)p->delay, cp_name(cp, p->y.variable));
}

static const struct cp_class precedence_class = {
    .name = "precedence",
    .priority = CP_PRIORITY_CHEAP,
    .option = offsetof(struct cp_options, precedence),
    .post = precedence_post,
    .propagate = precedence_propagate,
    .explain = precedence_explain,
    .check = precedence_check,
    .naive = precedence_naive,
    .rule = precedence_rule,
    .print = precedence_print,
};

bool cp_post_precedence(struct cp *cp, struct cp_view x, int32_t delay,
                        struct cp_view y) {
  struct precedence *p = cp_get(cp, sizeof *p);
  p->x = x;
  p->y = y;
  p->delay = delay;
  return cp_add(cp, &precedence_class, &p->base);
}
