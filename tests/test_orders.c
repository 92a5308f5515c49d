/* Constructed orders: each is a topological order of all nodes with a sink
 * last, whatever the graph. */
#include "model/orders.h"
#include "model/schedule.h"
#include "solver/base/random.h"

#include <criterion/criterion.h>

static void check(const struct problem *p, struct memory *m, int seed) {
  int *order = MEMORY_ARRAY(m, int, p->n);
  for (int kind = 0; kind < ORDERS_KINDS; kind++) {
    const char *name = orders_name((enum orders_kind)kind);
    bool *seen = MEMORY_ARRAY(m, bool, p->n);
    cr_assert(orders_make(p, (enum orders_kind)kind, order, m), "%s, seed %d",
              name, seed);
    for (int k = 0; k < p->n; k++) {
      cr_assert(order[k] >= 0 && order[k] < p->n && !seen[order[k]],
                "%s, seed %d, place %d", name, seed, k);
      seen[order[k]] = true;
    }
    struct simulation found = {0};
    cr_assert(simulate(p, order, p->n, m, &found), "%s, seed %d", name, seed);
    cr_assert_geq(found.peak, p->working_set, "%s, seed %d", name, seed);
    cr_assert(p->sink < 0 || order[p->n - 1] == p->sink, "%s, seed %d", name,
              seed);
  }
}

Test(orders, are_topological) {
  for (int seed = 0; seed < 300; seed++) {
    struct memory *m = memory_new(NULL);
    struct random r;
    random_seed(&r, (uint64_t)seed);
    struct graph *g = graph_new(m);
    int n = 1 + random_below(&r, 40);
    for (int v = 0; v < n; v++)
      graph_add_node(g, &(struct graph_node){.id = {NULL, v},
                                             .name = "",
                                             .size = random_below(&r, 9),
                                             .keep = !random_below(&r, 8)});
    for (int v = 1; v < n; v++)
      for (int e = random_below(&r, 4); e > 0; e--)
        graph_add_edge(g, random_below(&r, v), v);
    cr_assert(graph_finish(g, NULL, 0, NULL));
    check(problem_new(m, g, 1, true, NULL), m, seed);
    memory_free(m);
  }
}
