/* Text records to a graph, in two visits: nodes and graph, then edges and
 * order, so that records may come in any order. */
#include "graphs/read_private.h"

#include "graphs/json.h"
#include "graphs/number.h"
#include "graphs/utf8.h"
#include "solver/base/checked.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct text_reader {
  const struct source *source;
  struct graph *graph;
  size_t at, line_start; /* of the line being read */
  int line;
  size_t field_start; /* the field just read, for messages */
  const char *field;  /* its bytes; in quotes: decoded */
  size_t field_length;
  bool quoted;
  struct json_buffer decoded, id_text;
  bool named, has_fixed, failed;
  int *order;
  int order_length;
};

static bool fail(struct text_reader *t, size_t at, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

static bool fail(struct text_reader *t, size_t at, const char *format, ...) {
  size_t column = 1;
  for (size_t i = t->line_start; i < at; i++)
    column += ((unsigned char)t->source->bytes[i] & 0xc0) != 0x80;
  char message[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  t->failed = true;
  return error_set(t->source->error, STATUS_INPUT, "%.150s:%d:%zu: %s",
                   t->source->name, t->line, column, message);
}

static bool ends_line(const struct text_reader *t) {
  const struct source *s = t->source;
  return t->at >= s->length || s->bytes[t->at] == '\n';
}

/* A quoted field is read by the JSON reader, for one grammar of escapes. */
static bool read_quoted(struct text_reader *t) {
  const struct source *s = t->source;
  size_t end = t->at;
  while (end < s->length && s->bytes[end] != '\n')
    end++;
  struct error inner = {STATUS_OK, ""};
  struct json j;
  json_open(&j, s->memory, "", s->bytes, end, &inner);
  j.at = t->at;
  if (json_next(&j) != JSON_STRING || !json_text(&j, &t->decoded)) {
    const char *what = strstr(inner.text, ": ");
    return fail(t, t->at, "%s", what ? what + 2 : "expected a text in quotes");
  }
  t->field = t->decoded.text;
  t->field_length = t->decoded.length;
  t->at = j.at;
  return ends_line(t) || strchr(" \t\r", s->bytes[t->at]) ||
         fail(t, t->at, "expected a blank behind the closing quote");
}

/* The next field of the line; false at its end, or after an error. */
static bool next_field(struct text_reader *t) {
  const struct source *s = t->source;
  while (!ends_line(t) && (s->bytes[t->at] == ' ' || s->bytes[t->at] == '\t' ||
                           s->bytes[t->at] == '\r'))
    t->at++;
  t->field_start = t->at;
  t->field_length = 0;
  t->quoted = !ends_line(t) && s->bytes[t->at] == '"';
  if (ends_line(t) || s->bytes[t->at] == '#')
    return false;
  if (t->quoted)
    return read_quoted(t);
  t->field = s->bytes + t->at;
  while (!ends_line(t)) {
    unsigned char c = (unsigned char)s->bytes[t->at];
    if (c == ' ' || c == '\t' || c == '\r')
      break;
    size_t length = utf8_length(s->bytes + t->at, s->length - t->at);
    if (c < ' ' || !length)
      return fail(t, t->at, "byte 0x%02x, expected UTF-8 text", c);
    t->at += length;
  }
  t->field_length = (size_t)(s->bytes + t->at - t->field);
  return true;
}

static bool need_field(struct text_reader *t, const char *what) {
  return next_field(t) ||
         (!t->failed && fail(t, t->field_start, "expected %s", what));
}

static bool no_more_fields(struct text_reader *t, const char *what) {
  return (!next_field(t) && !t->failed) ||
         (!t->failed &&
          fail(t, t->field_start, "found %.*s, expected nothing behind %s",
               t->field_length > 40 ? 40 : (int)t->field_length, t->field,
               what));
}

static bool bytes_int64(struct text_reader *t, const char *bytes, size_t length,
                        const char *what, int64_t least, int64_t *value) {
  enum number_result result = number_int64(bytes, length, value);
  int shown = length > 40 ? 40 : (int)length;
  if (result != NUMBER_OK)
    return fail(t, t->field_start, "%s: %.*s is %s, expected an integer", what,
                shown, bytes,
                result == NUMBER_RANGE      ? "beyond int64"
                : result == NUMBER_FRACTION ? "no integer"
                                            : "no number");
  return *value >= least ||
         fail(t, t->field_start, "%s: found %.*s, expected at least %lld", what,
              shown, bytes, (long long)least);
}

static bool need_int64(struct text_reader *t, const char *what,
                       int64_t *value) {
  return need_field(t, what) &&
         bytes_int64(t, t->quoted ? "\"\"" : t->field,
                     t->quoted ? 2 : t->field_length, what, 0, value);
}

/* Is the field an integer as ids write it: [-]digits, no leading zeros? */
static bool looks_integer(const char *field, size_t length) {
  if (number_length(field, length) != length || !length)
    return false;
  for (size_t i = 0; i < length; i++)
    if (field[i] == '.' || (field[i] | 32) == 'e')
      return false;
  return length < 2 || field[0] != '-' || field[1] != '0';
}

/* Copies the field, NUL-terminated. */
static const char *field_text(struct text_reader *t, struct json_buffer *b) {
  if (b->capacity <= t->field_length) {
    b->capacity = 2 * t->field_length + 16;
    b->text = memory_resize(t->source->memory, b->text, b->capacity, 1);
  }
  memcpy(b->text, t->field, t->field_length);
  b->text[t->field_length] = 0;
  return b->text;
}

static bool field_id(struct text_reader *t, struct graph_id *id) {
  *id = (struct graph_id){NULL, 0};
  if (!t->quoted && looks_integer(t->field, t->field_length))
    return bytes_int64(t, t->field, t->field_length, "id", INT64_MIN,
                       &id->number);
  id->text = field_text(t, &t->id_text);
  return true;
}

static bool need_node(struct text_reader *t, const char *what, int *node) {
  struct graph_id id;
  char text[80];
  if (!need_field(t, what) || !field_id(t, &id))
    return false;
  *node = graph_find(t->graph, id);
  return *node >= 0 || fail(t, t->field_start,
                            "no node has the id %s, expected the id of a node",
                            graph_id_text(id, text, sizeof text));
}

/* A field key=value behind the name of a node. */
static bool read_option(struct text_reader *t, struct graph_node *node) {
  const char *equals = memchr(t->field, '=', t->field_length);
  size_t key = (size_t)(equals - t->field);
  const char *value = equals + 1;
  size_t length = t->field_length - key - 1;
  int64_t number;
  if (key == 9 && !memcmp(t->field, "workspace", 9))
    return bytes_int64(t, value, length, "workspace", 0, &node->workspace);
  if (key == 4 && !memcmp(t->field, "keep", 4)) {
    if (!bytes_int64(t, value, length, "keep", 0, &number))
      return false;
    node->keep = number == 1;
    return number <= 1 || fail(t, t->field_start, "keep: expected 0 or 1");
  }
  if (key != 12 || memcmp(t->field, "max_computes", 12) != 0)
    return fail(t, t->field_start,
                "unknown option %.*s, expected workspace=, keep= or "
                "max_computes=",
                key > 40 ? 40 : (int)key, t->field);
  if (!bytes_int64(t, value, length, "max_computes", 1, &number))
    return false;
  node->max_computes = (int32_t)number;
  return number <= INT32_MAX ||
         fail(t, t->field_start, "max_computes: expected at most %d",
              INT32_MAX);
}

static bool read_node(struct text_reader *t) {
  struct graph_node node = {.name = ""};
  struct json_buffer name = {NULL, 0, 0};
  if (!need_field(t, "an id"))
    return false;
  size_t id_at = t->field_start;
  if (!field_id(t, &node.id) || !need_int64(t, "duration", &node.duration) ||
      !need_int64(t, "size", &node.size))
    return false;
  bool named = false, optioned = false;
  while (next_field(t)) {
    if (!t->quoted && memchr(t->field, '=', t->field_length)) {
      optioned = true;
      if (!read_option(t, &node))
        return false;
    } else if (named || optioned) {
      return fail(t, t->field_start, "expected an option key=value");
    } else {
      named = true;
      node.name = field_text(t, &name);
    }
  }
  if (t->failed)
    return false;
  char text[80];
  if (t->graph->node_count >= INT32_MAX / 2)
    return fail(t, id_at, "more than %d nodes cannot be handled",
                INT32_MAX / 2);
  if (graph_add_node(t->graph, &node) < 0)
    return fail(t, id_at, "the id %s is taken already, expected each id once",
                graph_id_text(node.id, text, sizeof text));
  memory_put(t->source->memory, name.text);
  return true;
}

static bool read_edge(struct text_reader *t) {
  int from, to;
  char text[80];
  if (!need_node(t, "the id of the node that is read", &from) ||
      !need_node(t, "the id of the node that reads", &to) ||
      !no_more_fields(t, "the two nodes"))
    return false;
  if (from == to)
    return fail(t, t->line_start, "node %s reads its own output (a self-loop)",
                graph_id_text(t->graph->node[to].id, text, sizeof text));
  graph_add_edge(t->graph, from, to);
  return true;
}

static bool read_order(struct text_reader *t) {
  int n = t->graph->node_count;
  if (!t->order)
    t->order = MEMORY_ARRAY(t->source->memory, int, n);
  struct graph_id id;
  char text[80];
  while (next_field(t)) {
    if (!field_id(t, &id))
      return false;
    int node = graph_find(t->graph, id);
    if (node < 0)
      return fail(t, t->field_start,
                  "order: no node has the id %s, expected the id of a node",
                  graph_id_text(id, text, sizeof text));
    if (t->order_length == n)
      return fail(t, t->field_start, "order: expected only the %d nodes", n);
    t->order[t->order_length++] = node;
  }
  return !t->failed;
}

static bool read_graph_record(struct text_reader *t) {
  if (t->named)
    return fail(t, t->line_start, "a second graph record, expected one");
  t->named = true;
  if (!need_field(t, "the graph's name"))
    return false;
  t->graph->name = memory_text(t->source->memory, t->field, t->field_length);
  return no_more_fields(t, "the name (use quotes for a name with blanks)");
}

static bool read_fixed(struct text_reader *t) {
  if (t->has_fixed)
    return fail(t, t->line_start, "a second fixed record, expected one");
  t->has_fixed = true;
  return need_int64(t, "bytes", &t->graph->fixed_memory) &&
         no_more_fields(t, "the bytes");
}

/* One line in visit 1 (nodes and graph) or 2 (edges and order). */
static bool read_line(struct text_reader *t, int visit) {
  static const struct {
    const char *keyword;
    int visit;
    bool (*read)(struct text_reader *);
  } record[] = {{"edge", 2, read_edge},
                {"node", 1, read_node},
                {"order", 2, read_order},
                {"graph", 1, read_graph_record},
                {"fixed", 1, read_fixed}};
  if (!next_field(t))
    return !t->failed;
  for (size_t i = 0; i < sizeof record / sizeof record[0]; i++)
    if (!t->quoted && t->field_length == strlen(record[i].keyword) &&
        !memcmp(t->field, record[i].keyword, t->field_length))
      return record[i].visit != visit || record[i].read(t);
  return fail(t, t->field_start,
              "found %.*s, expected graph, fixed, node, edge or order",
              t->field_length > 40 ? 40 : (int)t->field_length, t->field);
}

struct graph *read_text_graph(const struct source *s, int **order,
                              int *length) {
  struct text_reader t = {.source = s, .graph = graph_new(s->memory)};
  for (int visit = 1; visit <= 2 && !t.failed; visit++) {
    t.line = 0;
    t.at = s->length >= 3 && !memcmp(s->bytes, "\xef\xbb\xbf", 3) ? 3 : 0;
    while (t.at < s->length && !t.failed) {
      t.line_start = t.at;
      t.line++;
      if (!read_line(&t, visit))
        break;
      const char *end = memchr(s->bytes + t.at, '\n', s->length - t.at);
      t.at = end ? (size_t)(end - s->bytes) + 1 : s->length;
    }
  }
  memory_put(s->memory, t.decoded.text);
  memory_put(s->memory, t.id_text.text);
  *order = t.order;
  *length = t.order_length;
  return t.failed ? NULL : t.graph;
}
