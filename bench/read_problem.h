/* What the benchmarks in C begin with: a graph and a budget in percent. */
#ifndef MOCCASIN_BENCH_READ_PROBLEM_H
#define MOCCASIN_BENCH_READ_PROBLEM_H

#include "graphs/read.h"
#include "model/problem.h"

#include <stdio.h>
#include <stdlib.h>

/* NULL, having said why, if the graph cannot be read. */
static inline struct problem *read_problem(struct memory *m, const char *path,
                                           const char *percent,
                                           int max_computes, bool free_order) {
  struct graph *g;
  struct error error = {0};
  struct problem *p = NULL;
  if (graph_read(m, path, &g, NULL, &error))
    p = problem_new(m, g, max_computes, free_order, &error);
  if (p)
    p->budget = problem_percent_budget(p, (int64_t)(atof(percent) * 1e6));
  else
    fprintf(stderr, "%s\n", error.text);
  return p;
}

#endif
