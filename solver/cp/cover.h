/* cover: a use lies inside one of the supports.
 *
 *     use at t          |
 *     support 0   [=====|==)            start_0 < t < end_0
 *     support 1         |     [=====)
 *
 * Constraint: if the using interval is present and starts at t, then some
 * present support i has start_i + 1 <= t and t + 1 <= end_i.  (At its own step
 * an output is being written, so a reader comes strictly later; and it is held
 * through the reader's step.)
 *
 * The *window* of support i is [min start_i + 1, max end_i - 1].  It is viable
 * if it meets [min t, max t].
 *
 * Rules:
 *     V1 t is raised to the least value in any window (no window: absence)
 *     V2 user present: t is lowered to the largest value in any window
 *     V3 user present, one viable support: start <= max t - 1
 *     V4 likewise: end >= min t + 1
 *
 * A support that is not viable is so for one of two reasons: start >= t_u
 * where t <= t_u, or end <= t_l where t >= t_l.  O(k) a run and an
 * explanation.  For more than two supports and a fixed t, two viable supports
 * are watched and nothing else wakes.  Complete on bounds.
 */
#ifndef MOCCASIN_CP_COVER_H
#define MOCCASIN_CP_COVER_H

#include "solver/cp/interval.h"

/* Copies the supports; of `user` only the start matters. */
bool cp_post_cover(struct cp *cp, const struct cp_interval *user,
                   const struct cp_interval *support, int count);

#endif
