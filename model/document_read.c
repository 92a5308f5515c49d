/* Reading schedules: our document, a JSON list of ids, or bare ids. */
#include "graphs/json.h"
#include "graphs/number.h"
#include "graphs/read.h"
#include "model/document.h"

#include <stdlib.h>
#include <string.h>

struct reader {
  struct memory *memory;
  const struct graph *graph;
  const char *name;
  struct document_input *out;
  int capacity;
  struct json_buffer text;
  struct error *error;
};

static void append(struct reader *r, int node) {
  MEMORY_GROW(r->memory, r->out->sequence, r->out->length, r->capacity);
  r->out->sequence[r->out->length++] = node;
}

/* Tools differ in whether they quote ids: an id that is not found as it
 * stands is tried as the other kind. */
static int find(const struct graph *g, struct graph_id id) {
  int node = graph_find(g, id);
  if (node >= 0)
    return node;
  if (!id.text) {
    char text[24];
    graph_id_text(id, text, sizeof text);
    return graph_find(g, (struct graph_id){text, 0});
  }
  int64_t number;
  size_t length = strlen(id.text);
  if (number_length(id.text, length) == length && length &&
      number_int64(id.text, length, &number) == NUMBER_OK)
    return graph_find(g, (struct graph_id){NULL, number});
  return -1;
}

/* The id at the JSON token just read. */
static bool json_id(struct reader *r, struct json *j) {
  struct graph_id id = {NULL, 0};
  if (j->kind == JSON_STRING) {
    if (!json_text(j, &r->text))
      return false;
    id.text = r->text.text;
  } else if (!json_int64(j, "a node id", &id.number)) {
    return false;
  }
  int node = find(r->graph, id);
  char name[80];
  if (node < 0)
    return json_fail(j, j->start, "the graph has no node %s",
                     graph_id_text(id, name, sizeof name));
  append(r, node);
  return true;
}

static bool json_sequence(struct reader *r, struct json *j) {
  if (j->kind != JSON_ARRAY)
    return json_fail(j, j->start, "found %s, expected the list of node ids",
                     json_kind_name(j->kind));
  r->out->length = 0;
  while (json_element(j))
    if (!json_id(r, j))
      return false;
  return j->kind == JSON_ARRAY_END;
}

static bool json_scope(struct reader *r, struct json *j) {
  if (!json_expect(j, JSON_OBJECT, "scope"))
    return false;
  while (json_member(j)) {
    if (json_key_is(j, "order")) {
      if (!json_expect(j, JSON_STRING, "order") || !json_text(j, &r->text))
        return false;
      r->out->order_given = true;
      r->out->free_order = !strcmp(r->text.text, "free");
    } else if (json_key_is(j, "max_computes")) {
      int64_t count = 0;
      if (json_next(j) != JSON_NULL && !json_int64(j, "max_computes", &count))
        return false;
      r->out->computes_given = true;
      r->out->max_computes = count < 0 || count > 1000000000 ? 0 : (int)count;
    } else {
      json_skip(j);
    }
  }
  return j->kind == JSON_OBJECT_END;
}

/* A number that may be null; *given tells. */
static bool json_optional(struct json *j, const char *what, int64_t *value,
                          bool *given) {
  if (json_next(j) == JSON_NULL)
    return true;
  *given = true;
  return json_int64(j, what, value);
}

static bool json_document(struct reader *r, struct json *j) {
  bool found = false, ignored;
  while (json_member(j)) {
    bool ok = true;
    if (json_key_is(j, "sequence")) {
      json_next(j);
      ok = json_sequence(r, j);
      found = true;
    } else if (json_key_is(j, "scope")) {
      ok = json_scope(r, j);
    } else if (json_key_is(j, "budget")) {
      ok = json_optional(j, "budget", &r->out->budget, &r->out->budget_given);
    } else if (json_key_is(j, "peak_memory")) {
      ok = json_optional(j, "peak_memory", &r->out->peak, &ignored);
    } else if (json_key_is(j, "duration")) {
      ok = json_optional(j, "duration", &r->out->duration, &ignored);
    } else if (json_key_is(j, "duration_lower_bound")) {
      ok = json_optional(j, "duration_lower_bound",
                         &r->out->duration_lower_bound, &ignored);
    } else if (json_key_is(j, "status")) {
      ok = json_expect(j, JSON_STRING, "status") && json_text(j, &r->text);
      r->out->optimal = ok && !strcmp(r->text.text, "optimal");
    } else {
      ok = json_skip(j);
    }
    if (!ok)
      return false;
  }
  if (j->kind != JSON_OBJECT_END)
    return false;
  return found ||
         error_set(r->error, STATUS_INPUT,
                   "%s: no key \"sequence\", expected a schedule document",
                   r->name);
}

static bool read_json(struct reader *r, const char *bytes, size_t size) {
  struct json j;
  json_open(&j, r->memory, r->name, bytes, size, r->error);
  json_next(&j);
  bool ok = j.kind == JSON_OBJECT ? json_document(r, &j) : json_sequence(r, &j);
  if (ok)
    json_next(&j); /* nothing may follow */
  return json_close(&j) && ok;
}

static bool line_id(struct reader *r, const char *word, size_t length,
                    long line) {
  char shown[80];
  struct graph_id id = {NULL, 0};
  if (length >= 2 && word[0] == '"' && word[length - 1] == '"') {
    struct json j;
    json_open(&j, r->memory, r->name, word, length, r->error);
    if (json_next(&j) != JSON_STRING || !json_text(&j, &r->text))
      return false;
    json_leave(&j);
    id.text = r->text.text;
  } else {
    id.text = memory_text(r->memory, word, length);
  }
  int node = find(r->graph, id);
  if (node < 0)
    return error_set(r->error, STATUS_INPUT, "%s:%ld: the graph has no node %s",
                     r->name, line, graph_id_text(id, shown, sizeof shown));
  append(r, node);
  if (id.text != r->text.text)
    memory_put(r->memory, (void *)(uintptr_t)id.text);
  return true;
}

static bool read_lines(struct reader *r, const char *bytes, size_t size) {
  const char *end = bytes + size;
  long line = 1;
  for (const char *c = bytes; c < end; line++) {
    const char *stop = memchr(c, '\n', (size_t)(end - c));
    const char *next = stop ? stop + 1 : end;
    if (!stop)
      stop = end;
    while (c < stop && (*c == ' ' || *c == '\t'))
      c++;
    while (stop > c &&
           (stop[-1] == ' ' || stop[-1] == '\t' || stop[-1] == '\r'))
      stop--;
    if (c < stop && *c != '#' && !line_id(r, c, (size_t)(stop - c), line))
      return false;
    c = next;
  }
  return true;
}

bool document_read(struct memory *m, const char *path, const struct graph *g,
                   struct document_input *out, struct error *error) {
  char *bytes;
  size_t size;
  *out = (struct document_input){
      .peak = -1, .duration = -1, .duration_lower_bound = -1};
  if (!read_file(m, path, &bytes, &size, error))
    return false;
  struct reader r = {.memory = m,
                     .graph = g,
                     .name = strcmp(path, "-") ? path : "standard input",
                     .out = out,
                     .error = error};
  size_t first = 0;
  while (first < size && memchr(" \t\r\n", bytes[first], 4))
    first++;
  bool json = first < size && (bytes[first] == '{' || bytes[first] == '[');
  bool ok = json ? read_json(&r, bytes, size) : read_lines(&r, bytes, size);
  if (ok && !out->length && g->node_count)
    ok =
        error_set(error, STATUS_INPUT, "%s: the schedule has no steps", r.name);
  memory_put(m, r.text.text);
  memory_put(m, bytes);
  return ok;
}
