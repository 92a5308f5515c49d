/* Random layered graphs and chains.
 *
 * Layered graphs follow Gagrani et al. (Neural topological ordering for
 * computation graphs, 2022, appendix A).  The paper names the parameters; how
 * they act here was inferred from the published instances of that family:
 *
 *     node 0 is the only source and node 1 the only sink, durations 0;
 *     between them layers whose widths are uniform on mean x (1 -+ variability)
 *     with mean = 2 x width x sqrt(n);
 *     between neighbouring layers each node of the wider one has
 *     1 + density x (other layer's width - 1) edges on average, rounded up or
 *     down at random, and no node is left without an edge;
 *     skips / (1 - skips) times as many edges jump layers: from a uniform node
 *     to a uniform later layer but the next;
 *     durations are uniform on 0 .. 999;
 *     sizes are multiples of 10 from two normals, 719 -+ 427 (44.6 %) and
 *     3010 -+ 1471, positive;
 *     the stated order takes a uniform one of the ready nodes each time.
 */
#include "graphs/generate_private.h"

#include "solver/base/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct layers {
  const struct generate_job *job;
  struct random random;
  struct graph *graph;
  int *start; /* layer k: nodes start[k] .. start[k + 1] - 1, from node 2 */
  int count;
  int *pick; /* scratch: n entries */
  char *used;
  int *edge; /* pairs, as given to the graph */
  int64_t edges, edge_capacity;
};

/* Nearly normal, and the same on every machine: the sum of twelve uniforms. */
static double normal(struct random *r) {
  double sum = -6;
  for (int i = 0; i < 12; i++)
    sum += random_real(r);
  return sum;
}

static int64_t random_size(struct random *r) {
  double size;
  do
    size = random_real(r) < 0.446 ? 719 + 427 * normal(r)
                                  : 3010 + 1471 * normal(r);
  while (size < 5);
  return 10 * (int64_t)floor(size / 10 + 0.5);
}

static void make_layers(struct layers *l, int n) {
  double mean = 2 * generate_real(l->job, "width") * sqrt(n);
  double vary = generate_real(l->job, "variability");
  int at = 2;
  while (at < n) {
    double width = mean * (1 + vary * (2 * random_real(&l->random) - 1));
    l->start[l->count++] = at;
    at += width < 1 ? 1 : width > n - at ? n - at : (int)(width + 0.5);
  }
  l->start[l->count] = n;
}

static void add_edge(struct layers *l, int u, int v) {
  MEMORY_GROW(l->job->memory, l->edge, 2 * l->edges, l->edge_capacity);
  l->edge[2 * l->edges] = u;
  l->edge[2 * l->edges + 1] = v;
  l->edges++;
  graph_add_edge(l->graph, u, v);
}

/* Chooses `k` of the first `n` entries of l->pick into its first k. */
static void choose(struct layers *l, int n, int k) {
  for (int i = 0; i < k; i++) {
    int j = i + random_below(&l->random, n - i), swap = l->pick[i];
    l->pick[i] = l->pick[j];
    l->pick[j] = swap;
  }
}

/* Edges between layers k and k + 1. */
static void join_layers(struct layers *l, int k) {
  const int *s = l->start;
  int before = s[k + 1] - s[k], after = s[k + 2] - s[k + 1];
  bool forward = before > after; /* the earlier layer is the wider one */
  int wide = forward ? s[k] : s[k + 1], wides = forward ? before : after;
  int slim = forward ? s[k + 1] : s[k], slims = forward ? after : before;
  double mean = 1 + generate_real(l->job, "density") * (slims - 1);
  memset(l->used, 0, (size_t)slims);
  for (int i = 0; i < slims; i++)
    l->pick[i] = i;
  for (int i = 0; i < wides; i++) {
    int degree = (int)(mean + random_real(&l->random));
    degree = degree > slims ? slims : degree;
    choose(l, slims, degree);
    for (int e = 0; e < degree; e++) {
      int other = slim + l->pick[e];
      l->used[l->pick[e]] = 1;
      add_edge(l, forward ? wide + i : other, forward ? other : wide + i);
    }
  }
  for (int i = 0; i < slims; i++)
    if (!l->used[i]) {
      int other = wide + random_below(&l->random, wides);
      add_edge(l, forward ? other : slim + i, forward ? slim + i : other);
    }
}

static void add_skips(struct layers *l, int n) {
  double part = generate_real(l->job, "skips");
  int64_t skips = llround((double)l->edges * part / (1 - part));
  if (l->count < 3)
    return;
  for (; skips > 0; skips--) {
    int u, k = 0, last = l->count - 1;
    do /* a node at least two layers before the last */
      u = 2 + random_below(&l->random, n - 2);
    while (u >= l->start[l->count - 2]);
    int low = 0, high = last; /* its layer: the last that starts at or before */
    while (low < high) {
      int middle = (low + high + 1) / 2;
      if (l->start[middle] <= u)
        low = middle;
      else
        high = middle - 1;
    }
    k = low + 2 + random_below(&l->random, last - low - 1);
    add_edge(l, u,
             l->start[k] +
                 random_below(&l->random, l->start[k + 1] - l->start[k]));
  }
}

/* A uniform one of the ready nodes, again and again. */
static int *random_order(struct layers *l, int n) {
  const int *edge = l->edge;
  struct memory *m = l->job->memory;
  int *order = MEMORY_ARRAY(m, int, n), *left = MEMORY_ARRAY(m, int, n);
  int *head = MEMORY_ARRAY(m, int, n), ready = 0;
  int *next = MEMORY_ARRAY(m, int, l->edges);
  for (int64_t e = l->edges - 1; e >= 0; e--) {
    left[edge[2 * e + 1]]++;
    next[e] = head[edge[2 * e]];
    head[edge[2 * e]] = (int)e + 1;
  }
  l->pick[ready++] = 0;
  for (int k = 0; ready; k++) {
    int i = random_below(&l->random, ready), u = l->pick[i];
    l->pick[i] = l->pick[--ready];
    order[k] = u;
    for (int64_t e = head[u]; e; e = next[e - 1])
      if (!--left[edge[2 * e - 1]])
        l->pick[ready++] = edge[2 * e - 1];
  }
  memory_put(m, next);
  memory_put(m, head);
  memory_put(m, left);
  return order;
}

static void add_nodes(struct layers *l, int n) {
  for (int v = 0; v < n; v++) {
    struct graph_node node = {.id = {NULL, v}, .name = ""};
    node.size = random_size(&l->random);
    node.duration = v < 2 ? 0 : random_below(&l->random, 1000);
    graph_add_node(l->graph, &node);
  }
}

struct graph *generate_layered(const struct generate_job *job) {
  struct memory *m = job->memory;
  int n = generate_int(job, "n");
  struct layers l = {.job = job, .graph = graph_new(m)};
  random_seed(&l.random, (uint64_t)generate_real(job, "seed"));
  l.start = MEMORY_ARRAY(m, int, n);
  l.pick = MEMORY_ARRAY(m, int, n);
  l.used = MEMORY_ARRAY(m, char, n);
  char name[120];
  int length =
      snprintf(name, sizeof name, "layered_n%d_w%g_v%g_d%g_s%g", n,
               generate_real(job, "width"), generate_real(job, "variability"),
               generate_real(job, "density"), generate_real(job, "skips"));
  l.graph->name = memory_text(m, name, (size_t)length);
  add_nodes(&l, n);
  make_layers(&l, n);
  for (int v = l.start[0]; v < l.start[1]; v++)
    add_edge(&l, 0, v);
  for (int k = 0; k + 1 < l.count; k++)
    join_layers(&l, k);
  add_skips(&l, n);
  for (int v = l.start[l.count - 1]; v < n; v++)
    add_edge(&l, v, 1);
  int *order = NULL;
  if (generate_int(job, "shuffle"))
    order = random_order(&l, n);
  bool ok = graph_finish(l.graph, order, n, job->error);
  memory_put(m, order);
  memory_put(m, l.edge);
  memory_put(m, l.used);
  memory_put(m, l.pick);
  memory_put(m, l.start);
  return ok ? l.graph : NULL;
}

struct graph *generate_chain(const struct generate_job *job) {
  struct graph *g = graph_new(job->memory);
  struct random r;
  int n = generate_int(job, "n"), nodes = n;
  bool training = generate_int(job, "training");
  double spread = generate_real(job, "spread");
  random_seed(&r, (uint64_t)generate_real(job, "seed"));
  char name[40];
  for (int v = 0; v < n; v++) {
    struct graph_node node = {.id = {NULL, v}, .name = name};
    snprintf(name, sizeof name, "f%d", v + 1);
    double vary = 1 + spread * (2 * random_real(&r) - 1);
    node.size = llround(generate_real(job, "size") * vary);
    vary = 1 + spread * (2 * random_real(&r) - 1);
    node.duration = llround(generate_real(job, "duration") * vary);
    graph_add_node(g, &node);
    if (v)
      graph_add_edge(g, v - 1, v);
  }
  /* d_v reads what f_v read, and the gradient of f_(v+1) or the chain's end. */
  for (int v = n - 1; training && v >= 0; v--) {
    struct graph_node node = g->node[v];
    snprintf(name, sizeof name, "d%d", v + 1);
    node.id.number = nodes;
    node.name = name;
    node.duration *= 2;
    graph_add_node(g, &node);
    graph_add_edge(g, nodes - 1, nodes);
    if (v)
      graph_add_edge(g, v - 1, nodes);
    nodes++;
  }
  g->name = training ? "chain-training" : "chain";
  return graph_finish(g, NULL, 0, job->error) ? g : NULL;
}
