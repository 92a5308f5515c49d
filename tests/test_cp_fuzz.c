/* Model-based fuzzing of the engine's interface.
 *
 * A case is a list of operations, each a few numbers that are read modulo what
 * exists at that moment, so that every sublist of a case is a case too.  The
 * same operations go to the engine and to a plain list of constraints, which
 * is enumerated: verdicts, solutions, cores, root bounds and lower bounds must
 * agree.  A failing case is shrunk by leaving operations out and printed; such
 * cases are kept in tests/cases/cp_fuzz and replayed by every run.
 *
 * More seeds: MOCCASIN_FUZZ=100000.
 */
#include "solver/base/random.h"
#include "solver/cp/cp.h"
#include "solver/cp/propagator.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { VARIABLES = 10, CONSTRAINTS = 70, ARGUMENTS = 12, OPERATIONS = 100 };

enum kind {
  OP_VARIABLE,
  OP_CLAUSE,
  OP_LINEAR,
  OP_APART,
  OP_SPY,
  OP_REQUIRE,
  OP_MINIMISE,
  OP_LIMIT,
  OP_PREFER,
  OP_OPTION,
  OP_KNOWN,
  OP_DECIDE,
  OP_ROOT,
  OP_SOLVE,
  OP_KINDS
};

struct op {
  int kind;
  int argument[ARGUMENTS];
};

struct constraint {
  enum kind kind;
  int count, x, y, distance;
  struct cp_term term[4];
  struct cp_literal literal[4];
  int64_t most;
};

struct state {
  struct memory *memory;
  struct cp *cp;
  struct random random;
  int variables; /* the engine's numbers differ after an objective: */
  int number[VARIABLES];
  int32_t low[VARIABLES], high[VARIABLES], plant[VARIABLES];
  int constraints;
  struct constraint constraint[CONSTRAINTS];
  int objective; /* terms in it, 0: none */
  struct cp_term term[4];
  int64_t limit;
  bool wide;  /* some domain has more than two values */
  bool known; /* the engine is told a best solution before it searches */
  bool lie;   /* the test propagator leaves a literal out of explanations */
  bool spied; /* a wake was lost or repeated */
  const char *fault;
};

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

/* ---- the model: constraints over the model's numbering */

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

static bool satisfied(const struct constraint *c, const int32_t *value) {
  bool any = false;
  switch (c->kind) {
  case OP_LINEAR:
    return sum_of(c->term, c->count, value) <= c->most;
  case OP_APART:
    return abs(value[c->x] - value[c->y]) >= c->distance;
  default:
    for (int k = 0; k < c->count; k++)
      any |= holds(c->literal[k], value);
    return any;
  }
}

static bool model_allows(const struct state *s, const int32_t *value) {
  for (int i = 0; i < s->constraints; i++)
    if (!satisfied(&s->constraint[i], value))
      return false;
  return !s->objective || sum_of(s->term, s->objective, value) <= s->limit;
}

struct answer {
  int count;
  int32_t best[VARIABLES], least[VARIABLES], most[VARIABLES];
  int64_t cost;
};

static struct answer enumerate(const struct state *s,
                               const struct cp_literal *assumed, int count) {
  struct answer a = {.count = 0};
  int32_t value[VARIABLES];
  memcpy(value, s->low, sizeof value);
  for (int v = 0; v < s->variables;) {
    bool ok = model_allows(s, value);
    for (int k = 0; k < count; k++)
      ok = ok && holds(assumed[k], value);
    if (ok) {
      int64_t cost = sum_of(s->term, s->objective, value);
      if (!a.count || cost < a.cost) {
        memcpy(a.best, value, sizeof value);
        a.cost = cost;
      }
      for (int w = 0; w < s->variables; w++) {
        if (!a.count || value[w] < a.least[w])
          a.least[w] = value[w];
        if (!a.count || value[w] > a.most[w])
          a.most[w] = value[w];
      }
      a.count++;
    }
    for (v = 0; v < s->variables; v++) {
      if (value[v]++ < s->high[v])
        break;
      value[v] = s->low[v];
    }
  }
  return a;
}

/* ---- operations */

static struct cp_literal literal_of(const struct state *s, int a, int b) {
  int v = a % s->variables;
  int32_t steps = s->high[v] - s->low[v], bound = s->low[v];
  /* mostly open at the root */
  bound += b % 16 ? 1 + b / 16 % steps : b / 16 % (steps + 2);
  return a & 64 ? cp_at_least(v, bound) : cp_at_most(v, bound - 1);
}

static struct cp_term term_of(const struct state *s, int a, int b) {
  int64_t weight = b % 11 - 5;
  if (a & 128)
    return cp_term_if(weight, literal_of(s, a, b / 11));
  return cp_term(weight, a % s->variables);
}

/* From the model's numbering to the engine's. */
static struct cp_literal to_engine(const struct state *s, struct cp_literal l) {
  l.side = 2 * s->number[l.side / 2] + l.side % 2;
  return l;
}

static void post(struct state *s, const struct constraint *c) {
  struct cp_literal l[4];
  struct cp_term t[4];
  for (int k = 0; k < c->count; k++) {
    l[k] = to_engine(s, c->literal[k]);
    t[k] = c->term[k];
    t[k].literal = to_engine(s, t[k].literal);
  }
  if (c->kind == OP_LINEAR)
    cp_post_linear(s->cp, t, c->count, c->most);
  else if (c->kind == OP_CLAUSE)
    cp_post_clause(s->cp, l, c->count);
  else if (c->kind == OP_REQUIRE)
    cp_require(s->cp, l[0]);
  else {
    struct apart *p = cp_get(s->cp, sizeof *p);
    p->state = s;
    p->x = s->number[c->x];
    p->y = s->number[c->y];
    p->distance = c->distance;
    cp_add(s->cp, &apart_class, &p->base);
  }
}

static void add_constraint(struct state *s, const struct op *op) {
  if (!s->variables || s->constraints == CONSTRAINTS)
    return;
  struct constraint *c = &s->constraint[s->constraints];
  const int *a = op->argument;
  *c = (struct constraint){.kind = (enum kind)op->kind};
  c->count = op->kind == OP_REQUIRE ? 1
             : op->kind == OP_APART ? 0
                                    : 2 + a[0] % 3;
  for (int k = 0; k < c->count; k++) {
    c->literal[k] = literal_of(s, a[2 * k + 1], a[2 * k + 2]);
    c->term[k] = term_of(s, a[2 * k + 1], a[2 * k + 2]);
  }
  c->most = sum_of(c->term, c->count, s->plant) + a[9] % 8;
  c->x = a[1] % s->variables;
  c->y = a[2] % s->variables;
  c->distance = 1 + a[3] % 2;
  if (op->kind == OP_APART && c->x == c->y)
    return;
  /* Most constraints leave a planted solution, else all cases end early. */
  if (a[10] % 64 && !satisfied(c, s->plant))
    return;
  s->constraints++;
  post(s, c);
}

static void add_variable(struct state *s, const int *a) {
  /* few variables of wide domains or many of narrow ones */
  bool narrow = s->variables ? !s->wide : a[3] % 4;
  if (s->variables >= (s->wide || !narrow ? VARIABLES / 2 : VARIABLES))
    return;
  s->wide |= !narrow;
  int v = s->variables++;
  s->low[v] = a[0] % 7 - 3;
  s->high[v] = s->low[v] + 1 + (narrow ? 0 : a[1] % 4);
  s->plant[v] = s->low[v] + a[2] % (s->high[v] - s->low[v] + 1);
  s->number[v] = cp_variable(s->cp, s->low[v], s->high[v], NULL);
}

static void add_objective(struct state *s, const int *a) {
  if (!s->variables || s->objective)
    return;
  struct cp_term t[4];
  s->objective = 1 + a[0] % 4;
  for (int k = 0; k < s->objective; k++) {
    t[k] = s->term[k] = term_of(s, a[2 * k + 1], a[2 * k + 2]);
    /* sometimes a range far beyond int32: coarse steps */
    if (a[9] % 4 == 0)
      t[k].weight = s->term[k].weight *= INT64_C(10000000019);
    t[k].literal = to_engine(s, t[k].literal);
  }
  s->limit = INT64_MAX;
  cp_minimise(s->cp, t, s->objective);
}

static void add_spy(struct state *s) {
  struct spy *p = cp_get(s->cp, sizeof *p);
  p->state = s;
  p->sides = 2 * cp_variables(s->cp);
  cp_add(s->cp, &spy_class, &p->base);
}

static void set_option(struct state *s, const int *a) {
  static const char *const name[] = {"learn",  "lift",    "minimise",
                                     "mode",   "restart", "reduce_interval",
                                     "reduce", "decay",   "luby"};
  char text[16];
  snprintf(text, sizeof text, "%d", a[1] % 60);
  cp_options_set(cp_options(s->cp), name[a[0] % 9], text);
}

/* The engine's variables beside the model's: only the objective. */
static void set_known(struct state *s) {
  struct answer a = enumerate(s, NULL, 0);
  if (!a.count || !s->known) {
    cp_set_known(s->cp, NULL);
    return;
  }
  int32_t value[VARIABLES + 1] = {0};
  if (s->objective)
    for (int z = 0; z < cp_variables(s->cp); z++)
      value[z] = cp_objective_step(s->cp, a.cost);
  for (int v = 0; v < s->variables; v++)
    value[s->number[v]] = a.best[v];
  cp_set_known(s->cp, value);
}

static bool random_decision(struct cp *cp, void *data, struct cp_literal *l) {
  struct random *r = data;
  if (!cp_variables(cp))
    return false;
  int v = random_below(r, cp_variables(cp));
  int32_t low = cp_min(cp, v), high = cp_max(cp, v);
  if (low == high || random_below(r, 3) == 0)
    return false;
  int32_t b = low + 1 + random_below(r, high - low);
  *l = random_below(r, 2) ? cp_at_least(v, b) : cp_at_most(v, b - 1);
  return true;
}

static void check_root(struct state *s) {
  struct answer a = enumerate(s, NULL, 0);
  set_known(s);
  if (!cp_propagate_root(s->cp)) {
    if (a.count)
      s->fault = "root propagation fails a model with solutions";
    return;
  }
  for (int v = 0; v < s->variables && a.count; v++)
    if (cp_min(s->cp, s->number[v]) > a.least[v] ||
        cp_max(s->cp, s->number[v]) < a.most[v])
      s->fault = "root bounds exclude a solution";
  if (a.count && s->objective && cp_objective_min(s->cp) > a.cost)
    s->fault = "lower bound above the optimum";
}

static void check_solution(struct state *s, const struct cp_literal *assumed,
                           int count) {
  int32_t value[VARIABLES];
  for (int v = 0; v < s->variables; v++)
    value[v] = cp_value(s->cp, s->number[v]);
  if (!model_allows(s, value))
    s->fault = "solution violates the model";
  for (int k = 0; k < count; k++)
    if (!holds(assumed[k], value))
      s->fault = "solution violates an assumption";
  if (!s->objective)
    return;
  s->limit = sum_of(s->term, s->objective, value);
  if (cp_objective(s->cp) != s->limit--)
    s->fault = "objective is not that of the solution";
}

static void check_core(struct state *s, const struct cp_literal *assumed,
                       int count) {
  int size;
  const struct cp_literal *core = cp_core(s->cp, &size);
  struct cp_literal mine[4];
  int n = 0;
  for (int k = 0; k < count; k++)
    for (int j = 0; j < size; j++) {
      struct cp_literal l = to_engine(s, assumed[k]);
      if (!memcmp(&l, &core[j], sizeof l)) {
        mine[n++] = assumed[k];
        break;
      }
    }
  if (enumerate(s, mine, n).count)
    s->fault = "core can hold";
}

static void solve(struct state *s, const int *a) {
  struct cp_literal assumed[3], engine[3];
  int count = s->variables ? a[0] % 4 : 0;
  for (int k = 0; k < count; k++) {
    assumed[k] = literal_of(s, a[2 * k + 1], a[2 * k + 2]);
    engine[k] = to_engine(s, assumed[k]);
  }
  struct cp_limits limits = {.conflicts = a[7] % 3 ? 0 : 1 + a[8] % 5,
                             .propagations = a[9] % 5 ? 0 : 1 + a[10] % 50};
  set_known(s);
  enum cp_result result;
  do { /* once, or down to the optimum */
    result = cp_solve(s->cp, engine, count, &limits);
    if (result == CP_SOLUTION)
      check_solution(s, assumed, count);
  } while (result == CP_SOLUTION && s->objective && a[11] % 4 && !s->fault);
  struct answer expected = enumerate(s, assumed, count);
  switch (result) {
  case CP_SOLUTION:
    break;
  case CP_INFEASIBLE:
    if (enumerate(s, NULL, 0).count)
      s->fault = "infeasible though there are solutions";
    break;
  case CP_INFEASIBLE_ASSUMED:
    if (expected.count)
      s->fault = "infeasible under assumptions though there are solutions";
    check_core(s, assumed, count);
    break;
  case CP_LIMIT:
    if (!limits.conflicts && !limits.propagations)
      s->fault = "gave up without a limit";
    break;
  case CP_FAULT:
    s->fault = "check";
  }
}

static void set_limit(struct state *s, const int *a) {
  if (!s->objective)
    return;
  struct answer best = enumerate(s, NULL, 0);
  int64_t most = best.count ? best.cost + a[0] % 20 - 1 : -a[0] % 5;
  cp_objective_limit(s->cp, most);
  if (most < s->limit)
    s->limit = most;
}

static void apply(struct state *s, const struct op *op) {
  const int *a = op->argument;
  switch ((enum kind)op->kind) {
  case OP_VARIABLE:
    add_variable(s, a);
    break;
  case OP_CLAUSE:
  case OP_LINEAR:
  case OP_APART:
  case OP_REQUIRE:
    add_constraint(s, op);
    break;
  case OP_SPY:
    add_spy(s);
    break;
  case OP_MINIMISE:
    add_objective(s, a);
    break;
  case OP_LIMIT:
    set_limit(s, a);
    break;
  case OP_PREFER:
    if (s->variables) {
      cp_prefer(s->cp, s->number[a[0] % s->variables], a[1] % 9 - 4);
      cp_bump(s->cp, s->number[a[2] % s->variables], a[3] % 9);
      cp_set_tier(s->cp, s->number[a[4] % s->variables], a[5] % 3);
    }
    break;
  case OP_OPTION:
    set_option(s, a);
    break;
  case OP_KNOWN:
    s->known = true;
    break;
  case OP_DECIDE:
    cp_set_decide(s->cp, a[0] % 2 ? random_decision : NULL, &s->random);
    break;
  case OP_ROOT:
    check_root(s);
    break;
  default:
    solve(s, a);
  }
}

/* NULL, or what went wrong. */
static const char *run(const struct op *op, int count, bool lie) {
  struct state *s = calloc(1, sizeof *s);
  struct cp_options o = cp_options_default();
  o.check = 2;
  s->memory = memory_new(NULL);
  s->cp = cp_new(s->memory, &o);
  s->lie = lie;
  random_seed(&s->random, 1);
  cp_set_decide(s->cp, random_decision, &s->random);
  for (int i = 0; i < count && !s->fault; i++) {
    apply(s, &op[i]);
    if (s->spied)
      s->fault = "a wake was lost or repeated";
  }
  const char *fault = s->fault;
  if (fault && !lie && *cp_fault(s->cp))
    cr_log_error("%s", cp_fault(s->cp));
  cp_free(s->cp);
  if (!fault && memory_used(s->memory))
    fault = "leak";
  memory_free(s->memory);
  free(s);
  return fault;
}

/* ---- cases: random, shrunk, kept */

static int random_case(uint64_t seed, struct op *op) {
  static const int mostly[] = {OP_CLAUSE, OP_CLAUSE, OP_CLAUSE,
                               OP_CLAUSE, OP_CLAUSE, OP_CLAUSE,
                               OP_APART,  OP_LINEAR, OP_LINEAR};
  struct random r;
  random_seed(&r, seed);
  int first = 4 + random_below(&r, 7);
  int count = 12 + random_below(&r, OPERATIONS - 12);
  for (int i = 0; i < count; i++) {
    op[i].kind =
        random_below(&r, i < first                              ? 1
                         : i < count - 8 && random_below(&r, 8) ? OP_MINIMISE
                                                                : OP_KINDS);
    if (i >= first && random_below(&r, 4) > 0)
      op[i].kind = i < count - 8 ? mostly[random_below(&r, 9)] : OP_SOLVE;
    for (int k = 0; k < ARGUMENTS; k++)
      op[i].argument[k] = random_below(&r, 1000);
  }
  return count;
}

/* Leaves out blocks of operations, smaller and smaller, while it fails. */
static int shrink(struct op *op, int count, bool lie) {
  struct op less[OPERATIONS];
  for (int block = count / 2; block >= 1; block /= 2)
    for (int at = 0; at + block <= count;) {
      memcpy(less, op, (size_t)at * sizeof *op);
      memcpy(less + at, op + at + block,
             (size_t)(count - at - block) * sizeof *op);
      if (run(less, count - block, lie)) {
        count -= block;
        memcpy(op, less, (size_t)count * sizeof *op);
      } else
        at += block;
    }
  return count;
}

static void print_case(const struct op *op, int count) {
  for (int i = 0; i < count; i++) {
    char line[200];
    int used = snprintf(line, sizeof line, "%d", op[i].kind);
    for (int k = 0; k < ARGUMENTS; k++)
      used += snprintf(line + used, sizeof line - (size_t)used, " %d",
                       op[i].argument[k]);
    cr_log_error("%s", line);
  }
}

Test(cp_fuzz, random_cases, .timeout = 600) {
  const char *text = getenv("MOCCASIN_FUZZ");
  long seeds = text ? strtol(text, NULL, 10) : 4000;
  for (long seed = 1; seed <= seeds; seed++) {
    struct op op[OPERATIONS];
    int count = random_case((uint64_t)seed, op);
    const char *fault = run(op, count, false);
    if (!fault)
      continue;
    count = shrink(op, count, false);
    print_case(op, count);
    cr_assert_fail("seed %ld: %s, shrunk to %d operations: %s", seed, fault,
                   count, run(op, count, false));
  }
}

/* Explanations that lack a literal must be caught, and shrink well. */
Test(cp_fuzz, lies_are_caught_and_shrunk) {
  int caught = 0, shortest = OPERATIONS;
  for (uint64_t seed = 1; seed <= 1000; seed++) {
    struct op op[OPERATIONS];
    int count = random_case(seed, op);
    if (!run(op, count, true))
      continue;
    caught++;
    count = shrink(op, count, true);
    shortest = count < shortest ? count : shortest;
  }
  cr_assert_gt(caught, 5, "%d of 1000", caught);
  cr_assert_leq(shortest, 8, "%d operations", shortest);
}

/* tests/cases/cp_fuzz/1.txt, 2.txt, ...: a line per operation. */
Test(cp_fuzz, kept_cases) {
  for (int number = 1;; number++) {
    char name[64];
    snprintf(name, sizeof name, "tests/cases/cp_fuzz/%d.txt", number);
    FILE *f = fopen(name, "r");
    if (!f)
      break;
    struct op op[OPERATIONS];
    int count = 0;
    while (count < OPERATIONS && fscanf(f, "%d", &op[count].kind) == 1) {
      for (int k = 0; k < ARGUMENTS; k++)
        if (fscanf(f, "%d", &op[count].argument[k]) != 1)
          op[count].argument[k] = 0;
      count++;
    }
    fclose(f);
    const char *fault = run(op, count, false);
    cr_assert(!fault, "%s: %s", name, fault);
  }
}
