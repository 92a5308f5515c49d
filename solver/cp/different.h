/* all different, on bounds.
 *
 * A *Hall interval* [a, b] is one that holds the whole domains of b - a + 1
 * variables; these take all of its values.  More than so many: conflict (D0).
 * Any other variable x:
 *     D1 x >= a -> x >= b + 1          D2 x <= b -> x <= a - 1
 *
 * For each largest value b, variables are added by falling smallest value a:
 * O(n^2) a run, complete on bounds where values are dense (Leconte 1996;
 * Puget, AAAI 1998).  Simple rather than the O(n log n) of Lopez-Ortiz et al.
 * (IJCAI 2003), since the project's graphs do not use it in bulk.
 */
#ifndef MOCCASIN_CP_DIFFERENT_H
#define MOCCASIN_CP_DIFFERENT_H

#include "solver/cp/propagator.h"

/* Copies the views; the values of the views differ pairwise. */
bool cp_post_different(struct cp *cp, const struct cp_view *x, int count);

#endif
