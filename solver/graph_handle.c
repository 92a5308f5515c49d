/* Graphs of the public interface: reading, building, baseline figures. */
#include "solver/graph_handle.h"

#include "graphs/read.h"
#include "model/verify.h"

#include <stdio.h>

#ifndef MOCCASIN_VERSION
#define MOCCASIN_VERSION "unknown"
#endif

const char *moccasin_version(void) {
  return MOCCASIN_VERSION;
}

static void say(char *message, const char *text) {
  if (message)
    snprintf(message, MOCCASIN_MESSAGE, "%s", text);
}

/* Where the bytes of a new graph come from: exactly one of the three. */
struct source {
  const char *path;
  const struct onnx_options *onnx;
  const char *name, *bytes;
  size_t size;
  const int64_t *duration, *node_size;
  const int *edge, *order;
  int nodes, edges;
};

static bool build(struct memory *m, const struct source *s,
                  struct graph **graph, struct error *error) {
  struct graph *g = graph_new(m);
  for (int v = 0; v < s->nodes; v++)
    graph_add_node(g, &(struct graph_node){.id = {NULL, v},
                                           .name = "",
                                           .duration = s->duration[v],
                                           .size = s->node_size[v]});
  for (int e = 0; e < s->edges; e++) {
    int from = s->edge[2 * e], to = s->edge[2 * e + 1];
    if (from < 0 || from >= s->nodes || to < 0 || to >= s->nodes)
      return error_set(error, STATUS_INPUT,
                       "edge %d joins %d and %d, expected nodes 0 to %d", e,
                       from, to, s->nodes - 1);
    graph_add_edge(g, from, to);
  }
  for (int k = 0; s->order && k < s->nodes; k++)
    if (s->order[k] < 0 || s->order[k] >= s->nodes)
      return error_set(error, STATUS_INPUT, "order: place %d is no node", k);
  *graph = g;
  return graph_finish(g, s->order, s->order ? s->nodes : 0, error);
}

static bool read_source(struct memory *m, const struct source *s,
                        struct graph **graph, char *message,
                        struct error *error) {
  struct graph_notes notes = {0};
  bool ok = s->path ? graph_read_with(m, s->path, s->onnx, graph, &notes, error)
            : s->bytes ? graph_read_bytes(m, s->name, s->bytes, s->size, graph,
                                          &notes, error)
                       : build(m, s, graph, error);
  if (ok)
    say(message, notes.count ? notes.text[0] : "");
  return ok;
}

static int open_graph(const struct source *source, struct moccasin_graph **out,
                      char *message) {
  struct error error = {STATUS_OK, ""};
  struct memory *m = memory_new(NULL);
  *out = NULL;
  if (!m || setjmp(*memory_recover(m))) {
    memory_free(m);
    say(message, "out of memory");
    return MOCCASIN_RESOURCES;
  }
  struct moccasin_graph *handle = MEMORY_NEW(m, struct moccasin_graph);
  handle->memory = m;
  if (read_source(m, source, &handle->graph, message, &error))
    handle->problem = problem_new(m, handle->graph, 1, false, &error);
  if (handle->problem) {
    *out = handle;
    return MOCCASIN_OK;
  }
  say(message, error.text);
  memory_free(m);
  return (int)error.status;
}

int moccasin_read(const char *path, struct moccasin_graph **graph,
                  char *message) {
  return graph_handle_read(path, NULL, graph, message);
}

int graph_handle_read(const char *path, const struct onnx_options *onnx,
                      struct moccasin_graph **graph, char *message) {
  return open_graph(&(struct source){.path = path, .onnx = onnx}, graph,
                    message);
}

int moccasin_read_bytes(const char *name, const char *bytes, size_t size,
                        struct moccasin_graph **graph, char *message) {
  struct source s = {.name = name, .bytes = bytes ? bytes : "", .size = size};
  return open_graph(&s, graph, message);
}

int moccasin_build(int nodes, const int64_t *duration, const int64_t *size,
                   int edges, const int *edge, const int *order,
                   struct moccasin_graph **graph, char *message) {
  struct source s = {.nodes = nodes,
                     .edges = edges,
                     .duration = duration,
                     .node_size = size,
                     .edge = edge,
                     .order = order};
  return open_graph(&s, graph, message);
}

void moccasin_graph_free(struct moccasin_graph *graph) {
  if (graph)
    memory_free(graph->memory);
}

int moccasin_nodes(const struct moccasin_graph *graph) {
  return graph->graph->node_count;
}

int moccasin_edges(const struct moccasin_graph *graph) {
  return graph->graph->edge_count;
}

int64_t moccasin_baseline_peak(const struct moccasin_graph *graph) {
  return graph->problem->base_peak;
}

int64_t moccasin_baseline_duration(const struct moccasin_graph *graph) {
  return graph->problem->base_duration;
}

int64_t moccasin_working_set(const struct moccasin_graph *graph, int *node) {
  const struct problem *p = graph->problem;
  if (node)
    *node = p->n ? p->node_of[p->working_set_node] : -1;
  return p->working_set;
}

int64_t moccasin_percent_budget(const struct moccasin_graph *graph,
                                int64_t millionths) {
  return problem_percent_budget(graph->problem, millionths);
}

int moccasin_verify(const struct moccasin_graph *graph, const int *sequence,
                    int length, int64_t budget, int max_computes,
                    bool input_order,
                    void (*fault)(void *data, const char *text), void *data,
                    int64_t *peak, int64_t *duration) {
  struct memory *m = memory_new(NULL);
  if (!m || setjmp(*memory_recover(m))) {
    memory_free(m);
    return MOCCASIN_RESOURCES;
  }
  struct verify_request request = {.sequence = sequence,
                                   .length = length,
                                   .limited = budget != INT64_MAX,
                                   .budget = budget,
                                   .max_computes = max_computes,
                                   .input_order = input_order};
  struct verify_result result;
  bool ok = verify(graph->graph, &request, m, fault, data, &result);
  if (peak)
    *peak = result.peak;
  if (duration)
    *duration = result.duration;
  memory_free(m);
  return ok ? MOCCASIN_OK : MOCCASIN_INFEASIBLE;
}
