#include "tests/layered.h"

#include "solver/base/random.h"

#include <criterion/criterion.h>

struct graph *layered_graph(struct memory *m, const struct layered *shape) {
  struct random r;
  random_seed(&r, shape->seed);
  struct graph *g = graph_new(m);
  int *layer = MEMORY_ARRAY(m, int, shape->nodes);
  for (int v = 0; v < shape->nodes; v++) {
    struct graph_node node = {.id = {NULL, v}, .name = ""};
    node.duration = 1 + random_below(&r, 1000);
    node.size = 1 + random_below(&r, 5000);
    node.keep = random_below(&r, 100) < shape->percent_keep;
    if (random_below(&r, 100) < shape->percent_workspace)
      node.workspace = random_below(&r, 3000);
    graph_add_node(g, &node);
    /* layer[v]: the first node of v's layer */
    layer[v] = v && random_below(&r, shape->width) ? layer[v - 1] : v;
  }
  for (int v = 1; v < shape->nodes; v++) {
    int inputs = 1 + random_below(&r, shape->inputs), end = layer[v];
    for (int i = 0; i < inputs && end > 0; i++) {
      bool far = random_below(&r, 100) < shape->percent_far;
      int start = far ? 0 : layer[end - 1];
      graph_add_edge(g, start + random_below(&r, end - start), v);
    }
  }
  struct error error = {0};
  cr_assert(graph_finish(g, NULL, 0, &error), "%s", error.text);
  memory_put(m, layer);
  return g;
}

struct problem *layered_problem(struct memory *m, const struct layered *shape,
                                int max_computes, bool free_order,
                                int percent) {
  struct error error = {0};
  struct problem *p =
      problem_new(m, layered_graph(m, shape), max_computes, free_order, &error);
  cr_assert(p, "%s", error.text);
  p->budget = problem_percent_budget(p, (int64_t)percent * 1000000);
  if (p->budget < p->working_set)
    p->budget = p->working_set;
  return p;
}
