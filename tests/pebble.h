/* The least duration of any schedule within the budget, by exhaustive search:
 * an oracle for lower bounds that knows nothing of stages, intervals or cuts.
 *
 * A state is what is in memory and how often each node has been computed; a
 * move computes a node whose inputs are in memory, or drops something from
 * memory.  Every schedule is such a game and the reverse.
 */
#ifndef MOCCASIN_TESTS_PEBBLE_H
#define MOCCASIN_TESTS_PEBBLE_H

#include "model/problem.h"

/* Which schedules count. */
struct pebble_rules {
  bool free_order; /* else first computes in the problem's order */
  bool limited;    /* each node at most its limit (at most 3), else only the
                    * file's own limits of 1 */
  /* Recomputes of v in stage j are forbidden if closed[v * n + j]. */
  const bool *closed; /* NULL: none are */
};

/* INT64_MAX if there is none.  At most 8 nodes without `limited`, at most 6
 * with it. */
int64_t pebble_optimum(const struct problem *p,
                       const struct pebble_rules *rules);

#endif
