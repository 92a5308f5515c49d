#include "graphs/write.h"

#include "graphs/json_write.h"
#include "solver/base/stream.h"

#include <inttypes.h>
#include <string.h>

bool graph_format_by_name(const char *name, enum graph_format *format) {
  static const struct {
    const char *name;
    enum graph_format format;
  } known[] = {{"json", GRAPH_JSON},
               {"text", GRAPH_TEXT},
               {"txt", GRAPH_TEXT},
               {"dot", GRAPH_DOT}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (!strcmp(name, known[i].name)) {
      *format = known[i].format;
      return true;
    }
  return false;
}

const char *graph_bytes_text(int64_t bytes, char *buffer) {
  static const char *const unit[] = {"B",   "KiB", "MiB", "GiB",
                                     "TiB", "PiB", "EiB"};
  double value = (double)bytes;
  size_t u = 0;
  for (; value >= 1000 && u < 6; u++)
    value /= 1024;
  int decimals = !u || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  snprintf(buffer, 16, "%.*f %s", decimals, value, unit[u]);
  return buffer;
}

static void json_id(struct json_writer *w, struct graph_id id) {
  if (id.text)
    json_write_text(w, id.text);
  else
    json_write_int64(w, id.number);
}

static void json_number(struct json_writer *w, const char *key, int64_t value) {
  json_write_key(w, key);
  json_write_int64(w, value);
}

static void json_node(struct json_writer *w, const struct graph_node *node) {
  json_write_open(w, '{', false);
  json_write_key(w, "id");
  json_id(w, node->id);
  if (node->name[0]) {
    json_write_key(w, "name");
    json_write_text(w, node->name);
  }
  json_number(w, "duration", node->duration);
  json_number(w, "size", node->size);
  if (node->workspace)
    json_number(w, "workspace", node->workspace);
  if (node->max_computes)
    json_number(w, "max_computes", node->max_computes);
  if (node->keep) {
    json_write_key(w, "keep");
    json_write_bool(w, true);
  }
  json_write_close(w);
}

static void json_attributes(struct json_writer *w, const struct graph *g) {
  json_write_key(w, "graph");
  json_write_open(w, '{', false);
  if (g->name[0]) {
    json_write_key(w, "name");
    json_write_text(w, g->name);
  }
  if (g->fixed_memory)
    json_number(w, "fixed_memory", g->fixed_memory);
  if (g->order_given) {
    json_write_key(w, "order");
    json_write_open(w, '[', false);
    for (int k = 0; k < g->node_count; k++)
      json_id(w, g->node[g->order[k]].id);
    json_write_close(w);
  }
  json_write_close(w);
}

static void write_json(const struct graph *g, FILE *out) {
  struct json_writer w = json_writer_new(out);
  json_write_open(&w, '{', true);
  json_write_key(&w, "directed");
  json_write_bool(&w, true);
  json_write_key(&w, "multigraph");
  json_write_bool(&w, false);
  json_attributes(&w, g);
  json_write_key(&w, "nodes");
  json_write_open(&w, '[', true);
  for (int v = 0; v < g->node_count; v++)
    json_node(&w, &g->node[v]);
  json_write_close(&w);
  json_write_key(&w, "links");
  json_write_open(&w, '[', true);
  for (size_t e = 0; e < (size_t)g->edge_count; e++) {
    json_write_open(&w, '{', false);
    json_write_key(&w, "source");
    json_id(&w, g->node[g->edge[2 * e]].id);
    json_write_key(&w, "target");
    json_id(&w, g->node[g->edge[2 * e + 1]].id);
    json_write_close(&w);
  }
  json_write_close(&w);
  json_write_close(&w);
  json_writer_finish(&w);
}

/* A text field, in quotes where the reader would take it for something else:
 * a number, an option, a comment, an end. */
static void text_field(FILE *out, const char *text) {
  bool quote = !text[0] || text[0] == '#' || text[0] == '-' ||
               (text[0] >= '0' && text[0] <= '9');
  for (const char *c = text; *c && !quote; c++)
    quote = (unsigned char)*c <= ' ' || strchr("\"\\=\x7f", *c);
  fputc(' ', out);
  if (quote)
    json_write_quoted(out, text);
  else
    fputs(text, out);
}

static void text_id(FILE *out, struct graph_id id) {
  if (id.text)
    text_field(out, id.text);
  else
    fprintf(out, " %" PRId64, id.number);
}

static void text_node(FILE *out, const struct graph_node *node) {
  fputs("node", out);
  text_id(out, node->id);
  fprintf(out, " %" PRId64 " %" PRId64, node->duration, node->size);
  if (node->name[0])
    text_field(out, node->name);
  if (node->workspace)
    fprintf(out, " workspace=%" PRId64, node->workspace);
  if (node->max_computes)
    fprintf(out, " max_computes=%" PRId32, node->max_computes);
  fputs(node->keep ? " keep=1\n" : "\n", out);
}

static void write_text(const struct graph *g, FILE *out) {
  if (g->name[0]) {
    fputs("graph", out);
    text_field(out, g->name);
    fputc('\n', out);
  }
  if (g->fixed_memory)
    fprintf(out, "fixed %" PRId64 "\n", g->fixed_memory);
  for (int v = 0; v < g->node_count; v++)
    text_node(out, &g->node[v]);
  for (size_t e = 0; e < (size_t)g->edge_count; e++) {
    fputs("edge", out);
    text_id(out, g->node[g->edge[2 * e]].id);
    text_id(out, g->node[g->edge[2 * e + 1]].id);
    fputc('\n', out);
  }
  const int a_line = 16;
  for (int k = 0; g->order_given && k < g->node_count; k++) {
    if (k % a_line == 0)
      fputs(k ? "\norder" : "order", out);
    text_id(out, g->node[g->order[k]].id);
    if (k + 1 == g->node_count)
      fputc('\n', out);
  }
}

/* The inside of a quoted DOT string. */
static void dot_text(FILE *out, const char *text) {
  for (const char *c = text; *c; c++)
    if (*c == '"' || *c == '\\')
      fprintf(out, "\\%c", *c);
    else
      fputc((unsigned char)*c < ' ' ? ' ' : *c, out);
}

static void dot_node(FILE *out, const struct graph_node *node, int v) {
  char size[16];
  fprintf(out, "  n%d [label=\"", v);
  if (node->name[0])
    dot_text(out, node->name);
  else if (node->id.text)
    dot_text(out, node->id.text);
  else
    fprintf(out, "%" PRId64, node->id.number);
  fprintf(out, "\\n%" PRId64 ", %s\"%s];\n", node->duration,
          graph_bytes_text(node->size, size),
          node->keep ? ", peripheries=2" : "");
}

static void write_dot(const struct graph *g, FILE *out) {
  fputs("digraph \"", out);
  dot_text(out, g->name);
  fputs("\" {\n  node [shape=box];\n", out);
  for (int v = 0; v < g->node_count; v++)
    dot_node(out, &g->node[v], v);
  for (size_t e = 0; e < (size_t)g->edge_count; e++)
    fprintf(out, "  n%d -> n%d;\n", g->edge[2 * e], g->edge[2 * e + 1]);
  fputs("}\n", out);
}

bool graph_write(const struct graph *g, enum graph_format format, FILE *out,
                 struct error *error) {
  switch (format) {
  case GRAPH_JSON:
    write_json(g, out);
    break;
  case GRAPH_TEXT:
    write_text(g, out);
    break;
  case GRAPH_DOT:
    write_dot(g, out);
    break;
  }
  int failure = stream_failure(out);
  return !failure ||
         error_set(error, STATUS_RESOURCES, "the graph cannot be written: %s",
                   strerror(failure));
}
