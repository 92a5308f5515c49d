/* The compute graph: operations with one output each, and who reads what.
 *
 *     node v: duration w_v (cost units, >= 0), size m_v of its output (bytes)
 *     edge (u, v): v reads the output of u
 *
 *        a ----> b ----> d          pred of d: b, c   (file order of edges)
 *         \----> c ----/            succ of a: b, c
 *
 * Nodes are numbered 0 .. node_count-1 in file order.  Adjacency is kept both
 * ways in compressed rows: the predecessors of v are
 * pred[pred_start[v]] .. pred[pred_start[v + 1] - 1], each once, likewise
 * succ.  `order` is the input order: the file's, else generation by generation
 * (see graph_finish).
 *
 * Life: graph_new, graph_add_node and graph_add_edge in any number, then
 * graph_finish, after which the graph does not change any more.  Everything
 * lives in the memory context given to graph_new and is gone with it.
 *
 * Limits: at most INT32_MAX / 2 nodes and edges.  graph_finish guarantees that
 * fixed_memory + all sizes + all workspaces, and the sum of all durations, fit
 * into int64.
 */
#ifndef MOCCASIN_GRAPH_H
#define MOCCASIN_GRAPH_H

#include "solver/base/error.h"
#include "solver/base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/* A node's name in its file: an integer or a text; 1 and "1" differ. */
struct graph_id {
  const char *text; /* NULL: the id is `number` */
  int64_t number;
};

struct graph_node {
  struct graph_id id;
  const char *name;     /* for people; never NULL, may be "" */
  int64_t duration;     /* cost units, >= 0 */
  int64_t size;         /* bytes of the output, >= 0 */
  int64_t workspace;    /* bytes held only while it is computed, >= 0 */
  int32_t max_computes; /* its own limit C_v >= 1; 0: none of its own */
  bool keep;            /* its last instance stays in memory to the end */
};

struct graph_build;

struct graph {
  struct memory *memory;
  const char *name; /* never NULL, may be "" */
  int node_count, edge_count;
  int64_t fixed_memory; /* bytes held throughout */
  struct graph_node *node;
  int *pred_start, *pred, *succ_start, *succ;
  int *edge;                 /* pairs (from, to) in file order, each once */
  int *order;                /* order[k]: node at place k of the input order */
  bool order_given;          /* the file stated it */
  struct graph_build *build; /* opaque: ids and unfinished edges */
};

struct graph *graph_new(struct memory *m);

/* Copies *node with its texts (the id's and the name).  Returns the new
 * node's number, or -1 if the id is taken already. */
int graph_add_node(struct graph *g, const struct graph_node *node);

/* The number of the node with this id, or -1.  O(1). */
int graph_find(const struct graph *g, struct graph_id id);

/* Edges that repeat count once; self-loops are found by graph_finish. */
void graph_add_edge(struct graph *g, int from, int to);

/* Builds adjacency and input order and checks the whole.  `order` may be NULL:
 * then it is made generation by generation: all nodes without predecessors in
 * file order; then, walking that generation in order and each node's out-edges
 * in file order, every node whose last predecessor has just been placed; and
 * so on.  Otherwise it must be a topological order of all nodes
 * (`order_length` entries).  Errors (STATUS_INPUT): cycle (named whole, up to
 * a dozen nodes), self-loop, negative duration, size or workspace, sums
 * beyond int64, an order with a missing, repeated or misplaced node.
 * O(n + m). */
bool graph_finish(struct graph *g, const int *order, int order_length,
                  struct error *error);

/* Writes an id as the user knows it ("17", or the text), for messages.
 * Returns `buffer`. */
const char *graph_id_text(struct graph_id id, char *buffer, int capacity);

/* A node for people: its id, and its name in brackets if it has another one.
 * Returns `buffer`. */
const char *graph_node_text(const struct graph_node *node, char *buffer,
                            int capacity);

#endif
