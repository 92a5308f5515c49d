#include "tests/pebble.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 8 };

/* A state is the number sum over v of digit_v * place_v with digit_v =
 * 2 * computes + in memory. */
struct game {
  const struct problem *p;
  const struct pebble_rules *rules;
  int most[MOST_NODES]; /* computes counted for v */
  int place[MOST_NODES + 1];
  int64_t *cost;
  struct {
    int64_t cost;
    int state;
  } * heap;
  int heap_length, heap_room;
};

static int digit(const struct game *g, int state, int v) {
  return state / g->place[v] % (2 * g->most[v] + 2);
}

static void push(struct game *g, int state, int64_t cost) {
  if (g->cost[state] <= cost)
    return;
  g->cost[state] = cost;
  if (g->heap_length == g->heap_room) {
    g->heap_room = g->heap_room ? 2 * g->heap_room : 1024;
    g->heap = realloc(g->heap, (size_t)g->heap_room * sizeof *g->heap);
  }
  int i = g->heap_length++;
  for (; i && g->heap[(i - 1) / 2].cost > cost; i = (i - 1) / 2)
    g->heap[i] = g->heap[(i - 1) / 2];
  g->heap[i].cost = cost;
  g->heap[i].state = state;
}

static int pop(struct game *g, int64_t *cost) {
  int state = g->heap[0].state, i = 0;
  *cost = g->heap[0].cost;
  int length = --g->heap_length;
  int64_t key = g->heap[length].cost;
  for (int child; (child = 2 * i + 1) < length; i = child) {
    if (child + 1 < length && g->heap[child + 1].cost < g->heap[child].cost)
      child++;
    if (g->heap[child].cost >= key)
      break;
    g->heap[i] = g->heap[child];
  }
  g->heap[i] = g->heap[length];
  return state;
}

static void compute(struct game *g, int state, int64_t cost, int v) {
  const struct problem *p = g->p;
  int d = digit(g, state, v), count = d / 2, stage = 0;
  int64_t memory = p->fixed + p->workspace[v] + p->size[v];
  for (int u = 0; u < p->n; u++) {
    int other = digit(g, state, u);
    stage += other / 2 > 0;
    if (u != v && other % 2)
      memory += p->size[u];
  }
  if (memory > p->budget)
    return;
  for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++)
    if (digit(g, state, p->pred[e]) % 2 == 0)
      return;
  int limit = g->rules->limited ? p->limit[v] : 99;
  if (v == p->sink || p->graph->node[p->node_of[v]].max_computes == 1)
    limit = 1;
  if (count >= limit || (!count && !g->rules->free_order && v != stage) ||
      (v == p->sink && stage != p->n - 1))
    return;
  if (count && g->rules->closed && stage < p->n &&
      g->rules->closed[v * p->n + stage])
    return;
  int next = count < g->most[v] ? count + 1 : count;
  push(g, state + (2 * next + 1 - d) * g->place[v], cost + p->duration[v]);
}

int64_t pebble_optimum(const struct problem *p,
                       const struct pebble_rules *rules) {
  struct game g = {.p = p, .rules = rules};
  g.place[0] = 1;
  for (int v = 0; v < p->n; v++) {
    g.most[v] = rules->limited && p->limit[v] <= 3 ? p->limit[v] : 1;
    g.place[v + 1] = g.place[v] * (2 * g.most[v] + 2);
  }
  int states = g.place[p->n];
  g.cost = malloc((size_t)states * sizeof *g.cost);
  for (int i = 0; i < states; i++)
    g.cost[i] = INT64_MAX;
  push(&g, 0, 0);
  int64_t best = INT64_MAX;
  while (g.heap_length && best == INT64_MAX) {
    int64_t cost;
    int state = pop(&g, &cost);
    if (cost > g.cost[state])
      continue;
    bool done = true;
    for (int v = 0; v < p->n; v++) {
      int d = digit(&g, state, v);
      done &= d / 2 > 0;
      if (d % 2)
        push(&g, state - g.place[v], cost);
    }
    if (done)
      best = cost;
    for (int v = 0; v < p->n; v++)
      compute(&g, state, cost, v);
  }
  free(g.cost);
  free(g.heap);
  return best;
}
