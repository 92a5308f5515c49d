#include "model/analysis.h"

#include "model/schedule.h"

#include <stdlib.h>

/* ---- articulation points ------------------------------------------------ */

/* The depth-first search's state.  Neighbours of v are its predecessors and
 * then its successors; next[v] counts those already looked at. */
struct walk {
  const struct graph *g;
  int *depth;  /* 0: unseen */
  int *lowest; /* least depth reached from the subtree by one back edge */
  int *parent;
  int *next;
  bool *cut;
};

static int degree(const struct graph *g, int v) {
  return g->pred_start[v + 1] - g->pred_start[v] + g->succ_start[v + 1] -
         g->succ_start[v];
}

static int neighbour(const struct graph *g, int v, int i) {
  int preds = g->pred_start[v + 1] - g->pred_start[v];
  return i < preds ? g->pred[g->pred_start[v] + i]
                   : g->succ[g->succ_start[v] + i - preds];
}

/* Walks the piece of `root`; the graph is acyclic and has each edge once, so
 * a pair of nodes is never joined twice and the parent can be told by number.
 */
static void walk_piece(struct walk *w, int root) {
  int v = root, root_children = 0;
  w->depth[root] = w->lowest[root] = 1;
  w->parent[root] = -1;
  while (v >= 0) {
    if (w->next[v] < degree(w->g, v)) {
      int u = neighbour(w->g, v, w->next[v]++);
      if (!w->depth[u]) {
        w->depth[u] = w->lowest[u] = w->depth[v] + 1;
        w->parent[u] = v;
        v = u;
      } else if (u != w->parent[v] && w->depth[u] < w->lowest[v]) {
        w->lowest[v] = w->depth[u];
      }
      continue;
    }
    int p = w->parent[v];
    if (p >= 0 && w->lowest[v] < w->lowest[p])
      w->lowest[p] = w->lowest[v];
    if (p == root)
      root_children++;
    else if (p >= 0 && w->lowest[v] >= w->depth[p])
      w->cut[p] = true;
    v = p;
  }
  w->cut[root] = root_children > 1;
}

int analysis_articulation(const struct graph *g, struct memory *scratch,
                          bool *cut, int *components) {
  int n = g->node_count, count = 0, pieces = 0;
  struct walk w = {.g = g, .cut = cut};
  w.depth = MEMORY_ARRAY(scratch, int, n);
  w.lowest = MEMORY_ARRAY(scratch, int, n);
  w.parent = MEMORY_ARRAY(scratch, int, n);
  w.next = MEMORY_ARRAY(scratch, int, n);
  for (int v = 0; v < n; v++)
    cut[v] = false;
  for (int v = 0; v < n; v++)
    if (!w.depth[v]) {
      walk_piece(&w, v);
      pieces++;
    }
  for (int v = 0; v < n; v++)
    count += cut[v];
  memory_put(scratch, w.next);
  memory_put(scratch, w.parent);
  memory_put(scratch, w.lowest);
  memory_put(scratch, w.depth);
  if (components)
    *components = pieces;
  return count;
}

/* ---- counts ------------------------------------------------------------- */

static void count_nodes(const struct graph *g, struct analysis *a) {
  for (int v = 0; v < g->node_count; v++) {
    const struct graph_node *node = &g->node[v];
    a->source_count += g->pred_start[v] == g->pred_start[v + 1];
    a->sink_count += g->succ_start[v] == g->succ_start[v + 1];
    a->kept_count += node->keep;
    a->once_count += node->max_computes == 1;
    a->total_size += node->size;
    a->total_duration += node->duration;
    if (a->largest_node < 0 || node->size > g->node[a->largest_node].size)
      a->largest_node = v;
    if (a->slowest_node < 0 ||
        node->duration > g->node[a->slowest_node].duration)
      a->slowest_node = v;
  }
}

static int longest_path(const struct graph *g, struct memory *scratch) {
  int *depth = MEMORY_ARRAY(scratch, int, g->node_count), longest = 0;
  for (int k = 0; k < g->node_count; k++) {
    int v = g->order[k];
    for (int i = g->pred_start[v]; i < g->pred_start[v + 1]; i++)
      if (depth[g->pred[i]] > depth[v])
        depth[v] = depth[g->pred[i]];
    depth[v]++;
    longest = depth[v] > longest ? depth[v] : longest;
  }
  memory_put(scratch, depth);
  return longest;
}

static void list_articulation(struct memory *m, const struct graph *g,
                              struct analysis *a) {
  bool *cut = MEMORY_ARRAY(m, bool, g->node_count);
  a->articulation_count = analysis_articulation(g, m, cut, &a->component_count);
  a->articulation = MEMORY_ARRAY(m, int, a->articulation_count);
  int count = 0;
  for (int k = 0; k < g->node_count; k++)
    if (cut[g->order[k]])
      a->articulation[count++] = g->order[k];
  memory_put(m, cut);
}

/* ---- lifetimes ---------------------------------------------------------- */

/* Both orders are total: ties go to the tensor born first. */
static int by_size(const void *a, const void *b) {
  const struct analysis_tensor *x = a, *y = b;
  if (x->size != y->size)
    return x->size > y->size ? -1 : 1;
  return x->born < y->born ? -1 : x->born > y->born;
}

static int by_life(const void *a, const void *b) {
  const struct analysis_tensor *x = a, *y = b;
  int p = x->last - x->born, q = y->last - y->born;
  if (p != q)
    return p > q ? -1 : 1;
  return by_size(a, b);
}

static void list_tensors(struct memory *m, const struct problem *p,
                         struct analysis *a) {
  int n = p->graph->node_count;
  int *step = MEMORY_ARRAY(m, int, p->n), *end = MEMORY_ARRAY(m, int, p->n);
  for (int k = 0; k < p->n; k++)
    step[k] = k;
  struct simulation s = {.end = end};
  simulate(p, step, p->n, m, &s);
  a->base_step = s.peak_step;
  a->tensor = MEMORY_ARRAY(m, struct analysis_tensor, n);
  for (int k = 0; k < n; k++) { /* a sink's step is no step of the user's */
    int v = p->node_of[k], last = end[k] < n ? end[k] : n - 1;
    a->tensor[k] = (struct analysis_tensor){v, k, last, p->graph->node[v].size};
    a->resident_count += k <= a->base_step && last >= a->base_step;
  }
  a->resident = MEMORY_ARRAY(m, struct analysis_tensor, a->resident_count);
  int count = 0;
  for (int k = 0; k < n; k++)
    if (k <= a->base_step && a->tensor[k].last >= a->base_step)
      a->resident[count++] = a->tensor[k];
  if (n) {
    qsort(a->tensor, (size_t)n, sizeof *a->tensor, by_life);
    qsort(a->resident, (size_t)count, sizeof *a->resident, by_size);
  }
  memory_put(m, end);
  memory_put(m, step);
}

bool analysis_make(struct memory *m, const struct graph *g,
                   struct analysis *out, struct error *error) {
  struct problem *p = problem_new(m, g, 1, false, error);
  if (!p)
    return false;
  *out = (struct analysis){.largest_node = -1, .slowest_node = -1};
  count_nodes(g, out);
  out->depth = longest_path(g, m);
  list_articulation(m, g, out);
  list_tensors(m, p, out);
  out->base_peak = p->base_peak;
  out->working_set = p->working_set;
  out->working_set_node = g->node_count ? p->node_of[p->working_set_node] : -1;
  return true;
}
