/* Running the input order with some outputs dropped early.
 *
 * Given for every stage j what is retained across its end, a stage recomputes
 * what its node needs and finds missing: the closure of the missing inputs, in
 * increasing order.  That is how a rule "hold these, drop those" becomes a
 * staged schedule; retention itself is simulate's affair, so a held output is
 * simply one that is never recomputed.
 *
 *     replay_drop(r, v)     v is not available any more
 *     replay_stage(r, j)    recomputes what j needs, then computes j
 *
 * A node at its limit cannot be dropped.  Memory O(n + m + steps).
 */
#ifndef MOCCASIN_REPLAY_H
#define MOCCASIN_REPLAY_H

#include "model/schedule.h"

struct replay {
  struct memory *memory;
  const struct problem *p;
  bool *available;
  int *count; /* computes so far */
  int *step;  /* the schedule so far */
  int length, capacity;
  int *need; /* the last stage's recomputes, increasing */
  int needs;
  bool *marked;
};

struct replay *replay_new(struct memory *m, const struct problem *p);
void replay_free(struct replay *r);

/* False, and nothing changes, if v could not be computed once more. */
bool replay_drop(struct replay *r, int v);

/* Lists in r->need what stage j would recompute.  O(closure x degree). */
void replay_need(struct replay *r, int j);

/* Recomputes r->need of replay_need(r, j), then computes j. */
void replay_stage(struct replay *r, int j);

/* The schedule, trimmed. */
struct schedule *replay_finish(struct replay *r);

#endif
