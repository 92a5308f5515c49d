/* Writers of compute graphs.
 *
 * Text and JSON (grammar and keys: graphs/read.h) keep the graph whole: what
 * they write reads back to the same nodes, ids, names, edges in the same order
 * and input order.  `order` is written if the file had stated one; otherwise
 * it follows from the order of nodes and edges.  DOT is for Graphviz: a box a
 * node with name, duration and size.
 */
#ifndef MOCCASIN_WRITE_H
#define MOCCASIN_WRITE_H

#include "graphs/graph.h"

#include <stdio.h>

enum graph_format { GRAPH_JSON, GRAPH_TEXT, GRAPH_DOT };

/* "json", "text" (or "txt") and "dot"; false for other names. */
bool graph_format_by_name(const char *name, enum graph_format *format);

/* STATUS_RESOURCES if the stream fails.  O(n + m). */
bool graph_write(const struct graph *g, enum graph_format format, FILE *out,
                 struct error *error);

/* "12.3 MiB" for people: three digits, binary units.  Returns `buffer`, of at
 * least 16 bytes. */
const char *graph_bytes_text(int64_t bytes, char *buffer);

#endif
