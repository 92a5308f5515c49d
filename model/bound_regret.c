/* Reduced costs by stage: what a recompute costs beyond the bound. */
#include "model/bound_reduce.h"
#include "model/bound_tree.h"

struct lister {
  struct memory *memory;
  struct bound_regrets *result;
  int capacity, hold_capacity;
};

static void emit(struct lister *l, int node, int first, int last,
                 int64_t cost) {
  struct bound_regrets *r = l->result;
  if (first > last)
    return;
  MEMORY_GROW(l->memory, r->step, r->count, l->capacity);
  r->step[r->count++] =
      (struct bound_regret){node, first, last, cost > 0 ? cost : 0};
}

/* A recompute in stage l pays weight and price less what the cuts before l
 * have counted: a cost that falls at each cut of the window. */
static void list_window(struct lister *l, const struct bound_state *s, int u,
                        int window, int slot, bool paid) {
  int first = s->maker.open_first[window], last = s->maker.open_last[window];
  int64_t cost = paid ? 0 : s->weight[u] + (int64_t)s->price[u];
  int from = slot < 0 ? 0 : s->row[slot], to = slot < 0 ? 0 : s->row[slot + 1];
  for (int k = from; k < to && first <= last; k++) {
    int e = s->row_entry[k], home = s->home[e], i = e - s->first[home];
    const struct closure *c = s->closure[home];
    emit(l, u, first, c->cut < last ? c->cut : last, cost);
    first = c->cut + 1 > first ? c->cut + 1 : first;
    cost -= c->cost[i] - closure_slack(c, i);
  }
  emit(l, u, first, last, cost);
}

static void list_holds(struct lister *l, struct bound *b, int u, int window,
                       int slot) {
  const struct bound_state *s = b->state;
  struct bound_regrets *r = l->result;
  int first, last;
  cut_stages(b->problem, b->scope, u, window - b->problem->succ_start[u] - u,
             &first, &last);
  for (int k = s->row[slot]; k < s->row[slot + 1]; k++) {
    int e = s->row_entry[k], home = s->home[e], i = e - s->first[home];
    const struct closure *c = s->closure[home];
    if (c->window[i] < 0 || c->flow->excess[i] <= 0)
      continue;
    MEMORY_GROW(l->memory, r->hold, r->hold_count, l->hold_capacity);
    r->hold[r->hold_count++] =
        (struct bound_hold){u, c->cut, last, c->flow->excess[i]};
  }
}

/* For the closures as they are; `status` of windows as in bound_tree.h, or NULL
 * at the root. */
static struct bound_regrets *list_all(struct bound *b, int64_t value,
                                      const unsigned char *status,
                                      struct memory *m) {
  struct bound_state *s = b->state;
  const struct problem *p = b->problem;
  struct lister l = {.memory = m,
                     .result = MEMORY_NEW(m, struct bound_regrets)};
  l.result->value = value;
  l.result->factor = s->scale.factor;
  l.result->shift = s->scale.shift;
  int slot = 0;
  for (int u = 0; u < p->n; u++)
    for (int w = p->succ_start[u] + u; w <= p->succ_start[u + 1] + u; w++) {
      bool used = slot < s->used_count && s->used[slot] == w;
      int is = status ? status[w] : FREE;
      if (s->maker.open_first[w] <= s->maker.open_last[w] && is != BARRED)
        list_window(&l, s, u, w, used ? slot : -1, is == PAID);
      if (used && b->scope != BOUND_FREE_ORDER)
        list_holds(&l, b, u, w, slot);
      slot += used;
    }
  return l.result;
}

struct bound_regrets *bound_regrets(struct bound *b, struct memory *m) {
  bound_restore(b->state);
  return list_all(b, bound_sum(b->state), NULL, m);
}

struct bound_regrets *branch_regrets(struct branch *t, int64_t value,
                                     struct memory *m) {
  return list_all(t->bound, value, t->status, m);
}

void bound_regrets_free(struct memory *m, struct bound_regrets *r) {
  if (!r)
    return;
  memory_put(m, r->step);
  memory_put(m, r->hold);
  memory_put(m, r);
}
