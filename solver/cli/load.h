/* What commands read: graphs, schedules and budgets, with their messages. */
#ifndef MOCCASIN_CLI_LOAD_H
#define MOCCASIN_CLI_LOAD_H

#include "model/document.h"
#include "solver/cli/command.h"
#include "solver/graph_handle.h"

/* How ONNX models are read: graphs/read.h. */
struct load_onnx {
  const char *dims; /* "batch=8,sequence=128", or NULL */
  bool no_weights;
  double flops, bandwidth; /* 0: the defaults */
};

/* Rows for the table of options of every command that reads a graph. */
/* clang-format off */
#define LOAD_ONNX_OPTIONS(o)                                                  \
  {"dim", '\0', OPTION_TEXT, &(o)->dims, "NAME=N,...",                        \
   "ONNX: sizes of symbolic dimensions", 0, 0, NULL},                         \
  {"no-weights", '\0', OPTION_FLAG, &(o)->no_weights, NULL,                   \
   "ONNX: leave weights out of the memory", 0, 0, NULL},                      \
  {"flops", '\0', OPTION_REAL, &(o)->flops, "X",                              \
   "ONNX: of the device, a second (default 14e12)", 1, INT64_MAX, NULL},      \
  {"bandwidth", '\0', OPTION_REAL, &(o)->bandwidth, "X",                      \
   "ONNX: of the device, bytes a second (default 900e9)", 1, INT64_MAX, NULL}
/* clang-format on */

/* NULL with the session's error set; a warning goes to standard error unless
 * `quiet`. */
struct moccasin_graph *load_graph(struct session *s, const char *path,
                                  const struct load_onnx *onnx, bool quiet);

/* Reads a schedule and verifies its structure (not its budget nor limits):
 * STATUS_INPUT if it is no schedule of this graph, naming the first fault.
 * `path` NULL: the input order. */
bool load_schedule(struct session *s, const struct graph *g, const char *path,
                   struct document_input *out);

/* A budget as --budget takes it. */
bool load_budget(const char *text, const struct moccasin_graph *g,
                 int64_t *bytes, struct error *error);

/* "30425460736 bytes (28.3 GiB)" for people and scripts alike, the exact part
 * alone below 1000.  Returns `buffer`, of 64 bytes. */
const char *load_bytes_text(int64_t bytes, char *buffer);

/* The format that a file's ending tells: "json", "text" (.txt), "dot" (.dot,
 * .gv) or "minimalloc" (.csv); NULL for others.  `path` may be NULL. */
const char *load_format(const char *path);

#endif
