#include "graphs/network.h"

#include <math.h>
#include <stdio.h>

struct network network_new(const struct generate_job *job,
                           double input_elements) {
  return (struct network){.job = job, .input_elements = input_elements};
}

int network_add(struct network *net, const struct layer *layer) {
  MEMORY_GROW(net->job->memory, net->layer, net->layers, net->capacity);
  net->layer[net->layers] = *layer;
  return net->layers++;
}

/* The device of the cost model, and the graph in the making. */
struct maker {
  const struct network *net;
  struct graph *graph;
  double bytes, flops, bandwidth;
};

/* False if the number leaves int64; then the graph is given up. */
static bool to_int64(const struct maker *k, double value, const char *what,
                     int64_t *out) {
  if (!(value < 9e18))
    return error_set(k->net->job->error, STATUS_INPUT,
                     "%s: %.3g bytes or nanoseconds are beyond int64", what,
                     value);
  *out = (int64_t)llround(value);
  return true;
}

static bool add_node(const struct maker *k, const char *name, double elements,
                     double flops, double moved) {
  struct graph_node node = {.id = {NULL, k->graph->node_count}, .name = name};
  double seconds = flops / k->flops + moved * k->bytes / k->bandwidth;
  return to_int64(k, elements * k->bytes, name, &node.size) &&
         to_int64(k, 1e9 * seconds, name, &node.duration) &&
         graph_add_node(k->graph, &node) >= 0;
}

static bool add_forward(const struct maker *k) {
  for (int i = 0; i < k->net->layers; i++) {
    const struct layer *l = &k->net->layer[i];
    double moved = l->elements + l->parameters;
    for (int e = 0; e < l->inputs; e++)
      moved += k->net->layer[l->input[e]].elements;
    if (!l->inputs)
      moved += k->net->input_elements;
    if (!add_node(k, l->name, l->elements, l->flops, moved))
      return false;
    for (int e = 0; e < l->inputs; e++)
      graph_add_edge(k->graph, l->input[e], i);
  }
  return true;
}

/* The gradient of layer i; `reader` chains the layers that read one another:
 * the gradient of layer r is node 2 * layers - r. */
static bool add_gradient(const struct maker *k, int i) {
  const struct network *net = k->net;
  const struct layer *l = &net->layer[i];
  bool all = generate_int(net->job, "conservative");
  double made = 0, moved = 2 * l->parameters + l->elements;
  int node = k->graph->node_count;
  for (int e = 0; e < l->inputs; e++) {
    double elements = net->layer[l->input[e]].elements;
    if (!e || !l->same_gradient)
      made += elements;
    if (l->needs & NEEDS_INPUT)
      moved += elements;
  }
  if (l->needs & NEEDS_OUTPUT)
    moved += l->elements;
  double times = (l->inputs > 0) + (l->parameters > 0);
  char name[64];
  snprintf(name, sizeof name, "d_%s", l->name);
  if (!add_node(k, name, made, l->flops * l->backward * times, moved + made))
    return false;
  for (int e = 0; e < l->inputs; e++)
    if (all || l->needs & NEEDS_INPUT)
      graph_add_edge(k->graph, l->input[e], node);
  if (all || l->needs & NEEDS_OUTPUT)
    graph_add_edge(k->graph, i, node);
  return true;
}

static bool add_backward(const struct maker *k) {
  const struct network *net = k->net;
  int n = net->layers;
  const struct layer *last = &net->layer[n - 1];
  /* Softmax and cross entropy: value and gradient in one. */
  if (!add_node(k, "loss", last->elements, 8 * last->elements,
                2 * last->elements))
    return false;
  graph_add_edge(k->graph, n - 1, n);
  for (int i = n - 1; i >= 0; i--)
    if (!add_gradient(k, i))
      return false;
  graph_add_edge(k->graph, n, n + 1);
  for (int r = n - 1; r >= 0; r--)
    for (int e = 0; e < net->layer[r].inputs; e++)
      graph_add_edge(k->graph, 2 * n - r, 2 * n - net->layer[r].input[e]);
  return true;
}

struct graph *network_graph(struct network *net, const char *name) {
  const struct generate_job *job = net->job;
  struct memory *m = job->memory;
  struct maker k = {net, graph_new(m), generate_real(job, "bytes"),
                    generate_real(job, "flops"),
                    generate_real(job, "bandwidth")};
  bool training = generate_int(job, "training");
  char text[120];
  int length =
      snprintf(text, sizeof text, "%s%s", name, training ? "-training" : "");
  k.graph->name = memory_text(m, text, (size_t)length);
  double parameters = 0;
  for (int i = 0; i < net->layers; i++)
    parameters += net->layer[i].parameters;
  double copies = training ? 2 + generate_real(job, "optimizer") : 1;
  bool ok = to_int64(&k, (net->input_elements + copies * parameters) * k.bytes,
                     "fixed_memory", &k.graph->fixed_memory) &&
            add_forward(&k) && (!training || add_backward(&k));
  memory_put(m, net->layer);
  if (!ok)
    return NULL;
  int n = k.graph->node_count;
  int *order = MEMORY_ARRAY(m, int, n);
  for (int v = 0; v < n; v++)
    order[v] = v;
  ok = graph_finish(k.graph, order, n, job->error);
  memory_put(m, order);
  return ok ? k.graph : NULL;
}
