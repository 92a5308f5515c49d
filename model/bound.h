/* Lower bounds on the duration of every schedule within the budget.
 *
 * Setting (input-order mode).  Let [t] be the step of node t's first compute:
 * the *cut* t.  The stages of problem.h generalise to any sequence whose first
 * computes come in input order: stage j is what lies between [j - 1] and [j],
 * in any order and any number.  At cut t
 *
 *     fixed + workspace_t + m_t + sum of m over X  <=  budget,
 *
 * X being the nodes u < t with an instance retained at that step; it contains
 * preds(t).  A node u < t that a later first compute reads is *needed*; it is
 * in X, or it is computed again after the cut (u in Y), and then each of its
 * inputs is in X or in Y.  Hence 0/1 values a_u (available after the cut) and
 * y_u (recomputed after the cut, not held at it) with
 *
 *     y_u <= a_u,   y_u <= a_p (p in preds(u)),   a_u = 1 (u needed),
 *     a_u = 1 and y_u = 0 (u in preds(t)),        y_u = 0 (limit 1),
 *     sum of m_u (a_u - y_u)  <=  budget - fixed - workspace_t - m_t.     (K)
 *
 * Groups.  Let c_1 < c_2 < ... be the consumers of u, c_0 = u, and window g of
 * u the stages c_g < j <= c_(g+1) (the last one ends with the schedule):
 *
 *     stage     u      c_1         c_2         n-1
 *               |-------|-----------|-----------|
 *     window        0         1           2
 *
 * If y_u = 1 at cut t, c_g <= t < c_(g+1), then u is not held at [t] but read
 * later, so it is recomputed in a stage > t; if c_(g+1) exists, it reads u, and
 * that recompute is in stage <= c_(g+1).  So it lies in window g.  Windows are
 * disjoint: with q_gu = 1 if u is recomputed in window g,
 *
 *     q_gu >= y_u of every cut t of window g,
 *     recomputes of u >= sum over g of q_gu,                              (Q)
 *     sum over g of q_gu <= limit_u - 1.                                  (C)
 *
 * The bound is the linear program: minimise sum of w_u q_gu.  Its Lagrangian
 * splits w_u (per window) into c_u^t >= 0 among the cuts t, with sum over the
 * cuts of one window <= w_u + mu_u, and prices (K) at lambda_t and (C) at mu_u:
 *
 *     bound = sum over t of D_t - sum over u of (limit_u - 1) mu_u,
 *     D_t   = min sum of c_u y_u + lambda_t (sum of m_u (a_u - y_u) - capacity)
 *
 * D_t is a minimum closure, hence a minimum cut (flow.h):
 *
 *     source --lambda m_u--> Y_u --c_u--> sink          u needed
 *     Y_u --inf--> A_p --lambda m_p--> Y_p --c_p--> sink    p in preds(u), not
 *                                                           needed, not held
 *
 * *Any* c, lambda, mu >= 0 and any pseudoflow give a valid bound, so the
 * optimiser may be sloppy and in floating point; the value is computed from
 * integer capacities, rounded the safe way.
 *
 * Scopes.  BOUND_LIMITED uses limits (C); it holds for the problem's C.
 * BOUND_ANY drops (C), so it holds for every C (nodes that a file limits to
 * one compute stay so).  Both hold for any order inside a stage.
 * BOUND_FREE_ORDER: first computes in any topological order; at [t] all
 * ancestors of t have been computed and no descendant has, so the cut is valid
 * with "needed" meaning an ancestor of t that has a consumer among the
 * descendants of t, and with one window for everything.
 *
 * Fixing.  Take a schedule of the scope within the budget that is shorter than
 * `upper`, and a recompute of u in stage j of window g.  Say the last recompute
 * of u in the window is in stage l >= j.  Cuts t >= l of the window have
 * y_u = 0: nothing recomputes u after them inside the window.  Each D_t is at
 * most the cost c^t of the schedule's own y at t, so summing up,
 *
 *     duration - base >= bound + (recomputes of u in the window) w_u
 *                        - sum of c_u^t over cuts t < l of the window
 *
 * (with mu_u added to w_u where (C) is priced: sum over g of q_gu mu_u is at
 * most (limit_u - 1) mu_u).  If l = j this is at least
 *
 *     bound + w_u + mu_u - sum of c_u^t over cuts t < j of the window,    (F)
 *
 * and if l > j the recompute in j costs a full w_u beside that in l, whose
 * cost is at least what is subtracted, so at least bound + w_u.  Lowering c_u^t
 * to what the pseudoflow uses changes no D_t, which makes (F) largest.  If the
 * smaller of the two reaches `upper`, stage j is closed for u.  Since the sum
 * in (F) grows with j, the open stages of a window are a suffix of it.  Nodes
 * that no cut counts are closed only if w_u alone exceeds the gap.
 *
 * Windows that must be used: when u is barred from a window (y_u = 0 at its
 * cuts) the same sum with the D_t so restricted is a bound; if it reaches
 * `upper`, the window holds at least one recompute of u.
 *
 * Nothing here uses dominance: what is closed is absent from *every* shorter
 * schedule, not just from one; reductions compose with any search.
 */
#ifndef MOCCASIN_BOUND_H
#define MOCCASIN_BOUND_H

#include "model/problem.h"

enum bound_scope { BOUND_LIMITED, BOUND_ANY, BOUND_FREE_ORDER };

struct bound_state;

struct bound {
  const struct problem *problem;
  enum bound_scope scope;
  int64_t value;   /* cost units: no schedule within the budget is shorter */
  bool infeasible; /* proven: there is no schedule within the budget */
  int blame;       /* the node whose cut proves it, -1: several together */
  bool converged;  /* bound_improve has nothing left to do */
  long iterations; /* of the optimiser, so far */
  long work;       /* arcs looked at, so far: the unit of effort */
  struct bound_state *state;
};

/* Stops bound_improve when it returns true; asked every few milliseconds. */
struct bound_stop {
  bool (*ask)(void *context);
  void *context;
};

/* Prepares the bound; value is what one pass over the cuts gives.  Uses
 * p->budget as it is now.  Everything lives in `m`. */
struct bound *bound_new(struct memory *m, const struct problem *p,
                        enum bound_scope scope);

/* Improves the value until convergence, the stop, or `work` more units of
 * effort (0: no limit).  `upper` is a known duration, or INT64_MAX; it steers
 * step sizes, and the work ends when value >= upper.  Resumable: call again
 * with a better `upper` or more work.  Returns true if the value grew. */
bool bound_improve(struct bound *b, int64_t upper, long work,
                   const struct bound_stop *stop);

/* A range of stages that is open for recomputes of a node. */
struct bound_window {
  int node;
  int first, last; /* stages, inclusive */
  bool must;       /* at least one recompute of the node lies in here */
};

/* In every schedule of the scope within the budget and shorter than `upper`,
 * each recompute lies in one of the windows.  Sorted by node and stage. */
struct bound_fixing {
  int64_t upper;
  int window_count;
  struct bound_window *window;
  int never_count; /* nodes without a window: never recomputed */
  int must_count;  /* nodes recomputed at least once */
};

/* Reduced-cost fixing with the best duals so far.  O(windows + entries) and a
 * few flows for each cut. */
struct bound_fixing *bound_fix(struct bound *b, int64_t upper,
                               struct memory *m);
void bound_fixing_free(struct memory *m, struct bound_fixing *f);

/* One cut's part in the bound, for people. */
struct bound_cut {
  int node;            /* the cut is at its first compute */
  int64_t excess;      /* bytes over the budget if all needed are held */
  double contribution; /* cost units of the bound */
  double multiplier;   /* cost units per byte */
  int candidates;      /* nodes that could be dropped */
};

/* The cuts in use, in input order; returns their count.  `*list` is from m. */
int bound_report(const struct bound *b, struct memory *m,
                 struct bound_cut **list);

#endif
