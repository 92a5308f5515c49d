/* Readers of compute graphs.  The format is recognised by content:
 *
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

/* Reads a file, "-" is standard input.  The graph is finished.  `notes` may
 * be NULL, else it is filled anew. */
bool graph_read(struct memory *m, const char *path, struct graph **out,
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
