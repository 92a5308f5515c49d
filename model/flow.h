/* Minimum cuts on arrays, warm-started: the engine room of the lower bounds.
 *
 * A network has nodes with a supply each (positive: capacity from the source,
 * negative: capacity to the sink) and arcs with capacities.  A *cut* is a set
 * S of nodes; it costs
 *
 *     cut(S) = supply+ outside S + supply- inside S + capacities leaving S
 *
 * where supply+ and supply- are the positive and the negative parts.
 *
 * The method is a maximum *pseudoflow* (Hochbaum, The pseudoflow algorithm,
 * Operations Research 56, 2008): arcs of source and sink are always saturated,
 * so a node has an excess (supply plus inflow minus outflow) of either sign,
 * and positive excess is pushed to negative along residual arcs until no such
 * path is left; paths are found by levels and blocking flows (Dinic).  What
 * this buys over a flow: any change of supplies and capacities leaves a valid
 * pseudoflow (an arc's flow is at most clamped), so every solve starts from
 * the one before, and a search touches only what the remaining excess reaches.
 *
 * Any pseudoflow proves a bound, also an unfinished one:
 *
 *     cut(S) >= sum of supply+ - sum of positive excess      for every S,
 *
 * since cut(S) = sum of supply+ - sum over S of supply + capacities leaving S,
 * and these capacities are at least the net flow out of S.  The finished one
 * attains it with S = everything that the remaining excess reaches.
 *
 * Units are the caller's; sums of supplies and capacities at one node must
 * fit into int64 (the caller keeps each below 2^46, see bound.c).
 */
#ifndef MOCCASIN_FLOW_H
#define MOCCASIN_FLOW_H

#include "solver/base/memory.h"
#include "solver/base/stop.h"

#include <stdbool.h>
#include <stdint.h>

#define FLOW_UNLIMITED (INT64_C(1) << 60)

struct flow {
  int node_count, arc_count; /* arcs come in pairs: a and its reverse a ^ 1 */
  int *row, *row_arc;        /* arcs that leave node v: row_arc[row[v]..] */
  int *head;                 /* the node that arc a enters */
  int64_t *residual;         /* what arc a can still carry */
  int64_t *capacity;         /* of forward arc 2k, at k */
  int64_t *supply, *excess;
  int *level, *next_arc; /* of the search: depth (0: unseen), place */
  int *queue, *path;
  int queue_length;  /* nodes seen by the last search */
  long work;         /* arcs looked at so far: the unit of effort */
  long told;         /* what the stop knows of it */
  struct stop *stop; /* the caller's; NULL: none */
  bool unfinished;   /* the last search was stopped */
  struct memory *memory;
};

/* A network with `arc_count` arcs from[k] -> to[k], all capacities and
 * supplies zero. */
struct flow *flow_new(struct memory *m, int node_count, int arc_count,
                      const int *from, const int *to);
void flow_free(struct flow *f);

/* Changes the network; the pseudoflow stays valid (clamped).  O(1). */
void flow_set_supply(struct flow *f, int node, int64_t supply);
void flow_set_capacity(struct flow *f, int arc, int64_t capacity);

/* Makes the pseudoflow maximum.  Afterwards flow_inside tells the smallest
 * minimum cut.  When stopped, what it leaves is a valid pseudoflow that proves
 * less, `unfinished` is set and flow_inside tells nothing. */
void flow_solve(struct flow *f);

/* Is the node in the smallest minimum cut S?  Valid until the next change. */
static inline bool flow_inside(const struct flow *f, int node) {
  return f->level[node] > 0;
}

/* What arc k carries now. */
static inline int64_t flow_on(const struct flow *f, int arc) {
  return f->residual[2 * arc + 1];
}

#endif
