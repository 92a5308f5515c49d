/* Finds cuts that the lower bound's primal point violates. */
#ifndef MOCCASIN_BOUND_SEPARATE_H
#define MOCCASIN_BOUND_SEPARATE_H

#include "model/bound_state.h"

/* Puts violated waiting cuts into use and returns how many.  A cut counts as
 * violated if it costs more than `least` scaled units beyond what the primal
 * point recomputes already (a node that is recomputed to a part q costs the
 * rest, (1 - q) w).  Neighbouring cuts ask for the same, so each cut that is
 * taken raises the primal point before the next is tried.
 *
 * Looks at the next s->unseen waiting cuts, in rotation, but stops after about
 * `work` units; the caller sets s->unseen to begin a round. */
int bound_separate(struct bound *b, double least, long work);

/* The same for a given primal point, `part` of each window (changed).  The
 * closures must be at the best point. */
int bound_separate_at(struct bound *b, double *part, double least, long work);

#endif
