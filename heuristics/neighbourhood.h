/* Large-neighbourhood search on the constraint engine.
 *
 * From a schedule within the budget: choose a neighbourhood, a set of nodes
 * and a span of stages, and let the formulation find the best schedule in
 * which only these nodes may be recomputed anew within the span, while every
 * recompute of the given schedule may stay where it is or go.  The engine asks
 * for something strictly shorter, so each model either improves or is refuted.
 *
 *       stage  ------[#########span##########]-------->
 *       open   nodes: any stage of the span, and where they are now
 *       else   where they are now
 *
 * Neighbourhoods (N1..N6, the label is in the statistics):
 *   N1 span     a window of stages, all nodes that cross or lie in it
 *   N2 peak     around a stage whose baseline is over the budget
 *   N3 ball     what is within a few hops of a recomputed node
 *   N4 dear     the dearest recomputes with their inputs and consumers
 *   N5 skip     the chain behind one long-lived output
 *   N6 random   nodes at random
 *
 * Each kind has a size that grows when its models are decided within the
 * effort and shrinks when they are not; kinds are drawn in proportion to what
 * they gained per effort lately, with a floor for each.  Windows left open by
 * the bound (bound.h) restrict all of them.
 *
 * Input-order mode.  Effort is counted in the engine's propagations, so the
 * same seed and calls give the same schedules.  Belongs to one thread.
 */
#ifndef MOCCASIN_NEIGHBOURHOOD_H
#define MOCCASIN_NEIGHBOURHOOD_H

#include "model/bound.h"
#include "model/schedule.h"

enum { NEIGHBOURHOOD_KINDS = 6 };

struct neighbourhood;

struct neighbourhood *neighbourhood_new(struct memory *m,
                                        const struct problem *p, uint64_t seed);
void neighbourhood_free(struct neighbourhood *s);

/* Only these windows are ever opened (copied; NULL: everything). */
void neighbourhood_restrict(struct neighbourhood *s,
                            const struct bound_fixing *open);

/* The schedule to improve from now on (copied; staged, within the budget). */
void neighbourhood_start(struct neighbourhood *s, const struct schedule *best);

/* Works for about `propagations`; returns true if the schedule improved (then
 * neighbourhood_best is new).  `stop` may be NULL. */
bool neighbourhood_run(struct neighbourhood *s, int64_t propagations,
                       bool (*stop)(void *), void *data);

const struct schedule *neighbourhood_best(const struct neighbourhood *s);

struct neighbourhood_statistics {
  struct {
    const char *name;
    int64_t models, decided, improved, propagations, gain; /* cost units */
    int size;                                              /* nodes aimed at */
  } kind[NEIGHBOURHOOD_KINDS];
};
struct neighbourhood_statistics
neighbourhood_statistics(const struct neighbourhood *s);

#endif
