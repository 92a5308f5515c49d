/* model/analysis against naive recounts on random graphs. */
#include "model/analysis.h"
#include "tests/layered.h"

#include <criterion/criterion.h>

/* Pieces of the undirected graph without node `gone`, by label spreading. */
static int pieces_without(const struct graph *g, int gone,
                          struct memory *scratch) {
  int *label = MEMORY_ARRAY(scratch, int, g->node_count), count = 0;
  for (int v = 0; v < g->node_count; v++)
    label[v] = v;
  for (bool again = true; again;) {
    again = false;
    for (int e = 0; e < g->edge_count; e++) {
      int a = g->edge[2 * e], b = g->edge[2 * e + 1];
      if (a == gone || b == gone || label[a] == label[b])
        continue;
      label[a] = label[b] = label[a] < label[b] ? label[a] : label[b];
      again = true;
    }
  }
  for (int v = 0; v < g->node_count; v++)
    count += v != gone && label[v] == v;
  memory_put(scratch, label);
  return count;
}

/* Is the output of v held at step k of the input order? */
static bool held(const struct graph *g, const int *place, int v, int k,
                 int *last) {
  *last = g->node[v].keep ? g->node_count - 1 : place[v];
  for (int e = 0; e < g->edge_count; e++)
    if (g->edge[2 * e] == v && place[g->edge[2 * e + 1]] > *last)
      *last = place[g->edge[2 * e + 1]];
  return place[v] <= k && k <= *last;
}

static const char *check_tensors(const struct graph *g,
                                 const struct analysis *a, struct memory *m) {
  int *place = MEMORY_ARRAY(m, int, g->node_count), last, resident = 0;
  for (int k = 0; k < g->node_count; k++)
    place[g->order[k]] = k;
  int64_t sum = g->fixed_memory + g->node[g->order[a->base_step]].workspace;
  for (int i = 0; i < g->node_count; i++) {
    const struct analysis_tensor *t = &a->tensor[i];
    if (held(g, place, t->node, a->base_step, &last)) {
      sum += t->size;
      resident++;
    }
    if (t->born != place[t->node] || t->last != last)
      return "born or last used";
    if (i && t->last - t->born > t[-1].last - t[-1].born)
      return "order of lifetimes";
  }
  if (resident != a->resident_count || sum != a->base_peak)
    return "residents do not make up the peak";
  for (int i = 1; i < a->resident_count; i++)
    if (a->resident[i].size > a->resident[i - 1].size)
      return "order of residents";
  return NULL;
}

Test(analysis, agrees_with_naive_recounts) {
  for (int seed = 0; seed < 300; seed++) {
    struct memory *m = memory_new(NULL);
    struct layered shape = {.nodes = 2 + seed % 40,
                            .width = 1 + seed % 5,
                            .inputs = 1 + seed % 3,
                            .percent_far = 20,
                            .percent_keep = seed % 3 ? 0 : 15,
                            .percent_workspace = 20,
                            .seed = (uint64_t)seed};
    struct graph *g = layered_graph(m, &shape);
    struct analysis a;
    struct error error = {0};
    cr_assert(analysis_make(m, g, &a, &error), "seed %d: %s", seed, error.text);
    const char *wrong = check_tensors(g, &a, m);
    cr_assert_null(wrong, "seed %d: %s", seed, wrong);

    int all = pieces_without(g, -1, m), cuts = 0;
    cr_assert_eq(a.component_count, all, "seed %d: pieces", seed);
    for (int v = 0; v < g->node_count; v++)
      cuts += pieces_without(g, v, m) > all;
    cr_assert_eq(a.articulation_count, cuts, "seed %d: %d cut nodes, not %d",
                 seed, a.articulation_count, cuts);
    for (int i = 0; i < cuts; i++)
      cr_assert_gt(pieces_without(g, a.articulation[i], m), all,
                   "seed %d: node %d does not cut", seed, a.articulation[i]);
    memory_free(m);
  }
}

Test(analysis, long_chain_does_not_recurse) {
  struct memory *m = memory_new(NULL);
  struct graph *g = graph_new(m);
  struct error error = {0};
  enum { LENGTH = 300000 };
  for (int v = 0; v < LENGTH; v++) {
    struct graph_node node = {
        .id = {.number = v}, .name = "", .duration = 1, .size = 1};
    graph_add_node(g, &node);
    if (v)
      graph_add_edge(g, v - 1, v);
  }
  cr_assert(graph_finish(g, NULL, 0, &error));
  struct analysis a;
  cr_assert(analysis_make(m, g, &a, &error));
  cr_assert_eq(a.articulation_count, LENGTH - 2);
  cr_assert_eq(a.depth, LENGTH);
  cr_assert_eq(a.base_peak, 2);
  memory_free(m);
}

Test(analysis, empty_graph) {
  struct memory *m = memory_new(NULL);
  struct graph *g = graph_new(m);
  struct error error = {0};
  struct analysis a;
  cr_assert(graph_finish(g, NULL, 0, &error));
  cr_assert(analysis_make(m, g, &a, &error));
  cr_assert_eq(a.working_set_node, -1);
  cr_assert_eq(a.resident_count, 0);
  memory_free(m);
}
