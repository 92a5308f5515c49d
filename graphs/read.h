/* Readers of compute graphs.  The format is recognised by content:
 *
 *     first byte 0x08            ONNX (or any valid ModelProto)
 *     first character {          networkx node-link JSON
 *     anything else              text records
 *
 * JSON.  Top level: `nodes` (array, required), `links` or `edges` (array),
 * `graph` (object, or list of [key, value]): `name`, `fixed_memory` (bytes),
 * `order` (array of ids).  A node: `id`, else `name`, else its position counts
 * as its id (integer or text; 1 and "1" differ); `duration` or `cost_cpu`;
 * `size`, `cost_ram` or `out_cost`; optionally `name`, `workspace`, `keep`,
 * `max_computes` and `param_cost`, which adds to fixed_memory.  Where several
 * spellings stand in one node the first of these lists counts.  An edge:
 * `source` and `target`, or "0" and "1".  Other keys are ignored.  Numbers are
 * exact; 12.0 and 1e3 are integers.
 *
 * Text.  One record a line, fields separated by blanks, `#` begins a comment
 * where a field could begin:
 *
 *     graph NAME
 *     fixed BYTES
 *     node ID DURATION SIZE [NAME] [workspace=BYTES] [keep=0|1]
 *                                  [max_computes=COUNT]
 *     edge U V
 *     order ID ...                 (several `order` lines continue each other)
 *
 * A field in double quotes is a text with the escapes of JSON; names with
 * blanks, with `=`, `#` or `"`, and ids that look like numbers but are texts
 * need it.  A bare id of the form [-]digits, without leading zeros, is an
 * integer.  Records come in any order.  Unknown records and options are errors.
 *
 * ONNX.  One node an operator, in file order, which is also the stated input
 * order; its id is its place.
 *  - Size: the bytes of all its outputs together (they come and go together),
 *    by value_info, outputs and element types.  Outputs without a shape that
 *    nobody reads do not count; a missing shape that matters is an error.
 *  - Views (Reshape, Identity, Squeeze, Unsqueeze, Flatten) share the storage
 *    of their input: they have size and duration 0, and who reads a view also
 *    reads the node whose storage it is, which so stays in memory.
 *  - Initialisers, and the values of Constant operators, which have size and
 *    duration 0 themselves, count as fixed_memory.  The model's inputs belong
 *    to the caller and do not count.
 *  - Graph outputs are `keep`, and so is the storage behind a view.
 *  - Graphs within If, Loop and Scan: what they read from outside counts as
 *    read by the operator.
 *  - Durations: nanoseconds, FLOPs by operator over a rate plus the bytes of
 *    inputs, weights and outputs over a bandwidth.
 *
 * Errors are STATUS_INPUT, "FILE:LINE:COLUMN: ..." with the JSON path or the
 * field and what was expected; columns count characters.
 * O(bytes) time and memory; the file is held in memory while it is read.
 */
#ifndef MOCCASIN_READ_H
#define MOCCASIN_READ_H

#include "graphs/graph.h"

/* What is suspicious but no error. */
struct graph_notes {
  int count;
  char text[4][200];
};

/* How ONNX models are read; NULL: the defaults. */
struct onnx_options {
  const char *const *dim; /* "NAME=SIZE": sizes of symbolic dimensions */
  int dims;
  bool no_weights;         /* leave initialisers out of fixed_memory */
  double flops, bandwidth; /* FLOPs and bytes a second; 0: the defaults */
};
#define ONNX_FLOPS 14e12
#define ONNX_BANDWIDTH 900e9

/* Reads a file, "-" is standard input.  The graph is finished.  `notes` may
 * be NULL, else it is filled anew. */
bool graph_read(struct memory *m, const char *path, struct graph **out,
                struct graph_notes *notes, struct error *error);

bool graph_read_bytes_with(struct memory *m, const char *name,
                           const char *bytes, size_t length,
                           const struct onnx_options *options,
                           struct graph **out, struct graph_notes *notes,
                           struct error *error);
bool graph_read_with(struct memory *m, const char *path,
                     const struct onnx_options *options, struct graph **out,
                     struct graph_notes *notes, struct error *error);

/* The same from memory; `name` stands for the file in messages. */
bool graph_read_bytes(struct memory *m, const char *name, const char *bytes,
                      size_t length, struct graph **out,
                      struct graph_notes *notes, struct error *error);

/* Reads a whole file ("-": standard input) into one block.  STATUS_INPUT if it
 * cannot be read. */
bool read_file(struct memory *m, const char *path, char **bytes, size_t *length,
               struct error *error);

#endif
