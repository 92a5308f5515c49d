/* Node-link JSON to a graph: the top level.  The keys of an object come in any
 * order, so edges that stand before the nodes, and the order, are read in a
 * second visit, from the place where the first one saw them. */
#include "graphs/read_json_private.h"

#include "solver/base/checked.h"

#include <string.h>

#define NOWHERE SIZE_MAX

/* Where the parts begin; NOWHERE: not seen yet. */
struct places {
  size_t nodes, edges, graph, order;
  const char *edges_key; /* "links" or "edges", NULL: not seen yet */
  bool undirected;
};

struct attributes {
  struct json_field fixed;
  bool named;
};

static bool read_name(struct graph_reader *r, bool *named) {
  struct json *j = r->j;
  if (*named)
    return json_fail(j, j->start, "graph: \"name\" is given twice");
  *named = true;
  json_next(j);
  if (j->kind != JSON_STRING)
    return json_skip(j);
  if (!json_text(j, &r->name))
    return false;
  r->graph->name = memory_text(r->graph->memory, r->name.text, r->name.length);
  return true;
}

/* At a key of `graph`, or at the first of a pair; its value comes next. */
static bool read_attribute(struct graph_reader *r, struct places *p,
                           struct attributes *a) {
  struct json *j = r->j;
  if (json_key_is(j, "fixed_memory"))
    return reader_integer(r, "fixed_memory", 1, 0, &a->fixed);
  if (json_key_is(j, "name"))
    return read_name(r, &a->named);
  if (!json_key_is(j, "order")) {
    json_next(j);
    return json_skip(j);
  }
  if (p->order != NOWHERE)
    return json_fail(j, j->start, "graph: \"order\" is given twice");
  json_next(j);
  p->order = j->start;
  return json_skip(j);
}

static bool read_pairs(struct graph_reader *r, struct places *p,
                       struct attributes *a) {
  struct json *j = r->j;
  while (json_element(j)) {
    if (j->kind != JSON_ARRAY)
      return json_fail(j, j->start,
                       "graph: found %s, expected a pair [\"key\", value]",
                       json_kind_name(j->kind));
    if (!json_expect(j, JSON_STRING, "graph: the key of a pair") ||
        !read_attribute(r, p, a) ||
        !json_expect(j, JSON_ARRAY_END, "graph: behind the value of a pair"))
      return false;
  }
  return j->kind != JSON_ERROR;
}

static bool read_attributes(struct graph_reader *r, struct places *p) {
  struct json *j = r->j;
  struct attributes a = {.named = false};
  bool ok = true;
  switch (json_next(j)) {
  case JSON_ARRAY:
    ok = read_pairs(r, p, &a);
    break;
  case JSON_OBJECT:
    while (ok && json_member(j))
      ok = read_attribute(r, p, &a);
    break;
  default:
    ok = json_fail(j, j->start,
                   "graph: found %s, expected an object or a list of pairs",
                   json_kind_name(j->kind));
  }
  if (!ok || j->kind == JSON_ERROR)
    return false;
  return checked_add(&r->graph->fixed_memory, a.fixed.value) ||
         json_fail(j, p->graph,
                   "graph.fixed_memory: goes beyond int64 with the sum of all "
                   "param_cost");
}

static bool read_top_key(struct graph_reader *r, struct places *p) {
  struct json *j = r->j;
  size_t at = j->start;
  if (json_key_is(j, "nodes")) {
    if (p->nodes != NOWHERE)
      return json_fail(j, at, "\"nodes\" is given twice");
    p->nodes = at;
    return reader_nodes(r);
  }
  if (json_key_is(j, "graph")) {
    if (p->graph != NOWHERE)
      return json_fail(j, at, "\"graph\" is given twice");
    p->graph = at;
    return read_attributes(r, p);
  }
  if (json_key_is(j, "directed")) {
    json_next(j);
    p->undirected = j->kind == JSON_FALSE;
    return json_skip(j);
  }
  if (!json_key_is(j, "links") && !json_key_is(j, "edges"))
    return json_skip(j);
  const char *key = json_key_is(j, "links") ? "links" : "edges";
  if (p->edges_key)
    return json_fail(j, at, "\"%s\" after \"%s\", expected the edges once", key,
                     p->edges_key);
  p->edges_key = key;
  if (p->nodes != NOWHERE)
    return reader_edges(r, key);
  json_next(j);
  p->edges = j->start;
  return json_skip(j);
}

static bool read_order(struct graph_reader *r, int **order, int *length) {
  struct json *j = r->j;
  struct graph *g = r->graph;
  struct json_path path;
  char text[80];
  if (!json_expect(j, JSON_ARRAY, "graph.order"))
    return false;
  *order = MEMORY_ARRAY(g->memory, int, g->node_count);
  r->array = "graph.order";
  for (r->index = 0; json_element(j); r->index++) {
    struct graph_id id;
    if (!reader_id(r, NULL, &r->id_text, &id))
      return false;
    int node = graph_find(g, id);
    if (node < 0)
      return json_fail(
          j, j->start, "%s: no node has the id %s, expected the id of a node",
          reader_path(r, NULL, &path), graph_id_text(id, text, sizeof text));
    if (r->index >= g->node_count)
      return json_fail(j, j->start, "%s: expected only the %d nodes",
                       reader_path(r, NULL, &path), g->node_count);
    (*order)[r->index] = node;
  }
  *length = r->index;
  return j->kind != JSON_ERROR;
}

static bool read_whole(struct graph_reader *r, struct places *p) {
  struct json *j = r->j;
  bool ok = json_expect(j, JSON_OBJECT, "the graph");
  while (ok && json_member(j))
    ok = read_top_key(r, p);
  ok = json_close(j) && ok;
  if (ok && p->nodes == NOWHERE)
    ok = json_fail(j, 0, "the graph has no \"nodes\", expected an array");
  return ok;
}

struct graph *read_json_graph(const struct source *s, int **order,
                              int *length) {
  struct json whole, part;
  struct graph_reader r = {.j = &whole, .graph = graph_new(s->memory)};
  struct places p = {NOWHERE, NOWHERE, NOWHERE, NOWHERE, NULL, false};
  json_open(&whole, s->memory, s->name, s->bytes, s->length, s->error);
  bool ok = read_whole(&r, &p);
  r.j = &part;
  if (ok && p.edges != NOWHERE) {
    json_open_value(&part, &whole, p.edges);
    ok = reader_edges(&r, p.edges_key);
    json_leave(&part);
  }
  if (ok && p.order != NOWHERE) {
    json_open_value(&part, &whole, p.order);
    ok = read_order(&r, order, length);
    json_leave(&part);
  }
  memory_put(s->memory, r.id_text.text);
  memory_put(s->memory, r.name.text);
  if (ok && p.undirected)
    note(s, "%.100s: \"directed\" is false, edges are read as source to target",
         s->name);
  return ok ? r.graph : NULL;
}
