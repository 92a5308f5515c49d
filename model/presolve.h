/* Where a recompute can help: for every node, the stages that a search has to
 * consider.  All rules keep at least one schedule of least duration, and one
 * of least peak (see `budget`), among the staged ones.
 *
 * Notation.  J(u) is the set of stages allowed for recomputes of u, given as
 * ranges.  L(u), the last stage in which u can be read, is the largest of c
 * and max J(c) over its consumers c.  Schedules are trimmed (schedule_trim):
 * every recompute is read.
 *
 * S1 limits.  limit(u) = 1, or no consumer: J(u) is empty.
 *
 * S2 last use.  J(u) lies within (u, L(u)].  Proof: a recompute in stage j
 * is read later, by a consumer whose compute lies in a stage >= j, hence
 * j <= L(u); and stage j recomputes smaller nodes only, hence j > u.
 *
 * S3 safe stages.  During stage i only outputs of nodes v <= i can be held,
 * each once (a node's retention intervals are disjoint), and only if they can
 * still be read, i <= L(v).  If
 *
 *     fixed + sum of m_v over v <= i <= L(v)
 *           + the largest workspace of node i and of all nodes with a
 *             non-empty J                                      <= budget
 *
 * stage i is *safe*: nothing that a schedule does there can exceed the budget.
 * Let x be the first unsafe stage after u.  Then J(u) lies within [x, L(u)].
 * Proof: take a recompute of u in a stage j < x.  From the end of u's previous
 * instance to its step there are only safe stages (stage u itself has no step
 * after u's own).  So delete the recompute and hold the previous instance on:
 * the memory changes in safe stages only, where no matter what is held the
 * budget is kept; duration does not grow, and there is one compute less, so
 * repeating this ends.  The argument needs J of the other nodes only as an
 * outer bound of what they do, so it may be repeated with the smaller sets.
 *
 * Two stages of the time axis between which no unsafe stage lies are thereby
 * separated from each other: whatever lives in a safe stretch only is never
 * recomputed and becomes a constant of the model (formulation.h).
 *
 * S4 windows.  Ranges found by a bound (bound.h): outside of them no schedule
 * shorter than `upper` recomputes anything.  This is no dominance, so it
 * composes: a schedule shorter than `upper` that S3 improves stays shorter.
 *
 * S5 parts.  Where few nodes are read across two stages, the time axis is
 * split: nothing is closed, but the objective gets a sum for each part
 * (formulation_duration.c).
 */
#ifndef MOCCASIN_PRESOLVE_H
#define MOCCASIN_PRESOLVE_H

#include "model/bound.h"

#include <stdio.h>

/* A line of PRESOLVE_RULES declares a switch: X(name, help). */
#define PRESOLVE_RULES(X)                                                      \
  X(last_use, "presolve S2: no recompute after the last possible read")        \
  X(safe, "presolve S3: no recompute where nothing can exceed the budget")     \
  X(windows, "presolve S4: the bound closes stages (reduced costs)")           \
  X(parts, "presolve S5: a sum for each part of the time axis")

struct presolve_rules {
#define PRESOLVE_FIELD(name, help) bool name;
  PRESOLVE_RULES(PRESOLVE_FIELD)
#undef PRESOLVE_FIELD
};

struct presolve_rules presolve_rules_default(void); /* all on */

/* Sets one by name to "0" or "1"; false if name or value is unknown. */
bool presolve_rules_set(struct presolve_rules *r, const char *name,
                        const char *value);

/* A line per rule, in the format of cp_options_help. */
void presolve_rules_help(FILE *out);

struct stage_range {
  int first, last; /* stages, inclusive */
  bool must;       /* at least one recompute lies in here (a window's) */
};

struct stage_ranges {
  int *start; /* n + 1: node u has range[start[u]] .. range[start[u + 1] - 1] */
  struct stage_range *range; /* ascending */
  int64_t stages;            /* sum of all lengths */
  int nodes;                 /* with at least one range */
  bool contradiction;        /* a `must` range came out empty: no schedule */
};

/* `budget`: for least duration the budget; for least peak a peak that no
 * schedule can undercut.  `window`: the bound's, sorted by node and stage, or
 * NULL for all stages.  O(rounds x (n + m)). */
struct stage_ranges *presolve(struct memory *m, const struct problem *p,
                              int64_t budget, const struct bound_window *window,
                              int windows, struct presolve_rules rules);

void stage_ranges_free(struct memory *m, struct stage_ranges *s);

#endif
