/* The retention-interval formulation of staged schedules on the engine.
 *
 * Events.  A node v may be computed in stage v (first) and in the stages J(v)
 * that presolve.h leaves.  All these events, ordered by stage and node, are
 * numbered 0, 1, 2, ...: the *time* of the model.  So times are as few as the
 * events, whatever n^2 is.
 *
 *     stage       0    1       2           3
 *     event      [0]  0? [1]  0? 1? [2]   1? 2? [3]        v?: may be computed
 *     time        0   1   2   3  4   5    6  7   8
 *
 * Variables, for node v and its computes 0 .. k_v:
 *   start  compute 0: a constant; others: an index into J(v), and one more
 *          index that means absent, seen as times by a table of v's
 *   end    an index into the times right after possible reads of v (the
 *          lowest: not read at all), again with a table of v's
 * A node that is never recomputed and read by no such node is a constant block
 * of the memory profile, without variables: the model is built of what is open.
 *
 * Constraints:
 *   chain       each node's intervals, in order; a recompute must be read
 *   cover       each read lies inside an interval of each input
 *   cumulative  sizes of the intervals, workspaces at the computes, within
 *               budget - fixed
 *   objective   sum of w_v over present recomputes; by parts of the time axis
              where those are next to independent (formulation_duration.c)
 *   cost        redundant: bound + reduced costs of the recomputes, by stage,
 *               <= objective (bound.h); what makes large kernels refutable
 *
 * Given the starts, least ends follow by propagation alone (the read at t is
 * served by the last start before t), so only starts are branched on.
 *
 * Least peak: the capacity is a variable, low + unit * z; found by probes on z,
 * a dichotomy (probe.h; option `capacity`).  Least duration: from above, or by
 * probes on the objective too (option `objective`).
 *
 * Scope: all staged schedules (input order; inside a stage recomputes run in
 * input order, each node once a stage) with at most limit(v) computes.
 */
#ifndef MOCCASIN_FORMULATION_H
#define MOCCASIN_FORMULATION_H

#include "model/presolve.h"
#include "model/schedule.h"
#include "solver/cp/cp.h"

struct formulation_options {
  struct cp_options cp;
  struct presolve_rules rules;
  const struct bound_window *window; /* bound.h; NULL: everything is open */
  int windows;
  const struct bound_regrets *regrets; /* bound.h, of the same fixing; NULL */
  int64_t upper;       /* ask for durations below this only; INT64_MAX: any */
  int64_t low, high;   /* least peak: low <= peak <= high, bytes; low is a peak
                          that nothing undercuts. high < low: least duration */
  int64_t most_events; /* larger models are refused */
};

struct formulation_options formulation_options_default(void);

struct formulation;

/* NULL if there would be more than most_events events, interval times or
 * supports.
 * Everything is from `m`. */
struct formulation *formulation_new(struct memory *m, const struct problem *p,
                                    const struct formulation_options *options);
void formulation_free(struct formulation *f);

/* Search prefers this schedule (staged); recomputes outside of what is open
 * are left out. */
void formulation_prefer(struct formulation *f, const int *step, int length);

enum formulation_result {
  FORMULATION_SCHEDULE, /* found one; see formulation_schedule */
  FORMULATION_DONE,     /* proven: none, or none better than the last */
  FORMULATION_LIMIT,    /* limits reached */
  FORMULATION_FAULT     /* a check failed: cp_fault(formulation_cp(f)) */
};

/* Searches for the next schedule: within the budget and strictly shorter than
 * the last and than `upper`; or, for least peak, of a strictly lower peak. */
enum formulation_result formulation_run(struct formulation *f,
                                        const struct cp_limits *limits);

/* From now on only schedules with an objective below `upper`. */
void formulation_limit(struct formulation *f, int64_t upper);

/* The last one found, trimmed; owned by f, valid until the next run. */
const struct schedule *formulation_schedule(const struct formulation *f);

/* No schedule in scope (shorter than `upper`) has a duration, or in least peak
 * a peak, below this. */
int64_t formulation_bound(const struct formulation *f);

struct formulation_size {
  int nodes;     /* with variables */
  int intervals; /* with variables */
  int recomputes;
  int blocks, covers;
  int parts; /* of the time axis, with a sum each; 0: not split */
  int64_t events;
};
struct formulation_size formulation_size(const struct formulation *f);
struct cp *formulation_cp(struct formulation *f);

#endif
