/* Any bytes as a schedule of a graph of four nodes; what is accepted is
 * verified, and if valid its figures are checked for consistency. */
#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz.h"

#include "model/document.h"
#include "model/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static struct graph *small_graph(struct memory *m) {
  struct graph *g = graph_new(m);
  static const char *const text[] = {NULL, "a", NULL, "7"};
  for (int v = 0; v < 4; v++)
    graph_add_node(g, &(struct graph_node){.id = {text[v], 5 + v},
                                           .name = "",
                                           .duration = v,
                                           .size = 3,
                                           .keep = v == 2});
  graph_add_edge(g, 0, 1);
  graph_add_edge(g, 1, 2);
  graph_add_edge(g, 0, 3);
  struct error error = {STATUS_OK, ""};
  if (!graph_finish(g, NULL, 0, &error))
    abort();
  return g;
}

int fuzz_schedule(const uint8_t *bytes, size_t size) {
  char path[40];
  int file = memfd_create("schedule", 0);
  if (file < 0)
    return 0;
  if (write(file, bytes, size) != (ssize_t)size)
    return close(file), 0;
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  struct memory *m = memory_new(NULL);
  if (m && !setjmp(*memory_recover(m))) {
    struct graph *g = small_graph(m);
    struct document_input in;
    struct verify_result found;
    struct error error = {STATUS_OK, ""};
    if (document_read(m, path, g, &in, &error)) {
      struct verify_request q = {.sequence = in.sequence, .length = in.length};
      if (verify(g, &q, m, NULL, NULL, &found) &&
          (found.duration < 6 || found.peak < 6 || in.length < 4))
        abort();
    } else if (error.status != STATUS_INPUT) {
      abort();
    }
  }
  memory_free(m);
  close(file);
  return 0;
}
