/* The engine against enumeration: random clauses and linear sums, with and
 * without learning, objective, assumptions; at check level 2. */
#include "solver/base/random.h"
#include "solver/cp/cp.h"
#include "solver/cp/propagator.h"
#include <criterion/criterion.h>
#include <string.h>

enum { MOST_VARIABLES = 6, MOST_CONSTRAINTS = 10, MOST_TERMS = 6 };

struct sum {
  struct cp_term term[MOST_TERMS];
  int count;
  int64_t most;
};

struct any {
  struct cp_literal literal[MOST_TERMS];
  int count;
};

struct model {
  int variables, sums, clauses, terms;
  int32_t low[MOST_VARIABLES], high[MOST_VARIABLES];
  struct sum sum[MOST_CONSTRAINTS];
  struct any clause[MOST_CONSTRAINTS];
  struct cp_term objective[MOST_TERMS];
};

static struct cp_literal random_literal(struct random *r,
                                        const struct model *m) {
  int v = random_below(r, m->variables);
  int32_t b = m->low[v] + random_below(r, m->high[v] - m->low[v] + 2);
  return random_below(r, 2) ? cp_at_least(v, b) : cp_at_most(v, b - 1);
}

static struct cp_term random_term(struct random *r, const struct model *m) {
  int64_t weight = random_below(r, 15) - 7;
  if (random_below(r, 2))
    return cp_term_if(weight, random_literal(r, m));
  return cp_term(weight, random_below(r, m->variables));
}

static struct model random_model(struct random *r) {
  struct model m = {.variables = 2 + random_below(r, MOST_VARIABLES - 1)};
  for (int v = 0; v < m.variables; v++) {
    m.low[v] = random_below(r, 7) - 3;
    m.high[v] = m.low[v] + random_below(r, 5);
  }
  m.sums = random_below(r, 5);
  m.clauses = random_below(r, MOST_CONSTRAINTS);
  for (int i = 0; i < m.sums; i++) {
    m.sum[i].count = 1 + random_below(r, MOST_TERMS);
    for (int k = 0; k < m.sum[i].count; k++)
      m.sum[i].term[k] = random_term(r, &m);
    m.sum[i].most = random_below(r, 21) - 10;
  }
  for (int i = 0; i < m.clauses; i++) {
    m.clause[i].count = 1 + random_below(r, 4);
    for (int k = 0; k < m.clause[i].count; k++)
      m.clause[i].literal[k] = random_literal(r, &m);
  }
  m.terms = 1 + random_below(r, MOST_TERMS);
  for (int k = 0; k < m.terms; k++)
    m.objective[k] = random_term(r, &m);
  return m;
}

/* ---- the oracle: enumeration -----------------------------------------------
 */

static bool holds(struct cp_literal l, const int32_t *value) {
  int32_t x = value[l.side / 2];
  return l.side % 2 ? x <= -l.bound : x >= l.bound;
}

static int64_t sum_of(const struct cp_term *t, int count,
                      const int32_t *value) {
  int64_t sum = 0;
  for (int k = 0; k < count; k++)
    if (!t[k].boolean)
      sum += t[k].weight * value[t[k].literal.side / 2];
    else if (holds(t[k].literal, value))
      sum += t[k].weight;
  return sum;
}

static bool satisfies(const struct model *m, const int32_t *value) {
  for (int i = 0; i < m->sums; i++)
    if (sum_of(m->sum[i].term, m->sum[i].count, value) > m->sum[i].most)
      return false;
  for (int i = 0; i < m->clauses; i++) {
    bool any = false;
    for (int k = 0; k < m->clause[i].count; k++)
      any |= holds(m->clause[i].literal[k], value);
    if (!any)
      return false;
  }
  return true;
}

static bool next(const struct model *m, int32_t *value) {
  for (int v = 0; v < m->variables; v++) {
    if (value[v]++ < m->high[v])
      return true;
    value[v] = m->low[v];
  }
  return false;
}

/* Number of solutions under the assumptions, the best one in `best`. */
static int enumerate(const struct model *m, const struct cp_literal *assumed,
                     int count, int32_t *best, int64_t *cost) {
  int32_t value[MOST_VARIABLES];
  int found = 0;
  memcpy(value, m->low, sizeof value);
  do {
    bool ok = satisfies(m, value);
    for (int k = 0; k < count; k++)
      ok = ok && holds(assumed[k], value);
    if (!ok)
      continue;
    int64_t c = sum_of(m->objective, m->terms, value);
    if (!found++ || c < *cost) {
      *cost = c;
      memcpy(best, value, sizeof value);
    }
  } while (next(m, value));
  return found;
}

/* ---- the engine on the same model -------------------------------------------
 */

static struct cp *build(struct memory *memory, const struct model *m,
                        const struct cp_options *o, bool objective) {
  struct cp *cp = cp_new(memory, o);
  for (int v = 0; v < m->variables; v++)
    cp_variable(cp, m->low[v], m->high[v], NULL);
  for (int i = 0; i < m->sums; i++)
    cp_post_linear(cp, m->sum[i].term, m->sum[i].count, m->sum[i].most);
  for (int i = 0; i < m->clauses; i++)
    cp_post_clause(cp, m->clause[i].literal, m->clause[i].count);
  if (objective)
    cp_minimise(cp, m->objective, m->terms);
  return cp;
}

/* Solves to the end; "" or what is wrong. */
static const char *optimise(const struct model *m, const struct cp_options *o) {
  int32_t best[MOST_VARIABLES + 2] = {0};
  int64_t cost = 0, last = INT64_MAX;
  int found = enumerate(m, NULL, 0, best, &cost);
  struct memory *memory = memory_new(NULL);
  struct cp *cp = build(memory, m, o, true);
  if (found) {
    best[m->variables] = cp_objective_step(cp, cost);
    cp_set_known(cp, best);
  }
  const char *fault = "";
  enum cp_result r;
  while ((r = cp_solve(cp, NULL, 0, NULL)) == CP_SOLUTION && !*fault) {
    int32_t value[MOST_VARIABLES];
    for (int v = 0; v < m->variables; v++)
      value[v] = cp_value(cp, v);
    if (!satisfies(m, value))
      fault = "solution violates the model";
    if (sum_of(m->objective, m->terms, value) != cp_objective(cp))
      fault = "objective is not that of the solution";
    if (cp_objective(cp) >= last)
      fault = "solution is not better";
    last = cp_objective(cp);
  }
  if (r == CP_FAULT) {
    cr_log_error("%s", cp_fault(cp));
    fault = "check";
  } else if (!*fault && r != CP_INFEASIBLE)
    fault = "search did not end";
  else if (!*fault && last != (found ? cost : INT64_MAX))
    fault = "wrong optimum";
  cp_free(cp);
  if (!*fault && memory_used(memory))
    fault = "leak";
  memory_free(memory);
  return fault;
}

Test(cp_engine, optimum_equals_enumeration) {
  for (int seed = 0; seed < 4000; seed++) {
    struct random r;
    random_seed(&r, (uint64_t)seed);
    struct model m = random_model(&r);
    struct cp_options o = cp_options_default();
    o.seed = seed;
    o.check = 2;
    o.learn = seed % 4 != 3;
    o.lift = seed % 3 != 2;
    o.minimise = seed % 5 != 4;
    o.mode = seed % 7 % 3;
    o.linear = seed % 11 != 10;
    o.reduce_interval = 1 + seed % 20;
    const char *fault = optimise(&m, &o);
    cr_assert(!*fault, "seed %d: %s", seed, fault);
  }
}

/* A row of solves under assumptions on one solver: verdicts and cores. */
static const char *assume(const struct model *m, struct random *r,
                          const struct cp_options *o) {
  struct memory *memory = memory_new(NULL);
  struct cp *cp = build(memory, m, o, false);
  const char *fault = "";
  for (int round = 0; round < 8 && !*fault; round++) {
    struct cp_literal assumed[4];
    int count = random_below(r, 5), size;
    for (int k = 0; k < count; k++)
      assumed[k] = random_literal(r, m);
    int32_t best[MOST_VARIABLES];
    int64_t cost;
    int found = enumerate(m, assumed, count, best, &cost);
    int all = enumerate(m, NULL, 0, best, &cost);
    enum cp_result result = cp_solve(cp, assumed, count, NULL);
    const struct cp_literal *core = cp_core(cp, &size);
    if (result == CP_FAULT)
      fault = "check";
    else if (found ? result != CP_SOLUTION
                   : result != CP_INFEASIBLE_ASSUMED && result != CP_INFEASIBLE)
      fault = "wrong verdict";
    else if (result == CP_INFEASIBLE && all)
      fault = "infeasible though only the assumptions are";
    else if (result == CP_INFEASIBLE_ASSUMED &&
             enumerate(m, core, size, best, &cost))
      fault = "core can hold";
    for (int k = 0; result == CP_INFEASIBLE_ASSUMED && k < size; k++) {
      bool among = false;
      for (int j = 0; j < count; j++)
        among |= !memcmp(&core[k], &assumed[j], sizeof *core);
      if (!among)
        fault = "core is not of the assumptions";
    }
  }
  cp_free(cp);
  memory_free(memory);
  return fault;
}

Test(cp_engine, assumptions_and_cores_equal_enumeration) {
  for (int seed = 0; seed < 1500; seed++) {
    struct random r;
    random_seed(&r, (uint64_t)seed + 1000000);
    struct model m = random_model(&r);
    struct cp_options o = cp_options_default();
    o.check = 2;
    o.learn = seed % 3 != 2;
    const char *fault = assume(&m, &r, &o);
    cr_assert(!*fault, "seed %d: %s", seed, fault);
  }
}

/* Hard little instances: many conflicts, each learned clause held against a
 * solution drawn from all that the enumeration finds. */
enum { SAT_VARIABLES = 12, SAT_CLAUSES = 60 };

static bool sat_holds(struct cp_literal (*clause)[3], int count,
                      const int32_t *value) {
  for (int i = 0; i < count; i++) {
    bool any = false;
    for (int k = 0; k < 3; k++)
      any |= holds(clause[i][k], value);
    if (!any)
      return false;
  }
  return true;
}

static const char *sat(struct random *r, const struct cp_options *o,
                       int64_t *conflicts) {
  struct memory *memory = memory_new(NULL);
  struct cp *cp = cp_new(memory, o);
  struct cp_literal clause[SAT_CLAUSES][3];
  int32_t value[SAT_VARIABLES], known[SAT_VARIABLES];
  int count = 40 + random_below(r, SAT_CLAUSES - 39), found = 0;
  for (int v = 0; v < SAT_VARIABLES; v++)
    cp_variable(cp, 0, 1, NULL);
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < 3; k++) {
      int v = random_below(r, SAT_VARIABLES);
      clause[i][k] = random_below(r, 2) ? cp_at_least(v, 1) : cp_at_most(v, 0);
    }
    cp_post_clause(cp, clause[i], 3);
  }
  for (int bits = 0; bits < 1 << SAT_VARIABLES; bits++) {
    for (int v = 0; v < SAT_VARIABLES; v++)
      value[v] = bits >> v & 1;
    if (sat_holds(clause, count, value) && random_below(r, ++found) == 0)
      memcpy(known, value, sizeof known);
  }
  if (found)
    cp_set_known(cp, known);
  enum cp_result result = cp_solve(cp, NULL, 0, NULL);
  *conflicts += cp_statistics(cp)->conflicts;
  memory_free(memory);
  return result == CP_FAULT                                ? "check"
         : result == (found ? CP_SOLUTION : CP_INFEASIBLE) ? ""
                                                           : "wrong verdict";
}

Test(cp_engine, random_satisfiability_equals_enumeration) {
  int64_t conflicts = 0;
  for (int seed = 0; seed < 600; seed++) {
    struct random r;
    random_seed(&r, (uint64_t)seed + 2000000);
    struct cp_options o = cp_options_default();
    o.check = 1;
    o.learn = seed % 4 != 3;
    o.minimise = seed % 3 != 2;
    o.reduce_interval = 1 + seed % 10;
    const char *fault = sat(&r, &o, &conflicts);
    cr_assert(!*fault, "seed %d: %s", seed, fault);
  }
  cr_assert_gt(conflicts, 500);
}

/* One pigeon more than holes, by clauses: no solution, and hard to see. */
static struct cp *pigeons(struct memory *memory, int holes) {
  struct cp *cp = cp_new(memory, NULL);
  for (int p = 0; p <= holes; p++)
    cp_variable(cp, 0, holes - 1, NULL);
  for (int p = 0; p <= holes; p++)
    for (int q = 0; q < p; q++)
      for (int h = 0; h < holes; h++) {
        struct cp_literal c[] = {cp_at_most(p, h - 1), cp_at_least(p, h + 1),
                                 cp_at_most(q, h - 1), cp_at_least(q, h + 1)};
        cp_post_clause(cp, c, 4);
      }
  return cp;
}

Test(cp_engine, pigeonhole_is_infeasible_and_runs_are_identical) {
  struct cp_statistics first = {0};
  for (int run = 0; run < 2; run++) {
    struct memory *memory = memory_new(NULL);
    struct cp *cp = pigeons(memory, 7);
    cr_assert_eq(cp_solve(cp, NULL, 0, NULL), CP_INFEASIBLE);
    if (run)
      cr_assert(!memcmp(&first, cp_statistics(cp), sizeof first));
    first = *cp_statistics(cp);
    cp_free(cp);
    cr_assert_eq(memory_used(memory), 0);
    memory_free(memory);
  }
  cr_assert_gt(first.reductions, 0);
  cr_assert_gt(first.restarts, 0);
}

static bool stop_at_once(void *data) {
  ++*(int *)data;
  return true;
}

Test(cp_engine, limits_end_the_search) {
  struct memory *memory = memory_new(NULL);
  struct cp *cp = pigeons(memory, 9);
  int polled = 0;
  struct cp_limits conflicts = {.conflicts = 10};
  struct cp_limits stop = {.stop = stop_at_once, .stop_data = &polled};
  cr_assert_eq(cp_solve(cp, NULL, 0, &conflicts), CP_LIMIT);
  cr_assert_eq(cp_statistics(cp)->conflicts, 10);
  cr_assert_eq(cp_solve(cp, NULL, 0, &stop), CP_LIMIT);
  cr_assert_eq(polled, 1);
  memory_free(memory);
}
