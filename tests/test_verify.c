/* verify against the definition: peak, duration and verdict of random right
 * and wrong sequences, found step by step and pair by pair; and the wording of
 * every fault. */
#include "model/verify.h"

#include "solver/base/random.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { most_nodes = 7, most_steps = 24 };

static struct graph *random_graph(struct memory *m, struct random *r) {
  struct graph *g = graph_new(m);
  int n = 1 + random_below(r, most_nodes);
  for (int v = 0; v < n; v++) {
    struct graph_node node = {.id = {NULL, v}, .name = ""};
    node.duration = random_below(r, 5);
    node.size = random_below(r, 5);
    node.workspace = random_below(r, 3) ? 0 : random_below(r, 5);
    node.keep = !random_below(r, 5);
    node.max_computes = random_below(r, 4) ? 0 : 1 + random_below(r, 2);
    graph_add_node(g, &node);
    for (int u = 0; u < v; u++)
      if (!random_below(r, 3))
        graph_add_edge(g, u, v);
  }
  g->fixed_memory = random_below(r, 3);
  struct error error = {0};
  cr_assert(graph_finish(g, NULL, 0, &error), "%s", error.text);
  return g;
}

static bool reads(const struct graph *g, int v, int u) {
  for (int e = g->pred_start[v]; e < g->pred_start[v + 1]; e++)
    if (g->pred[e] == u)
      return true;
  return false;
}

/* Is the instance made at step i held at step k?  By definition. */
static bool held(const struct graph *g, const int *step, int length, int i,
                 int k) {
  int u = step[i], next = length;
  for (int j = length - 1; j > i; j--)
    if (step[j] == u)
      next = j;
  if (k < i)
    return false;
  if (k == i || (g->node[u].keep && next == length))
    return true;
  for (int j = k; j <= next && j < length; j++)
    if (reads(g, step[j], u))
      return true;
  return false;
}

static bool valid(const struct graph *g, const struct verify_request *q) {
  int count[most_nodes] = {0}, firsts = 0;
  for (int k = 0; k < q->length; k++) {
    int v = q->sequence[k];
    for (int u = 0; u < g->node_count; u++)
      if (reads(g, v, u) && !count[u])
        return false;
    if (!count[v] && q->input_order && g->order[firsts] != v)
      return false;
    firsts += !count[v];
    int limit =
        g->node[v].max_computes ? g->node[v].max_computes : q->max_computes;
    if (++count[v] > limit && limit)
      return false;
  }
  return firsts == g->node_count;
}

static void peak_and_duration(const struct graph *g, const int *step,
                              int length, int64_t *peak, int64_t *duration) {
  *peak = g->fixed_memory;
  *duration = 0;
  for (int k = 0; k < length; k++) {
    int64_t here = g->fixed_memory + g->node[step[k]].workspace;
    for (int i = 0; i <= k; i++)
      if (held(g, step, length, i, k))
        here += g->node[step[i]].size;
    *peak = here > *peak ? here : *peak;
    *duration += g->node[step[k]].duration;
  }
}

/* The input order with random recomputes; sometimes two steps swapped or one
 * step lost. */
static int random_sequence(const struct graph *g, struct random *r, int *step) {
  int length = 0;
  for (int k = 0; k < g->node_count; k++) {
    while (k && length < most_steps - g->node_count && !random_below(r, 3))
      step[length++] = g->order[random_below(r, k)];
    step[length++] = g->order[k];
  }
  int a = random_below(r, length), b = random_below(r, length), t = step[a];
  switch (random_below(r, 4)) {
  case 0:
    step[a] = step[b];
    step[b] = t;
    break;
  case 1:
    step[a] = step[--length];
    break;
  default:
    break;
  }
  return length;
}

Test(verify, agrees_with_the_definition) {
  int accepted = 0;
  for (uint64_t seed = 0; seed < 20000; seed++) {
    struct random r;
    random_seed(&r, seed);
    struct memory *m = memory_new(NULL);
    struct graph *g = random_graph(m, &r);
    int step[most_steps + most_nodes], length = random_sequence(g, &r, step);
    int64_t peak, duration;
    struct verify_request q = {.sequence = step,
                               .length = length,
                               .max_computes = random_below(&r, 4),
                               .input_order = random_below(&r, 2),
                               .limited = random_below(&r, 2)};
    peak_and_duration(g, step, length, &peak, &duration);
    q.budget = peak - random_below(&r, 2);
    bool expected = valid(g, &q) && (!q.limited || peak <= q.budget);
    struct verify_result found;
    bool got = verify(g, &q, m, NULL, NULL, &found);
    cr_assert(got == expected, "seed %d: %d, expected %d", (int)seed, got,
              expected);
    cr_assert(!got || (found.peak == peak && found.duration == duration &&
                       found.recomputes == length - g->node_count),
              "seed %d: peak %lld, expected %lld", (int)seed,
              (long long)found.peak, (long long)peak);
    accepted += got;
    memory_free(m);
  }
  cr_assert(accepted > 3000, "only %d were valid", accepted);
}

/* ---- wording ------------------------------------------------------------ */

/* a (2 units, 3 bytes) -> b (1, 4) -> c (1, 5), a -> c */
static struct graph *triangle(struct memory *m) {
  struct graph *g = graph_new(m);
  static const char *const id[] = {"a", "b", "c"};
  static const int64_t duration[] = {2, 1, 1}, size[] = {3, 4, 5};
  for (int v = 0; v < 3; v++)
    graph_add_node(g, &(struct graph_node){.id = {id[v], 0},
                                           .name = "",
                                           .duration = duration[v],
                                           .size = size[v]});
  graph_add_edge(g, 0, 1);
  graph_add_edge(g, 1, 2);
  graph_add_edge(g, 0, 2);
  struct error error = {0};
  cr_assert(graph_finish(g, NULL, 0, &error), "%s", error.text);
  return g;
}

static void append(void *data, const char *text) {
  char *all = data;
  size_t used = strlen(all);
  snprintf(all + used, 1000 - used, "%s\n", text);
}

struct wording {
  int length, step[5];
  int64_t budget;
  int max_computes;
  bool input_order;
  const char *faults;
};

static const struct wording wordings[] = {
    {3, {0, 1, 2}, 12, 1, true, ""},
    {3,
     {0, 1, 2},
     11,
     0,
     true,
     "step 2: computing node \"c\" takes 12 bytes, 1 over the budget of 11\n"},
    {3,
     {1, 0, 2},
     99,
     0,
     false,
     "step 0: node \"b\" is computed before its input \"a\"\n"},
    {2, {0, 1}, 99, 0, true, "node \"c\" is never computed\n"},
    {4,
     {0, 1, 0, 2},
     99,
     1,
     true,
     "step 2: compute 2 of node \"a\", limit 1\n"},
    {3, {0, 1, 9}, 99, 0, true, "step 2: no node of the graph\n"},
    {4,
     {0, 2, 1, 2},
     99,
     0,
     true,
     "step 1: node \"c\" is computed before its input \"b\"\n"
     "step 1: node \"c\" is computed first where the input order has node "
     "\"b\"\n"},
};

Test(verify, every_fault_is_named) {
  for (size_t i = 0; i < sizeof wordings / sizeof *wordings; i++) {
    const struct wording *w = &wordings[i];
    struct memory *m = memory_new(NULL);
    struct verify_request q = {.sequence = w->step,
                               .length = w->length,
                               .limited = true,
                               .budget = w->budget,
                               .max_computes = w->max_computes,
                               .input_order = w->input_order};
    struct verify_result found;
    char text[1000] = "";
    bool ok = verify(triangle(m), &q, m, append, text, &found);
    cr_assert(ok == !*w->faults && !strcmp(text, w->faults), "case %zu:\n%s", i,
              text);
    memory_free(m);
  }
}
