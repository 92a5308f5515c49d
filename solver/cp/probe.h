/* Least value of a variable: solving under assumptions on it.
 *
 *     root min                                          root max
 *     refuted |-------------------- open --------------------| best known
 *             ^ lower probes: z <= min + part                ^ upper probes
 *
 * From above, each solution lowers the max; that finds, but leaves the min as
 * it is until the very end.  The other ways probe: they assume z <= k.  A
 * solution lowers the max; a refutation is kept at the root as z > k, so that a
 * search that is stopped has a lower bound to show; and a probe that needs more
 * conflicts than it is given proves nothing.
 *
 *   CP_FROM_ABOVE  no assumption
 *   CP_RAISE       the proving mode.  Lower probes and searches without an
 *                  assumption take turns.  The first assumes z <= min;
 *                  refuted, the next reaches twice as far above the new min
 *                  (but half of what is open at most); too hard, half as far.
 *   CP_DICHOTOMY   lower and upper probes take turns, both in the middle at
 *                  first, and nearer their ends once both were too hard.
 *
 * A turn too hard for both sides makes both longer by half, so every way is
 * complete.  All of it is sound whatever is refuted in between: what is learned
 * under an assumption has the assumption as one of its literals.
 *
 * Which is best, in conflicts to proof (geometric means up to 2000): 200 random
 * graphs without bound or schedule: from above 63.9 (177 proven), raising 69.4
 * (174), dichotomy 68.2 (173); 41 budgets of published and generated graphs,
 * most with the bound's reduced costs: 294 (30), 201 (32), 309 (29).  With a
 * good schedule to begin with, as the product has, refuting it at once is
 * shorter.  A raised bound is what an unfinished run gains: layered, 125 nodes,
 * 80 %, 25 s: gap 4.3 % instead of 5.2 %.
 *
 * Sources: stratified core-guided search in this form is "progression"
 * (Ignatiev et al., "Progression in maximum satisfiability", ECAI 2014);
 * dichotomy with limits as in scheduling solvers (Grimes, Hebrard, "Models and
 * strategies for variants of the job shop scheduling problem", CP 2011).
 */
#ifndef MOCCASIN_CP_PROBE_H
#define MOCCASIN_CP_PROBE_H

#include "solver/cp/cp.h"

enum cp_way { CP_FROM_ABOVE, CP_RAISE, CP_DICHOTOMY };

struct cp_probe {
  int variable;
  enum cp_way way;
  bool upper;        /* whose turn it is */
  int shift;         /* a probe's part of what is open is 2^-shift of it */
  int64_t conflicts; /* a turn's */
  int64_t left;      /* of the turn under way */
};

struct cp_probe cp_probe_new(int variable, enum cp_way way);

/* The next solution with z within its root bounds (the caller, or the
 * objective, lowers the max afterwards).  CP_INFEASIBLE: there is none;
 * CP_LIMIT: `limits` reached, cp_min(z) is what is refuted by then.  A later
 * call goes on where this one ended.  Never CP_INFEASIBLE_ASSUMED. */
enum cp_result cp_solve_least(struct cp *cp, struct cp_probe *p,
                              const struct cp_limits *limits);

#endif
