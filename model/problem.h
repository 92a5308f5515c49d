/* One rematerialization problem, ready for solving.
 *
 * Nodes are renamed along the input order: node k is the k-th first compute,
 * so every edge goes from a smaller to a larger number, and in input-order
 * mode stage j ends with the first compute of node j:
 *
 *     stage 0 | stage 1      | stage 2            | ...
 *      [0]    | (0)? [1]     | (0)? (1)? [2]      |      (v)?: recomputes
 *
 * Before [j], any nodes v < j may be recomputed, each at most once, in
 * increasing order.  Every search of this project in input-order mode works
 * on such staged schedules, and every claim of optimality says so.
 *
 * `keep` is compiled away: if any node is to be kept, a last node is added,
 * the *sink* (duration 0, size 0, computed once, always last), which reads all
 * kept nodes.  Holding a kept output to the end is then an ordinary use.  This
 * changes no peak: what the sink's step holds was held at the step before it.
 */
#ifndef MOCCASIN_PROBLEM_H
#define MOCCASIN_PROBLEM_H

#include "graphs/graph.h"

struct problem {
  const struct graph *graph;
  int n;                  /* nodes, with the sink */
  int sink;               /* its number (n - 1), or -1 */
  bool free_order;        /* first computes in any topological order */
  int max_computes;       /* the global limit C, 0: unlimited */
  int64_t fixed;          /* bytes held throughout */
  int64_t budget;         /* bytes; the caller sets it. INT64_MAX: none */
  int64_t *duration;      /* cost units */
  int64_t *size;          /* bytes */
  int64_t *workspace;     /* bytes */
  int *limit;             /* computes allowed, >= 1; INT_MAX: unlimited */
  int *pred_start, *pred; /* rows ascending */
  int *succ_start, *succ; /* rows ascending */
  int *node_of;           /* the graph's node; -1 for the sink */
  int64_t base_peak, base_duration; /* input order, nothing recomputed */
  int64_t working_set;              /* bytes: no schedule has a lower peak */
  int working_set_node;             /* the node that needs so much */
};

/* `max_computes`: C >= 1, or 0 for unlimited; a node's own limit, where it
 * has one, is used in its place.  Fails with STATUS_INPUT if the sum of
 * C_v * w_v (unlimited counts as n) leaves int64.  The problem lives in `m`;
 * the graph must outlive it.  O(n + m). */
struct problem *problem_new(struct memory *m, const struct graph *g,
                            int max_computes, bool free_order,
                            struct error *error);

/* ceil(percent / 100 * base_peak), where percent = millionths / 1e6; exact. */
int64_t problem_percent_budget(const struct problem *p, int64_t millionths);

/* Bytes while v is computed: fixed + its size, workspace and inputs. */
int64_t problem_working_set(const struct problem *p, int v);

#endif
