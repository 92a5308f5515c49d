#include "model/bound_tree.h"
#include "solver/base/checked.h"

#include <limits.h>

enum { FLOWS = 10 };

long tree_effort(const struct branch *t) {
  long sum = t->bound->work;
  for (int k = 0; k < t->s->closure_count; k++)
    sum += t->s->closure[k]->flow->work;
  return sum;
}

int64_t tree_weight(const struct branch *t, int node) {
  return t->s->weight[node] + (int64_t)t->s->price[node];
}

static void set_status(struct branch *t, int window, int status) {
  struct bound_state *s = t->s;
  int u = t->node_of[window], slot = t->slot[window];
  if (t->status[window] == PAID) {
    t->paid -= tree_weight(t, u);
    t->spent[u]--;
  }
  if (status == PAID) {
    t->paid += tree_weight(t, u);
    t->spent[u]++;
  }
  t->status[window] = (unsigned char)status;
  if (slot < 0)
    return;
  for (int k = s->row[slot]; k < s->row[slot + 1]; k++) {
    int e = s->row_entry[k], home = s->home[e], i = e - s->first[home];
    struct closure *c = s->closure[home];
    c->window[i] = status == BARRED ? -1 : window;
    c->cost[i] = status == FREE ? t->cost[e] : 0;
    t->dirty[home] = true;
  }
}

void tree_decide(struct branch *t, int window, int status) {
  const struct problem *p = t->bound->problem;
  int u = t->node_of[window];
  set_status(t, window, status);
  t->trail[t->trail_length++] = window;
  if (status != PAID || t->s->spare[u] <= 0 || t->spent[u] < t->s->spare[u])
    return;
  for (int w = p->succ_start[u] + u; w <= p->succ_start[u + 1] + u; w++)
    if (t->status[w] == FREE) {
      set_status(t, w, BARRED);
      t->trail[t->trail_length++] = w;
    }
}

void tree_undo(struct branch *t, int length) {
  while (t->trail_length > length)
    set_status(t, t->trail[--t->trail_length], FREE);
}

void tree_reset(struct branch *t) {
  struct bound_state *s = t->s;
  if (!t->moved)
    return;
  t->moved = false;
  for (int slot = 0; slot < s->used_count; slot++)
    if (t->status[s->used[slot]] == FREE)
      set_status(t, s->used[slot], FREE);
}

int64_t tree_evaluate(struct branch *t) {
  struct bound_state *s = t->s;
  int64_t sum = t->paid - t->prices;
  for (int k = 0; k < s->closure_count && sum < t->limit; k++) {
    if (t->dirty[k])
      closure_solve(s->closure[k], FLOWS);
    t->dirty[k] = false;
    checked_add(&sum, s->closure[k]->value);
  }
  return sum;
}

/* Does the cut's solution drop anything that more could be charged for? */
static bool wants_more(const struct branch *t, const struct closure *c) {
  for (int i = 0; i < c->count; i++)
    if (c->window[i] >= 0 && (c->low[i] || c->high[i]) &&
        t->status[c->window[i]] == FREE && t->left[t->slot[c->window[i]]] > 0)
      return true;
  return false;
}

int64_t tree_pass_leftovers(struct branch *t) {
  struct bound_state *s = t->s;
  if (s->closure_count < 2)
    return tree_evaluate(t);
  t->moved = true;
  for (int slot = 0; slot < s->used_count; slot++) {
    t->left[slot] = tree_weight(t, s->used_node[slot]);
    if (t->status[s->used[slot]] != FREE)
      continue;
    for (int k = s->row[slot]; k < s->row[slot + 1]; k++) {
      int e = s->row_entry[k], home = s->home[e], i = e - s->first[home];
      closure_lower(s->closure[home], i);
      t->left[slot] -= s->closure[home]->cost[i];
    }
  }
  for (int k = 0; k < s->closure_count; k++) {
    struct closure *c = s->closure[k];
    if (!wants_more(t, c))
      continue;
    for (int i = 0; i < c->count; i++)
      if (c->window[i] >= 0 && t->status[c->window[i]] == FREE)
        c->cost[i] += t->left[t->slot[c->window[i]]];
    closure_solve(c, FLOWS);
    for (int i = 0; i < c->count; i++)
      if (c->window[i] >= 0 && t->status[c->window[i]] == FREE)
        t->left[t->slot[c->window[i]]] = closure_lower(c, i);
  }
  return tree_evaluate(t);
}

void tree_push(struct branch *t, int node) {
  MEMORY_GROW(t->s->memory, t->heap, t->heap_length, t->heap_room);
  int i = t->heap_length++;
  int64_t key = t->node[node].bound;
  for (; i && t->node[t->heap[(i - 1) / 2]].bound > key; i = (i - 1) / 2)
    t->heap[i] = t->heap[(i - 1) / 2];
  t->heap[i] = node;
}

int tree_pop(struct branch *t) {
  int top = t->heap[0], last = t->heap[--t->heap_length], i = 0;
  int64_t key = t->node[last].bound;
  for (int child; (child = 2 * i + 1) < t->heap_length; i = child) {
    if (child + 1 < t->heap_length &&
        t->node[t->heap[child + 1]].bound < t->node[t->heap[child]].bound)
      child++;
    if (t->node[t->heap[child]].bound >= key)
      break;
    t->heap[i] = t->heap[child];
  }
  if (t->heap_length)
    t->heap[i] = last;
  return top;
}

int tree_add(struct branch *t, int parent, int window, int status,
             int64_t bound) {
  MEMORY_GROW(t->s->memory, t->node, t->node_count, t->node_room);
  t->node[t->node_count] = (struct tree_node){.parent = parent,
                                              .window = window,
                                              .status = (unsigned char)status,
                                              .leaf = -1,
                                              .bound = bound};
  return t->node_count++;
}

void tree_go(struct branch *t, int node) {
  int length = 0;
  tree_undo(t, 0);
  tree_reset(t);
  for (; node > 0; node = t->node[node].parent)
    t->path[length++] = node;
  while (length) {
    const struct tree_node *n = &t->node[t->path[--length]];
    if (t->status[n->window] == FREE)
      tree_decide(t, n->window, n->status);
  }
}

int64_t tree_least_bound(const struct branch *t) {
  int64_t least = t->limit; /* refuted leaves promise no more */
  if (t->heap_length && t->node[t->heap[0]].bound < least)
    least = t->node[t->heap[0]].bound;
  for (int i = 0; i < t->stuck_count; i++)
    if (t->node[t->stuck[i]].bound < least)
      least = t->node[t->stuck[i]].bound;
  return least;
}

int tree_open_from(const struct branch *t, int window, int64_t here) {
  const struct bound_state *s = t->s;
  int from = s->maker.open_first[window], slot = t->slot[window];
  if (from > s->maker.open_last[window] || t->status[window] == BARRED)
    return INT_MAX;
  int64_t cost = here + tree_weight(t, t->node_of[window]);
  if (t->status[window] == PAID || cost < t->limit)
    return from;
  int last = slot < 0 ? 0 : s->row[slot + 1];
  for (int k = slot < 0 ? 0 : s->row[slot]; k < last; k++) {
    int e = s->row_entry[k], home = s->home[e];
    const struct closure *c = s->closure[home];
    int i = e - s->first[home];
    cost -= c->cost[i] - closure_slack(c, i);
    if (cost < t->limit)
      return s->maker.scope == BOUND_FREE_ORDER || c->cut + 1 < from
                 ? from
                 : c->cut + 1;
  }
  return INT_MAX;
}
