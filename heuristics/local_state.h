/* Inside the local search: its state, and the moves (local_moves.c) that
 * local.c draws, evaluates and accepts. */
#ifndef MOCCASIN_LOCAL_STATE_H
#define MOCCASIN_LOCAL_STATE_H

#include "heuristics/local.h"
#include "heuristics/sequence.h"
#include "solver/base/random.h"

enum move {
  MOVE_FILL,   /* recompute what crosses a step over the budget */
  MOVE_INSERT, /* recompute a random input of a random step */
  MOVE_CHAIN,  /* fill with the inputs that it would have to hold */
  MOVE_DELETE,
  MOVE_SHIFT, /* a recompute to another place in its window */
  MOVE_SWAP,  /* a recompute for one of a neighbour in the graph */
  MOVE_FIRST, /* free order: a first compute to another place */
  MOVE_GROUP, /* the same past inputs or readers, with them */
  MOVE_COUNT
};

/* How often each move is drawn, in a total. */
struct move_mix {
  int weight[MOVE_COUNT], total;
};

/* An input that a chain would have to hold instead of recomputing it. */
struct held {
  int node;
  double cost;
};

struct local {
  struct memory *memory;
  const struct problem *p;
  struct local_options options;
  struct sequence *s;
  struct random random;
  struct schedule *best; /* NULL: none respects the limits yet */
  struct schedule *base; /* where rounds start while there is no best */
  int64_t round_best;    /* objective of the best when the last round began */
  int stale;             /* rounds since the best improved */
  int *steps;            /* scratch for storing, `steps_capacity` entries */
  int steps_capacity;
  int *list;           /* scratch of moves: nodes or instances, n entries */
  bool *in_chain;      /* scratch of local_choose_chain by node, all false */
  struct held *held;   /* likewise, n entries */
  int64_t budget;      /* what the penalty aims at, bytes */
  double penalty;      /* cost units per unit of excess and step */
  double surplus_cost; /* cost units per compute above its limit, see adapt */
  double temperature, hot, cold; /* cost units */
  int64_t most_duration; /* a try's state that is longer is rejected anyway */
  double mean_duration;
  struct move_mix mix[2]; /* [1]: while memory_first */
  double hot_factor, hot_spread, warm_factor, warm_spread, cold_factor;
  double feasible_target;
  double depth;       /* see aim_depth */
  double target;      /* this round's share of checks within the budget */
  int64_t round_unit; /* tries of the shortest rounds */
  int64_t round_moves, round_done; /* length of this round, tries so far */
  int64_t rounds;                  /* started since local_start */
  /* On large problems, where keeping a schedule takes as long as thousands of
   * moves, so many tries pass between two that are kept. */
  int64_t store_gap, stored_at;
  bool memory_first; /* this round looks for less memory only */
  bool unreported;   /* the start is a best that nobody has seen */
  struct local_statistics statistics;
};

enum move local_draw(struct local *l);

/* Opens a transaction on l->s; false if there is nothing to evaluate (then
 * the transaction is empty or to be rolled back all the same). */
bool local_propose(struct local *l, enum move move);

static inline int local_below(struct local *l, int bound) {
  return random_below(&l->random, bound);
}

static inline bool local_chance(struct local *l, int percent) {
  return local_below(l, 100) < percent;
}

/* The step at or after a slot, or -1. */
static inline int local_step_from(const struct sequence *s, int slot) {
  while (slot < s->profile.slots && s->occupant[slot] < 0)
    slot++;
  return slot < s->profile.slots ? s->occupant[slot] : -1;
}

/* Moves of local_propose in free order: a first compute goes to another place
 * between its inputs and readers; or past some of them, which it takes along.
 */
bool local_move_first(struct local *l);
bool local_move_group(struct local *l);

/* A recompute of v at `slot` and the inputs that are best recomputed with it
 * there: l->list becomes their nodes, ascending; returns how many.  Starting
 * with v, again and again the input joins that costs most to hold for those
 * chosen so far, until none has to be held for them alone or a number drawn
 * anew for each chain is reached.  (Which inputs are held is what decides: a
 * chain that follows them at random is hardly ever accepted and never cheap,
 * see bench/local-search.md.)  O(degrees of the chosen + chosen x held). */
int local_choose_chain(struct local *l, int v, int slot);

#endif
