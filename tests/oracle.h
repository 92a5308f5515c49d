/* All staged schedules of a small problem, by brute force: an oracle that
 * knows of nothing but the definition (it has a simulator of its own).
 *
 * A staged schedule is, for every node, a set of later stages in which it is
 * recomputed.  All combinations within the limits are tried; what is kept is
 * the frontier of peak and duration.
 */
#ifndef MOCCASIN_TESTS_ORACLE_H
#define MOCCASIN_TESTS_ORACLE_H

#include "model/problem.h"

enum { ORACLE_NODES = 8, ORACLE_POINTS = 400 };

/* Frontier: peaks rise, durations fall, strictly. */
struct oracle {
  int points;
  int64_t peak[ORACLE_POINTS], duration[ORACLE_POINTS];
};

/* At most ORACLE_NODES nodes, with the sink; fast up to 6 at C <= 3. */
void oracle_run(const struct problem *p, struct oracle *o);

/* Calls `visit` with every staged schedule within the limits. */
typedef void oracle_visit(void *data, const int *step, int length, int64_t peak,
                          int64_t duration);
void oracle_each(const struct problem *p, oracle_visit *visit, void *data);

/* Least duration within the budget; INT64_MAX if there is none. */
int64_t oracle_duration(const struct oracle *o, int64_t budget);
/* Least peak. */
static inline int64_t oracle_peak(const struct oracle *o) {
  return o->peak[0];
}

/* A random problem of 1 .. most_nodes nodes: small sizes and durations (zeros
 * among them), sometimes workspace, keep, own limits, fixed memory. */
struct problem *oracle_problem(struct memory *m, uint64_t seed, int most_nodes,
                               int max_computes);

#endif
