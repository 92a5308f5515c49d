/* Branch and bound on the windows of the lower bound (bound.h).
 *
 * The linear program drops a part of a node where the knapsack (K) is cut
 * off; in truth a window is used or not.  Here each tree node decides some
 * windows: a *barred* one has y = 0 at its cuts, a *paid* one costs its full
 * weight once and nothing at its cuts.  The bound of a tree node is the
 * Lagrangian with the root's split of durations and multipliers solved anew at
 * the cuts concerned, plus what leftover costs give.  Best bound first; the
 * least bound of an open node is a lower bound for all.  Branching is on the
 * window with a fractional share whose two sides gain most (strong branching
 * on a few candidates); a side that reaches the limit decides the window at
 * once.
 *
 * Measured on the published graphs at 90 %: see the end of bound.h.
 */
#ifndef MOCCASIN_BOUND_BRANCH_H
#define MOCCASIN_BOUND_BRANCH_H

#include "model/bound_state.h"

struct branch;

/* A tree over the closures as they are; they must not be changed by others
 * until branch_free.  Only schedules shorter than `upper` are sought. */
struct branch *branch_new(struct bound *b, int64_t upper);
void branch_free(struct branch *t);

/* Puts the closures back to the root's split, so that others may read and
 * solve them; branch_run goes on afterwards. */
void branch_suspend(struct branch *t);

/* Only schedules shorter than `upper`, lower than before, are sought now. */
void branch_limit(struct branch *t, int64_t upper);

enum branch_result {
  BRANCH_OPEN,   /* stopped by the limits; go on by calling again */
  BRANCH_PROVED, /* no schedule is shorter than upper */
  BRANCH_STUCK   /* the best node has nothing to branch on: the integer optimum
                  * of these cuts */
};

/* Processes tree nodes until done, or `work` units more.  Raises b->value. */
enum branch_result branch_run(struct branch *t, long work, struct stop *stop);

/* The first stage of every window that some open node or leaf leaves open
 * (rule F of bound.h there), INT_MAX: none does.  Every shorter schedule
 * belongs to one of them.  False, and nothing done, if they are too many. */
bool branch_open(struct branch *t, int *first);

/* Tree nodes processed. */
long branch_nodes(const struct branch *t);

#endif
