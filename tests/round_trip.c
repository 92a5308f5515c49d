#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "tests/round_trip.h"

#include "graphs/write.h"

#include <stdio.h>
#include <stdlib.h>

struct graph *round_trip_read(struct memory *m, const char *bytes, size_t size,
                              const struct onnx_options *options) {
  struct graph *g = NULL;
  struct graph_notes notes = {0};
  struct error error = {STATUS_OK, ""};
  bool ok = graph_read_bytes_with(m, "fuzz", bytes, size, options, &g, &notes,
                                  &error);
  if (!ok && (error.status != STATUS_INPUT || !error.text[0]))
    abort();
  return ok ? g : NULL;
}

static void compare(const struct graph *a, const struct graph *b) {
  if (!b || a->node_count != b->node_count || a->edge_count != b->edge_count ||
      a->fixed_memory != b->fixed_memory)
    abort();
  for (int v = 0; v < a->node_count; v++)
    if (a->node[v].duration != b->node[v].duration ||
        a->node[v].size != b->node[v].size ||
        a->node[v].workspace != b->node[v].workspace ||
        a->node[v].keep != b->node[v].keep || a->order[v] != b->order[v])
      abort();
}

void round_trip(struct memory *m, const struct graph *g) {
  for (int format = GRAPH_JSON; format <= GRAPH_TEXT; format++) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out || !graph_write(g, (enum graph_format)format, out, NULL))
      abort();
    fclose(out);
    compare(g, round_trip_read(m, text, length, NULL));
    free(text);
  }
}
