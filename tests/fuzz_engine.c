/* Bytes as calls of the engine's interface: variables, clauses, linear sums, an
 * objective, limits, options and solves under assumptions, in any order.  What
 * it answers must be what enumeration of a plain list of constraints says. */
#include "tests/fuzz.h"

#include "solver/cp/cp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VARIABLES = 5, CONSTRAINTS = 24, TERMS = 3 };

struct constraint {
  bool linear;
  struct cp_term term[TERMS]; /* a clause: the literals of its terms */
  int64_t most;
};

struct model {
  const uint8_t *bytes;
  size_t left;
  struct cp *cp;
  int variables, constraints, number[VARIABLES]; /* the engine's */
  int32_t low[VARIABLES], high[VARIABLES];
  struct constraint constraint[CONSTRAINTS], objective;
  bool has_objective;
};

static int pick(struct model *m, int most) {
  if (!m->left)
    return 0;
  m->left--;
  return *m->bytes++ % most;
}

static void fail(const char *what) {
  fprintf(stderr, "fuzz_engine: %s\n", what);
  abort();
}

/* ---- the list of constraints ----------------------------------------------
 */

static bool holds(struct cp_literal l, const int32_t *value) {
  int32_t x = value[l.side / 2];
  return (l.side % 2 ? -x : x) >= l.bound;
}

static int64_t sum_of(const struct constraint *c, const int32_t *value) {
  int64_t sum = 0;
  for (int k = 0; k < TERMS; k++) {
    const struct cp_term *t = &c->term[k];
    int64_t x =
        t->boolean ? holds(t->literal, value) : value[t->literal.side / 2];
    sum += t->weight * x;
  }
  return sum;
}

static bool satisfied(const struct constraint *c, const int32_t *value) {
  if (c->linear)
    return sum_of(c, value) <= c->most;
  for (int k = 0; k < TERMS; k++)
    if (holds(c->term[k].literal, value))
      return true;
  return false;
}

static bool allowed(const struct model *m, const int32_t *value) {
  for (int i = 0; i < m->constraints; i++)
    if (!satisfied(&m->constraint[i], value))
      return false;
  return !m->has_objective || satisfied(&m->objective, value);
}

/* The number of solutions under the assumptions, and the least objective. */
static int enumerate(const struct model *m, const struct cp_literal *assumed,
                     int count, int64_t *least) {
  int32_t value[VARIABLES];
  int found = 0;
  memcpy(value, m->low, sizeof value);
  for (int v = 0; v < m->variables;) {
    bool ok = allowed(m, value);
    for (int k = 0; k < count; k++)
      ok = ok && holds(assumed[k], value);
    int64_t cost = m->has_objective ? sum_of(&m->objective, value) : 0;
    *least = ok && (!found || cost < *least) ? cost : *least;
    found += ok;
    for (v = 0; v < m->variables && value[v]++ == m->high[v]; v++)
      value[v] = m->low[v];
  }
  return found;
}

/* ---- operations ------------------------------------------------------------
 */

static struct cp_literal pick_literal(struct model *m) {
  int v = pick(m, m->variables);
  int32_t bound = m->low[v] + pick(m, m->high[v] - m->low[v] + 2);
  return pick(m, 2) ? cp_at_least(v, bound) : cp_at_most(v, bound - 1);
}

static struct cp_literal to_engine(const struct model *m, struct cp_literal l) {
  l.side = 2 * m->number[l.side / 2] + l.side % 2;
  return l;
}

static struct constraint pick_constraint(struct model *m, bool linear,
                                         struct cp_term *engine) {
  struct constraint c = {.linear = linear, .most = INT64_MAX};
  for (int k = 0; k < TERMS; k++) {
    struct cp_literal l = pick_literal(m);
    int64_t weight = pick(m, 11) - 5;
    c.term[k] = linear && pick(m, 2) ? cp_term(weight, l.side / 2)
                                     : cp_term_if(weight, l);
    engine[k] = c.term[k];
    engine[k].literal = to_engine(m, engine[k].literal);
  }
  return c;
}

static void add_constraint(struct model *m) {
  struct cp_term engine[TERMS];
  struct cp_literal literal[TERMS];
  if (m->constraints == CONSTRAINTS)
    return;
  struct constraint *c = &m->constraint[m->constraints++];
  *c = pick_constraint(m, pick(m, 2), engine);
  c->most = pick(m, 16) - 5;
  for (int k = 0; k < TERMS; k++)
    literal[k] = engine[k].literal;
  if (c->linear)
    cp_post_linear(m->cp, engine, TERMS, c->most);
  else
    cp_post_clause(m->cp, literal, TERMS);
}

static void add_objective(struct model *m) {
  struct cp_term engine[TERMS];
  if (m->has_objective)
    return;
  m->objective = pick_constraint(m, true, engine);
  m->has_objective = true;
  cp_minimise(m->cp, engine, TERMS);
}

static void check_solution(struct model *m, const struct cp_literal *assumed,
                           int count) {
  int32_t value[VARIABLES] = {0};
  for (int v = 0; v < m->variables; v++)
    value[v] = cp_value(m->cp, m->number[v]);
  if (!allowed(m, value))
    fail("the solution violates the model");
  for (int k = 0; k < count; k++)
    if (!holds(assumed[k], value))
      fail("the solution violates an assumption");
  if (!m->has_objective)
    return;
  if (cp_objective(m->cp) != sum_of(&m->objective, value))
    fail("the objective is not that of the solution");
  m->objective.most = cp_objective(m->cp) - 1;
}

static void solve(struct model *m) {
  struct cp_literal assumed[2], engine[2];
  int count = pick(m, 3);
  int64_t least = 0;
  for (int k = 0; k < count; k++) {
    assumed[k] = pick_literal(m);
    engine[k] = to_engine(m, assumed[k]);
  }
  struct cp_limits limits = {.conflicts = pick(m, 4) ? 0 : 1 + pick(m, 5)};
  switch (cp_solve(m->cp, engine, count, &limits)) {
  case CP_SOLUTION:
    check_solution(m, assumed, count);
    break;
  case CP_INFEASIBLE:
    if (enumerate(m, NULL, 0, &least))
      fail("infeasible, but there are solutions");
    break;
  case CP_INFEASIBLE_ASSUMED:
    if (enumerate(m, assumed, count, &least))
      fail("infeasible under assumptions, but there are solutions");
    break;
  case CP_LIMIT:
    if (!limits.conflicts)
      fail("gave up without a limit");
    break;
  case CP_FAULT:
    fail(cp_fault(m->cp));
  }
}

static void check_root(struct model *m) {
  int64_t least = 0;
  int found = enumerate(m, NULL, 0, &least);
  if (!cp_propagate_root(m->cp)) {
    if (found)
      fail("root propagation refutes a model with solutions");
  } else if (found && m->has_objective && cp_objective_min(m->cp) > least) {
    fail("the lower bound is above the optimum");
  }
}

static void set_option(struct model *m) {
  static const char *const name[] = {"learn",          "lift",    "minimise",
                                     "mode",           "restart", "luby",
                                     "reduce_interval"};
  char text[8];
  int which = pick(m, 7);
  snprintf(text, sizeof text, "%d", pick(m, 4));
  cp_options_set(cp_options(m->cp), name[which], text);
}

static void apply(struct model *m, int operation) {
  if (!m->variables || operation == 0) {
    int v = m->variables;
    if (v == VARIABLES)
      return;
    m->low[v] = pick(m, 7) - 3;
    m->high[v] = m->low[v] + 1 + pick(m, 3);
    m->number[v] = cp_variable(m->cp, m->low[v], m->high[v], NULL);
    m->variables++;
  } else if (operation <= 4) {
    add_constraint(m);
  } else if (operation == 5) {
    add_objective(m);
  } else if (operation == 6) {
    set_option(m);
  } else if (operation == 7) {
    check_root(m);
  } else {
    solve(m);
  }
}

int fuzz_engine(const uint8_t *bytes, size_t size) {
  struct memory *memory = memory_new(NULL);
  struct cp_options options = cp_options_default();
  struct model m = {.bytes = bytes, .left = size < 400 ? size : 400};
  options.check = 2;
  if (!memory || setjmp(*memory_recover(memory)))
    abort();
  m.cp = cp_new(memory, &options);
  while (m.left)
    apply(&m, pick(&m, 10));
  cp_free(m.cp);
  if (memory_used(memory))
    fail("a leak");
  memory_free(memory);
  return 0;
}
