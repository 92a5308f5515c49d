/* The memory/time curve: least durations over a range of budgets.
 *
 *     duration |  o
 *              |  |__o              o  a schedule, verified
 *              |     |___o___       -  what it means for larger budgets
 *              |  x..x..x.......    x  proven lower bound
 *              +------------------- budget
 *
 * Two facts tie the points together, and sweep_settle makes them hold for all
 * (so the curve is monotone by construction):
 *
 *   - a schedule for a smaller budget serves every larger one, and a schedule
 *     in the input order serves the free order;
 *   - a lower bound (or a proof that nothing is feasible) for a larger budget
 *     holds for every smaller one, and one for the free order holds for the
 *     input order.
 *
 * Points are solved from the smallest budget up; each starts from the best
 * schedule that these facts give it, and one that is proven optimal by them is
 * not solved at all.
 */
#ifndef MOCCASIN_SWEEP_H
#define MOCCASIN_SWEEP_H

#include "solver/graph_handle.h"

#include <stdio.h>

struct sweep_point {
  bool free_order;
  int64_t budget;      /* bytes */
  bool done;           /* has had its share of solving */
  bool infeasible;     /* proven */
  int length;          /* steps; 0: no schedule */
  int *sequence;       /* graph nodes; may be shared between points */
  int64_t peak;        /* bytes, with a schedule */
  int64_t duration;    /* cost units, with a schedule */
  int64_t lower_bound; /* cost units */
  double seconds;      /* spent on it, all runs together */
};

struct sweep {
  const struct moccasin_graph *graph;
  struct memory *memory;           /* everything below is from here */
  struct moccasin_options options; /* for each point; budget, order, start
                                      and objective are set here */
  int count, capacity;
  struct sweep_point *point; /* input order first, each by budget */
};

/* `options` are copied: C, seed, threads, time limit a point, callbacks. */
struct sweep *sweep_new(struct memory *m, const struct moccasin_graph *g,
                        const struct moccasin_options *options);

/* Adds a point to be solved, unless the budget is there already. */
void sweep_add(struct sweep *s, bool free_order, int64_t budget);

/* Looks for the least feasible budget of a mode by minimising the peak, adds
 * it as a point and returns it.  INT64_MAX with an error. */
int64_t sweep_least_budget(struct sweep *s, bool free_order,
                           struct error *error);

/* Budget `i` of `steps` evenly from `from` to `to`, 0 <= i < steps. */
int64_t sweep_between(int64_t from, int64_t to, int i, int steps);

/* Makes the two facts hold. */
void sweep_settle(struct sweep *s);

/* Solves the next point that is not done; NULL if there is none left.  A
 * point that a stop interrupts keeps its schedule but is not done. */
struct sweep_point *sweep_next(struct sweep *s, struct error *error);

bool sweep_optimal(const struct sweep_point *p);
int sweep_left(const struct sweep *s); /* points not done */

/* ---- files (sweep_write.c, sweep_read.c) -------------------------------- */

/* CSV: a comment that identifies graph and limits, a heading, a row a point;
 * the last column is the schedule as positions of nodes in the graph's file.
 * JSON: the same with ids.  A point that is not done is written, as pending,
 * if it has a schedule already. */
void sweep_write_csv(const struct sweep *s, FILE *out);
void sweep_write_json(const struct sweep *s, FILE *out);

/* Takes over the points of either format; every schedule is verified again.
 * STATUS_INPUT if the file is malformed or about another graph or C. */
bool sweep_read(struct sweep *s, const char *path, struct error *error);

/* ---- picture (sweep_plot.c) --------------------------------------------- */

void sweep_write_svg(const struct sweep *s, FILE *out);

#endif
