/* The bound's reduced costs as a constraint of the model. */
#include "model/formulation_internal.h"

#include "solver/base/checked.h"
#include "solver/cp/cost.h"

#include <string.h>

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

/* Adds what keeping costs, to the node's first recompute: what stands for sure
 * is that no recompute lies before it, and, if it is the only one allowed,
 * none elsewhere.  Sums stop at `most`, which already refutes. */
static void add_holds(const struct formulation *f, int v, int *hold, bool only,
                      int64_t most, int64_t *cost) {
  const struct bound_regrets *r = f->options.regrets;
  const int *stage = f->stage + f->event_row[v];
  int stages = formulation_stages(f, v);
  while (*hold < r->hold_count && r->hold[*hold].node < v)
    ++*hold;
  for (int k = *hold; k < r->hold_count && r->hold[k].node == v; k++) {
    const struct bound_hold *h = &r->hold[k];
    int64_t more = h->cost < most ? h->cost : most;
    for (int x = 0; x <= stages; x++) {
      bool pays =
          x == stages || h->last < stage[x] || (only && h->cut >= stage[x]);
      if (pays)
        cost[x] = cost[x] < most - more ? cost[x] + more : most;
    }
  }
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

/* The items, with the tables they point to (to be released). */
struct items {
  struct cp_cost *item;
  int64_t **table;
  int count, tables, longest;
};

static int64_t *new_table(const struct formulation *f, struct items *to,
                          const int64_t *copied) {
  int64_t *table = MEMORY_ARRAY(f->memory, int64_t, to->longest);
  if (copied)
    memcpy(table, copied, (size_t)to->longest * sizeof *table);
  return to->table[to->tables++] = table;
}

/* An item for each recompute of each node; `most` < 0: without holds. */
static void list_items(const struct formulation *f, int64_t most,
                       struct items *to) {
  int step = 0, hold = 0;
  for (int v = 0; v < f->problem->n; v++) {
    int first = f->interval_row[v] + 1, end = f->interval_row[v + 1];
    if (first >= end)
      continue;
    int size = formulation_stages(f, v) + 1;
    int64_t *cost = new_table(f, to, NULL), *own = cost;
    fill_costs(f, v, &step, cost);
    if (most >= 0) {
      own = end > first + 1 ? new_table(f, to, cost) : cost;
      add_holds(f, v, &hold, end == first + 1, most, own);
    }
    for (int i = first; i < end; i++)
      to->item[to->count++] = (struct cp_cost){f->interval[i].start.variable,
                                               size, i == first ? own : cost};
  }
}

void formulation_post_regrets(struct formulation *f) {
  const struct bound_regrets *r = f->options.regrets;
  struct memory *m = f->memory;
  int64_t first, unit, most, weight, all;
  objective_line(f, &first, &unit);
  if (first < 0 || !scale_up(r, first, &most) || !scale_up(r, unit, &weight) ||
      weight < 1)
    return;
  most += (r->shift ? r->factor : 0) - r->value;
  int64_t beyond = most + weight * cp_max(f->cp, f->objective) + 1;
  if (beyond < 0 || !checked_multiply(beyond, f->size.intervals + 2, &all) ||
      all > INT64_MAX / 4)
    beyond = -1; /* sums might leave int64 */
  struct items list = {
      .item = MEMORY_ARRAY(m, struct cp_cost, f->size.intervals + 1),
      .table = MEMORY_ARRAY(m, int64_t *, 2 * f->size.intervals + 1),
      .longest = 1};
  for (int v = 0; v < f->problem->n; v++)
    if (formulation_stages(f, v) + 1 > list.longest)
      list.longest = formulation_stages(f, v) + 1;
  list_items(f, beyond, &list);
  cp_post_cost(f->cp, list.item, list.count, f->objective, weight, most);
  while (list.tables)
    memory_put(m, list.table[--list.tables]);
  memory_put(m, list.table);
  memory_put(m, list.item);
}
