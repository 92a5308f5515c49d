/* The arrays of node-link JSON: nodes, and links or edges. */
#include "graphs/read_json_private.h"

#include "graphs/number.h"
#include "solver/base/checked.h"

#include <stdio.h>
#include <string.h>

const char *reader_path(const struct graph_reader *r, const char *key,
                        struct json_path *path) {
  if (!r->array)
    snprintf(path->text, sizeof path->text, "graph%s%s", key ? "." : "",
             key ? key : "");
  else
    snprintf(path->text, sizeof path->text, "%s[%d]%s%s", r->array, r->index,
             key ? "." : "", key ? key : "");
  return path->text;
}

static bool twice(struct graph_reader *r, const char *key) {
  struct json_path path;
  return json_fail(r->j, r->j->start, "%s: \"%s\" is given twice",
                   reader_path(r, NULL, &path), key);
}

static bool token_int64(struct graph_reader *r, const char *key,
                        int64_t *value) {
  struct json *j = r->j;
  if (j->kind == JSON_NUMBER &&
      number_int64(j->text + j->start, j->end - j->start, value) == NUMBER_OK)
    return true;
  struct json_path path;
  return json_int64(j, reader_path(r, key, &path), value);
}

bool reader_integer(struct graph_reader *r, const char *key, int rank,
                    int64_t least, struct json_field *field) {
  struct json *j = r->j;
  struct json_path path;
  int64_t value;
  if (field->rank == rank)
    return twice(r, key);
  json_next(j);
  if (!token_int64(r, key, &value))
    return false;
  if (value < least)
    return json_fail(j, j->start, "%s: found %lld, expected at least %lld",
                     reader_path(r, key, &path), (long long)value,
                     (long long)least);
  if (!field->rank || rank < field->rank)
    *field = (struct json_field){rank, value};
  return true;
}

bool reader_id(struct graph_reader *r, const char *key,
               struct json_buffer *buffer, struct graph_id *id) {
  struct json *j = r->j;
  struct json_path path;
  *id = (struct graph_id){NULL, 0};
  if (j->kind == JSON_NUMBER)
    return token_int64(r, key, &id->number);
  if (j->kind != JSON_STRING)
    return json_fail(j, j->start, "%s: found %s, expected an integer or a text",
                     reader_path(r, key, &path), json_kind_name(j->kind));
  if (!json_text(j, buffer))
    return false;
  id->text = buffer->text;
  return true;
}

struct node_fields {
  struct json_field duration, size, workspace, max_computes, param_cost;
  struct graph_id id, name;
  bool has_id, has_name, has_keep, keep;
  size_t id_at;
};

/* A name that is neither text nor number is none, and no error. */
static bool read_identity(struct graph_reader *r, bool is_id,
                          struct node_fields *f) {
  struct json *j = r->j;
  const char *key = is_id ? "id" : "name";
  bool *has = is_id ? &f->has_id : &f->has_name;
  if (*has)
    return twice(r, key);
  json_next(j);
  if (!is_id && j->kind != JSON_STRING && j->kind != JSON_NUMBER)
    return json_skip(j);
  if (is_id || !f->has_id)
    f->id_at = j->start;
  *has = true;
  return is_id ? reader_id(r, key, &r->id_text, &f->id)
               : reader_id(r, key, &r->name, &f->name);
}

static bool read_keep(struct graph_reader *r, struct node_fields *f) {
  struct json *j = r->j;
  struct json_path path;
  if (f->has_keep)
    return twice(r, "keep");
  json_next(j);
  f->has_keep = true;
  f->keep = j->kind == JSON_TRUE;
  return f->keep || j->kind == JSON_FALSE ||
         json_fail(j, j->start, "%s: found %s, expected true or false",
                   reader_path(r, "keep", &path), json_kind_name(j->kind));
}

static bool read_node_key(struct graph_reader *r, struct node_fields *f) {
  const struct {
    const char *key;
    int rank, least;
    struct json_field *field;
  } integer[] = {
      {"duration", 1, 0, &f->duration},
      {"cost_cpu", 2, 0, &f->duration},
      {"size", 1, 0, &f->size},
      {"cost_ram", 2, 0, &f->size},
      {"out_cost", 3, 0, &f->size},
      {"workspace", 1, 0, &f->workspace},
      {"param_cost", 1, 0, &f->param_cost},
      {"max_computes", 1, 1, &f->max_computes},
  };
  struct json *j = r->j;
  if (json_key_is(j, "id") || json_key_is(j, "name"))
    return read_identity(r, json_key_is(j, "id"), f);
  if (json_key_is(j, "keep"))
    return read_keep(r, f);
  for (size_t i = 0; i < sizeof integer / sizeof integer[0]; i++)
    if (json_key_is(j, integer[i].key))
      return reader_integer(r, integer[i].key, integer[i].rank,
                            integer[i].least, integer[i].field);
  return json_skip(j);
}

static bool add_node(struct graph_reader *r, size_t start,
                     const struct node_fields *f) {
  struct graph *g = r->graph;
  struct json *j = r->j;
  struct json_path path;
  char id[80];
  if (!f->duration.rank)
    return json_fail(j, start,
                     "%s: has no duration, expected \"duration\" or "
                     "\"cost_cpu\"",
                     reader_path(r, NULL, &path));
  if (!f->size.rank)
    return json_fail(j, start,
                     "%s: has no size, expected \"size\", \"cost_ram\" or "
                     "\"out_cost\"",
                     reader_path(r, NULL, &path));
  if (f->max_computes.value > INT32_MAX)
    return json_fail(j, start, "%s: found %lld, expected at most %d",
                     reader_path(r, "max_computes", &path),
                     (long long)f->max_computes.value, INT32_MAX);
  if (!checked_add(&g->fixed_memory, f->param_cost.value))
    return json_fail(j, start,
                     "%s: fixed_memory and the sum of all param_cost go "
                     "beyond int64",
                     reader_path(r, "param_cost", &path));
  struct graph_node node = {
      .id = f->has_id     ? f->id
            : f->has_name ? f->name
                          : (struct graph_id){NULL, g->node_count},
      .name = f->has_name && f->name.text ? f->name.text : "",
      .duration = f->duration.value,
      .size = f->size.value,
      .workspace = f->workspace.value,
      .max_computes = (int32_t)f->max_computes.value,
      .keep = f->keep};
  if (graph_add_node(g, &node) < 0)
    return json_fail(j, f->id_at ? f->id_at : start,
                     "%s: the id %s is taken already by nodes[%d], expected "
                     "each id once",
                     reader_path(r, NULL, &path),
                     graph_id_text(node.id, id, sizeof id),
                     graph_find(g, node.id));
  return true;
}

/* The start of element `index` of the array being read, an object. */
static bool at_object(struct graph_reader *r) {
  struct json *j = r->j;
  struct json_path path;
  if (r->index >= INT32_MAX / 2)
    return json_fail(j, j->start, "%s: more than %d elements cannot be handled",
                     r->array, INT32_MAX / 2);
  return j->kind == JSON_OBJECT ||
         json_fail(j, j->start, "%s: found %s, expected an object",
                   reader_path(r, NULL, &path), json_kind_name(j->kind));
}

bool reader_nodes(struct graph_reader *r) {
  struct json *j = r->j;
  if (!json_expect(j, JSON_ARRAY, "nodes"))
    return false;
  r->array = "nodes";
  for (r->index = 0; json_element(j); r->index++) {
    struct node_fields f = {.keep = false};
    size_t start = j->start;
    if (!at_object(r))
      return false;
    while (json_member(j))
      if (!read_node_key(r, &f))
        return false;
    if (j->kind == JSON_ERROR || !add_node(r, start, &f))
      return false;
  }
  r->array = NULL;
  return j->kind != JSON_ERROR;
}

struct end {
  int rank, node;
};

static bool read_end(struct graph_reader *r, const char *key, int rank,
                     struct end *end) {
  struct json *j = r->j;
  struct json_path path;
  struct graph_id found;
  char id[80];
  if (end->rank == rank)
    return twice(r, key);
  json_next(j);
  if (!reader_id(r, key, &r->id_text, &found))
    return false;
  int node = graph_find(r->graph, found);
  if (node < 0)
    return json_fail(
        j, j->start, "%s: no node has the id %s, expected the id of a node",
        reader_path(r, key, &path), graph_id_text(found, id, sizeof id));
  if (!end->rank || rank < end->rank)
    *end = (struct end){rank, node};
  return true;
}

static bool read_edge(struct graph_reader *r) {
  static const char *const key[] = {"source", "0", "target", "1"};
  struct json *j = r->j;
  struct json_path path;
  char id[80];
  size_t start = j->start;
  struct end end[2] = {{0, 0}, {0, 0}};
  while (json_member(j)) {
    int k = 0;
    while (k < 4 && !json_key_is(j, key[k]))
      k++;
    if (k < 4 ? !read_end(r, key[k], 1 + k % 2, &end[k / 2]) : !json_skip(j))
      return false;
  }
  if (j->kind == JSON_ERROR)
    return false;
  if (!end[0].rank || !end[1].rank)
    return json_fail(
        j, start, "%s: has no %s, expected %s", reader_path(r, NULL, &path),
        end[0].rank ? "target" : "source",
        end[0].rank ? "\"target\" or \"1\"" : "\"source\" or \"0\"");
  if (end[0].node == end[1].node)
    return json_fail(
        j, start, "%s: node %s reads its own output (a self-loop)",
        reader_path(r, NULL, &path),
        graph_id_text(r->graph->node[end[0].node].id, id, sizeof id));
  graph_add_edge(r->graph, end[0].node, end[1].node);
  return true;
}

bool reader_edges(struct graph_reader *r, const char *key) {
  struct json *j = r->j;
  if (!json_expect(j, JSON_ARRAY, key))
    return false;
  r->array = key;
  for (r->index = 0; json_element(j); r->index++)
    if (!at_object(r) || !read_edge(r))
      return false;
  r->array = NULL;
  return j->kind != JSON_ERROR;
}
