/* Heights over a fixed, sorted set of points: add to a range, read one, find
 * the first or last above or at most a limit.
 *
 * Point p carries the difference to point p - 1; a node of the tree holds the
 * sum of its differences and the largest and smallest sum of its prefixes, so
 * adding to a range changes two leaves, and a search climbs and descends once.
 * Everything is O(log points), and undoing an addition is adding its negative
 * (exact integers), so backtracking needs no copy.
 */
#ifndef MOCCASIN_CP_PROFILE_H
#define MOCCASIN_CP_PROFILE_H

#include <stdint.h>

struct cp_profile_node {
  int64_t sum, high, low;
};

struct cp_profile {
  int points, size;             /* size: a power of two >= points, >= 2 */
  struct cp_profile_node *node; /* 2 * size, zeroed by the owner */
};

/* Nodes to allocate for that many points, and the size to store. */
int cp_profile_size(int points);

/* Adds to points from .. to-1 (to <= points). */
void cp_profile_add(struct cp_profile *p, int from, int to, int64_t height);

int64_t cp_profile_height(const struct cp_profile *p, int point);

/* The largest height; 0 points: 0. */
static inline int64_t cp_profile_highest(const struct cp_profile *p) {
  return p->node[1].high;
}

/* The first point in from .. to-1 higher than the limit, or -1. */
int cp_profile_first_above(const struct cp_profile *p, int from, int to,
                           int64_t limit);
/* The last one. */
int cp_profile_last_above(const struct cp_profile *p, int from, int to,
                          int64_t limit);
/* The first point >= from of at most that height, or `points`. */
int cp_profile_first_within(const struct cp_profile *p, int from,
                            int64_t limit);

#endif
