/* A sum of costs that depend on values: sum of cost_i[x_i] <= most + weight z.
 *
 *     cost_i  |      .--.            x_i ranges over 0 .. size-1; with bounds
 *             |  .--'    '--.  __    [low, high] it costs at least the least
 *             '---------------'--    entry between them
 *              low       high
 *
 * With least_i that entry and slack = most + weight * max(z) - sum of least_i:
 *
 *   V0  z >= (sum of least_i - most) / weight, rounded up.
 *   V1  cost_i[min x_i] > least_i + slack: x_i grows past it.
 *   V2  cost_i[max x_i] > least_i + slack: x_i shrinks below it.
 *
 * It serves reduced costs (model/bound.h): each recompute of a node carries
 * the duration that the lower bound did not count, by stage, and z is the
 * objective.  Least entries come from a sparse table in O(1) (Bender,
 * Farach-Colton, LATIN 2000), sums are incremental; a run costs O(items whose
 * dearest value exceeds the slack).  Explanations are O(items + weakening):
 * bounds are weakened as far as the least entry stays, and items are left out
 * from the smallest up while the sum suffices.  Costs are >= 0.
 */
#ifndef MOCCASIN_CP_COST_H
#define MOCCASIN_CP_COST_H

#include "solver/cp/propagator.h"

struct cp_cost {
  int variable; /* root bounds within 0 .. size - 1 */
  int size;
  const int64_t *cost; /* size entries >= 0; copied */
};

/* weight >= 1. The sum of the dearest entries and most + weight * max(z) must
 * fit int64 with room for one more. */
bool cp_post_cost(struct cp *cp, const struct cp_cost *item, int count, int z,
                  int64_t weight, int64_t most);

#endif
