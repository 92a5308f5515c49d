/* The best schedule by best-first search over the states of memory: an oracle
 * for up to 12 nodes in either order, with any limits.
 *
 * A state is what is in memory, how often each node has been computed and, in
 * input order, the last recompute of this stage.  A move computes a node after
 * dropping as little as lets it fit (what could have stayed may be dropped
 * later).  It shares nothing with the solver, nor with oracle.h or pebble.h.
 */
#ifndef MOCCASIN_TESTS_STATES_H
#define MOCCASIN_TESTS_STATES_H

#include "model/problem.h"

enum { STATES_NODES = 12 };

enum states_verdict { STATES_NONE, STATES_FOUND, STATES_TOO_MANY };

/* The least duration of a schedule of peak <= `budget`: staged schedules of
 * the input order, or with p->free_order any.  Gives up beyond `most` states.
 */
enum states_verdict states_duration(const struct problem *p, int64_t budget,
                                    int most, int64_t *best);

/* The least peak of a schedule of duration <= `limit`. */
enum states_verdict states_peak(const struct problem *p, int64_t limit,
                                int most, int64_t *best);

#endif
