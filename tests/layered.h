/* Random graphs for the tests of the heuristics: nodes in layers, inputs from
 * the layers just above and sometimes from far up (what makes recomputing pay).
 */
#ifndef MOCCASIN_TESTS_LAYERED_H
#define MOCCASIN_TESTS_LAYERED_H

#include "model/problem.h"

struct layered {
  int nodes, width; /* nodes a layer, on average */
  int inputs;       /* most inputs of a node */
  int percent_far;  /* inputs from any earlier layer, not the one above */
  int percent_keep, percent_workspace;
  uint64_t seed;
};

struct graph *layered_graph(struct memory *m, const struct layered *shape);

/* A problem on it, with a budget in percent of the input order's peak, but
 * not below the working set. */
struct problem *layered_problem(struct memory *m, const struct layered *shape,
                                int max_computes, bool free_order, int percent);

#endif
