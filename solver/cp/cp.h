/* A constraint solver that learns: lazy clause generation over bounds.
 *
 * Variables are integers of which only the two bounds are kept.  Search
 * decides literals, propagators push bounds and can say why, and from every
 * conflict the engine derives a clause that forbids all of its kind.
 *
 *     struct cp *cp = cp_new(memory, NULL);
 *     int x = cp_variable(cp, 0, 9, "x"), y = cp_variable(cp, 0, 9, "y");
 *     cp_post_linear(cp, (struct cp_term[]){cp_term(1, x), cp_term(2, y)}, 2,
 *                    7);                                     // x + 2y <= 7
 *     cp_minimise(cp, (struct cp_term[]){cp_term(-1, x), cp_term(-3, y)}, 2);
 *     while (cp_solve(cp, NULL, 0, NULL) == CP_SOLUTION)
 *       ... cp_value(cp, x) ...               // strictly better every time
 *
 * Sides.  Variable v has two sides, 2v (lower) and 2v+1 (upper).  The bound
 * of the upper side is stored negated, so that both sides only ever grow and
 * one code path serves both:
 *
 *     cp_bound(cp, 2v) = min of v          cp_bound(cp, 2v+1) = -(max of v)
 *     literal {side, b}: the value of that side is at least b
 *     {2v, b} is v >= b     {2v+1, -b} is v <= b     not {s, b} = {s^1, 1-b}
 *
 * Bounds are int32 within +-CP_LIMIT_BOUND; sums and costs are int64, checked.
 * Memory is that of the context given to cp_new; its exhaustion longjmps out.
 * A solver belongs to one thread.  Effort is counted, never timed: the same
 * model, options and calls give the same run on every machine.
 *
 * Sources: Ohrimenko, Stuckey, Codish, "Propagation via lazy clause
 * generation" (Constraints 2009); Feydy, Stuckey, "Lazy clause generation
 * reengineered" (CP 2009); Een, Sorensson, "An extensible SAT-solver" (2003).
 */
#ifndef MOCCASIN_CP_H
#define MOCCASIN_CP_H

#include "solver/base/memory.h"
#include "solver/cp/options.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct cp;

#define CP_LIMIT_BOUND 1000000000

/* ---- literals ---------------------------------------------------------- */

struct cp_literal {
  int32_t side, bound; /* the value of `side` is at least `bound` */
};

static inline struct cp_literal cp_at_least(int variable, int32_t bound) {
  return (struct cp_literal){2 * variable, bound};
}
static inline struct cp_literal cp_at_most(int variable, int32_t bound) {
  return (struct cp_literal){2 * variable + 1, -bound};
}
static inline struct cp_literal cp_not(struct cp_literal l) {
  return (struct cp_literal){l.side ^ 1, 1 - l.bound};
}

/* ---- variables --------------------------------------------------------- */

/* A new variable with bounds low..high (low <= high).  The name is copied and
 * used for traces; NULL gives "x<number>".  Variables may be added between
 * solves.  Returns 0, 1, 2, ... */
int cp_variable(struct cp *cp, int32_t low, int32_t high, const char *name);

int cp_variables(const struct cp *cp);
const char *cp_name(const struct cp *cp, int variable);

/* Current bounds: at the root between solves, inside search in callbacks. */
int32_t cp_min(const struct cp *cp, int variable);
int32_t cp_max(const struct cp *cp, int variable);

/* 1 true, -1 false, 0 open, under the current bounds. */
int cp_truth(const struct cp *cp, struct cp_literal l);

/* Search decides the variables of the smallest tier first, by score (decide.c);
 * within tiers above 0 in order of creation.  Default tier 0.  Variables whose
 * values follow from others (ends of intervals) belong in tier 1. */
void cp_set_tier(struct cp *cp, int variable, int tier);

/* The value search tries first (clipped to the bounds): a default, and the
 * phases of a known solution.  Each solution found replaces the phases. */
void cp_prefer(struct cp *cp, int variable, int32_t value);

/* Adds to the variable's activity before search, so that it is decided
 * early; `weight` 1 is what one conflict adds. */
void cp_bump(struct cp *cp, int variable, double weight);

/* ---- constraints (between solves only) ---------------------------------- */

/* Adding a constraint may already show that nothing satisfies the model; then
 * cp_solve returns CP_INFEASIBLE, and `cp_post_...` returned false. */

/* One literal must hold. */
bool cp_require(struct cp *cp, struct cp_literal l);

/* At least one of the literals holds. */
bool cp_post_clause(struct cp *cp, const struct cp_literal *l, int count);

/* A term of a linear sum: weight * value of variable, or weight if the literal
 * holds, else 0. */
struct cp_term {
  int64_t weight;
  struct cp_literal literal; /* for a variable: its lower side */
  bool boolean;
};
static inline struct cp_term cp_term(int64_t weight, int variable) {
  return (struct cp_term){weight, {2 * variable, 0}, false};
}
static inline struct cp_term cp_term_if(int64_t weight, struct cp_literal l) {
  return (struct cp_term){weight, l, true};
}

/* sum of terms <= most.  Terms of the same variable may repeat; weights have
 * any sign.  Sums beyond int64 end in longjmp to the memory context's owner
 * only if the caller did not check: use cp_linear_fits first on raw input. */
bool cp_post_linear(struct cp *cp, const struct cp_term *t, int count,
                    int64_t most);

/* Whether every partial sum of the terms stays within +-2^62. */
bool cp_linear_fits(const struct cp *cp, const struct cp_term *t, int count);

/* The objective, at most one.  Its exact bound falls permanently below each
 * solution found.  Returns the objective variable z >= 0 for assumptions:
 *     z <= k   means   sum <= cp_objective_at(cp, k)
 * in steps of one unit when the range of the sum (after division by the gcd of
 * the weights) fits int32, else in coarser steps; the permanent bound is exact
 * always. */
int cp_minimise(struct cp *cp, const struct cp_term *t, int count);
int64_t cp_objective_at(const struct cp *cp, int32_t k);

/* Largest k with cp_objective_at(cp, k) <= most (-1 if none). */
int32_t cp_objective_step(const struct cp *cp, int64_t most);

/* From now on only solutions with a sum <= most (never loosened). */
bool cp_objective_limit(struct cp *cp, int64_t most);

/* What is proven at the root: sum >= this in all that is still asked for. */
int64_t cp_objective_min(const struct cp *cp);

/* ---- search ------------------------------------------------------------- */

enum cp_result {
  CP_SOLUTION,           /* cp_value holds it */
  CP_INFEASIBLE,         /* no (better) solution exists: proven */
  CP_INFEASIBLE_ASSUMED, /* none under the assumptions: see cp_core */
  CP_LIMIT,              /* effort spent or stopped */
  CP_FAULT               /* a check (option `check`) failed: see cp_fault */
};

struct cp_limits {
  int64_t conflicts;    /* 0: unlimited */
  int64_t propagations; /* bound changes processed; 0: unlimited */
  bool (*stop)(void *); /* polled about every 1000 propagations; may be NULL */
  void *stop_data;
};

/* Searches for one solution under the assumptions.  Learned clauses, activity
 * and phases stay for the next call.  With an objective, a solution makes the
 * next call ask for a strictly better one. */
enum cp_result cp_solve(struct cp *cp, const struct cp_literal *assumed,
                        int count, const struct cp_limits *limits);

/* Value in the last solution (needs one). */
int32_t cp_value(const struct cp *cp, int variable);
int64_t cp_objective(const struct cp *cp);

/* After CP_INFEASIBLE_ASSUMED: a subset of the assumptions that cannot hold
 * together.  Valid until the next call. */
const struct cp_literal *cp_core(const struct cp *cp, int *count);

/* The caller's own decision: writes an open literal to *l and returns true, or
 * returns false to let the engine decide.  Called with current bounds. */
typedef bool cp_decide(struct cp *cp, void *data, struct cp_literal *l);
void cp_set_decide(struct cp *cp, cp_decide *decide, void *data);

/* Root propagation to the fixpoint; false if it fails.  cp_min and cp_max then
 * show the root bounds. */
bool cp_propagate_root(struct cp *cp);

/* ---- trust, teaching ---------------------------------------------------- */

/* A complete assignment that satisfies all constraints.  At check level 1 each
 * explanation and each learned clause is tested against it while its objective
 * is within the permanent bound.  values[variable], copied; NULL forgets it, as
 * does a new variable. */
void cp_set_known(struct cp *cp, const int32_t *values);

/* What a check found wrong, "" if nothing. A fault is final. */
const char *cp_fault(const struct cp *cp);

/* Whether all constraints hold for the values; the first that fails is named
 * in `fault` (may be NULL). */
bool cp_satisfied(struct cp *cp, const int32_t *values, char *fault,
                  size_t size);

/* Readable events go here (see README.md); NULL switches the trace off. */
void cp_set_trace(struct cp *cp, FILE *out);

/* Writes "x >= 3" and the like. */
void cp_literal_text(const struct cp *cp, struct cp_literal l, char *text,
                     size_t size);

const struct cp_statistics *cp_statistics(const struct cp *cp);
void cp_statistics_print(const struct cp_statistics *s, FILE *out);

/* ---- life --------------------------------------------------------------- */

/* `options` NULL: defaults.  The solver allocates from `memory` and all of it
 * goes with cp_free or with the context. */
struct cp *cp_new(struct memory *memory, const struct cp_options *options);
void cp_free(struct cp *cp);

/* Some options may change between solves (all that search reads). */
struct cp_options *cp_options(struct cp *cp);

#endif
