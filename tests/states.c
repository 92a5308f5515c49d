#include "tests/states.h"

#include <stdlib.h>
#include <string.h>

/* Bits of a state: 12 in memory, 12 x 4 computes (counted up to the node's
 * limit, or to 1 without), 4 one more than the stage's last recompute. */
typedef uint64_t state;

struct open {
  int64_t estimate, cost; /* estimate: with all that is still to be computed */
  state at;
};

struct search {
  const struct problem *p;
  int64_t budget;
  int n, kept; /* nodes without the sink; a mask */
  int states, room, heap_length, heap_room;
  struct known {
    state at;
    int64_t cost; /* -1: free place */
  } * known;
  struct open *heap;
};

static int in_memory(state at) {
  return (int)(at & 0xfff);
}

static int computes(state at, int v) {
  return (int)(at >> (12 + 4 * v) & 15);
}

static int last_recompute(state at) {
  return (int)(at >> 60);
}

static struct known *find(struct search *s, state at) {
  uint64_t hash = at * UINT64_C(0x9e3779b97f4a7c15);
  size_t mask = (size_t)s->room - 1, i = (size_t)(hash >> 20) & mask;
  while (s->known[i].cost >= 0 && s->known[i].at != at)
    i = (i + 1) & mask;
  return &s->known[i];
}

/* Twice the places, the states hashed anew. */
static void widen(struct search *s) {
  struct known *old = s->known;
  int room = s->room;
  s->room = room ? 2 * room : 256;
  s->known = malloc((size_t)s->room * sizeof *s->known);
  memset(s->known, -1, (size_t)s->room * sizeof *s->known);
  for (int i = 0; i < room; i++)
    if (old[i].cost >= 0)
      *find(s, old[i].at) = old[i];
  free(old);
}

static bool before(const struct open *a, const struct open *b) {
  return a->estimate < b->estimate;
}

static void push(struct search *s, struct open x) {
  if (2 * s->states >= s->room)
    widen(s);
  struct known *k = find(s, x.at);
  if (k->cost >= 0 && k->cost <= x.cost)
    return;
  s->states += k->cost < 0;
  *k = (struct known){x.at, x.cost};
  if (s->heap_length == s->heap_room) {
    s->heap_room = s->heap_room ? 2 * s->heap_room : 256;
    s->heap = realloc(s->heap, (size_t)s->heap_room * sizeof *s->heap);
  }
  int i = s->heap_length++;
  for (; i && before(&x, &s->heap[(i - 1) / 2]); i = (i - 1) / 2)
    s->heap[i] = s->heap[(i - 1) / 2];
  s->heap[i] = x;
}

static struct open pop(struct search *s) {
  struct open top = s->heap[0], x = s->heap[--s->heap_length];
  int i = 0;
  for (int child; (child = 2 * i + 1) < s->heap_length; i = child) {
    child += child + 1 < s->heap_length &&
             before(&s->heap[child + 1], &s->heap[child]);
    if (!before(&s->heap[child], &x))
      break;
    s->heap[i] = s->heap[child];
  }
  s->heap[i] = x;
  return top;
}

static int64_t bytes(const struct search *s, int mask) {
  int64_t sum = 0;
  for (int v = 0; v < s->n; v++)
    if (mask >> v & 1)
      sum += s->p->size[v];
  return sum;
}

/* Whether v may be computed now, memory aside. */
static bool allowed(const struct search *s, state at, int v) {
  const struct problem *p = s->p;
  int done = 0;
  for (int u = 0; u < s->n; u++)
    done += computes(at, u) > 0;
  for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++)
    if (!(in_memory(at) >> p->pred[e] & 1))
      return false;
  if (in_memory(at) >> v & 1 || computes(at, v) >= p->limit[v])
    return false;
  if (p->free_order)
    return true;
  return computes(at, v) ? v < done && v >= last_recompute(at) : v == done;
}

/* v is computed after all of `dropped` has gone. */
static void move(struct search *s, const struct open *x, int v, int dropped) {
  const struct problem *p = s->p;
  int count = computes(x->at, v),
      memory = (in_memory(x->at) & ~dropped) | 1 << v;
  int most = p->limit[v] == INT32_MAX ? 1 : p->limit[v];
  struct open next = *x;
  next.at &= ~(state)0xfff;
  next.at |= (state)memory;
  if (count < most)
    next.at += (state)1 << (12 + 4 * v);
  next.at &= ~(state)0 >> 4;
  if (count && !p->free_order)
    next.at |= (state)(v + 1) << 60;
  next.cost += p->duration[v];
  next.estimate += count ? p->duration[v] : 0;
  push(s, next);
}

/* All least sets to drop so that v fits. */
static void moves(struct search *s, const struct open *x, int v) {
  const struct problem *p = s->p;
  int inputs = 0, held = in_memory(x->at);
  for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++)
    inputs |= 1 << p->pred[e];
  int64_t over =
      p->fixed + p->workspace[v] + p->size[v] + bytes(s, held) - s->budget;
  int spare = held & ~inputs;
  for (int drop = spare;; drop = (drop - 1) & spare) {
    int64_t left = over - bytes(s, drop);
    bool least = left <= 0;
    for (int u = 0; least && u < s->n; u++)
      if (drop >> u & 1)
        least = left + p->size[u] > 0;
    if (least)
      move(s, x, v, drop);
    if (!drop)
      return;
  }
}

static bool finished(const struct search *s, state at) {
  for (int v = 0; v < s->n; v++)
    if (!computes(at, v))
      return false;
  return (in_memory(at) & s->kept) == s->kept;
}

enum states_verdict states_duration(const struct problem *p, int64_t budget,
                                    int most, int64_t *best) {
  struct search s = {.p = p, .budget = budget};
  s.n = p->n - (p->sink >= 0);
  if (p->sink >= 0)
    for (int e = p->pred_start[p->sink]; e < p->pred_start[p->sink + 1]; e++)
      s.kept |= 1 << p->pred[e];
  push(&s, (struct open){.estimate = p->base_duration});
  enum states_verdict verdict =
      p->fixed > budget ? STATES_NONE : STATES_TOO_MANY;
  while (verdict == STATES_TOO_MANY && s.states < most) {
    if (!s.heap_length) {
      verdict = STATES_NONE;
      break;
    }
    struct open x = pop(&s);
    if (x.cost > find(&s, x.at)->cost)
      continue;
    if (finished(&s, x.at)) {
      *best = x.cost;
      verdict = STATES_FOUND;
    }
    for (int v = 0; v < s.n; v++)
      if (allowed(&s, x.at, v))
        moves(&s, &x, v);
  }
  free(s.known);
  free(s.heap);
  return verdict;
}

enum states_verdict states_peak(const struct problem *p, int64_t limit,
                                int most, int64_t *best) {
  int64_t low = p->working_set, high = p->base_peak, found;
  if (p->base_duration > limit)
    return STATES_NONE;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    enum states_verdict v = states_duration(p, middle, most, &found);
    if (v == STATES_TOO_MANY)
      return v;
    if (v == STATES_FOUND && found <= limit)
      high = middle;
    else
      low = middle + 1;
  }
  *best = low;
  return STATES_FOUND;
}
