#include "heuristics/profile.h"

#include <string.h>

static inline int64_t positive(int64_t x) {
  return x > 0 ? x : 0;
}

void profile_release(struct profile *f, struct memory *m) {
  memory_put(m, f->value);
  memory_put(m, f->pending);
  memory_put(m, f->highest);
  memory_put(m, f->over);
  memset(f, 0, sizeof *f);
}

void profile_reset(struct profile *f, struct memory *m, int slots) {
  int blocks = (slots + PROFILE_BLOCK - 1) / PROFILE_BLOCK;
  profile_release(f, m);
  f->slots = blocks * PROFILE_BLOCK;
  f->value = MEMORY_ARRAY(m, int64_t, f->slots);
  f->pending = MEMORY_ARRAY(m, int64_t, blocks);
  f->highest = MEMORY_ARRAY(m, int64_t, blocks);
  f->over = MEMORY_ARRAY(m, int64_t, blocks);
  for (int i = 0; i < f->slots; i++)
    f->value[i] = PROFILE_EMPTY;
  for (int b = 0; b < blocks; b++)
    f->highest[b] = PROFILE_EMPTY;
}

static void refresh_block(struct profile *f, int b) {
  const int64_t *value = f->value + (ptrdiff_t)b * PROFILE_BLOCK;
  int64_t pending = f->pending[b], highest = INT64_MIN, over = 0;
  for (int i = 0; i < PROFILE_BLOCK; i++)
    highest = value[i] > highest ? value[i] : highest;
  highest += pending;
  if (highest > 0)
    for (int i = 0; i < PROFILE_BLOCK; i++)
      over += positive(value[i] + pending);
  f->highest[b] = highest;
  f->total += over - f->over[b];
  f->over[b] = over;
}

void profile_refresh(struct profile *f, int from, int to) {
  for (int b = from / PROFILE_BLOCK; b <= to / PROFILE_BLOCK; b++)
    refresh_block(f, b);
}

/* The whole block b shifts by delta. */
static void add_block(struct profile *f, int b, int64_t delta) {
  f->pending[b] += delta;
  f->highest[b] += delta;
  if (f->highest[b] <= 0) {
    f->total -= f->over[b];
    f->over[b] = 0;
    return;
  }
  const int64_t *value = f->value + (ptrdiff_t)b * PROFILE_BLOCK;
  int64_t pending = f->pending[b], over = 0;
  for (int i = 0; i < PROFILE_BLOCK; i++)
    over += positive(value[i] + pending);
  f->total += over - f->over[b];
  f->over[b] = over;
}

void profile_add(struct profile *f, int from, int to, int64_t delta) {
  int first = from / PROFILE_BLOCK, last = to / PROFILE_BLOCK;
  for (int b = first; b <= last; b++) {
    int start = b == first ? from : b * PROFILE_BLOCK;
    int end = b == last ? to : b * PROFILE_BLOCK + PROFILE_BLOCK - 1;
    if (end - start == PROFILE_BLOCK - 1) {
      add_block(f, b, delta);
      continue;
    }
    for (int i = start; i <= end; i++)
      f->value[i] += delta;
    refresh_block(f, b);
  }
}

int64_t profile_change(const struct profile *f, int from, int to,
                       int64_t delta) {
  int64_t change = 0, up = positive(delta);
  int first = from / PROFILE_BLOCK, last = to / PROFILE_BLOCK;
  for (int b = first; b <= last; b++) {
    if (f->highest[b] + up <= 0)
      continue;
    int start = b == first ? from : b * PROFILE_BLOCK;
    int end = b == last ? to : b * PROFILE_BLOCK + PROFILE_BLOCK - 1;
    int64_t pending = f->pending[b], sum = 0;
    if (end - start == PROFILE_BLOCK - 1) {
      const int64_t *value = f->value + start;
      for (int i = 0; i < PROFILE_BLOCK; i++)
        sum += positive(value[i] + pending + delta);
      change += sum - f->over[b];
      continue;
    }
    for (int i = start; i <= end; i++)
      sum += positive(f->value[i] + pending + delta) -
             positive(f->value[i] + pending);
    change += sum;
  }
  return change;
}

int64_t profile_least_change(const struct profile *f, int from, int to,
                             int64_t delta) {
  int64_t change = 0;
  int first = from / PROFILE_BLOCK, last = to / PROFILE_BLOCK;
  if (delta < 0) {
    int64_t most = -delta * PROFILE_BLOCK;
    for (int b = first; b <= last; b++)
      change -= f->over[b] < most ? f->over[b] : most;
    return change;
  }
  first += first * PROFILE_BLOCK < from;
  last -= last * PROFILE_BLOCK + PROFILE_BLOCK - 1 > to;
  for (int b = first; b <= last; b++) {
    int64_t above = positive(f->highest[b] + delta);
    change += above < delta ? above : delta;
  }
  return change;
}

int64_t profile_highest(const struct profile *f) {
  int64_t highest = PROFILE_EMPTY;
  for (int b = 0; b < f->slots / PROFILE_BLOCK; b++)
    if (f->highest[b] > highest)
      highest = f->highest[b];
  return highest;
}

int profile_find_over(const struct profile *f, int64_t amount) {
  int b = 0;
  while (amount >= f->over[b])
    amount -= f->over[b++];
  int slot = b * PROFILE_BLOCK;
  for (;; slot++) {
    amount -= positive(profile_get(f, slot));
    if (amount < 0)
      return slot;
  }
}
