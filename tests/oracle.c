#include "tests/oracle.h"

#include "solver/base/random.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = ORACLE_NODES * ORACLE_NODES };

/* Peak by the definition: for each step, every instance that is retained. */
static int64_t naive_peak(const struct problem *p, const int *step,
                          int length) {
  int end[STEPS];
  for (int k = 0; k < length; k++) {
    end[k] = k;
    for (int e = p->pred_start[step[k]]; e < p->pred_start[step[k] + 1]; e++) {
      int i = k - 1;
      while (step[i] != p->pred[e])
        i--;
      end[i] = k;
    }
  }
  int64_t peak = 0;
  for (int k = 0; k < length; k++) {
    int64_t here = p->fixed + p->workspace[step[k]];
    for (int i = 0; i <= k; i++)
      if (end[i] >= k)
        here += p->size[step[i]];
    peak = here > peak ? here : peak;
  }
  return peak;
}

static void add_point(void *data, const int *step, int length, int64_t peak,
                      int64_t duration) {
  (void)step;
  (void)length;
  struct oracle *o = data;
  for (int k = 0; k < o->points; k++)
    if (o->peak[k] <= peak && o->duration[k] <= duration)
      return;
  int kept = 0;
  for (int k = 0; k < o->points; k++)
    if (o->peak[k] < peak || o->duration[k] < duration) {
      o->peak[kept] = o->peak[k];
      o->duration[kept++] = o->duration[k];
    }
  if (kept == ORACLE_POINTS)
    abort();
  int at = kept;
  for (; at && o->peak[at - 1] > peak; at--) {
    o->peak[at] = o->peak[at - 1];
    o->duration[at] = o->duration[at - 1];
  }
  o->peak[at] = peak;
  o->duration[at] = duration;
  o->points = kept + 1;
}

static int bits(unsigned set) {
  int count = 0;
  for (; set; set &= set - 1)
    count++;
  return count;
}

void oracle_run(const struct problem *p, struct oracle *o) {
  o->points = 0;
  oracle_each(p, add_point, o);
}

void oracle_each(const struct problem *p, oracle_visit *visit, void *data) {
  unsigned stages[ORACLE_NODES] = {0}; /* bit j: recomputed in stage j */
  for (;;) {
    int step[STEPS], length = 0;
    int64_t duration = 0;
    for (int j = 0; j < p->n; j++) {
      for (int v = 0; v < j; v++)
        if (stages[v] >> j & 1)
          step[length++] = v;
      step[length++] = j;
    }
    for (int k = 0; k < length; k++)
      duration += p->duration[step[k]];
    visit(data, step, length, naive_peak(p, step, length), duration);
    int v = 0;
    for (; v < p->n; v++) { /* the next set of v's, within its limit */
      unsigned one = 1u << (v + 1), end = 1u << p->n;
      do
        stages[v] += one;
      while (stages[v] < end && bits(stages[v]) > p->limit[v] - 1);
      if (stages[v] < end)
        break;
      stages[v] = 0;
    }
    if (v == p->n)
      return;
  }
}

int64_t oracle_duration(const struct oracle *o, int64_t budget) {
  int64_t duration = INT64_MAX;
  for (int k = 0; k < o->points && o->peak[k] <= budget; k++)
    duration = o->duration[k];
  return duration;
}

struct problem *oracle_problem(struct memory *m, uint64_t seed, int most_nodes,
                               int max_computes) {
  struct random r;
  random_seed(&r, seed);
  struct graph *g = graph_new(m);
  int n = 1 + random_below(&r, most_nodes);
  bool extras = random_below(&r, 3) == 0, keep = extras && n < most_nodes;
  int density = 20 + random_below(&r, 50);
  g->fixed_memory = extras ? random_below(&r, 4) : 0;
  for (int v = 0; v < n; v++) {
    struct graph_node node = {.id = {NULL, v},
                              .name = "",
                              .duration = random_below(&r, 5),
                              .size = random_below(&r, 7)};
    if (extras) {
      node.workspace = random_below(&r, 3) ? 0 : random_below(&r, 5);
      node.max_computes = random_below(&r, 4) ? 0 : 1 + random_below(&r, 2);
      node.keep = keep && random_below(&r, 4) == 0;
    }
    graph_add_node(g, &node);
  }
  for (int v = 1; v < n; v++)
    for (int u = 0; u < v; u++)
      if (u == v - 1 ? random_below(&r, 100) < 80
                     : random_below(&r, 100) < density)
        graph_add_edge(g, u, v);
  struct error error = {0};
  int order[ORACLE_NODES];
  for (int v = 0; v < n; v++)
    order[v] = v;
  if (!graph_finish(g, order, n, &error))
    return NULL;
  return problem_new(m, g, max_computes, false, &error);
}
