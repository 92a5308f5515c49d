/* Which nodes and stages a neighbourhood opens. */
#include "heuristics/neighbourhood_state.h"

#include <string.h>

static void open_node(struct neighbourhood *s, int v) {
  bool useful = v != s->problem->sink && s->problem->limit[v] > 1 &&
                s->last_read[v] > v &&
                (!s->allowed_row || s->allowed_row[v] < s->allowed_row[v + 1]);
  if (useful && !s->open[v]) {
    s->open[v] = true;
    s->list[s->count++] = v;
  }
}

static void clear(struct neighbourhood *s) {
  for (int i = 0; i < s->count; i++)
    s->open[s->list[i]] = false;
  s->count = 0;
  s->first = 0;
  s->last = s->problem->n - 1;
}

/* Opens neighbours of what is open, breadth first, until `size` nodes. */
static void grow(struct neighbourhood *s, int size) {
  const struct problem *p = s->problem;
  for (int i = 0; i < s->count && s->count < size; i++) {
    int v = s->list[i];
    for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++)
      open_node(s, p->pred[e]);
    for (int e = p->succ_start[v]; e < p->succ_start[v + 1]; e++)
      if (s->count < size)
        open_node(s, p->succ[e]);
  }
}

/* All nodes that are held across, or computed in, some stage of the span, by
 * chance if they are more than wanted. */
static void open_span(struct neighbourhood *s, int middle, int size) {
  const struct problem *p = s->problem;
  int half = size + random_below(&s->random, size + 1);
  s->first = middle > half ? middle - half : 0;
  s->last = middle + half < p->n ? middle + half : p->n - 1;
  int crossing = 0;
  for (int v = 0; v < s->last; v++)
    crossing += s->last_read[v] >= s->first;
  for (int v = 0; v < s->last; v++)
    if (s->last_read[v] >= s->first &&
        random_below(&s->random, crossing) < 2 * size)
      open_node(s, v);
}

static int random_tight(struct neighbourhood *s) {
  return s->tight_count ? s->tight[random_below(&s->random, s->tight_count)]
                        : random_below(&s->random, s->problem->n);
}

static void open_ball(struct neighbourhood *s, int size) {
  int v = s->now_count ? s->now[random_below(&s->random, s->now_count)].node
                       : random_below(&s->random, s->problem->n);
  open_node(s, v);
  if (!s->count) { /* not useful itself: begin with its inputs */
    s->list[s->count++] = v;
    s->open[v] = true;
  }
  grow(s, size);
}

/* A few recomputes, the dearer the likelier, and what is around them. */
static void open_dear(struct neighbourhood *s, int size) {
  int64_t total = 0;
  for (int i = 0; i < s->now_count; i++)
    total += s->problem->duration[s->now[i].node] + 1;
  for (int tries = 0; tries < 1 + size / 8 && s->now_count; tries++) {
    int64_t at = (int64_t)(random_real(&s->random) * (double)total);
    int i = 0;
    while (i + 1 < s->now_count &&
           (at -= s->problem->duration[s->now[i].node] + 1) >= 0)
      i++;
    open_node(s, s->now[i].node);
  }
  grow(s, size);
}

/* The longest-lived of a few nodes, and its inputs several levels up. */
static void open_skip(struct neighbourhood *s, int size) {
  const struct problem *p = s->problem;
  int best = 0;
  for (int tries = 0; tries < 8; tries++) {
    int v = random_below(&s->random, p->n);
    if (s->last_read[v] - v > s->last_read[best] - best)
      best = v;
  }
  open_node(s, best);
  for (int i = 0; i < s->count && s->count < size; i++)
    for (int e = p->pred_start[s->list[i]];
         e < p->pred_start[s->list[i] + 1] && s->count < size; e++)
      open_node(s, p->pred[e]);
  s->first = best;
  s->last = s->last_read[best];
}

static void open_random(struct neighbourhood *s, int size) {
  for (int tries = 0; tries < 4 * size && s->count < size; tries++)
    open_node(s, random_below(&s->random, s->problem->n));
}

void neighbourhood_choose(struct neighbourhood *s, int kind) {
  int size = (int)s->kind[kind].size;
  clear(s);
  switch (kind) {
  case 0:
    open_span(s, random_below(&s->random, s->problem->n), size);
    break;
  case 1:
    open_span(s, random_tight(s), size);
    break;
  case 2:
    open_ball(s, size);
    break;
  case 3:
    open_dear(s, size);
    break;
  case 4:
    open_skip(s, size);
    break;
  default:
    open_random(s, size);
  }
  /* What is recomputed now takes part in any case: half of it at random. */
  if (kind != 5)
    for (int i = 0; i < s->now_count; i++)
      if (random_below(&s->random, 2))
        open_node(s, s->now[i].node);
}
