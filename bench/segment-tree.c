/* The profile of blocks against a lazy segment tree: the same questions, asked
 * of a state in which the local search was.  Ranges are retention intervals,
 * or what is between two reads; one of ten is also applied and taken back,
 * about as many as moves are accepted.
 *
 *     make && cc -O2 -I. bench/segment-tree.c \
 *       build/release/libmoccasin.a -lm -pthread -o build/segment-tree
 *     build/segment-tree GRAPH PERCENT
 *
 * The tree keeps for each span of occupied slots the highest and the lowest
 * value, their sum and number; a question descends only where values of both
 * signs meet.  Both must give the same answers.
 */
#include "bench/read_problem.h"
#include "heuristics/local_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct vertex {
  int64_t high, low, sum, pending; /* of its occupied slots, `pending` in */
  int count;
};

struct tree {
  int leaves; /* a power of two; vertex 1 is the root, i's are 2i, 2i + 1 */
  struct vertex *at;
};

static int64_t positive(int64_t x) {
  return x > 0 ? x : 0;
}

static void pull(struct tree *t, int i) {
  struct vertex *x = &t->at[i], *a = &t->at[2 * i], *b = &t->at[2 * i + 1];
  x->high = (a->high > b->high ? a->high : b->high) + x->pending;
  x->low = (a->low < b->low ? a->low : b->low) + x->pending;
  x->count = a->count + b->count;
  x->sum = a->sum + b->sum + x->pending * x->count;
}

static struct tree tree_new(struct memory *m, const struct sequence *s) {
  struct tree t = {.leaves = 1};
  while (t.leaves < s->profile.slots)
    t.leaves *= 2;
  t.at = MEMORY_ARRAY(m, struct vertex, 2 * t.leaves);
  for (int i = 0; i < t.leaves; i++) {
    bool step = i < s->profile.slots && s->occupant[i] >= 0;
    int64_t value = step ? profile_get(&s->profile, i) : 0;
    t.at[t.leaves + i] = (struct vertex){.high = step ? value : PROFILE_EMPTY,
                                         .low = step ? value : -PROFILE_EMPTY,
                                         .sum = value,
                                         .count = step};
  }
  for (int i = t.leaves - 1; i; i--)
    pull(&t, i);
  return t;
}

/* Excess of the slots from .. to below i, which are shifted by `shift`. */
static int64_t excess(const struct tree *t, int i, int first, int last,
                      int from, int to, int64_t shift) {
  const struct vertex *x = &t->at[i];
  if (to < first || last < from || x->high + shift <= 0)
    return 0;
  if (from <= first && last <= to && x->low + shift >= 0)
    return x->sum + shift * x->count;
  if (first == last)
    return positive(x->high + shift);
  int middle = first + (last - first) / 2;
  shift += x->pending;
  return excess(t, 2 * i, first, middle, from, to, shift) +
         excess(t, 2 * i + 1, middle + 1, last, from, to, shift);
}

static void add(struct tree *t, int i, int first, int last, int from, int to,
                int64_t delta) {
  struct vertex *x = &t->at[i];
  if (to < first || last < from || !x->count)
    return;
  if (from <= first && last <= to) {
    x->high += delta;
    x->low += delta;
    x->sum += delta * x->count;
    x->pending += delta;
    return;
  }
  int middle = first + (last - first) / 2;
  add(t, 2 * i, first, middle, from, to, delta);
  add(t, 2 * i + 1, middle + 1, last, from, to, delta);
  pull(t, i);
}

struct range {
  int from, to;
  int64_t delta;
};

static struct range random_range(const struct sequence *s, struct random *r) {
  for (;;) {
    int q = s->occupant[random_below(r, s->profile.slots)];
    if (q < 0 || s->at[q].end == q)
      continue;
    int from = s->when[q].slot, to = s->when[s->at[q].end].slot;
    int reader = sequence_next_reader(s, s->at[q].node, from);
    if (random_below(r, 2) && s->when[reader].slot < to)
      from = s->when[reader].slot;
    int64_t size = s->size[s->at[q].node];
    return (struct range){from + 1, to, random_below(r, 2) ? size : -size};
  }
}

static double cpu_seconds(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

static void compare(struct memory *m, struct sequence *s) {
  enum { RANGES = 1000000 };
  struct tree t = tree_new(m, s);
  struct range *range = MEMORY_ARRAY(m, struct range, RANGES);
  struct random r;
  random_seed(&r, 1);
  int64_t sum[2] = {0}, length = 0;
  for (int k = 0; k < RANGES; k++) {
    range[k] = random_range(s, &r);
    length += range[k].to - range[k].from + 1;
  }
  double start = cpu_seconds();
  for (int k = 0; k < RANGES; k++) {
    struct range x = range[k];
    sum[0] += profile_change(&s->profile, x.from, x.to, x.delta);
    if (k % 10 == 0) {
      profile_add(&s->profile, x.from, x.to, x.delta);
      profile_add(&s->profile, x.from, x.to, -x.delta);
    }
  }
  double middle = cpu_seconds();
  int last = t.leaves - 1;
  for (int k = 0; k < RANGES; k++) {
    struct range x = range[k];
    sum[1] += excess(&t, 1, 0, last, x.from, x.to, x.delta) -
              excess(&t, 1, 0, last, x.from, x.to, 0);
    if (k % 10 == 0) {
      add(&t, 1, 0, last, x.from, x.to, x.delta);
      add(&t, 1, 0, last, x.from, x.to, -x.delta);
    }
  }
  double end = cpu_seconds();
  printf("%d slots, ranges of %.0f slots: blocks %.0f ns, tree %.0f ns a range"
         "%s\n",
         s->profile.slots, (double)length / RANGES,
         1e9 * (middle - start) / RANGES, 1e9 * (end - middle) / RANGES,
         sum[0] == sum[1] ? "" : "; the answers differ");
}

int main(int count, char **argument) {
  if (count != 3) {
    fprintf(stderr, "usage: %s GRAPH PERCENT\n", argument[0]);
    return 1;
  }
  struct memory *m = memory_new(NULL);
  if (!m || setjmp(*memory_recover(m)))
    return 5;
  struct problem *p = read_problem(m, argument[1], argument[2], 2, false);
  if (!p)
    return 2;
  struct local_options options = {.seed = 1};
  struct local *l = local_new(m, p, &options);
  local_start(l, NULL, NULL);
  local_run(l, 300000, NULL);
  compare(m, l->s);
  memory_free(m);
  return 0;
}
