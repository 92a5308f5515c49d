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
 * BOUND_FREE_ORDER is for first computes in any topological order, with the
 * problem's limits as far as they forbid recomputes; see below.
 *
 * Free order.  Which nodes have been computed before [t] is then open for all
 * but the ancestors of t, which have, and its descendants, which have not: so
 * it becomes part of the minimum.  Each node has one of four labels at cut t:
 *
 *     later       computed first after [t]                      pays 0
 *     recomputed  computed before, not held, computed again     pays c_u
 *     held        computed before, retained at [t]              pays lambda m_u
 *     done        computed before, not available after [t]      pays 0
 *
 *     u is later                  =>  its consumers are later
 *     u is later or recomputed    =>  none of its inputs is done
 *
 * With the labels in this order both are implications from one threshold to
 * another, so D_t still is a minimum cut, exact over all orders
 * (bound_closure.h); inputs of t are held, ancestors not later, t and its
 * descendants later.  One window for everything: how often u is needed
 * depends on the order.  With all entries barred the minimum is the least that
 * any order holds at [t]; the largest of these over t is a bound on the peak
 * without recomputes (bound_peak.h).
 *
 * Closing stages (bound_fix).  A schedule is *irredundant* if no recompute can
 * be taken out (the instance before it being retained instead) without leaving
 * the budget.  Taking out never lengthens, so if any schedule within the
 * budget is shorter than `upper`, then so is an irredundant one, and the best
 * of these is the best of all.  A stage j is *closed* for u if no irredundant
 * schedule of the scope, within the budget and shorter than `upper`,
 * recomputes u in stage j.  The rules, in any number and order:
 *
 * (F) Costs.  Say u is recomputed in stage j of window g, its last recompute in
 *     this window being in stage l >= j.  Cuts t >= l of the window have
 *     y_u = 0: nothing recomputes u after them inside the window.  Each D_t is
 *     at most what the schedule's own y costs there, hence
 *
 *         duration - base >= bound + R (w_u + mu_u)
 *                            - sum of c_u^t over cuts t < l of the window,
 *
 *     R being the recomputes of u in the window (prices: the other windows of
 *     u hold at most limit_u - 1 - R of them).  If l = j, R >= 1.  If l > j,
 *     R >= 2, and the sum is at most w_u + mu_u.  So j is closed if
 *
 *         bound + w_u + mu_u - sum of c_u^t over cuts t < j  >=  upper - base.
 *
 *     c_u^t may be lowered to what the pseudoflow uses, which changes no D_t.
 *     Stages that no cut counts are closed only if w_u alone exceeds the gap.
 * (R) Read.  In the last window of u only recomputes read u, so nothing after
 *     the last open stage of its consumers is open.
 * (T) Tight.  At the step of a first compute or a recompute, what is retained
 *     are inputs of the step and nodes that are read later: by a first
 *     compute, or by a recompute in an open stage.  If all of these fit
 *     together the place is not tight.  A recompute of u in window g with no
 *     tight place between [c_g] and itself is redundant: between the last use
 *     of the instance before and the recompute, u counts in that sum although
 *     it is not held, so it could have stayed.
 *
 * Rules R and T are dominance: they keep a best schedule, not every one.  They
 * hold for input order only.  What is closed bars entries: y_u = 0 at cut t if
 * no stage after t is open in the window.  This lifts the bound, which then
 * holds for irredundant schedules shorter than `upper`: the true least duration
 * is at least the smaller of it and `upper`, which is what `value` reports.
 *
 * A window *must* be used when barring u from its cuts lifts the bound to
 * `upper`: every irredundant schedule shorter than `upper` recomputes u there.
 *
 * Integrality (bound_branch.h).  In a schedule a window is used or not; branch
 * and bound on the windows reaches the integer optimum of all cuts, and lists
 * their integer solutions below `upper`; stages that none of them leaves open
 * are closed too.
 *
 * Measured on the published graphs (C = 2, one thread, given the best schedule
 * known): the linear program within 0.1 % of what a general solver gives,
 * in 0.1 s (n = 500 at 90 %) to 3 s (n = 1000 at 80 %).  The cut at the peak
 * alone is nearly all of it at 90 %.  Ideas beyond the grouped cuts:
 *   - integer windows: pays most.  15 of 20 rows are proven optimal by the
 *     bound alone in under 0.1 s, rl-n250 and rl-n500 at 90 % among them;
 *     rl-n1000 at 90 %: 96.4 to 98.3 % of the extra duration; rl-n100 at 90 %:
 *     59.7 to 86.5 %; little at 80 % on the large graphs.
 *   - limits (C) priced in: rl-n250 at 80 % 3.28 % instead of 3.21.
 *   - dominance (R, T): halves the open stages (rl-n500 at 90 %: 14117 to
 *     7405), lifts the program's value only in the unit's last digit.
 *   - leaves to the engine (bound_leaf): proves rl-n1000 at 90 % (3416, of
 *     which the tree alone reaches 3371): 24 leaves, 7700 conflicts, 1.6 s with
 *     the schedule given, 12 s from nothing.
 *   - closing by the tree: rl-n100 at 90 % 21 to 3 open nodes, rl-n1000 at
 *     90 % 166 to 73.
 *   - rounding up to multiples of the durations' common divisor: a unit or two
 *     on the training graphs.
 *   - subgradient and volume steps instead of the bundle method: 2 to 5 % lower
 *     at 80 % after 300 steps; dropped.
 *   - diving to leaves from every eighth tree node, for schedules: the first
 *     leaf came no earlier, nor did a better schedule; dropped.
 *   - new closures whenever fixing has closed something: the bundle's model is
 *     lost each time (rl-n1000 at 90 %: 50 steps and no tree after 8 s instead
 *     of 27 steps and 0.3 s); now only when the program is solved.
 *   - what is not in the cuts, by a general solver on rl-n100 at 80 % (optimum
 *     2.2965): grouped cuts 1.5190, integer 1.5512; with memory carried from
 *     stage to stage (a recompute in a given stage) 1.5204; with the memory at
 *     the recomputes' own steps as well 1.8494.  At 90 % neither adds anything.
 *     So what is missing at 80 % is mostly the memory at recomputes, which
 *     needs a variable for each node and stage: not built.
 *   - in free order, what is computed before a cut as part of its minimum,
 *     instead of counting ancestors with a consumer among the descendants only
 *     (C = 2, TDI of the best schedule known in brackets, seconds of CPU):
 *     rl-n500 at 80 % 0.5080 instead of 0 (0.6255, 1.4 s), rl-n1000 at 80 %
 *     1.19 instead of 0 (1.4288, 20 s), at 90 % 0.0078 (0.0760, 0.9 s),
 *     rl-n250 at 70 % 0.5662 (optimal, 3 s), at 60 % 3.8457 instead of 0,
 *     layered graphs of 5000 and 10 000 nodes at 85 % 3.2640 and 2.5201 after
 *     2 s instead of 0; the industrial graphs as before.
 *   - beyond that, in free order, by a general solver: six cuts of rl-n500 at
 *     80 % in one integer program with an order among them and sets of computed
 *     nodes that are nested accordingly has the optimum 0.5926
 *     (bench/peers/free_order.py): not built.
 *     Deciding single pairs of the order as (F) closes stages: 208 pairs there,
 *     half of the entries gone, no gain in value; dropped.
 *   - all cuts at once instead of those that are violated: the split of a
 *     duration among dozens of nearly equal cuts converges far more slowly;
 *     dropped.
 */
#ifndef MOCCASIN_BOUND_H
#define MOCCASIN_BOUND_H

#include "model/problem.h"
#include "solver/base/stop.h"

enum bound_scope { BOUND_LIMITED, BOUND_ANY, BOUND_FREE_ORDER };

struct bound_state;

struct bound {
  const struct problem *problem;
  enum bound_scope scope;
  int64_t value;   /* cost units: no schedule within the budget is shorter;
                    * INT64_MAX: there is none */
  bool infeasible; /* proven: there is no schedule within the budget */
  int blame;       /* the node whose cut proves it, -1: several together */
  bool converged;  /* bound_improve has nothing left to do */
  long iterations; /* of the optimiser, so far */
  long work;       /* arcs looked at, so far: the unit of effort */
  struct bound_state *state;
};

/* Prepares the bound with a first look at the cuts with most excess, a few
 * tens of milliseconds except on graphs of 100 000 nodes; bound_improve goes
 * on.  Uses p->budget as it is now.  Everything lives in `m`.  `stop` may be
 * NULL, and here as below it is final: what was proven stays, but
 * bound_improve does no more. */
struct bound *bound_new(struct memory *m, const struct problem *p,
                        enum bound_scope scope, struct stop *stop);

/* Improves the value until convergence, the stop, or `work` more units of
 * effort (0: no limit).  `upper` is the duration of a known schedule, or
 * INT64_MAX; stages are closed with it, and the work ends when value >= upper
 * (then that schedule is optimal).  Resumable: call again with a better `upper`
 * or more work.  Returns true if the value grew. */
bool bound_improve(struct bound *b, int64_t upper, long work,
                   struct stop *stop);

/* A range of stages that is open for recomputes of a node. */
struct bound_window {
  int node;
  int first, last; /* stages, inclusive */
  bool must;       /* at least one recompute of the node lies in here */
};

/* In every irredundant schedule of the scope, within the budget and shorter
 * than `upper`, each recompute lies in one of the windows.  Sorted by node and
 * stage.  In free order a window has all stages. */
struct bound_fixing {
  int64_t upper;
  int window_count;
  struct bound_window *window;
  int never_count; /* nodes without a window: never recomputed */
  int must_count;  /* nodes recomputed at least once */
};

/* Closes stages with the best duals so far and lists what stays open.
 * `upper` above that of an earlier call counts as that one.  O(windows +
 * entries) and a few flows for each cut. */
struct bound_fixing *bound_fix(struct bound *b, int64_t upper,
                               struct memory *m);
void bound_fixing_free(struct memory *m, struct bound_fixing *f);

/* Reduced costs.  By the argument of rule F, summed over all nodes: for every
 * schedule that the best duals speak of (irredundant, within the budget,
 * shorter than the `upper` that stages were closed with),
 *
 *     scaled(duration - base)  >=  value + sum of cost over its recomputes,
 *
 * where a recompute of u in stage l costs w_u + mu_u less the c_u^t of the cuts
 * t < l of its window, and 0 is the least.  (Of several recomputes in one
 * window all but the last cost a full w_u + mu_u, which is no less.)  Scaled
 * means (x >> shift) * factor, rounded up for an upper limit on durations. */
struct bound_regret {
  int node;
  int first, last; /* stages, inclusive */
  int64_t cost;    /* scaled units */
};

/* The other side of the same duals.  Where the bound counts on a node being
 * dropped, keeping it costs as well: the pseudoflow of cut t leaves an excess
 * at u, which every set without u pays (flow.h: cut(S) exceeds the minimum by
 * the positive excess outside S, among others).  If u is not recomputed in the
 * stages t+1 .. last, the rest of the cut's window, then y_u = 0 at the cut;
 * so `cost` is to be added to the right side above. */
struct bound_hold {
  int node, cut, last;
  int64_t cost; /* scaled units, > 0 */
};

struct bound_regrets {
  int64_t value;  /* scaled units: the bound that they belong to */
  int64_t factor; /* scaled units a (shifted) cost unit */
  int shift;
  int count;
  struct bound_regret *step; /* open stages, sorted by node and stage */
  int hold_count;
  struct bound_hold *hold; /* sorted by node and cut */
};

/* O(windows + entries). */
struct bound_regrets *bound_regrets(struct bound *b, struct memory *m);
void bound_regrets_free(struct memory *m, struct bound_regrets *r);

/* A leaf of the tree over the windows: the cuts have an integer solution there,
 * so their bound goes no further, but it need not be a schedule.  What is open
 * in it is far less than in the whole (the windows that it uses are marked
 * `must`), so a complete search may refute it, or find a better schedule. */
struct bound_leaf {
  long tree; /* with the node: tells it from all others */
  int node;
  int tries; /* how often it was handed out before */
  int windows;
  struct bound_window *window;   /* as in struct bound_fixing */
  struct bound_regrets *regrets; /* of its own; NULL: it is refuted already */
};

/* Of the leaves that were handed out least often the one with the least bound;
 * NULL if there is none.  With those of the open nodes and of the other leaves
 * its windows hold every irredundant schedule shorter than `upper`. */
struct bound_leaf *bound_leaf(struct bound *b, struct memory *m);

/* Does nothing depend on the leaf any more? */
bool bound_leaf_gone(const struct bound *b, const struct bound_leaf *leaf);

/* Somebody has proven that no irredundant schedule of the scope, within the
 * budget, shorter than `upper`, lies in the leaf.  `upper` may be less than
 * what the leaf was made for (a better schedule came meanwhile): the whole tree
 * then speaks of what is shorter than that.  May raise the value, which from
 * then on speaks only of the schedules that were searched: a search
 * of staged schedules (problem.h) says nothing about other orders inside a
 * stage, nor anything in free order. */
void bound_leaf_refute(struct bound *b, const struct bound_leaf *leaf,
                       int64_t upper);
void bound_leaf_free(struct memory *m, struct bound_leaf *leaf);

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
