/* Memory over the slots of a sequence, as excess over a budget.
 *
 * A slot is occupied by one step or empty.  Its value is memory - budget, or
 * near PROFILE_EMPTY, so that an empty slot never counts.  Kept for ranges of
 * slots: addition, the highest value, and the sum of what is above zero:
 *
 *     value    -3  .  2  4  .  1 -5        over = 2 + 4 + 1 = 7
 *
 * Blocks of PROFILE_BLOCK slots carry a pending addition, their highest value
 * and their sum.  Two levels, no tree: most ranges of a move end within a few
 * blocks, and inside a block plain loops run over flat memory
 * (bench/local-search.md compares it with a lazy segment tree).
 *
 * Values stay below 2^58 and their sums below 2^62 (sequence.c sees to that),
 * so that emptying two neighbours at once does not overflow either.
 */
#ifndef MOCCASIN_PROFILE_H
#define MOCCASIN_PROFILE_H

#include "solver/base/memory.h"

#include <stdint.h>

#define PROFILE_BLOCK 32
#define PROFILE_EMPTY (-(INT64_C(1) << 60))

struct profile {
  int slots; /* a multiple of PROFILE_BLOCK */
  int64_t *value;
  int64_t *pending; /* per block: to be added to each of its values */
  int64_t *highest; /* per block, with `pending` */
  int64_t *over;    /* per block: sum of max(0, value + pending) */
  int64_t total;    /* sum of all `over` */
};

/* All slots empty; releases what a former use allocated. */
void profile_reset(struct profile *f, struct memory *m, int slots);
void profile_release(struct profile *f, struct memory *m);

static inline int64_t profile_get(const struct profile *f, int slot) {
  return f->value[slot] + f->pending[slot / PROFILE_BLOCK];
}

/* Stores without bringing the block up to date: profile_refresh after it. */
static inline void profile_put(struct profile *f, int slot, int64_t value) {
  f->value[slot] = value - f->pending[slot / PROFILE_BLOCK];
}

/* Brings highest, over and total up to date for the blocks of from .. to. */
void profile_refresh(struct profile *f, int from, int to);

/* Adds `delta` to the slots from .. to (inclusive). */
void profile_add(struct profile *f, int from, int to, int64_t delta);

/* By how much profile_add would change `total`.  O(PROFILE_BLOCK + blocks),
 * blocks that stay below zero at O(1) each. */
int64_t profile_change(const struct profile *f, int from, int to,
                       int64_t delta);

/* At most that, from the blocks' summaries alone: what is rejected for it need
 * not be looked at closer.  O(blocks). */
int64_t profile_least_change(const struct profile *f, int from, int to,
                             int64_t delta);

typedef int64_t profile_question(const struct profile *f, int from, int to,
                                 int64_t delta);

/* The highest value of all; O(blocks). */
int64_t profile_highest(const struct profile *f);

/* The slot at which the running sum of max(0, value) passes `amount`,
 * 0 <= amount < total: sampling by excess.  O(blocks + PROFILE_BLOCK). */
int profile_find_over(const struct profile *f, int64_t amount);

#endif
