#include "solver/cp/profile.h"

#include <stdbool.h>

int cp_profile_size(int points) {
  int size = 2;
  while (size < points)
    size *= 2;
  return size;
}

static inline int64_t larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}
static inline int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static void add_at(struct cp_profile *p, int point, int64_t difference) {
  int i = point + p->size;
  p->node[i].sum += difference;
  p->node[i].high = p->node[i].low = p->node[i].sum;
  for (i /= 2; i; i /= 2) {
    const struct cp_profile_node *l = &p->node[2 * i], *r = l + 1;
    p->node[i] = (struct cp_profile_node){l->sum + r->sum,
                                          larger(l->high, l->sum + r->high),
                                          smaller(l->low, l->sum + r->low)};
  }
}

void cp_profile_add(struct cp_profile *p, int from, int to, int64_t height) {
  if (from >= to)
    return;
  add_at(p, from, height);
  if (to < p->size)
    add_at(p, to, -height);
}

int64_t cp_profile_height(const struct cp_profile *p, int point) {
  int i = point + p->size;
  int64_t sum = p->node[i].sum;
  for (; i > 1; i /= 2)
    if (i & 1)
      sum += p->node[i - 1].sum;
  return sum;
}

/* Whether a node whose left neighbours sum to `before` holds what is sought. */
static inline bool holds(const struct cp_profile_node *n, int64_t before,
                         int64_t limit, bool above) {
  return above ? before + n->high > limit : before + n->low <= limit;
}

/* First point >= from that is above (or within) the limit, or `size`. */
static int find_first(const struct cp_profile *p, int from, int64_t limit,
                      bool above) {
  int i = from + p->size;
  int64_t before = cp_profile_height(p, from) - p->node[i].sum;
  while (!holds(&p->node[i], before, limit, above)) {
    before += p->node[i].sum;
    while (i & 1) /* a right child: the next subtree hangs higher up */
      i /= 2;
    if (!i)
      return p->size;
    i++;
  }
  while (i < p->size) {
    i *= 2;
    if (!holds(&p->node[i], before, limit, above))
      before += p->node[i++].sum;
  }
  return i - p->size;
}

int cp_profile_first_above(const struct cp_profile *p, int from, int to,
                           int64_t limit) {
  if (from >= to)
    return -1;
  int point = find_first(p, from, limit, true);
  return point < to ? point : -1;
}

int cp_profile_first_within(const struct cp_profile *p, int from,
                            int64_t limit) {
  if (from >= p->points)
    return p->points;
  int point = find_first(p, from, limit, false);
  return point < p->points ? point : p->points;
}

int cp_profile_last_above(const struct cp_profile *p, int from, int to,
                          int64_t limit) {
  if (from >= to)
    return -1;
  int i = to - 1 + p->size;
  int64_t before = cp_profile_height(p, to - 1) - p->node[i].sum;
  while (!holds(&p->node[i], before, limit, true)) {
    while (i > 1 && !(i & 1)) /* a left child: nothing to its left here */
      i /= 2;
    if (i <= 1)
      return -1;
    i--;
    before -= p->node[i].sum;
  }
  while (i < p->size) {
    i = 2 * i + 1;
    int64_t left = before + p->node[i - 1].sum;
    if (holds(&p->node[i], left, limit, true))
      before = left;
    else
      i--;
  }
  int point = i - p->size;
  return point >= from ? point : -1;
}
