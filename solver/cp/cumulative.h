/* cumulative: at each time the heights of what is held sum to at most the
 * capacity.  Time-table propagation with optional intervals.
 *
 * A task is an interval [start, end) of a height (int64, >= 0) whose length
 * is free.  It holds what lies between its latest start and earliest end, its
 * *mandatory part*; the sum of these is the profile.  Blocks are parts of the
 * profile that never change.
 *
 * Rules, at a time t where the profile without task i, plus i's height,
 * exceeds the capacity:
 *     R1 end_i >= t+1 -> start_i >= t+1
 *     R2 start_i <= t -> end_i <= t
 *     R3 start_i >= t -> start_i >= t+1   (as far as one set of tasks reaches)
 * and, at any time:
 *     R4 capacity >= height of the profile
 * A present task of positive height has start < end, which R3 relies on; R0
 * fails where a decided one has not (otherwise that is left to chain.h).
 *
 * Since a profile only rises where something starts, only the possible starts
 * are looked at (*points*): between two of them it can only fall.  The horizon
 * may therefore be large, as long as the number of distinct possible starts is
 * not (one tree node of 24 bytes and two a point).  The profile is a tree over
 * the points (profile.h) that is updated with each grown mandatory part, and
 * set back after a backjump where it differs from marks that backtrack: O(log
 * points) per change and per undecided task and run.  Tasks with both ends
 * fixed leave a sparse set.
 *
 * Explanations are pointwise: tasks whose mandatory part holds t; first those
 * that are free (true at the root or in the conflict already), then the
 * highest; finally what turned out superfluous is dropped again.
 *
 * Sources: Schutt, Feydy, Stuckey, Wallace, "Explaining the cumulative
 * propagator" (Constraints 2011); Gay, Hartert, Schaus, "Simple and scalable
 * time-table filtering" (CP 2015).
 */
#ifndef MOCCASIN_CP_CUMULATIVE_H
#define MOCCASIN_CP_CUMULATIVE_H

#include "solver/cp/interval.h"

struct cp_task {
  struct cp_interval interval;
  int64_t height;
};

/* A part of the profile that never changes: height on [from, to). */
struct cp_block {
  int32_t from, to;
  int64_t height;
};

/* base + unit * value of variable (unit >= 1); variable -1: just base. */
struct cp_capacity {
  int variable;
  int64_t base, unit;
};

/* Copies all.  The sum of all heights must fit int64 (the caller checks). */
bool cp_post_cumulative(struct cp *cp, const struct cp_task *task, int tasks,
                        const struct cp_block *block, int blocks,
                        struct cp_capacity capacity);

#endif
