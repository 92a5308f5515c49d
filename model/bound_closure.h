/* One cut of the lower bound as a network (see bound.h for what a cut is).
 *
 * Entries are the nodes that may be recomputed after the cut: the needed ones
 * that are not held anyway, and the *supports*: ancestors that must then be
 * available, through chains of nodes that are not needed.  Entry i is node i
 * of the network (Y in bound.h); a support has a second node (A).
 *
 *     needed u                      support p
 *     supply lambda m - cost        A --lambda m--> Y, supply of Y -cost
 *     Y_u --unlimited--> A_p        Y_p --unlimited--> A of its own supports
 *
 * In free order (bound.h) an entry that is neither an ancestor of t nor a
 * descendant is *open*: it has a third node (N: not computed before the cut),
 * and pays for Y only without N.  Its inputs are asked for as a support's are.
 *
 *     open u
 *     Y_u --cost--> N_u    N_u --unlimited--> Y_u
 *                          N_u --unlimited--> N_x of its open consumers x
 *
 * Costs are in scaled units, see struct bound_scale.
 */
#ifndef MOCCASIN_BOUND_CLOSURE_H
#define MOCCASIN_BOUND_CLOSURE_H

#include "model/bound_cut.h"
#include "model/flow.h"

/* Durations in the networks are (w >> shift) * factor, so that all of them sum
 * to less than 2^53 and fractions of a cost unit can be split.  Shifting
 * rounds down, which keeps every bound valid. */
struct bound_scale {
  int64_t factor;
  int shift;
};

/* A primal point of one cut: shares of some entries (see bound_bundle.h). */
struct plane {
  int count, *entry; /* entries of the closure with a share */
  double *share;
  double weight, value; /* in the mixture; at the trial */
  int idle;             /* steps without weight */
};

struct closure {
  int cut;   /* the node t at whose first compute it lies */
  int count; /* entries */
  int support_count, open_count;
  int *node;         /* of entry i; descending */
  int *window;       /* of entry i: index among all windows; -1: barred */
  int *support;      /* of entry i: its number among supports, or -1 */
  int *open;         /* of entry i: its number among open ones, or -1 */
  int64_t *size;     /* of entry i, bytes */
  int64_t *cost;     /* of entry i: c in bound.h */
  double *share;     /* of entry i: y in the primal solution, 0..1 */
  bool *low, *high;  /* Y on either side of the best multiplier */
  int64_t capacity;  /* bytes for entries that are held */
  int64_t excess;    /* bytes over it if nothing is recomputed, input order */
  double multiplier; /* lambda, scaled units per byte */
  int64_t value;     /* D, scaled units, >= 0 */
  struct flow *flow;
  struct plane *plane; /* the model of D, see bound_bundle.h */
  int plane_count;
};

/* Bars entries whose window has no open stage after the cut any more, and drops
 * planes that use them.  closure_shrink must follow. */
void closure_bar(struct memory *m, struct closure *c, const int *open_last);

/* Replaces a closure by one without its barred entries and the supports that
 * nobody asks for any more; costs and planes move over.  Solves it. */
struct closure *closure_shrink(struct closure_maker *maker, struct closure *c);

void closure_drop_plane(struct memory *m, struct closure *c, int k);

/* The network of cut t, costs all zero. */
struct closure *closure_new(struct closure_maker *maker, int t);
void closure_free(struct memory *m, struct closure *c);

/* Finds the multiplier that maximises D for the costs as they are, starting
 * from the last one; at most `steps` flows.  Sets value, multiplier and share.
 * `share` meets the capacity if both sides of the best multiplier have been
 * seen. */
void closure_solve(struct closure *c, int steps);

/* Free order: is there an order that meets the cut without any recompute?  One
 * flow. */
bool closure_is_met(struct closure *c);

/* Can the cut be met at all?  Exact up to roundings of a byte in favour of
 * yes; yes if the flow is stopped.  Clears the costs. */
bool closure_feasible(struct closure *c);

/* No schedule has less memory than this at the cut's step, whatever it
 * recomputes; > the budget just if not closure_feasible.  Exact up to roundings
 * downwards, which are less than a byte altogether unless sizes sum to 2^40 and
 * entries number 2^14; 0 if the flow is stopped.  Clears the costs. */
int64_t closure_least_memory(struct closure *c, const struct problem *p);

/* D at the present multiplier, after changes of costs; one flow. */
int64_t closure_value(struct closure *c);

/* The arc Y -> N of open entry i. */
static inline int closure_open_arc(const struct closure *c, int i) {
  return c->support_count + c->open[i];
}

/* Does the solution of the last flow recompute entry i? */
static inline bool closure_recomputes(const struct closure *c, int i) {
  int later = c->count + closure_open_arc(c, i); /* node N */
  return flow_inside(c->flow, i) &&
         (c->open[i] < 0 || !flow_inside(c->flow, later));
}

/* The part of entry i's cost that the last flow did not use: lowering the cost
 * by it leaves D as it is. */
static inline int64_t closure_slack(const struct closure *c, int i) {
  int64_t slack = c->open[i] < 0
                      ? -c->flow->excess[i]
                      : c->cost[i] - flow_on(c->flow, closure_open_arc(c, i));
  slack = slack < 0 ? 0 : slack;
  return slack < c->cost[i] ? slack : c->cost[i];
}

/* Lowers the cost by that and returns it; the flow stays in step. */
static inline int64_t closure_lower(struct closure *c, int i) {
  int64_t slack = closure_slack(c, i);
  c->cost[i] -= slack;
  if (c->open[i] < 0)
    flow_set_supply(c->flow, i, c->flow->supply[i] + slack);
  else
    flow_set_capacity(c->flow, closure_open_arc(c, i), c->cost[i]);
  return slack;
}

#endif
