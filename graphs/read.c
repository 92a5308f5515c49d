#include "graphs/read_private.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void note(const struct source *s, const char *format, ...) {
  struct graph_notes *notes = s->notes;
  int most = (int)(sizeof notes->text / sizeof notes->text[0]);
  if (notes->count >= most)
    return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(notes->text[notes->count++], sizeof notes->text[0], format,
            arguments);
  va_end(arguments);
}

bool read_file(struct memory *m, const char *path, char **bytes, size_t *length,
               struct error *error) {
  bool standard = !strcmp(path, "-");
  FILE *file = standard ? stdin : fopen(path, "rb");
  if (!file)
    return error_set(error, STATUS_INPUT, "%.300s: cannot be opened: %s", path,
                     strerror(errno));
  size_t used = 0, capacity = (size_t)1 << 16, got;
  char *block = memory_get(m, capacity, 1);
  while ((got = fread(block + used, 1, capacity - used, file)) > 0) {
    used += got;
    if (used == capacity)
      block = memory_resize(m, block, capacity *= 2, 1);
  }
  int failure = ferror(file) ? errno : 0;
  if (!standard)
    fclose(file);
  if (failure) {
    memory_put(m, block);
    return error_set(error, STATUS_INPUT, "%.300s: cannot be read: %s",
                     standard ? "standard input" : path, strerror(failure));
  }
  *bytes = memory_resize(m, block, used, 1);
  *length = used;
  return true;
}

/* The first byte that is not blank, behind a byte order mark if there is one;
 * 0 if there is none. */
static char first_character(const char *bytes, size_t length) {
  size_t i = length >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3) ? 3 : 0;
  while (i < length && strchr(" \t\r\n", bytes[i]) && bytes[i])
    i++;
  return i < length ? bytes[i] : 0;
}

static struct graph *read_any(const struct source *s, int **order,
                              int *length) {
  char first = first_character(s->bytes, s->length);
  if (is_onnx(s->bytes, s->length))
    return read_onnx_graph(s, order, length);
  if (!first && !memchr(s->bytes, 0, s->length))
    return error_set(s->error, STATUS_INPUT,
                     "%.300s: the file is empty, expected a graph", s->name),
           NULL;
  return first == '{' || first == '[' ? read_json_graph(s, order, length)
                                      : read_text_graph(s, order, length);
}

static bool read_source(const struct source *s, struct graph **out) {
  struct error inner = {STATUS_OK, ""};
  int *order = NULL, length = 0;
  struct graph *g = read_any(s, &order, &length);
  if (!g)
    return false;
  if (!g->node_count)
    return error_set(s->error, STATUS_INPUT,
                     "%.300s: the graph has no nodes, expected at least one",
                     s->name);
  bool ok = graph_finish(g, order, length, &inner);
  memory_put(s->memory, order);
  if (!ok)
    return error_set(s->error, inner.status, "%.150s: %s", s->name, inner.text);
  if (!g->edge_count)
    note(s, "%.120s: the graph has no edges", s->name);
  *out = g;
  return true;
}

bool graph_read_bytes_with(struct memory *m, const char *name,
                           const char *bytes, size_t length,
                           const struct onnx_options *options,
                           struct graph **out, struct graph_notes *notes,
                           struct error *error) {
  struct graph_notes own, *all = notes ? notes : &own;
  struct source s = {m, name, bytes, length, all, error, options};
  all->count = 0;
  return read_source(&s, out);
}

bool graph_read_bytes(struct memory *m, const char *name, const char *bytes,
                      size_t length, struct graph **out,
                      struct graph_notes *notes, struct error *error) {
  return graph_read_bytes_with(m, name, bytes, length, NULL, out, notes, error);
}

bool graph_read_with(struct memory *m, const char *path,
                     const struct onnx_options *options, struct graph **out,
                     struct graph_notes *notes, struct error *error) {
  char *bytes;
  size_t length;
  if (!read_file(m, path, &bytes, &length, error))
    return false;
  const char *name = strcmp(path, "-") ? path : "standard input";
  bool ok =
      graph_read_bytes_with(m, name, bytes, length, options, out, notes, error);
  memory_put(m, bytes);
  return ok;
}

bool graph_read(struct memory *m, const char *path, struct graph **out,
                struct graph_notes *notes, struct error *error) {
  return graph_read_with(m, path, NULL, out, notes, error);
}
