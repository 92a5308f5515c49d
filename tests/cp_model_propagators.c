#include "solver/cp/propagator.h"
#include "tests/cp_model.h"

#include <stdlib.h>

/* ---- a propagator of the test's own: |x - y| >= distance
 * ---------------------- If x cannot lie `distance` below y, it lies that much
 * above its least value; the same on the other side and with the roles swapped:
 * four rules. */

struct apart {
  struct cp_propagator base;
  struct state *state;
  int x, y, distance;
};

/* Sides of rule k: the one that is pushed and the one that it avoids. */
static void apart_sides(const struct apart *p, int64_t k, int *a, int *b) {
  *a = 2 * (k & 2 ? p->y : p->x) + (int)(k & 1);
  *b = 2 * (k & 2 ? p->x : p->y) + (int)(k & 1);
}

static void apart_post(struct cp *cp, struct cp_propagator *self) {
  struct apart *p = (struct apart *)self;
  for (int k = 0; k < 2; k++) {
    cp_watch(cp, self, 2 * p->x + k, 0);
    cp_watch(cp, self, 2 * p->y + k, 0);
  }
}

static int apart_reason(struct cp *cp, const struct apart *p,
                        struct cp_literal l, int64_t k, int32_t at,
                        struct cp_literal *because) {
  int a, b;
  apart_sides(p, k, &a, &b);
  int32_t other = cp_bound_at(cp, b ^ 1, at);
  because[0] = (struct cp_literal){b ^ 1, other};
  because[1] = (struct cp_literal){b, l.bound - p->distance};
  because[2] = (struct cp_literal){a, -other - p->distance + 1};
  return p->state->lie ? 2 : 3;
}

static bool apart_propagate(struct cp *cp, struct cp_propagator *self) {
  struct apart *p = (struct apart *)self;
  for (int64_t k = 0; k < 4; k++) {
    int a, b;
    apart_sides(p, k, &a, &b);
    if (cp_bound(cp, a) <= -cp_bound(cp, b ^ 1) - p->distance)
      continue;
    struct cp_literal l = {a, cp_bound(cp, b) + p->distance}, because[3];
    bool ok;
    if (random_below(&p->state->random, 2)) {
      int n = apart_reason(cp, p, l, k, cp_head(cp)->trail_size, because);
      ok = cp_push_because(cp, self, l, because, n, k);
    } else
      ok = cp_push(cp, self, l, k);
    if (!ok)
      return false;
  }
  return true;
}

static void apart_explain(struct cp *cp, struct cp_propagator *self,
                          struct cp_literal l, int64_t data, int32_t at) {
  struct cp_literal because[3];
  int n = apart_reason(cp, (struct apart *)self, l, data, at, because);
  for (int i = 0; i < n; i++)
    cp_because(cp, because[i]);
}

static bool apart_check(const struct cp *cp, const struct cp_propagator *self,
                        const int32_t *value) {
  const struct apart *p = (const struct apart *)self;
  (void)cp;
  return abs(value[p->x] - value[p->y]) >= p->distance;
}

/* Enumerated by check level 2: it has no naive form. */
static const struct cp_class apart_class = {.name = "apart",
                                            .priority = CP_PRIORITY_CHEAP,
                                            .post = apart_post,
                                            .propagate = apart_propagate,
                                            .explain = apart_explain,
                                            .check = apart_check};

/* ---- a spy: counts wakes, compares with the bounds */

struct spy {
  struct cp_propagator base;
  struct state *state;
  int sides;
  struct cp_int sum;
};

static void spy_post(struct cp *cp, struct cp_propagator *self) {
  struct spy *p = (struct spy *)self;
  for (int s = 0; s < p->sides; s++) {
    p->sum.value += cp_bound(cp, s);
    cp_watch(cp, self, s, s);
  }
}

static bool spy_wake(struct cp *cp, struct cp_propagator *self, int32_t data,
                     int32_t old, int32_t now) {
  struct spy *p = (struct spy *)self;
  (void)data;
  cp_set(cp, &p->sum, p->sum.value + now - old);
  return true;
}

static bool spy_propagate(struct cp *cp, struct cp_propagator *self) {
  struct spy *p = (struct spy *)self;
  int64_t sum = 0;
  for (int s = 0; s < p->sides; s++)
    sum += cp_bound(cp, s);
  if (sum != p->sum.value)
    p->state->spied = true;
  return true;
}

static bool spy_check(const struct cp *cp, const struct cp_propagator *self,
                      const int32_t *value) {
  (void)cp, (void)self, (void)value;
  return true;
}

static const struct cp_class spy_class = {.name = "spy",
                                          .priority = CP_PRIORITY_COSTLY,
                                          .post = spy_post,
                                          .wake = spy_wake,
                                          .propagate = spy_propagate,
                                          .check = spy_check};

/* ---- posting */

void model_post_apart(struct state *s, int x, int y, int distance) {
  struct apart *p = cp_get(s->cp, sizeof *p);
  p->state = s;
  p->x = x;
  p->y = y;
  p->distance = distance;
  cp_add(s->cp, &apart_class, &p->base);
}

void model_post_spy(struct state *s) {
  struct spy *p = cp_get(s->cp, sizeof *p);
  p->state = s;
  p->sides = 2 * cp_variables(s->cp);
  cp_add(s->cp, &spy_class, &p->base);
}
