#include "solver/cp/cost.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct item {
  int32_t variable, size;
  int64_t dearest;
  int64_t *level; /* level[k * size + x]: least of x .. x + 2^k - 1 */
  struct cp_int least;
};

struct cost {
  struct cp_propagator base;
  int count, z;
  int64_t weight, most;
  struct cp_int sum;  /* of all least entries */
  struct item item[]; /* by dearest entry, decreasing */
};

enum { Z_PUSH = -1 };

static const struct cp_class cost_class;

static int log2_floor(int x) {
  int k = 0;
  while (x >> (k + 1))
    k++;
  return k;
}

/* Least entry between two values, inclusive. */
static int64_t least(const struct item *i, int32_t low, int32_t high) {
  if (low > high)
    return INT64_MAX;
  int k = log2_floor(high - low + 1);
  const int64_t *row = i->level + (ptrdiff_t)k * i->size;
  int64_t a = row[low], b = row[high - (1 << k) + 1];
  return a < b ? a : b;
}

static void cost_post(struct cp *cp, struct cp_propagator *self) {
  struct cost *c = (struct cost *)(void *)self;
  c->sum = (struct cp_int){0, 0};
  for (int k = 0; k < c->count; k++) {
    struct item *i = &c->item[k];
    cp_watch(cp, self, 2 * i->variable, k);
    cp_watch(cp, self, 2 * i->variable + 1, k);
    i->least = (struct cp_int){
        least(i, cp_low(cp, i->variable), cp_high(cp, i->variable)), 0};
    c->sum.value += i->least.value;
  }
  cp_watch(cp, self, 2 * c->z + 1, Z_PUSH);
}

static bool cost_wake(struct cp *cp, struct cp_propagator *self, int32_t data,
                      int32_t old, int32_t now) {
  (void)old;
  (void)now;
  struct cost *c = (struct cost *)(void *)self;
  if (data == Z_PUSH)
    return true;
  struct item *i = &c->item[data];
  int32_t low = cp_low(cp, i->variable), high = cp_high(cp, i->variable);
  if (low > high) /* a conflict is on its way */
    return true;
  int64_t value = least(i, low, high);
  if (value != i->least.value) {
    cp_set(cp, &c->sum, c->sum.value + value - i->least.value);
    cp_set(cp, &i->least, value);
  }
  return true;
}

static int64_t quotient_up(int64_t a, int64_t b) {
  return a / b + (a % b > 0);
}

static bool cost_propagate(struct cp *cp, struct cp_propagator *self) {
  struct cost *c = (struct cost *)(void *)self;
  if (c->sum.value > c->most) {
    int64_t step = quotient_up(c->sum.value - c->most, c->weight);
    if (step > CP_LIMIT_BOUND)
      step = CP_LIMIT_BOUND;
    if (!cp_push(cp, self, cp_at_least(c->z, (int32_t)step), Z_PUSH))
      return false;
  }
  int64_t slack = c->most + c->weight * cp_high(cp, c->z) - c->sum.value;
  for (int k = 0; k < c->count && c->item[k].dearest > slack; k++) {
    const struct item *i = &c->item[k];
    int64_t room = i->least.value + slack;
    int32_t low = cp_low(cp, i->variable), high = cp_high(cp, i->variable);
    int32_t first = low, last = high;
    while (first <= high && i->level[first] > room)
      first++;
    if (first > low && !cp_push(cp, self, cp_at_least(i->variable, first), k))
      return false;
    while (last > first && i->level[last] > room)
      last--;
    if (last < high && !cp_push(cp, self, cp_at_most(i->variable, last), k))
      return false;
  }
  return true;
}

/* ---- explanations ------------------------------------------------------- */

/* Bounds of an item before `at`. */
static void bounds_at(const struct cp *cp, const struct item *i, int32_t at,
                      int32_t *low, int32_t *high) {
  *low = cp_bound_at(cp, 2 * i->variable, at);
  *high = -cp_bound_at(cp, 2 * i->variable + 1, at);
}

/* Why item i costs at least `value`: its bounds, weakened while no cheaper
 * entry comes in. */
static void because_item(struct cp *cp, const struct item *i, int32_t low,
                         int32_t high, int64_t value) {
  int32_t root_low = cp_head(cp)->root[2 * i->variable];
  int32_t root_high = -cp_head(cp)->root[2 * i->variable + 1];
  while (low > root_low && i->level[low - 1] >= value)
    low--;
  while (high < root_high && i->level[high + 1] >= value)
    high++;
  if (low > root_low)
    cp_because(cp, cp_at_least(i->variable, low));
  if (high < root_high)
    cp_because(cp, cp_at_most(i->variable, high));
}

/* Why all items but `except` sum to at least `needed` before `at`.  The
 * cheapest are left out first; what is then still to spare weakens the last. */
static void because_sum(struct cp *cp, const struct cost *c, int except,
                        int64_t needed, int32_t at) {
  int64_t sum = 0;
  int32_t low, high;
  for (int k = 0; k < c->count; k++)
    if (k != except) {
      bounds_at(cp, &c->item[k], at, &low, &high);
      sum += least(&c->item[k], low, high);
    }
  int64_t spare = sum - needed;
  for (int k = c->count - 1; k >= 0; k--) {
    if (k == except)
      continue;
    bounds_at(cp, &c->item[k], at, &low, &high);
    int64_t value = least(&c->item[k], low, high);
    if (value <= spare) {
      spare -= value;
      continue;
    }
    because_item(cp, &c->item[k], low, high, value - spare);
    spare = 0;
  }
}

static void cost_explain(struct cp *cp, struct cp_propagator *self,
                         struct cp_literal l, int64_t data, int32_t at) {
  const struct cost *c = (const struct cost *)(const void *)self;
  if (data == Z_PUSH) { /* z <= bound - 1 would leave too little room */
    because_sum(cp, c, -1, c->most + c->weight * ((int64_t)l.bound - 1) + 1,
                at);
    return;
  }
  const struct item *i = &c->item[data];
  int32_t low, high, z = -cp_bound_at(cp, 2 * c->z + 1, at);
  bounds_at(cp, i, at, &low, &high);
  /* The values that l excludes and the bounds do not. */
  bool upper = l.side & 1;
  int32_t first = upper ? 1 - l.bound : low;
  int32_t last = upper ? high : l.bound - 1;
  int64_t value = least(i, first, last);
  if (upper) {
    int32_t root = -cp_head(cp)->root[2 * i->variable + 1];
    while (last < root && i->level[last + 1] >= value)
      last++;
    if (last < root)
      cp_because(cp, cp_at_most(i->variable, last));
  } else {
    int32_t root = cp_head(cp)->root[2 * i->variable];
    while (first > root && i->level[first - 1] >= value)
      first--;
    if (first > root)
      cp_because(cp, cp_at_least(i->variable, first));
  }
  cp_because(cp, cp_at_most(c->z, z));
  if (first <= last)
    because_sum(cp, c, (int)data, c->most + c->weight * z - value + 1, at);
}

/* ---- the rest ----------------------------------------------------------- */

static bool cost_check(const struct cp *cp, const struct cp_propagator *self,
                       const int32_t *value) {
  const struct cost *c = (const struct cost *)(const void *)self;
  (void)cp;
  int64_t sum = 0;
  for (int k = 0; k < c->count; k++)
    sum += c->item[k].level[value[c->item[k].variable]];
  return sum <= c->most + c->weight * value[c->z];
}

/* Least entry by looking at all. */
static int64_t naive_least(const struct item *i, const int32_t *bound) {
  int64_t value = INT64_MAX;
  for (int32_t x = bound[2 * i->variable]; x <= -bound[2 * i->variable + 1];
       x++)
    if (i->level[x] < value)
      value = i->level[x];
  return value;
}

static bool cost_naive(const struct cp *cp, const struct cp_propagator *self,
                       int32_t *bound) {
  const struct cost *c = (const struct cost *)(const void *)self;
  (void)cp;
  int64_t sum = 0;
  for (int k = 0; k < c->count; k++) {
    if (bound[2 * c->item[k].variable] > -bound[2 * c->item[k].variable + 1])
      return false;
    sum += naive_least(&c->item[k], bound);
  }
  while (c->most + c->weight * bound[2 * c->z] < sum)
    if (++bound[2 * c->z] > -bound[2 * c->z + 1])
      return false;
  int64_t slack = c->most + c->weight * -bound[2 * c->z + 1] - sum;
  for (int k = 0; k < c->count; k++) {
    const struct item *i = &c->item[k];
    int32_t *low = &bound[2 * i->variable], *high = &bound[2 * i->variable + 1];
    int64_t room = slack + naive_least(i, bound);
    while (*low <= -*high && i->level[*low] > room)
      ++*low;
    while (*low <= -*high && i->level[-*high] > room)
      ++*high;
    if (*low > -*high)
      return false;
  }
  return true;
}

static const char *cost_rule(const struct cp_propagator *self, int64_t data) {
  (void)self;
  return data == Z_PUSH ? "V0" : "V1";
}

static void cost_print(const struct cp *cp, const struct cp_propagator *self,
                       FILE *out) {
  const struct cost *c = (const struct cost *)(const void *)self;
  for (int k = 0; k < c->count; k++)
    fprintf(out, "%scost(%s)", k ? " + " : "",
            cp_name(cp, c->item[k].variable));
  fprintf(out, " <= %lld + %lld %s", (long long)c->most, (long long)c->weight,
          cp_name(cp, c->z));
}

static const struct cp_class cost_class = {
    .name = "cost",
    .priority = CP_PRIORITY_LINEAR,
    .option = offsetof(struct cp_options, cost),
    .post = cost_post,
    .wake = cost_wake,
    .propagate = cost_propagate,
    .explain = cost_explain,
    .check = cost_check,
    .naive = cost_naive,
    .rule = cost_rule,
    .print = cost_print,
};

static int by_dearest(const void *left, const void *right) {
  const struct item *a = left, *b = right;
  if (a->dearest != b->dearest)
    return a->dearest > b->dearest ? -1 : 1;
  return (a->variable > b->variable) - (a->variable < b->variable);
}

static void fill_levels(struct cp *cp, struct item *to,
                        const struct cp_cost *from) {
  int levels = log2_floor(from->size) + 1;
  to->variable = from->variable;
  to->size = from->size;
  to->level = cp_get(cp, (size_t)levels * (size_t)from->size * sizeof(int64_t));
  memcpy(to->level, from->cost, (size_t)from->size * sizeof(int64_t));
  for (int k = 1; k < levels; k++) {
    const int64_t *below = to->level + (ptrdiff_t)(k - 1) * to->size;
    int64_t *row = to->level + (ptrdiff_t)k * to->size;
    for (int x = 0; x + (1 << k) <= to->size; x++) {
      int64_t a = below[x], b = below[x + (1 << (k - 1))];
      row[x] = a < b ? a : b;
    }
  }
  for (int x = 0; x < from->size; x++)
    if (from->cost[x] > to->dearest)
      to->dearest = from->cost[x];
}

bool cp_post_cost(struct cp *cp, const struct cp_cost *item, int count, int z,
                  int64_t weight, int64_t most) {
  struct cost *c = cp_get(cp, sizeof *c + (size_t)count * sizeof(struct item));
  c->count = count;
  c->z = z;
  c->weight = weight;
  c->most = most;
  for (int k = 0; k < count; k++)
    fill_levels(cp, &c->item[k], &item[k]);
  qsort(c->item, (size_t)count, sizeof c->item[0], by_dearest);
  return cp_add(cp, &cost_class, &c->base);
}
