/* The least peak in free order, exactly, on small graphs: a search over states
 * that remembers where it has been.
 *
 * A schedule is a game of pebbles: a move computes a node whose inputs are in
 * memory, after dropping something.  A *state* is what is in memory and how
 * often each node has been computed.  The question "is there a schedule of
 * peak <= T?" is a search for a state in which every node has been computed;
 * the least peak is found by asking it for T = low, then halving what is left
 * between what is refuted and what is known to work.
 *
 * Why no schedule is lost (each rule turns a game within T into one of the
 * kind searched, also within T):
 *
 * (D) Dead.  A node is *alive* if it has not been computed, or if it may be
 *     computed again and is *useful*: some consumer is alive.  Computing a
 *     node that is not alive serves nothing and can be left out, and so what
 *     is not useful is dropped at once; its count no longer matters.
 * (L) Late drops.  Something is dropped only where the next node does not fit
 *     else, and then a least set of nodes: all such sets are tried.  Whatever
 *     a game keeps at that step is kept here too, and more in memory can
 *     always be dropped later.
 * (H) Held.  What may not be computed again and has a consumer that has not
 *     been computed is never dropped: every game that does is lost.
 * (E) Eager.  Let v be ready, not computed, and fit without a drop, and let
 *     the inputs that are useless after it and may not be computed again be F.
 *     If v is useless after it, or takes no more than F, it is computed now
 *     and nothing else is tried: every game holds F until it computes v, so
 *     moving v here raises the memory at no step between.
 *
 * With one compute a node, (H) leaves no choice of drops: a state is the set
 * of nodes computed, and (E) is the usual rule for such sets.
 *
 * A sink (problem.h) is computed when everything else has been.  Limits beyond
 * a hundred count as none, which may only lower what is proven.
 *
 * Complexity: O(n + m) a state and a move.  States are exponential in general,
 * few where graphs are narrow or budgets tight; the search gives up where they
 * outgrow its memory.
 */
#ifndef MOCCASIN_PEBBLING_H
#define MOCCASIN_PEBBLING_H

#include "model/problem.h"
#include "solver/base/stop.h"

struct pebbling_search;

struct pebbling {
  int64_t low;  /* bytes: no schedule has a lower peak */
  int64_t high; /* not asked for from here on; <= low: done */
  bool gave_up; /* too many states; low stays */
  int *step;    /* the best schedule found; NULL: none */
  int length;
  long work;   /* nodes and edges looked at so far */
  long states; /* seen so far */
  struct pebbling_search *search;
};

/* Is to decide which peaks in low .. high - 1 can be had; `low` is a valid
 * bound, at least the working set.  Everything lives in `m`. */
struct pebbling *pebbling_new(struct memory *m, const struct problem *p,
                              int64_t low, int64_t high);

/* Works until done, given up, stopped, or about `work` has been done.  Call
 * again to go on.  True if a better schedule was found. */
bool pebbling_run(struct pebbling *b, long work, struct stop *stop);

/* A schedule of peak `high` is known. */
void pebbling_limit(struct pebbling *b, int64_t high);

static inline bool pebbling_done(const struct pebbling *b) {
  return b->gave_up || b->low >= b->high;
}

#endif
