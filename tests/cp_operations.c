#include "tests/cp_model.h"

#include <stdio.h>

/* ---- the model grows */

static void post(struct state *s, const struct constraint *c) {
  struct cp_literal l[4];
  struct cp_term t[4];
  for (int k = 0; k < c->count; k++) {
    l[k] = model_to_engine(s, c->literal[k]);
    t[k] = c->term[k];
    t[k].literal = model_to_engine(s, t[k].literal);
  }
  if (c->kind == OP_LINEAR)
    cp_post_linear(s->cp, t, c->count, c->most);
  else if (c->kind == OP_CLAUSE)
    cp_post_clause(s->cp, l, c->count);
  else if (c->kind == OP_REQUIRE)
    cp_require(s->cp, l[0]);
  else
    model_post_apart(s, s->number[c->x], s->number[c->y], c->distance);
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
    c->literal[k] = model_literal(s, a[2 * k + 1], a[2 * k + 2]);
    c->term[k] = model_term(s, a[2 * k + 1], a[2 * k + 2]);
  }
  c->most = model_sum(c->term, c->count, s->plant) + a[9] % 8;
  c->x = a[1] % s->variables;
  c->y = a[2] % s->variables;
  c->distance = 1 + a[3] % 2;
  if (op->kind == OP_APART && c->x == c->y)
    return;
  /* Most constraints leave a planted solution, else all cases end early. */
  if (a[10] % 64 && !model_constraint_holds(c, s->plant))
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
    t[k] = s->term[k] = model_term(s, a[2 * k + 1], a[2 * k + 2]);
    /* sometimes a range far beyond int32: coarse steps */
    if (a[9] % 4 == 0)
      t[k].weight = s->term[k].weight *= INT64_C(10000000019);
    t[k].literal = model_to_engine(s, t[k].literal);
  }
  s->limit = INT64_MAX;
  cp_minimise(s->cp, t, s->objective);
}

static void set_limit(struct state *s, const int *a) {
  if (!s->objective)
    return;
  struct answer best = model_enumerate(s, NULL, 0);
  int64_t most = best.count ? best.cost + a[0] % 20 - 1 : -a[0] % 5;
  cp_objective_limit(s->cp, most);
  if (most < s->limit)
    s->limit = most;
}

/* ---- search is told something */

static void set_option(struct state *s, const int *a) {
  static const char *const name[] = {
      "learn",           "lift",   "minimise", "mode", "restart",
      "reduce_interval", "reduce", "decay",    "luby", "weighted_degree"};
  char text[16];
  snprintf(text, sizeof text, "%d", a[1] % 60);
  cp_options_set(cp_options(s->cp), name[a[0] % 10], text);
}

bool operation_decide(struct cp *cp, void *data, struct cp_literal *l) {
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

/* ---- any operation */

void operation_apply(struct state *s, const struct op *op) {
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
    model_post_spy(s);
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
    cp_set_decide(s->cp, a[0] % 2 ? operation_decide : NULL, &s->random);
    break;
  case OP_ROOT:
    verdict_root(s);
    break;
  case OP_LEAST:
    verdict_least(s, a);
    break;
  default:
    verdict_solve(s, a);
  }
}
