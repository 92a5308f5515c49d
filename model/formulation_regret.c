/* The bound's reduced costs as a constraint of the model. */
#include "model/formulation_internal.h"

#include "solver/base/checked.h"
#include "solver/cp/cost.h"

/* cost[x] for the start indices of node v; the last, absent, costs nothing.
 * Stages that no step covers are not open for a better schedule: they cost
 * nothing here, the windows exclude them. */
static void fill_costs(const struct formulation *f, int v, int *step,
                       int64_t *cost) {
  const struct bound_regrets *r = f->options.regrets;
  const int *stage = f->stage + f->event_row[v];
  int stages = formulation_stages(f, v);
  while (*step < r->count && r->step[*step].node < v)
    ++*step;
  int k = *step;
  for (int x = 0; x < stages; x++) {
    while (k < r->count && r->step[k].node == v && r->step[k].last < stage[x])
      k++;
    bool inside =
        k < r->count && r->step[k].node == v && r->step[k].first <= stage[x];
    cost[x] = inside ? r->step[k].cost : 0;
  }
  cost[stages] = 0;
}

static int64_t gcd(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* The most that durations below z's bound can add, as first + unit * z. */
static void objective_line(const struct formulation *f, int64_t *first,
                           int64_t *unit) {
  int64_t step = 0;
  for (int v = 0; v < f->problem->n; v++)
    if (!formulation_is_block(f, v) && formulation_stages(f, v))
      step = gcd(step, f->problem->duration[v]);
  *first = cp_objective_at(f->cp, 0);
  *unit = cp_objective_at(f->cp, 1) - *first;
  if (step && *unit % step == 0)
    *first -= *first % step;
}

/* Scaled, rounded up; false if that leaves int64. */
static bool scale_up(const struct bound_regrets *r, int64_t x, int64_t *to) {
  if (!checked_multiply(x, r->factor, to))
    return false;
  int64_t low = *to & ((INT64_C(1) << r->shift) - 1);
  *to = (*to >> r->shift) + (low > 0);
  return true;
}

void formulation_post_regrets(struct formulation *f) {
  const struct bound_regrets *r = f->options.regrets;
  struct memory *m = f->memory;
  int64_t first, unit, most, weight;
  objective_line(f, &first, &unit);
  if (first < 0 || !scale_up(r, first, &most) || !scale_up(r, unit, &weight))
    return;
  most += (r->shift ? r->factor : 0) - r->value;
  int64_t longest = 1;
  for (int v = 0; v < f->problem->n; v++)
    if (formulation_stages(f, v) + 1 > longest)
      longest = formulation_stages(f, v) + 1;
  struct cp_cost *item = MEMORY_ARRAY(m, struct cp_cost, f->size.intervals + 1);
  int count = 0, step = 0;
  for (int v = 0; v < f->problem->n; v++) {
    if (f->interval_row[v + 1] - f->interval_row[v] < 2)
      continue;
    int64_t *cost = MEMORY_ARRAY(m, int64_t, longest);
    fill_costs(f, v, &step, cost);
    for (int i = f->interval_row[v] + 1; i < f->interval_row[v + 1]; i++)
      item[count++] = (struct cp_cost){f->interval[i].start.variable,
                                       formulation_stages(f, v) + 1, cost};
  }
  if (weight >= 1)
    cp_post_cost(f->cp, item, count, f->objective, weight, most);
  memory_put(m, item);
}
