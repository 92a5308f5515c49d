/* A schedule worked out for drawing: memory at every step, retention
 * intervals, and the input order's profile to compare with.
 *
 * Rows are nodes in the order of their first computes, so that intervals
 * begin along a diagonal and a recompute stands out to its right:
 *
 *     row 0  ====         ###
 *     row 1     =======                 === first instance
 *     row 2       ===========           ### recompute
 *     row 3           ===
 *
 * The input order's profile has fewer steps than the schedule.  Where first
 * computes come in input order, step k is shown beside the input order's
 * memory at the next first compute; otherwise it is stretched evenly.
 */
#ifndef MOCCASIN_PICTURE_H
#define MOCCASIN_PICTURE_H

#include "graphs/graph.h"

struct picture_request {
  const struct graph *graph;
  const int *sequence; /* graph nodes; valid (see model/verify.h) */
  int length;
  bool limited;
  int64_t budget;      /* bytes, if limited */
  int64_t lower_bound; /* cost units, if known; else -1 */
  bool optimal;
};

struct picture {
  struct picture_request request;
  int rows;               /* = nodes */
  int *row_of, *node_of;  /* node -> row, row -> node */
  int *end, *number;      /* per step, as intervals_find gives them */
  int64_t *memory;        /* per step, bytes */
  int64_t *behind;        /* per step, bytes: the input order's */
  bool in_order;          /* first computes come in input order */
  int peak_step;          /* the first that reaches the peak */
  int64_t peak, duration; /* bytes, cost units */
  int64_t base_peak, base_duration;
  int64_t largest; /* bytes of the largest tensor */
  int *recompute;  /* steps beyond a node's first, costliest first */
  int recomputes;
  int *previous; /* per step: the node's instance before, or -1 */
};

/* Arrays are from `m`.  STATUS_INPUT if the duration leaves int64.
 * O(steps x degree + r log r). */
bool picture_make(struct memory *m, const struct picture_request *request,
                  struct picture *out, struct error *error);

/* "+0.2786 %": how much longer than computing every node once. */
double picture_increase(const struct picture *p);

/* What people call a node: its name, else its id.  Returns `buffer` or the
 * name. */
const char *picture_label(const struct graph *g, int node, char *buffer,
                          int capacity);

#endif
