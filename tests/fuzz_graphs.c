#define _POSIX_C_SOURCE 200809L /* open_memstream */
/* Any bytes as a graph file; what is accepted must come back from both
 * writers as it was. */
#include "tests/fuzz.h"

#include "graphs/read.h"
#include "graphs/write.h"

#include <stdlib.h>
#include <string.h>

static struct graph *read_bytes(struct memory *m, const char *bytes,
                                size_t size) {
  struct graph *g = NULL;
  struct graph_notes notes = {0};
  struct error error = {STATUS_OK, ""};
  bool ok = graph_read_bytes(m, "fuzz", bytes, size, &g, &notes, &error);
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

int fuzz_graphs(const uint8_t *bytes, size_t size) {
  struct memory *m = memory_new(NULL);
  if (!m || setjmp(*memory_recover(m)))
    return memory_free(m), 0;
  struct graph *g = read_bytes(m, (const char *)bytes, size);
  for (int format = GRAPH_JSON; g && format <= GRAPH_TEXT; format++) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out || !graph_write(g, (enum graph_format)format, out, NULL))
      abort();
    fclose(out);
    compare(g, read_bytes(m, text, length));
    free(text);
  }
  memory_free(m);
  return 0;
}
