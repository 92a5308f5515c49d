/* The objective: a linear sum, a variable that counts it in steps, and a bound
 * that falls with every solution.
 *
 * With base the least value of the sum over the root domains and unit a number
 * of cost units, z <= k means sum <= base + unit * (k + 1) - 1.  The unit is
 * the gcd of the weights where the range then fits int32, and a multiple of it
 * otherwise; in the latter case a second, exact sum carries the permanent
 * bound.
 */
#include "solver/cp/internal.h"

enum { MOST_STEPS = CP_LIMIT_BOUND };

static int64_t gcd(int64_t a, int64_t b) {
  while (b) {
    int64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

/* Least and greatest contribution of a term under the current bounds. */
static void range(const struct cp *cp, const struct cp_term *t, int64_t *low,
                  int64_t *high) {
  int64_t a = cp_bound(cp, t->literal.side);
  int64_t b = -(int64_t)cp_bound(cp, t->literal.side ^ 1);
  if (t->boolean) {
    a = a >= t->literal.bound;
    b = b >= t->literal.bound;
  }
  *low = t->weight * (t->weight < 0 ? b : a);
  *high = t->weight * (t->weight < 0 ? a : b);
}

int cp_minimise(struct cp *cp, const struct cp_term *t, int count) {
  assert(!cp->has_objective && cp->head.level == 0);
  int64_t base = 0, top = 0, unit = 0;
  for (int i = 0; i < count; i++) {
    int64_t low, high;
    range(cp, &t[i], &low, &high);
    base += low;
    top += high;
    if (low != high)
      unit = gcd(unit, t[i].weight < 0 ? -t[i].weight : t[i].weight);
  }
  unit = unit ? unit : 1;
  int64_t steps = (top - base) / unit, coarse = 1;
  if (steps > MOST_STEPS)
    coarse = steps / MOST_STEPS + 1;
  cp->has_objective = true;
  cp->objective_base = base;
  cp->objective_unit = unit * coarse;
  cp->objective_most = top;
  cp->objective_count = count;
  cp->objective_terms = MEMORY_ARRAY(cp->memory, struct cp_term, count + 1);
  for (int i = 0; i < count; i++)
    cp->objective_terms[i] = t[i];
  int z = cp_variable(cp, 0, (int32_t)((top - base) / cp->objective_unit),
                      "objective");
  cp_set_tier(cp, z, 1000);
  cp->objective_variable = z;
  /* sum - unit * z <= base + unit - 1 */
  cp->objective_terms[count] = cp_term(-cp->objective_unit, z);
  linear_new(cp, cp->objective_terms, count + 1, base + cp->objective_unit - 1,
             true);
  if (coarse > 1 && !cp->failed)
    cp->objective_exact = linear_new(cp, cp->objective_terms, count, top, true);
  return z;
}

int64_t cp_objective_at(const struct cp *cp, int32_t k) {
  return cp->objective_base + cp->objective_unit * ((int64_t)k + 1) - 1;
}

int32_t cp_objective_step(const struct cp *cp, int64_t most) {
  int64_t room = most - cp->objective_base + 1;
  if (room < cp->objective_unit)
    return -1;
  int64_t k = room / cp->objective_unit - 1;
  return k > MOST_STEPS ? MOST_STEPS : (int32_t)k;
}

bool cp_objective_limit(struct cp *cp, int64_t most) {
  assert(cp->has_objective && cp->head.level == 0);
  if (cp->failed)
    return false;
  if (most >= cp->objective_most)
    return true;
  if (most < cp->objective_base) {
    cp->objective_most = most;
    cp->failed = true;
    return false;
  }
  if (cp->objective_exact)
    linear_tighten(cp, cp->objective_exact, cp->objective_most - most);
  cp->objective_most = most;
  /* Rounded up: z counts whole steps; exact when a step is a gcd. */
  int64_t k = (most - cp->objective_base) / cp->objective_unit;
  return cp_require(cp, cp_at_most(cp->objective_variable, (int32_t)k));
}

int64_t cp_objective_min(const struct cp *cp) {
  if (cp->failed)
    return cp->objective_most + 1;
  return cp->objective_base +
         cp->objective_unit * cp_low(cp, cp->objective_variable);
}

int64_t cp_objective(const struct cp *cp) {
  assert(cp->has_solution && cp->has_objective);
  return cp->objective_value;
}

int64_t objective_of(const struct cp *cp, const int32_t *value) {
  int64_t sum = 0;
  for (int32_t i = 0; i < cp->objective_count; i++) {
    const struct cp_term *t = &cp->objective_terms[i];
    int32_t x = value[t->literal.side >> 1];
    if (t->literal.side & 1)
      x = -x;
    sum += t->weight * (t->boolean ? x >= t->literal.bound : x);
  }
  return sum;
}

bool objective_solution(struct cp *cp) {
  cp->objective_value = objective_of(cp, cp->solution);
  return cp_objective_limit(cp, cp->objective_value - 1);
}
