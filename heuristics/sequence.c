#include "heuristics/sequence.h"

#include <string.h>

/* Slots for `length` steps: half of them empty. */
static int slots_for(int length) {
  return 2 * length + PROFILE_BLOCK;
}

static int64_t divided_up(int64_t bytes, int shift) {
  return (bytes >> shift) + ((bytes & ((INT64_C(1) << shift) - 1)) != 0);
}

struct sequence *sequence_new(struct memory *m, const struct problem *p) {
  struct sequence *s = MEMORY_NEW(m, struct sequence);
  s->memory = m;
  s->p = p;
  /* Doubles are exact enough to choose the shift. */
  double total = (double)p->fixed;
  for (int v = 0; v < p->n; v++)
    total += (double)p->size[v] + (double)p->workspace[v];
  while (total * (8.0 * p->n + 1024) > 0x1p61) {
    total /= 2;
    s->shift++;
  }
  s->size = MEMORY_ARRAY(m, int64_t, p->n);
  s->workspace = MEMORY_ARRAY(m, int64_t, p->n);
  for (int v = 0; v < p->n; v++) {
    s->size[v] = divided_up(p->size[v], s->shift);
    s->workspace[v] = divided_up(p->workspace[v], s->shift);
  }
  s->first = MEMORY_ARRAY(m, int, p->n);
  s->last = MEMORY_ARRAY(m, int, p->n);
  s->count = MEMORY_ARRAY(m, int, p->n);
  s->repeated = MEMORY_ARRAY(m, int, p->n);
  s->repeated_at = MEMORY_ARRAY(m, int, p->n);
  return s;
}

void sequence_free(struct sequence *s) {
  struct memory *m = s->memory;
  profile_release(&s->profile, m);
  memory_put(m, s->size);
  memory_put(m, s->workspace);
  memory_put(m, s->occupant);
  memory_put(m, s->at);
  memory_put(m, s->when);
  memory_put(m, s->spare);
  memory_put(m, s->first);
  memory_put(m, s->last);
  memory_put(m, s->count);
  memory_put(m, s->repeated);
  memory_put(m, s->repeated_at);
  memory_put(m, s->range);
  memory_put(m, s->own);
  memory_put(m, s->event);
  memory_put(m, s->jump);
  memory_put(m, s->touched);
  memory_put(m, s->undo);
  memory_put(m, s);
}

/* The budget in divided bytes, clamped so that differences stay small; what
 * is above any possible peak is as good as no budget. */
static int64_t usable_budget(const struct sequence *s, int64_t budget) {
  const int64_t most = INT64_C(1) << 58;
  int64_t divided = budget >> s->shift;
  return divided > most ? most : divided < -most ? -most : divided;
}

void sequence_set_budget(struct sequence *s, int64_t budget) {
  int64_t divided = usable_budget(s, budget);
  if (divided == s->budget)
    return;
  profile_add(&s->profile, 0, s->profile.slots - 1, s->budget - divided);
  for (int i = 0; i < s->profile.slots; i++)
    if (s->occupant[i] < 0)
      profile_put(&s->profile, i, PROFILE_EMPTY);
  s->budget = divided;
}

/* Spreads the occupied slots evenly over `slots` slots. */
static void respread(struct sequence *s, int slots) {
  struct memory *m = s->memory;
  int count = 0;
  for (int i = 0; i < s->profile.slots; i++)
    count += s->occupant[i] >= 0;
  int *who = MEMORY_ARRAY(m, int, count);
  int64_t *value = MEMORY_ARRAY(m, int64_t, count);
  for (int i = 0, k = 0; i < s->profile.slots; i++)
    if (s->occupant[i] >= 0) {
      who[k] = s->occupant[i];
      value[k++] = profile_get(&s->profile, i);
    }
  profile_reset(&s->profile, m, slots);
  slots = s->profile.slots;
  s->occupant =
      memory_resize(m, s->occupant, (size_t)slots, sizeof *s->occupant);
  for (int i = 0; i < slots; i++)
    s->occupant[i] = -1;
  for (int k = 0; k < count; k++) {
    int slot = (int)((2 * (int64_t)k + 1) * slots / (2 * (int64_t)count));
    s->occupant[slot] = who[k];
    s->when[who[k]].slot = slot;
    profile_put(&s->profile, slot, value[k]);
  }
  profile_refresh(&s->profile, 0, slots - 1);
  memory_put(m, value);
  memory_put(m, who);
}

/* Links the steps; instance k is step k, slot k. */
static void load_links(struct sequence *s, const int *step, int length) {
  const struct problem *p = s->p;
  for (int v = 0; v < p->n; v++) {
    s->first[v] = s->last[v] = s->repeated_at[v] = -1;
    s->count[v] = 0;
  }
  s->repeated_count = 0;
  s->duration = s->surplus = 0;
  for (int k = 0; k < length; k++) {
    int v = step[k];
    s->when[k] = (struct instance_when){k, s->last[v]};
    s->at[k] = (struct instance){.node = v,
                                 .end = k,
                                 .later = -1,
                                 .prev = k - 1,
                                 .next = k + 1 < length ? k + 1 : -1};
    for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++)
      s->at[s->last[p->pred[e]]].end = k;
    if (s->last[v] >= 0)
      s->at[s->last[v]].later = k;
    else
      s->first[v] = k;
    s->last[v] = k;
    s->duration += p->duration[v];
    s->surplus += s->count[v] >= p->limit[v];
    if (++s->count[v] == 2) {
      s->repeated_at[v] = s->repeated_count;
      s->repeated[s->repeated_count++] = v;
    }
  }
  s->head = length ? 0 : -1;
  s->tail = length - 1;
  s->length = length;
}

void sequence_load(struct sequence *s, const int *step, int length,
                   int64_t budget) {
  struct memory *m = s->memory;
  s->budget = usable_budget(s, budget);
  s->ranges = s->owns = s->events = s->undos = s->spare_count = 0;
  if (length > s->at_capacity) {
    s->at_capacity = length + length / 8;
    s->at = memory_resize(m, s->at, (size_t)s->at_capacity, sizeof *s->at);
    s->when =
        memory_resize(m, s->when, (size_t)s->at_capacity, sizeof *s->when);
  }
  s->at_used = length;
  load_links(s, step, length);

  profile_reset(&s->profile, m, length);
  s->occupant = memory_resize(m, s->occupant, (size_t)s->profile.slots + 1,
                              sizeof *s->occupant);
  for (int i = 0; i < s->profile.slots; i++)
    s->occupant[i] = i < length ? i : -1;
  int64_t *freed = MEMORY_ARRAY(m, int64_t, length);
  for (int k = 0; k < length; k++)
    freed[s->at[k].end] += s->size[step[k]];
  int64_t held = divided_up(s->p->fixed, s->shift) - s->budget;
  for (int k = 0; k < length; k++) {
    held += s->size[step[k]];
    profile_put(&s->profile, k, held + s->workspace[step[k]]);
    held -= freed[k];
  }
  memory_put(m, freed);
  respread(s, slots_for(length));
}

void sequence_store(const struct sequence *s, int *step) {
  for (int q = s->head, k = 0; q >= 0; q = s->at[q].next)
    step[k++] = s->at[q].node;
}

int64_t sequence_peak(const struct sequence *s) {
  int64_t peak = profile_highest(&s->profile) + s->budget;
  return peak << s->shift;
}

/* Moves the content of slot `from` to the empty neighbour `to`. */
static void move_slot(struct sequence *s, int from, int to) {
  int q = s->occupant[from];
  s->occupant[to] = q;
  s->when[q].slot = to;
  profile_put(&s->profile, to, profile_get(&s->profile, from));
}

static void empty_slot(struct sequence *s, int slot) {
  s->occupant[slot] = -1;
  profile_put(&s->profile, slot, PROFILE_EMPTY);
}

/* Shifting inside one block changes neither its highest value nor its sum. */
static void refresh_shifted(struct sequence *s, int from, int to) {
  if (from / PROFILE_BLOCK != to / PROFILE_BLOCK)
    profile_refresh(&s->profile, from, to);
}

/* Shifts steps so that a slot right ahead of slot `at` gets empty: everything
 * from `at` up to the next empty slot goes right, or everything below `at`
 * down to the next empty slot goes left.  -1 if both are too far. */
static int shift_apart(struct sequence *s, int at) {
  enum { FAR = 4 * PROFILE_BLOCK };
  int slots = s->profile.slots, right = at, left = at - 1;
  for (int distance = 0; distance < FAR; distance++) {
    if (right < slots && s->occupant[right] < 0) {
      for (int i = right; i > at; i--)
        move_slot(s, i - 1, i);
      empty_slot(s, at);
      refresh_shifted(s, at, right);
      return at;
    }
    if (left >= 0 && s->occupant[left] < 0) {
      for (int i = left; i < at - 1; i++)
        move_slot(s, i + 1, i);
      empty_slot(s, at - 1);
      refresh_shifted(s, left, at - 1);
      return at - 1;
    }
    right++;
    left--;
  }
  return -1;
}

int sequence_make_slot(struct sequence *s, int before) {
  for (;;) {
    int ahead = before >= 0 ? s->at[before].prev : s->tail;
    int low = ahead >= 0 ? s->when[ahead].slot : -1;
    int high = before >= 0 ? s->when[before].slot : s->profile.slots;
    int middle = low + (high - low) / 2;
    if (middle > low && s->occupant[middle] < 0)
      return middle;
    for (int i = high - 1; i > low; i--)
      if (s->occupant[i] < 0)
        return i;
    int slot = shift_apart(s, high);
    if (slot >= 0)
      return slot;
    respread(s, slots_for(s->length + s->length / 2));
  }
}

/* Nothing starts or ends between the slot and the next settled or dead step,
 * except that step's own instance. */
int64_t sequence_held_at(const struct sequence *s, int slot) {
  for (int i = slot + 1; i < s->profile.slots; i++) {
    int q = s->occupant[i];
    if (q >= 0 && s->at[q].state != INSTANCE_FRESH) {
      int v = s->at[q].node;
      return profile_get(&s->profile, i) - s->workspace[v] - s->size[v];
    }
  }
  return divided_up(s->p->fixed, s->shift) - s->budget;
}
