/* Constructed topological orders: where a search in free order may begin, and
 * a quick answer to whether reordering alone lowers the peak.
 *
 *   depth first    the latest node that became ready goes next
 *   breadth first  the earliest one
 *   reverse        depth first on the reversed graph, read backwards
 *   least growth   the ready node that adds the fewest bytes: its size less
 *                  the inputs that it reads last (list scheduling)
 */
#ifndef MOCCASIN_ORDERS_H
#define MOCCASIN_ORDERS_H

#include "model/problem.h"

enum orders_kind {
  ORDERS_DEPTH_FIRST,
  ORDERS_BREADTH_FIRST,
  ORDERS_REVERSE,
  ORDERS_LEAST_GROWTH,
  ORDERS_KINDS
};

const char *orders_name(enum orders_kind kind);

/* Writes all nodes of p to `order`, a sink last.  O(n + m), and for least
 * growth O(n x ready nodes); false where that would be too much (beyond 2^30).
 */
bool orders_make(const struct problem *p, enum orders_kind kind, int *order,
                 struct memory *scratch);

#endif
