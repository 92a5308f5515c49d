/* Other ways to accept and restart, on the moves and the incremental evaluator
 * of the local search, to compare it with (bench/local-search.c).
 *
 *   plain            inserts and deletes only, one annealing for the whole
 * time: what one writes first one annealing    all moves, one annealing for the
 * whole time late acceptance  as good as the cost LATE tries ago (Burke and
 * Bykov, 2017) tabu             the best of SAMPLE moves that touches no node
 * that one of the last accepted ones touched (Glover, 1989) elites half of the
 * tries: independent runs; then the search again and again from one of the best
 * of them
 *
 * All add penalty x excess to the duration and adapt the penalty like local.c.
 */
#ifndef MOCCASIN_BENCH_LOCAL_METHODS_H
#define MOCCASIN_BENCH_LOCAL_METHODS_H

#include "heuristics/local_state.h"

enum { METHODS = 5 };
extern const char *const method_names[METHODS];

/* Runs method number `method` on l, fresh from local_new, for `tries` tries, or
 * when `seconds` is not 0 for that CPU time.  The duration of the best
 * schedule, simulated once more, or -1 without one; adds to *moves what was
 * evaluated. */
int64_t method_run(int method, struct local *l, int64_t tries, double seconds,
                   double *moves);

#endif
