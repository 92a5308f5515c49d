/* What a graph's memory is made of, before any solving.
 *
 * Everything is about the input order with nothing recomputed (the
 * *baseline*), except for articulation points, which are properties of the
 * graph alone.  Nodes are the graph's (file order), steps are places in the
 * input order.
 *
 *     step          0   1   2   3   4
 *     a held        =====                born 0, last used 1
 *     b held            =============    born 1, last used 4
 *                         ^ the peak step: what is held here is resident
 */
#ifndef MOCCASIN_ANALYSIS_H
#define MOCCASIN_ANALYSIS_H

#include "graphs/graph.h"

struct analysis_tensor {
  int node;
  int born, last; /* steps; `last` is the final step for kept outputs */
  int64_t size;   /* bytes */
};

struct analysis {
  int source_count, sink_count; /* nodes that read nothing, nobody reads */
  int component_count;          /* pieces of the undirected graph */
  int depth;                    /* nodes on the longest path */
  int kept_count, once_count;   /* `keep`, `max_computes` = 1 */
  int64_t total_size, total_duration;
  int largest_node, slowest_node; /* -1 in an empty graph */
  int64_t base_peak;              /* bytes */
  int base_step;                  /* first step that reaches the peak */
  int64_t working_set;            /* bytes: no schedule has a lower peak */
  int working_set_node; /* -1: the kept outputs together, or no node */
  int resident_count;   /* held at base_step, largest first; the one made at */
  struct analysis_tensor *resident; /* that step is among them */
  struct analysis_tensor *tensor;   /* all nodes, longest lived first */
  int articulation_count;           /* nodes whose removal adds a piece to */
  int *articulation;                /* the undirected graph, by input order */
};

/* Fails with STATUS_INPUT where problem_new does.  Arrays are from `m`.
 * O(n log n + m), iterative (Hopcroft and Tarjan 1973 for the articulation
 * points). */
bool analysis_make(struct memory *m, const struct graph *g,
                   struct analysis *out, struct error *error);

/* Articulation points alone: cut[v] tells of node v, whether without it the
 * graph, taken as undirected, falls into more parts.  Returns their count;
 * *components may be NULL.  O(n + m). */
int analysis_articulation(const struct graph *g, struct memory *scratch,
                          bool *cut, int *components);

#endif
