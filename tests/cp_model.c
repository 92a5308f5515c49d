#include "tests/cp_model.h"

#include <stdlib.h>
#include <string.h>

/* ---- literals and terms from numbers */

struct cp_literal model_literal(const struct state *s, int a, int b) {
  int v = a % s->variables;
  int32_t steps = s->high[v] - s->low[v], bound = s->low[v];
  /* mostly open at the root */
  bound += b % 16 ? 1 + b / 16 % steps : b / 16 % (steps + 2);
  return a & 64 ? cp_at_least(v, bound) : cp_at_most(v, bound - 1);
}

struct cp_term model_term(const struct state *s, int a, int b) {
  int64_t weight = b % 11 - 5;
  if (a & 128)
    return cp_term_if(weight, model_literal(s, a, b / 11));
  return cp_term(weight, a % s->variables);
}

/* From the model's numbering to the engine's. */
struct cp_literal model_to_engine(const struct state *s, struct cp_literal l) {
  l.side = 2 * s->number[l.side / 2] + l.side % 2;
  return l;
}

/* ---- what holds */

bool model_literal_holds(struct cp_literal l, const int32_t *value) {
  int32_t x = value[l.side / 2];
  return l.side % 2 ? x <= -l.bound : x >= l.bound;
}

int64_t model_sum(const struct cp_term *t, int count, const int32_t *value) {
  int64_t sum = 0;
  for (int k = 0; k < count; k++)
    if (!t[k].boolean)
      sum += t[k].weight * value[t[k].literal.side / 2];
    else if (model_literal_holds(t[k].literal, value))
      sum += t[k].weight;
  return sum;
}

bool model_constraint_holds(const struct constraint *c, const int32_t *value) {
  bool any = false;
  switch (c->kind) {
  case OP_LINEAR:
    return model_sum(c->term, c->count, value) <= c->most;
  case OP_APART:
    return abs(value[c->x] - value[c->y]) >= c->distance;
  default:
    for (int k = 0; k < c->count; k++)
      any |= model_literal_holds(c->literal[k], value);
    return any;
  }
}

bool model_allows(const struct state *s, const int32_t *value) {
  for (int i = 0; i < s->constraints; i++)
    if (!model_constraint_holds(&s->constraint[i], value))
      return false;
  return !s->objective || model_sum(s->term, s->objective, value) <= s->limit;
}

struct answer model_enumerate(const struct state *s,
                              const struct cp_literal *assumed, int count) {
  struct answer a = {.count = 0};
  int32_t value[VARIABLES];
  memcpy(value, s->low, sizeof value);
  for (int v = 0; v < s->variables;) {
    bool ok = model_allows(s, value);
    for (int k = 0; k < count; k++)
      ok = ok && model_literal_holds(assumed[k], value);
    if (ok) {
      int64_t cost = model_sum(s->term, s->objective, value);
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
