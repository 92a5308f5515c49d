#include "graphs/graph.h"

#include "solver/base/checked.h"

#include <stdio.h>
#include <string.h>

/* What graph_new .. graph_finish need beside the graph itself: the edges as
 * they came and an open-addressing table from id to node (slots hold node + 1,
 * 0 is free; at most half full). */
struct graph_build {
  int *edge; /* pairs from, to */
  size_t edges, edge_capacity;
  int node_capacity;
  int *slot;
  size_t slots; /* a power of two */
};

struct graph *graph_new(struct memory *m) {
  struct graph *g = MEMORY_NEW(m, struct graph);
  g->memory = m;
  g->name = "";
  g->build = MEMORY_NEW(m, struct graph_build);
  g->build->slots = 64;
  g->build->slot = MEMORY_ARRAY(m, int, g->build->slots);
  return g;
}

static size_t hash_id(struct graph_id id) {
  uint64_t h = (uint64_t)id.number;
  if (id.text) { /* FNV-1a */
    h = UINT64_C(0xcbf29ce484222325);
    for (const char *c = id.text; *c; c++)
      h = (h ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
  }
  h ^= h >> 32;
  h *= UINT64_C(0x9e3779b97f4a7c15);
  return (size_t)(h ^ (h >> 29));
}

static bool same_id(struct graph_id a, struct graph_id b) {
  if (a.text && b.text)
    return !strcmp(a.text, b.text);
  return !a.text && !b.text && a.number == b.number;
}

/* The slot that holds the id, or the free one where it belongs. */
static size_t find_slot(const struct graph *g, struct graph_id id) {
  const struct graph_build *b = g->build;
  size_t i = hash_id(id) & (b->slots - 1);
  while (b->slot[i] && !same_id(g->node[b->slot[i] - 1].id, id))
    i = (i + 1) & (b->slots - 1);
  return i;
}

static void enlarge_slots(struct graph *g) {
  struct graph_build *b = g->build;
  memory_put(g->memory, b->slot);
  b->slots *= 2;
  b->slot = MEMORY_ARRAY(g->memory, int, b->slots);
  for (int v = 0; v < g->node_count; v++)
    b->slot[find_slot(g, g->node[v].id)] = v + 1;
}

int graph_add_node(struct graph *g, const struct graph_node *node) {
  struct graph_build *b = g->build;
  size_t slot = find_slot(g, node->id);
  if (b->slot[slot])
    return -1;
  MEMORY_GROW(g->memory, g->node, g->node_count, b->node_capacity);
  struct graph_node *copy = &g->node[g->node_count];
  *copy = *node;
  copy->name = node->name && node->name[0]
                   ? memory_text(g->memory, node->name, strlen(node->name))
                   : "";
  if (node->id.text)
    copy->id.text =
        memory_text(g->memory, node->id.text, strlen(node->id.text));
  b->slot[slot] = ++g->node_count;
  if ((size_t)g->node_count * 2 > b->slots)
    enlarge_slots(g);
  return g->node_count - 1;
}

int graph_find(const struct graph *g, struct graph_id id) {
  return g->build->slot[find_slot(g, id)] - 1;
}

void graph_add_edge(struct graph *g, int from, int to) {
  struct graph_build *b = g->build;
  MEMORY_GROW(g->memory, b->edge, 2 * b->edges, b->edge_capacity);
  b->edge[2 * b->edges] = from;
  b->edge[2 * b->edges + 1] = to;
  b->edges++;
}

const char *graph_id_text(struct graph_id id, char *buffer, int capacity) {
  if (!id.text)
    snprintf(buffer, (size_t)capacity, "%lld", (long long)id.number);
  else if (snprintf(buffer, (size_t)capacity, "\"%s\"", id.text) >= capacity &&
           capacity > 5)
    strcpy(buffer + capacity - 5, "...\"");
  return buffer;
}

const char *graph_node_text(const struct graph_node *node, char *buffer,
                            int capacity) {
  char id[64];
  graph_id_text(node->id, id, sizeof id);
  bool named =
      node->name[0] && !(node->id.text && !strcmp(node->id.text, node->name));
  if (named)
    snprintf(buffer, (size_t)capacity, "%s (%.40s)", id, node->name);
  else
    snprintf(buffer, (size_t)capacity, "%s", id);
  return buffer;
}

/* Rows by source (end 0) or by target (end 1), each in file order. */
static void fill_rows(const struct graph *g, int end, int *start, int *row) {
  size_t edges = (size_t)g->edge_count, from = (size_t)end, to = 1 - from;
  for (size_t e = 0; e < edges; e++)
    start[g->edge[2 * e + from] + 1]++;
  for (int v = 0; v < g->node_count; v++)
    start[v + 1] += start[v];
  for (size_t e = 0; e < edges; e++)
    row[start[g->edge[2 * e + from]]++] = g->edge[2 * e + to];
  for (int v = g->node_count; v > 0; v--)
    start[v] = start[v - 1];
  start[0] = 0;
}

/* Drops edges that repeat: the first one stays.  Edges are chained by source,
 * so that one mark per target tells; `next` 0 ends a chain. */
static void drop_repeated(struct graph *g) {
  struct memory *m = g->memory;
  int edges = g->edge_count, n = g->node_count, kept = 0;
  int *head = MEMORY_ARRAY(m, int, n), *seen = MEMORY_ARRAY(m, int, n);
  int *next = MEMORY_ARRAY(m, int, edges);
  for (int e = edges - 1; e >= 0; e--) {
    int *first = &head[g->edge[2 * (size_t)e]];
    next[e] = *first;
    *first = e + 1;
  }
  for (int u = 0; u < n; u++)
    for (int e = head[u]; e;) {
      int following = next[e - 1], *mark = &seen[g->edge[2 * (size_t)e - 1]];
      next[e - 1] = *mark == u + 1; /* from here on: is it a repetition? */
      *mark = u + 1;
      e = following;
    }
  for (int e = 0; e < edges; e++)
    if (!next[e]) {
      memmove(g->edge + 2 * (size_t)kept, g->edge + 2 * (size_t)e,
              2 * sizeof *g->edge);
      kept++;
    }
  memory_put(m, next);
  memory_put(m, seen);
  memory_put(m, head);
  g->edge_count = kept;
  g->edge = memory_resize(m, g->edge, 2 * (size_t)kept, sizeof *g->edge);
}

static void build_rows(struct graph *g) {
  struct memory *m = g->memory;
  g->edge = g->build->edge;
  g->edge_count = (int)g->build->edges;
  g->build->edge = NULL;
  drop_repeated(g);
  g->succ_start = MEMORY_ARRAY(m, int, g->node_count + 1);
  g->pred_start = MEMORY_ARRAY(m, int, g->node_count + 1);
  g->succ = MEMORY_ARRAY(m, int, g->edge_count);
  g->pred = MEMORY_ARRAY(m, int, g->edge_count);
  fill_rows(g, 0, g->succ_start, g->succ);
  fill_rows(g, 1, g->pred_start, g->pred);
}

/* Generation by generation; returns how many nodes could be placed. */
static int place_generations(const struct graph *g, int *left, int *order) {
  int placed = 0;
  for (int v = 0; v < g->node_count; v++) {
    left[v] = g->pred_start[v + 1] - g->pred_start[v];
    if (!left[v])
      order[placed++] = v;
  }
  for (int k = 0; k < placed; k++)
    for (int e = g->succ_start[order[k]]; e < g->succ_start[order[k] + 1]; e++)
      if (!--left[g->succ[e]])
        order[placed++] = g->succ[e];
  return placed;
}

/* Every node that could not be placed has a predecessor that could not be
 * placed: walking these back must come round. */
static bool name_cycle(const struct graph *g, const int *left,
                       struct error *error) {
  int *visit = MEMORY_ARRAY(g->memory, int, g->node_count);
  int v = 0, steps = 0;
  while (!left[v])
    v++;
  for (; !visit[v]; steps++) {
    visit[v] = steps + 1;
    int e = g->pred_start[v];
    while (!left[g->pred[e]])
      e++;
    v = g->pred[e];
  }
  int length = steps + 1 - visit[v], first = visit[v], last = steps;
  char text[420] = "", id[64];
  size_t used = 0;
  int *at = MEMORY_ARRAY(g->memory, int, steps + 1);
  for (int u = 0; u < g->node_count; u++)
    at[visit[u]] = u;
  /* The walk went against the edges, so the cycle reads from last to first. */
  for (int k = last, shown = 0; k >= first && shown < 12; k--, shown++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s -> ",
                             used + 80 < sizeof text
                                 ? graph_id_text(g->node[at[k]].id, id, 30)
                                 : "...");
  error_set(error, STATUS_INPUT, "the graph has a cycle of %d nodes: %s%s%s",
            length, text, length > 12 ? "... -> " : "",
            graph_id_text(g->node[at[last]].id, id, 30));
  memory_put(g->memory, at);
  memory_put(g->memory, visit);
  return false;
}

static bool check_order(const struct graph *g, const int *order, int length,
                        int *place, struct error *error) {
  char a[64], b[64];
  for (int v = 0; v < g->node_count; v++)
    place[v] = -1;
  for (int k = 0; k < length; k++) {
    if (place[order[k]] >= 0)
      return error_set(error, STATUS_INPUT,
                       "order: node %s stands at places %d and %d, expected "
                       "every node once",
                       graph_id_text(g->node[order[k]].id, a, sizeof a),
                       place[order[k]], k);
    place[order[k]] = k;
  }
  for (int v = 0; v < g->node_count; v++) {
    if (place[v] < 0)
      return error_set(error, STATUS_INPUT,
                       "order: node %s is missing, expected every node once",
                       graph_id_text(g->node[v].id, a, sizeof a));
    for (int e = g->pred_start[v]; e < g->pred_start[v + 1]; e++)
      if (place[g->pred[e]] > place[v])
        return error_set(
            error, STATUS_INPUT,
            "order: node %s (place %d) stands before its input %s (place %d)",
            graph_id_text(g->node[v].id, a, sizeof a), place[v],
            graph_id_text(g->node[g->pred[e]].id, b, sizeof b),
            place[g->pred[e]]);
  }
  return true;
}

static bool check_nodes(const struct graph *g, struct error *error) {
  char id[80];
  int64_t bytes = g->fixed_memory, duration = 0;
  if (bytes < 0)
    return error_set(error, STATUS_INPUT,
                     "fixed_memory is %lld, expected at least 0",
                     (long long)bytes);
  for (int v = 0; v < g->node_count; v++) {
    const struct graph_node *node = &g->node[v];
    graph_id_text(node->id, id, sizeof id);
    const char *field = node->duration < 0       ? "duration"
                        : node->size < 0         ? "size"
                        : node->workspace < 0    ? "workspace"
                        : node->max_computes < 0 ? "max_computes"
                                                 : NULL;
    if (field)
      return error_set(error, STATUS_INPUT,
                       "node %s: %s is negative, expected at least 0", id,
                       field);
    if (!checked_add(&bytes, node->size) ||
        !checked_add(&bytes, node->workspace))
      return error_set(error, STATUS_INPUT,
                       "node %s: the bytes of all nodes up to it sum beyond "
                       "int64 (%lld)",
                       id, (long long)INT64_MAX);
    if (!checked_add(&duration, node->duration))
      return error_set(error, STATUS_INPUT,
                       "node %s: the durations of all nodes up to it sum "
                       "beyond int64 (%lld)",
                       id, (long long)INT64_MAX);
  }
  for (int u = 0; u < g->node_count; u++)
    for (int e = g->succ_start[u]; e < g->succ_start[u + 1]; e++)
      if (g->succ[e] == u)
        return error_set(error, STATUS_INPUT,
                         "node %s reads its own output (a self-loop)",
                         graph_id_text(g->node[u].id, id, sizeof id));
  return true;
}

bool graph_finish(struct graph *g, const int *order, int order_length,
                  struct error *error) {
  if (g->node_count > INT32_MAX / 2 || g->build->edges > INT32_MAX / 2)
    return error_set(error, STATUS_INPUT,
                     "more than %d nodes or edges cannot be handled",
                     INT32_MAX / 2);
  build_rows(g);
  if (!check_nodes(g, error))
    return false;
  g->order = MEMORY_ARRAY(g->memory, int, g->node_count);
  int *scratch = MEMORY_ARRAY(g->memory, int, g->node_count);
  bool ok = place_generations(g, scratch, g->order) == g->node_count ||
            name_cycle(g, scratch, error);
  if (ok && order) {
    ok = check_order(g, order, order_length, scratch, error);
    if (ok && g->node_count)
      memcpy(g->order, order, (size_t)g->node_count * sizeof *order);
    g->order_given = true;
  }
  memory_put(g->memory, scratch);
  return ok;
}
