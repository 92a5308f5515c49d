/* Local search over schedules: simulated annealing with an adaptive penalty
 * for what exceeds the budget, on the incremental evaluator of sequence.h.
 *
 * Input order (problem->free_order false): every schedule is staged, a
 * recompute is a (stage, node) pair.  Free order: first computes move too;
 * a sink stays last.
 *
 * Objective duration: the least duration with peak <= problem->budget.
 * Objective peak: the least peak with duration <= duration_limit; ties by
 * duration.  problem->budget is then only the first goal.
 *
 * The search is cut into moves, never seconds: the same problem, options and
 * sequence of calls give the same schedules on every machine.  A `struct
 * local` belongs to one thread; several may share one problem.
 *
 *     struct local *l = local_new(m, p, &options);
 *     local_start(l, NULL, &hooks);
 *     while (...)
 *       local_run(l, 200000, &hooks);
 *
 * Memory O(n + m + recomputes); a million evaluated moves a second and more
 * at n = 1000, see bench/local-search.md.
 */
#ifndef MOCCASIN_LOCAL_H
#define MOCCASIN_LOCAL_H

#include "model/schedule.h"

enum local_objective { LOCAL_DURATION, LOCAL_PEAK };

struct local_options {
  uint64_t seed;
  enum local_objective objective;
  int64_t duration_limit; /* cost units, for LOCAL_PEAK; 0: none */
  /* Once there is a schedule, rounds start a thirtieth as hot: they improve the
   * order they begin with instead of finding another. */
  bool warm;
};

/* `stop` is asked every few milliseconds of work; true ends the run early.
 * `report` gets every schedule that respects budget (or duration limit) and
 * compute limits and is better than all before; it belongs to the search and
 * is valid during the call only.  Either may be NULL. */
struct local_hooks {
  void *data;
  bool (*stop)(void *data);
  void (*report)(void *data, const struct schedule *s);
};

struct local;

/* Everything is taken from `m`.  Reads p->budget; call local_start again
 * after changing it. */
struct local *local_new(struct memory *m, const struct problem *p,
                        const struct local_options *options);
void local_free(struct local *l);

/* Starts afresh from `s` (copied; in input order it must be staged), which
 * may exceed the budget; a node's limit must be respected.  NULL: from the
 * greedy schedule, or the input order when the peak is the objective.  Forgets
 * the best schedule.  Of the hooks (may be NULL) `stop` is asked meanwhile. */
void local_start(struct local *l, const struct schedule *s,
                 const struct local_hooks *hooks);

/* Up to `moves` more evaluated moves; returns how many were made. */
int64_t local_run(struct local *l, int64_t moves,
                  const struct local_hooks *hooks);

/* The best reported schedule so far, or NULL. Owned by the search. */
const struct schedule *local_best(const struct local *l);

/* Offers a schedule found elsewhere (copied; same conditions as local_start).
 * When it beats the best so far it becomes that, is not reported, and the
 * next round of annealing starts from it. */
void local_offer(struct local *l, const struct schedule *s);

/* Counters since local_new; `stale`: rounds since the best improved. */
struct local_statistics {
  int64_t moves, accepted, improved, rounds, stale;
};
struct local_statistics local_statistics(const struct local *l);

#endif
