/* What graph_read_bytes shares with the readers of the single formats. */
#ifndef MOCCASIN_READ_PRIVATE_H
#define MOCCASIN_READ_PRIVATE_H

#include "graphs/read.h"

struct source {
  struct memory *memory;
  const char *name, *bytes;
  size_t length;
  struct graph_notes *notes; /* never NULL */
  struct error *error;
  const struct onnx_options *onnx; /* NULL: the defaults */
};

/* Each returns a graph that is complete but for graph_finish, or NULL after
 * an error, and the input order if the file states one (a block of the
 * context; its length counts). */
struct graph *read_json_graph(const struct source *s, int **order, int *length);
struct graph *read_text_graph(const struct source *s, int **order, int *length);
struct graph *read_onnx_graph(const struct source *s, int **order, int *length);

/* Do the bytes look like an ONNX model? */
bool is_onnx(const char *bytes, size_t length);

void note(const struct source *s, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

#endif
