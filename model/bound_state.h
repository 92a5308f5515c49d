/* What the parts of the lower bound share (bound.c, bound_dual.c,
 * bound_fix.c): the cuts in use and the split of durations among them. */
#ifndef MOCCASIN_BOUND_STATE_H
#define MOCCASIN_BOUND_STATE_H

#include "model/bound_closure.h"

struct branch;

struct bound_state {
  struct memory *memory;
  struct closure_maker maker;
  struct bound_scale scale;
  int64_t unit;    /* greatest common divisor of repeatable durations, >= 1 */
  int64_t *weight; /* of a node, scaled units */

  struct closure **closure; /* in use, by cut */
  int closure_count, closure_room;
  struct cut_place *waiting; /* over the budget; some are in use */
  int waiting_count;
  int cursor, unseen; /* of a round of looking at them */
  int64_t *left;      /* of a window, in the first round: what no cut uses */
  double *part;       /* 1 where nothing is left; NULL after that round */

  /* Entries of all closures in one row: those of closure k start at
   * first[k].  They are also listed by window: slots of `used` windows. */
  int entry_count, *first, *home;
  int used_count, *used; /* windows with entries, ascending */
  int *used_node;        /* the node of a used window */
  int *row, *row_entry;  /* entries of the i-th used window */

  int block_count, *block; /* used windows of one node: block[i].. */
  int *block_of;           /* of an entry: its block */

  double *cost;  /* of an entry, scaled units: the trial */
  double *mean;  /* of an entry: the primal point */
  double *price; /* of a node: mu, scaled units */
  double *spare; /* of a node: limit - 1 where mu is used, else 0 */

  /* The bundle method's own (bound_bundle.c). */
  double tau, promise, *scratch;
  int nulls, *seen, stamp;
  long bundle_work;

  /* The best point so far. */
  double *best_cost, *best_price, *best_multiplier;
  int64_t best; /* scaled units */

  int64_t upper;       /* what is closed is so for shorter schedules only */
  struct branch *tree; /* once the linear program is solved; else NULL */
  long trees;          /* grown so far */
  int steps;           /* since cuts were looked for */
  int stall;           /* steps without gain since the value was stalled_at */
  double stalled_at;   /* scaled units */
  double precision;    /* separate when less than this part is promised */
};

/* Takes a closure into use; bound_index must follow. */
void bound_add_closure(struct bound_state *s, struct closure *c);

/* Lists entries by window after the set of closures changed: costs come from
 * the closures and become the best point, means start anew. */
void bound_index(struct bound_state *s);

/* Rounds s->cost down into the closures so that no window spends more than
 * its node's weight plus price. */
void bound_round(struct bound_state *s);

/* Back to the best point: costs, prices, multipliers, values, flows. */
void bound_restore(struct bound_state *s);

/* The bound, scaled units, that the closures' values and the prices give. */
int64_t bound_sum(const struct bound_state *s);

/* Keeps the present point if it is the best one, and updates the value. */
void bound_take(struct bound *b);

/* Ends the tree search, if there is one. */
void bound_drop_tree(struct bound_state *s);

/* Raises the value to what `scaled` units prove. */
void bound_raise(struct bound *b, int64_t scaled);

#endif
