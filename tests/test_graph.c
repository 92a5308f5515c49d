/* The graph type: ids, rows, input order, checks. */
#include "graphs/graph.h"

#include "solver/base/random.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static int add(struct graph *g, int64_t id, int64_t duration, int64_t size) {
  struct graph_node node = {
      .id = {NULL, id}, .name = "", .duration = duration, .size = size};
  return graph_add_node(g, &node);
}

static struct graph *graph_of(struct memory *m, int n, const int *edge,
                              int edges) {
  struct graph *g = graph_new(m);
  for (int v = 0; v < n; v++)
    add(g, v, 1, 1);
  for (int e = 0; e < edges; e++)
    graph_add_edge(g, edge[2 * e], edge[2 * e + 1]);
  return g;
}

Test(graph, ids_are_numbers_or_texts) {
  struct memory *m = memory_new(NULL);
  struct graph *g = graph_new(m);
  char text[20];
  for (int v = 0; v < 20000; v++) {
    struct graph_node node = {.name = ""};
    snprintf(text, sizeof text, "%d", v / 2);
    node.id.number = v / 2;
    node.id.text = v % 2 ? text : NULL;
    cr_assert_eq(graph_add_node(g, &node), v);
    cr_assert_eq(graph_add_node(g, &node), -1);
  }
  for (int v = 0; v < 20000; v++) {
    snprintf(text, sizeof text, "%d", v / 2);
    struct graph_id id = {v % 2 ? text : NULL, v / 2};
    cr_assert_eq(graph_find(g, id), v);
  }
  cr_assert_eq(graph_find(g, (struct graph_id){NULL, -1}), -1);
  cr_assert_eq(graph_find(g, (struct graph_id){"", 0}), -1);
  memory_free(m);
}

/* Rows against a naive table, edges in file order, repetitions dropped. */
Test(graph, rows_follow_the_file) {
  struct random r;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    random_seed(&r, seed);
    struct memory *m = memory_new(NULL);
    int n = 2 + random_below(&r, 9), edges = random_below(&r, 40);
    int edge[80], kept[80], count = 0;
    for (int e = 0; e < edges; e++) {
      int u = random_below(&r, n - 1), v = u + 1 + random_below(&r, n - 1 - u);
      edge[2 * e] = u;
      edge[2 * e + 1] = v;
      bool repeated = false;
      for (int k = 0; k < count; k++)
        repeated |= kept[2 * k] == u && kept[2 * k + 1] == v;
      if (!repeated) {
        kept[2 * count] = u;
        kept[2 * count++ + 1] = v;
      }
    }
    struct graph *g = graph_of(m, n, edge, edges);
    cr_assert(graph_finish(g, NULL, 0, NULL));
    cr_assert_eq(g->edge_count, count, "seed %d", (int)seed);
    int p = 0, s = 0;
    for (int v = 0; v < n; v++) {
      cr_assert(g->pred_start[v] == p && g->succ_start[v] == s);
      for (int k = 0; k < count; k++) {
        cr_assert(g->edge[2 * k] == kept[2 * k] &&
                  g->edge[2 * k + 1] == kept[2 * k + 1]);
        if (kept[2 * k] == v)
          cr_assert_eq(g->succ[s++], kept[2 * k + 1], "seed %d", (int)seed);
        if (kept[2 * k + 1] == v)
          cr_assert_eq(g->pred[p++], kept[2 * k], "seed %d", (int)seed);
      }
    }
    memory_free(m);
  }
}

/* The definition, round by round: the nodes whose last predecessor is in the
 * round before, in the order in which its out-edges complete them. */
Test(graph, generations) {
  static const int edge[] = {4, 0, 3, 0, 3, 1, 4, 2, 0, 5, 1, 5, 2, 6, 3, 6};
  static const int order[] = {3, 4, 1, 0, 2, 5, 6};
  struct memory *m = memory_new(NULL);
  struct graph *g = graph_of(m, 7, edge, 8);
  cr_assert(graph_finish(g, NULL, 0, NULL));
  cr_assert(!memcmp(g->order, order, sizeof order) && !g->order_given);
  memory_free(m);
}

Test(graph, a_cycle_is_named_whole) {
  static const int small[] = {0, 1, 1, 2, 2, 3, 3, 1, 3, 4};
  struct memory *m = memory_new(NULL);
  struct error e = {STATUS_OK, ""};
  cr_assert(!graph_finish(graph_of(m, 5, small, 5), NULL, 0, &e));
  cr_assert(!strcmp(e.text, "the graph has a cycle of 3 nodes: "
                            "1 -> 2 -> 3 -> 1") ||
                !strcmp(e.text, "the graph has a cycle of 3 nodes: "
                                "2 -> 3 -> 1 -> 2") ||
                !strcmp(e.text, "the graph has a cycle of 3 nodes: "
                                "3 -> 1 -> 2 -> 3"),
            "%s", e.text);
  cr_assert_eq(e.status, STATUS_INPUT);
  int *large = MEMORY_ARRAY(m, int, 200000);
  for (int v = 0; v < 100000; v++) {
    large[2 * v] = v;
    large[2 * v + 1] = (v + 1) % 100000;
  }
  e = (struct error){STATUS_OK, ""};
  cr_assert(!graph_finish(graph_of(m, 100000, large, 100000), NULL, 0, &e));
  cr_assert(strstr(e.text, "a cycle of 100000 nodes: ") &&
                strstr(e.text, " -> ... -> "),
            "%s", e.text);
  memory_free(m);
}

Test(graph, self_loops_and_orders) {
  static const int loop[] = {0, 1, 1, 1}, path[] = {0, 1, 1, 2};
  static const struct {
    int order[3], length;
    const char *message;
  } wrong[] = {
      {{0, 1, 1}, 3, "order: node 1 stands at places 1 and 2"},
      {{0, 1, 0}, 2, "order: node 2 is missing"},
      {{0, 2, 1}, 3, "order: node 2 (place 1) stands before its input 1"},
  };
  struct memory *m = memory_new(NULL);
  struct error e = {STATUS_OK, ""};
  cr_assert(!graph_finish(graph_of(m, 2, loop, 2), NULL, 0, &e));
  cr_assert(strstr(e.text, "node 1 reads its own output"), "%s", e.text);
  for (int i = 0; i < 3; i++) {
    e = (struct error){STATUS_OK, ""};
    cr_assert(!graph_finish(graph_of(m, 3, path, 2), wrong[i].order,
                            wrong[i].length, &e));
    cr_assert(strstr(e.text, wrong[i].message), "%s", e.text);
  }
  memory_free(m);
}

Test(graph, sums_are_checked) {
  struct memory *m = memory_new(NULL);
  struct error e = {STATUS_OK, ""};
  struct graph *g = graph_new(m);
  add(g, 0, INT64_MAX, INT64_MAX - 5);
  g->fixed_memory = 5;
  cr_assert(graph_finish(g, NULL, 0, &e), "%s", e.text);
  g = graph_new(m);
  add(g, 0, 1, INT64_MAX - 5);
  g->fixed_memory = 6;
  cr_assert(!graph_finish(g, NULL, 0, &e));
  cr_assert(strstr(e.text, "node 0: the bytes"), "%s", e.text);
  e = (struct error){STATUS_OK, ""};
  g = graph_new(m);
  add(g, 0, INT64_MAX, 1);
  add(g, 1, 1, 1);
  cr_assert(!graph_finish(g, NULL, 0, &e));
  cr_assert(strstr(e.text, "node 1: the durations"), "%s", e.text);
  e = (struct error){STATUS_OK, ""};
  g = graph_new(m);
  add(g, 0, -1, 1);
  cr_assert(!graph_finish(g, NULL, 0, &e));
  cr_assert(strstr(e.text, "duration is negative"), "%s", e.text);
  memory_free(m);
}
