#include "heuristics/local_state.h"

#include <math.h>

/* Recomputes of a chain, at most. */
enum { MOST_CHAIN = 60 };

static void put_ascending(int *list, int count, int u) {
  for (; count && list[count - 1] > u; count--)
    list[count] = list[count - 1];
  list[count] = u;
}

/* What it costs to hold size bytes in the slots between two others: what then
 * exceeds the budget, at least; among equals, bytes times slots. */
static double cost_to_hold(const struct sequence *s, int64_t size, int after,
                           int before) {
  int64_t excess =
      profile_least_change(&s->profile, after + 1, before - 1, size);
  return (double)excess + 0.001 * (double)size * (before - after);
}

/* The inputs of v that a compute of it at `slot` would have to hold, and
 * nothing else holds until then, join those that may be recomputed, too. */
static int add_inputs(struct local *l, int v, int slot, int count) {
  const struct sequence *s = l->s;
  const struct problem *p = l->p;
  for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++) {
    int u = p->pred[e], i = sequence_last_before(s, u, slot);
    if (i < 0 || l->in_chain[u] || p->limit[u] == 1)
      continue;
    int end = s->when[s->at[i].end].slot;
    if (end >= slot)
      continue;
    l->in_chain[u] = true;
    l->held[count++] = (struct held){u, cost_to_hold(s, s->size[u], end, slot)};
  }
  return count;
}

/* Takes the input that costs most to hold out of `count`. */
static int take_dearest(struct local *l, int count) {
  struct held *held = l->held;
  int best = count - 1;
  for (int k = 0; k < count; k++)
    if (held[k].cost > held[best].cost)
      best = k;
  int u = held[best].node;
  held[best] = held[count - 1];
  return u;
}

int local_choose_chain(struct local *l, int v, int slot) {
  double most = pow(MOST_CHAIN + 1, random_real(&l->random));
  int made = 1;
  l->list[0] = v;
  l->in_chain[v] = true;
  int held = add_inputs(l, v, slot, 0);
  while (made + 1 <= most && held) {
    int u = take_dearest(l, held--);
    put_ascending(l->list, made++, u);
    held = add_inputs(l, u, slot, held);
  }
  for (int k = 0; k < made; k++)
    l->in_chain[l->list[k]] = false;
  for (int k = 0; k < held; k++)
    l->in_chain[l->held[k].node] = false;
  return made;
}
