/* Recompute heuristics that are run alone: one table, name -> function.
 *
 *   keep-all         the input order, nothing recomputed
 *   recompute-all    keeps nothing that can be recomputed: each stage computes
 *                    anew all that its node needs
 *   chen-sqrt        checkpoints every ceil(sqrt n)-th node, recomputes the
 *                    rest of a segment when it is needed again
 *   chen-sqrt-ap     the same among articulation points only: nodes that
 *                    separate the graph, where one output is all that is held
 *   chen-greedy      a checkpoint whenever the sizes since the last one exceed
 *                    a threshold; the best of a geometric range of thresholds
 *   chen-greedy-ap   the same among articulation points
 *   revolve          chains only: the schedule of least duration for as many
 *                    retained outputs as the budget holds, by binomial
 *                    checkpointing
 *   greedy           one pass within the budget, see greedy.h
 *
 * Sources: Chen, Xu, Zhang, Guestrin, "Training deep nets with sublinear
 * memory cost", 2016 (sqrt and greedy); Griewank and Walther, "Algorithm 799:
 * revolve", 2000.
 *
 * All of them return staged schedules of the input order (also when the
 * problem allows a free order), within the nodes' limits: a node at its limit
 * is held instead of dropped.  They do not all look at the budget; whoever
 * asks compares the peak with it.
 */
#ifndef MOCCASIN_CLASSICS_H
#define MOCCASIN_CLASSICS_H

#include "model/schedule.h"
#include "solver/base/stop.h"

typedef struct schedule *classic_run(const struct problem *p, struct memory *m,
                                     struct stop *stop, struct error *error);

struct classic {
  const char *name;
  /* NULL with STATUS_USAGE where it is not defined; NULL alone if it found
   * nothing, such as when stopped (`stop` may be NULL) */
  classic_run *run;
};

/* Ends with a NULL name. */
extern const struct classic classics[];

/* The entry of this name, or NULL. */
const struct classic *classic_find(const char *name);

#endif
