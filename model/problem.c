#include "model/problem.h"

#include "solver/base/checked.h"

#include <limits.h>

/* Compressed rows of predecessors from the graph's, renamed by `place`; rows
 * come out ascending because nodes are visited in order while filling the
 * opposite side. */
static void build_rows(struct memory *m, struct problem *p, const int *place) {
  const struct graph *g = p->graph;
  int kept = 0;
  for (int v = 0; v < g->node_count; v++)
    kept += g->node[v].keep;
  int edges = g->edge_count + kept;
  p->pred_start = MEMORY_ARRAY(m, int, p->n + 1);
  p->succ_start = MEMORY_ARRAY(m, int, p->n + 1);
  p->pred = MEMORY_ARRAY(m, int, edges);
  p->succ = MEMORY_ARRAY(m, int, edges);
  int *fill = MEMORY_ARRAY(m, int, p->n + 1);

  /* Successor rows: walk the readers v upwards, append v to each input. */
  for (int k = 0; k < g->node_count; k++) {
    int v = p->node_of[k];
    p->succ_start[k + 1] = p->succ_start[k] + g->succ_start[v + 1] -
                           g->succ_start[v] + g->node[v].keep;
    fill[k] = p->succ_start[k];
  }
  if (p->sink >= 0)
    p->succ_start[p->n] = p->succ_start[p->sink];
  for (int k = 0; k < g->node_count; k++) {
    int v = p->node_of[k];
    for (int e = g->pred_start[v]; e < g->pred_start[v + 1]; e++)
      p->succ[fill[place[g->pred[e]]]++] = k;
  }
  if (p->sink >= 0)
    for (int k = 0; k < g->node_count; k++)
      if (g->node[p->node_of[k]].keep)
        p->succ[fill[k]++] = p->sink;

  /* Predecessor rows: walk the inputs u upwards, append u to each reader. */
  for (int e = 0; e < edges; e++)
    p->pred_start[p->succ[e] + 1]++;
  for (int k = 0; k < p->n; k++) {
    p->pred_start[k + 1] += p->pred_start[k];
    fill[k] = p->pred_start[k];
  }
  for (int u = 0; u < p->n; u++)
    for (int e = p->succ_start[u]; e < p->succ_start[u + 1]; e++)
      p->pred[fill[p->succ[e]]++] = u;
  memory_put(m, fill);
}

static bool fill_nodes(struct problem *p, struct error *error) {
  const struct graph *g = p->graph;
  int64_t most = 0;
  for (int k = 0; k < g->node_count; k++) {
    const struct graph_node *node = &g->node[p->node_of[k]];
    p->duration[k] = node->duration;
    p->size[k] = node->size;
    p->workspace[k] = node->workspace;
    int limit = node->max_computes ? node->max_computes : p->max_computes;
    p->limit[k] = limit ? limit : INT_MAX;
    int64_t times = p->limit[k] < p->n ? p->limit[k] : p->n, product;
    if (!checked_multiply(times, node->duration, &product) ||
        !checked_add(&most, product)) {
      char id[80];
      return error_set(error, STATUS_INPUT,
                       "node %s: the durations of all allowed computes up to "
                       "it sum beyond int64 (%lld times %lld)",
                       graph_id_text(node->id, id, sizeof id), (long long)times,
                       (long long)node->duration);
    }
  }
  if (p->sink >= 0) {
    p->node_of[p->sink] = -1;
    p->limit[p->sink] = 1;
  }
  return true;
}

/* Peak and duration of the input order: v is held from its own step through
 * its last reader's. */
static void find_baseline(struct problem *p) {
  int64_t held = p->fixed;
  for (int v = 0; v < p->n; v++) {
    held += p->size[v];
    p->base_duration += p->duration[v];
    if (held + p->workspace[v] > p->base_peak)
      p->base_peak = held + p->workspace[v];
    for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++) {
      int u = p->pred[e];
      if (p->succ[p->succ_start[u + 1] - 1] == v)
        held -= p->size[u];
    }
    if (p->succ_start[v] == p->succ_start[v + 1])
      held -= p->size[v];
    int64_t need = problem_working_set(p, v);
    if (v == 0 || need > p->working_set) {
      p->working_set = need;
      p->working_set_node = v;
    }
  }
}

struct problem *problem_new(struct memory *m, const struct graph *g,
                            int max_computes, bool free_order,
                            struct error *error) {
  struct problem *p = MEMORY_NEW(m, struct problem);
  p->graph = g;
  p->n = g->node_count;
  p->sink = -1;
  for (int v = 0; v < g->node_count && p->sink < 0; v++)
    if (g->node[v].keep)
      p->sink = p->n++;
  p->free_order = free_order;
  p->max_computes = max_computes;
  p->fixed = g->fixed_memory;
  p->budget = INT64_MAX;
  p->duration = MEMORY_ARRAY(m, int64_t, p->n);
  p->size = MEMORY_ARRAY(m, int64_t, p->n);
  p->workspace = MEMORY_ARRAY(m, int64_t, p->n);
  p->limit = MEMORY_ARRAY(m, int, p->n);
  p->node_of = MEMORY_ARRAY(m, int, p->n);
  int *place = MEMORY_ARRAY(m, int, g->node_count);
  for (int k = 0; k < g->node_count; k++) {
    p->node_of[k] = g->order[k];
    place[g->order[k]] = k;
  }
  bool ok = fill_nodes(p, error);
  if (ok) {
    build_rows(m, p, place);
    p->base_peak = p->working_set = p->fixed;
    find_baseline(p);
  }
  memory_put(m, place);
  return ok ? p : NULL;
}

int64_t problem_percent_budget(const struct problem *p, int64_t millionths) {
  /* base_peak * millionths / 1e8 without overflow: split base_peak. */
  const int64_t unit = 100000000;
  int64_t whole = p->base_peak / unit, rest = p->base_peak % unit, product;
  int64_t budget = (rest * (millionths % unit) + unit - 1) / unit;
  if (!checked_multiply(whole, millionths, &product) ||
      !checked_add(&budget, product) ||
      !checked_multiply(rest, millionths / unit, &product) ||
      !checked_add(&budget, product))
    return INT64_MAX;
  return budget;
}

int64_t problem_working_set(const struct problem *p, int v) {
  int64_t need = p->fixed + p->size[v] + p->workspace[v];
  for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++)
    need += p->size[p->pred[e]];
  return need;
}
