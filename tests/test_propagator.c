/* Propagators against enumeration.  Random small models of one or two
 * constraints of a kind; all solutions counted by the constraint's definition.
 *   - search at check level 2 finds exactly the enumerated solutions' optimum;
 *   - propagation from random bounds removes no solution (sound), and at fixed
 *     assignments accepts solutions only (complete there);
 * with explanations re-derived by `naive` throughout. */
#include "solver/base/random.h"
#include "solver/cp/chain.h"
#include "solver/cp/cost.h"
#include "solver/cp/cover.h"
#include "solver/cp/cumulative.h"
#include "solver/cp/different.h"
#include "solver/cp/precedence.h"
#include "solver/cp/profile.h"

#include <criterion/criterion.h>
#include <string.h>

enum { MOST_VARIABLES = 10, MOST_VALUES = 7, HORIZON = 40 };

enum kind {
  CHAIN,
  COVER,
  CUMULATIVE,
  PRECEDENCE,
  DIFFERENT,
  MIXED,
  COST,
  KINDS
};

static const char *const kind_name[] = {
    "chain", "cover", "cumulative", "precedence", "different", "mixed", "cost"};

struct model {
  struct memory *memory;
  struct cp *cp;
  int variables, zero;
  int32_t low[MOST_VARIABLES], high[MOST_VARIABLES];
  int32_t table[MOST_VARIABLES][MOST_VALUES + 1];
};

static int add(struct model *m, int32_t low, int32_t high) {
  int v = cp_variable(m->cp, low, high, NULL);
  m->low[v] = low;
  m->high[v] = high;
  m->variables = v + 1;
  return v;
}

/* A view with random increasing values below the horizon, or an offset. */
static struct cp_view random_view(struct model *m, struct random *r, int values,
                                  int last) {
  int v = add(m, 0, values - 1);
  int32_t *table = m->table[v], at = random_below(r, 3);
  for (int k = 0; k < values; k++) {
    table[k] = at;
    at += 1 + random_below(r, 3);
  }
  if (last)
    table[values - 1] = last;
  return (struct cp_view){v, random_below(r, 2), table};
}

static struct cp_interval random_interval(struct model *m, struct random *r,
                                          bool optional) {
  struct cp_interval i = {.absent = INT32_MAX};
  int values = 1 + random_below(r, 4);
  if (optional) {
    i.start = random_view(m, r, values + 1, HORIZON);
    i.absent = values;
  } else {
    i.start = random_view(m, r, values, 0);
  }
  i.start.offset = 1;
  i.end = random_view(m, r, 2 + random_below(r, 3), 0);
  m->table[i.end.variable][0] = 0;
  i.end.offset = 1;
  return i;
}

/* ---- kinds ----------------------------------------------------------------
 */

static void post_cumulative(struct model *m, struct random *r,
                            const struct cp_interval *it, int count) {
  struct cp_task task[4] = {{.height = 0}};
  struct cp_block block[2];
  const int64_t scale = random_below(r, 3) ? 1 : INT64_C(3000000000);
  for (int i = 0; i < count; i++)
    task[i] = (struct cp_task){it[i], scale * random_below(r, 6)};
  int blocks = random_below(r, 3);
  for (int b = 0; b < blocks; b++) {
    block[b].from = random_below(r, 8);
    block[b].to = block[b].from + random_below(r, 6);
    block[b].height = scale * random_below(r, 3);
  }
  struct cp_capacity capacity = {-1, scale * (2 + random_below(r, 8)), scale};
  if (random_below(r, 2) && m->variables < MOST_VARIABLES)
    capacity.variable = add(m, 0, random_below(r, 4));
  cp_post_cumulative(m->cp, task, count, block, blocks, capacity);
}

/* Tables of random costs, many of them 0, and a variable that pays. */
static void post_cost(struct model *m, struct random *r) {
  int64_t cost[4][MOST_VALUES];
  struct cp_cost item[4];
  int count = 1 + random_below(r, 4);
  for (int i = 0; i < count; i++) {
    int size = 1 + random_below(r, MOST_VALUES);
    for (int x = 0; x < size; x++)
      cost[i][x] = random_below(r, 3) ? random_below(r, 9) : 0;
    item[i] = (struct cp_cost){add(m, 0, size - 1), size, cost[i]};
  }
  int z = add(m, 0, random_below(r, 4));
  cp_post_cost(m->cp, item, count, z, 1 + random_below(r, 4),
               random_below(r, 16) - 4);
}

static void build(struct model *m, struct random *r, enum kind kind) {
  struct cp_interval it[3];
  int count =
      2 + (kind == CHAIN || kind == CUMULATIVE ? random_below(r, 2) : 0);
  struct cp_view x[5];
  switch (kind) {
  case CHAIN:
  case CUMULATIVE:
  case MIXED:
    for (int i = 0; i < count; i++)
      it[i] = random_interval(m, r, kind == CHAIN ? i > 0 : random_below(r, 2));
    if (kind == MIXED && !cp_interval_optional(&it[1]))
      it[1] = random_interval(m, r, true);
    if (kind != CUMULATIVE)
      cp_post_chain(m->cp, it, count);
    if (kind == MIXED) {
      struct cp_interval user = {
          {add(m, 0, 4), random_below(r, 4), NULL}, it[0].end, INT32_MAX};
      cp_post_cover(m->cp, &user, it, count);
    }
    if (kind != CHAIN)
      post_cumulative(m, r, it, count);
    break;
  case COVER: {
    struct cp_interval user = {.absent = INT32_MAX};
    user.start = random_view(m, r, 4, 0);
    if (random_below(r, 2)) {
      m->table[user.start.variable][3] = HORIZON;
      user.absent = 3;
    }
    count = 1 + random_below(r, 3);
    for (int i = 0; i < count; i++)
      it[i] = random_interval(m, r, random_below(r, 2));
    cp_post_cover(m->cp, &user, it, count);
    break;
  }
  case COST:
    post_cost(m, r);
    break;
  case PRECEDENCE:
    for (int i = 0; i < 3; i++)
      x[i] = random_view(m, r, 3, 0);
    cp_post_precedence(m->cp, x[0], random_below(r, 5) - 2, x[1]);
    cp_post_precedence(m->cp, x[1], random_below(r, 5) - 2, x[2]);
    break;
  default:
    count = 2 + random_below(r, 4);
    for (int i = 0; i < count; i++) {
      int32_t low = random_below(r, 4) - 2;
      x[i] = (struct cp_view){add(m, low, low + random_below(r, 4)),
                              random_below(r, 3), NULL};
    }
    cp_post_different(m->cp, x, count);
    break;
  }
}

/* ---- enumeration -----------------------------------------------------------
 */

static bool next(const struct model *m, int32_t *value) {
  for (int v = 0; v < m->variables; v++) {
    if (value[v]++ < m->high[v])
      return true;
    value[v] = m->low[v];
  }
  return false;
}

/* `cp_satisfied` tests bounds too, so random root bounds need no care. */
static bool any_solution(struct model *m, const struct cp_literal *given,
                         int count, const int64_t *weight, int64_t *least,
                         int32_t *best) {
  int32_t value[MOST_VARIABLES + 1];
  memcpy(value, m->low, sizeof m->low);
  bool found = false;
  do {
    bool ok = true;
    for (int k = 0; k < count && ok; k++) {
      int32_t x = value[given[k].side / 2];
      ok = given[k].side % 2 ? x <= -given[k].bound : x >= given[k].bound;
    }
    if (!ok || !cp_satisfied(m->cp, value, NULL, 0))
      continue;
    int64_t sum = 0;
    for (int v = 0; v < m->variables; v++)
      sum += weight[v] * value[v];
    if (!found || sum < *least) {
      *least = sum;
      memcpy(best, value, (size_t)m->variables * sizeof *value);
    }
    found = true;
  } while (next(m, value));
  return found;
}

static const char *verdict(struct model *m, struct random *r) {
  int64_t weight[MOST_VARIABLES], least = 0;
  int32_t best[MOST_VARIABLES + 2] = {0};
  struct cp_term term[MOST_VARIABLES];
  for (int v = 0; v < m->variables; v++) {
    weight[v] = random_below(r, 7) - 3;
    term[v] = cp_term(weight[v], v);
  }
  /* Random assumptions: solution exists iff enumeration finds one. */
  for (int round = 0; round < 6; round++) {
    struct cp_literal given[4 * MOST_VARIABLES];
    int count = 0;
    for (int v = 0; v < m->variables; v++) {
      int span = m->high[v] - m->low[v] + 1;
      if (round == 0 || random_below(r, 2))
        given[count++] = cp_at_least(v, m->low[v] + random_below(r, span));
      if (random_below(r, 2))
        given[count++] = cp_at_most(v, m->low[v] + random_below(r, span));
      if (round < 2) { /* a full assignment */
        if (!count || given[count - 1].side / 2 != v)
          given[count++] = cp_at_least(v, m->low[v] + random_below(r, span));
        int32_t b = given[count - 1].bound;
        given[count] = (struct cp_literal){given[count - 1].side ^ 1, -b};
        count++;
      }
    }
    bool any = any_solution(m, given, count, weight, &least, best);
    enum cp_result result = cp_solve(m->cp, given, count, NULL);
    if (result == CP_FAULT)
      return cp_fault(m->cp);
    if (any != (result == CP_SOLUTION))
      return any ? "a solution is missed" : "a solution is invented";
  }
  bool any = any_solution(m, NULL, 0, weight, &least, best);
  int z = cp_minimise(m->cp, term, m->variables);
  if (any) {
    best[z] = cp_objective_step(m->cp, least);
    if (best[z] < 0 || cp_objective_at(m->cp, best[z]) < least)
      best[z]++; /* the step that `least` lies within */
    cp_set_known(m->cp, best);
  }
  int64_t last = INT64_MAX;
  enum cp_result result;
  while ((result = cp_solve(m->cp, NULL, 0, NULL)) == CP_SOLUTION)
    last = cp_objective(m->cp);
  if (result == CP_FAULT)
    return cp_fault(m->cp);
  return last == (any ? least : INT64_MAX) ? NULL : "wrong optimum";
}

static void run_kind(enum kind kind, int seeds) {
  for (int seed = 0; seed < seeds; seed++) {
    struct random r;
    random_seed(&r, (uint64_t)seed * KINDS + kind);
    struct cp_options o = cp_options_default();
    o.seed = seed;
    o.check = 2;
    o.lift = seed % 5 != 4;
    o.learn = seed % 7 != 6;
    if (seed % 11 == 10)
      o.chain = o.cover = o.cumulative = o.precedence = o.different = o.cost =
          0;
    struct model m = {.memory = memory_new(NULL)};
    m.cp = cp_new(m.memory, &o);
    build(&m, &r, kind);
    const char *fault = verdict(&m, &r);
    cr_assert(!fault, "%s, seed %d: %s", kind_name[kind], seed, fault);
    memory_free(m.memory);
  }
}

Test(propagator, chain) {
  run_kind(CHAIN, 800);
}
Test(propagator, cover) {
  run_kind(COVER, 800);
}
Test(propagator, cumulative) {
  run_kind(CUMULATIVE, 800);
}
Test(propagator, precedence) {
  run_kind(PRECEDENCE, 800);
}
Test(propagator, different) {
  run_kind(DIFFERENT, 800);
}
Test(propagator, cost) {
  run_kind(COST, 800);
}
Test(propagator, mixed) {
  run_kind(MIXED, 500);
}

/* ---- the profile's tree ----------------------------------------------------
 */

Test(propagator, profile_equals_array) {
  struct random r;
  random_seed(&r, 5);
  for (int round = 0; round < 300; round++) {
    struct cp_profile_node node[128] = {{0, 0, 0}};
    int64_t height[40] = {0};
    struct cp_profile p = {1 + random_below(&r, 40), 0, node};
    p.size = cp_profile_size(p.points);
    for (int step = 0; step < 60; step++) {
      int a = random_below(&r, p.points + 1),
          b = random_below(&r, p.points + 1);
      int from = a < b ? a : b, to = a < b ? b : a;
      int64_t h = random_below(&r, 5) - 1, limit = random_below(&r, 8) - 2;
      cp_profile_add(&p, from, to, h);
      for (int k = from; k < to; k++)
        height[k] += h;
      int first = -1, last = -1, within = p.points;
      for (int k = from; k < to; k++)
        if (height[k] > limit) {
          first = first < 0 ? k : first;
          last = k;
        }
      for (int k = p.points - 1; k >= from; k--)
        if (height[k] <= limit)
          within = k;
      cr_assert_eq(cp_profile_first_above(&p, from, to, limit), first);
      cr_assert_eq(cp_profile_last_above(&p, from, to, limit), last);
      cr_assert_eq(cp_profile_first_within(&p, from, limit), within);
      if (from < p.points)
        cr_assert_eq(cp_profile_height(&p, from), height[from]);
    }
  }
}
