/* chain: the intervals of one node follow one another.
 *
 *     i   [start_i ---- end_i)
 *     i+1                      [start_i+1 ---- end_i+1)
 *
 * Constraint, for intervals 0 .. k-1 whose start views share one value H for
 * absence, beyond all others:
 *
 *     an absent optional interval has its end at the lowest index, a present
 *     one has start < end and its end above the lowest index;
 *     presence of i+1 implies presence of i;
 *     if both are present, end_i <= start_i+1 (hence start_i < start_i+1).
 *
 * The lowest end of an optional interval must not lie beyond its lowest start.
 *
 * Rules (labels as in the trace), each a clause of two or three literals:
 *
 *     C0 absent i -> end_i lowest          C1 end_i above lowest -> present i
 *     C2 present i, start_i >= t -> end_i > t
 *     C3 present i, end_i <= t -> start_i < t
 *     C4 start_i >= t, end_i <= t -> absent i
 *     C5 end_i >= t -> start_i+1 >= t      C6 start_i+1 <= t -> end_i <= t
 *     C7 start_i >= t -> start_i+1 > t     C8 start_i+1 <= t -> start_i < t
 *
 * O(k) a run.  Complete on bounds for k = 2 intervals whose values are dense;
 * always complete at fixed assignments.
 */
#ifndef MOCCASIN_CP_CHAIN_H
#define MOCCASIN_CP_CHAIN_H

#include "solver/cp/interval.h"

/* Copies the intervals. */
bool cp_post_chain(struct cp *cp, const struct cp_interval *interval,
                   int count);

#endif
