#include "heuristics/greedy.h"

#include "heuristics/sequence.h"

#include <stdlib.h>

enum {
  CANDIDATES = 16,   /* that help, compared for a step over the budget */
  LOOKED_AT = 20000, /* nodes looked at for them... */
  TRIED = 1000,      /* ...and evaluated, help or not */
  EFFORT = 30000,    /* evaluations in all, and one for every two nodes */
  CHAIN = 16         /* most recomputes of one candidate with its chain */
};

struct greedy {
  const struct problem *p;
  struct sequence *s;
  int *cheapest;     /* nodes by duration per byte, ascending */
  int evaluations;   /* so far */
  struct stop *stop; /* NULL: never */
};

struct rated {
  double rate;
  int node;
};

static int by_rate(const void *left, const void *right) {
  const struct rated *a = left, *b = right;
  if (a->rate != b->rate)
    return a->rate < b->rate ? -1 : 1;
  return (a->node > b->node) - (a->node < b->node);
}

/* Whether to end, after one more evaluation: it may look at every block of the
 * profile. */
static bool stopped(struct greedy *g) {
  return stop_after(g->stop, 1000 + g->s->profile.slots);
}

/* Nodes that may be recomputed and whose size matters, cheapest first; ends
 * with -1. */
static void sort_nodes(struct greedy *g, struct memory *m) {
  const struct problem *p = g->p;
  struct rated *list = MEMORY_ARRAY(m, struct rated, p->n);
  int count = 0;
  for (int v = 0; v < p->n; v++)
    if (p->limit[v] > 1 && p->size[v] > 0)
      list[count++] =
          (struct rated){(double)p->duration[v] / (double)p->size[v], v};
  if (count)
    qsort(list, (size_t)count, sizeof *list, by_rate);
  g->cheapest = MEMORY_ARRAY(m, int, p->n + 1);
  for (int i = 0; i < count; i++)
    g->cheapest[i] = list[i].node;
  g->cheapest[count] = -1;
  memory_put(m, list);
}

static int insert_staged(struct greedy *g, int v, int stage) {
  struct sequence *s = g->s;
  if (v >= stage || s->count[v] >= g->p->limit[v])
    return -1;
  int before = sequence_staged_place(s, stage, v);
  int q = before < 0 ? -1 : sequence_insert(s, v, before);
  if (q >= 0)
    s->at[q].stage = stage;
  return q;
}

/* Opens a transaction: v again for its first reader after `slot`; `chain`: and
 * so its inputs, as long as holding one lasts just for that. */
static bool propose(struct greedy *g, int v, int slot, bool chain) {
  struct sequence *s = g->s;
  const struct problem *p = g->p;
  int reader = sequence_next_reader(s, v, slot), made[CHAIN], count = 0;
  int stage = s->at[reader].stage;
  int q = insert_staged(g, v, stage);
  if (q < 0 || !chain)
    return q >= 0;
  made[count++] = q;
  for (int next = 0; next < count; next++) {
    int x = s->at[made[next]].node;
    for (int e = p->pred_start[x]; e < p->pred_start[x + 1]; e++) {
      int i = sequence_last_before(s, p->pred[e], s->when[made[next]].slot);
      if (s->at[i].end != made[next] || s->at[i].stage == stage ||
          count == CHAIN)
        continue;
      int extra = insert_staged(g, p->pred[e], stage);
      if (extra >= 0)
        made[count++] = extra;
    }
  }
  return count > 1;
}

/* Takes the best candidate for the step in `slot`; false if none helps. */
static bool relieve(struct greedy *g, int slot) {
  struct sequence *s = g->s;
  int best = -1, found = 0, tried = 0, step = s->occupant[slot];
  bool best_chain = false;
  double best_price = 0;
  for (int i = 0; i < LOOKED_AT && found < CANDIDATES && tried < TRIED; i++) {
    int v = g->cheapest[i];
    if (v < 0)
      break;
    if (stopped(g))
      break;
    slot = s->when[step].slot; /* insertions may shift it */
    int q = sequence_last_before(s, v, slot);
    if (q < 0 || s->when[s->at[q].end].slot <= slot ||
        s->count[v] >= g->p->limit[v])
      continue;
    tried++;
    for (int chain = 0; chain < 2; chain++) {
      int64_t duration = s->duration;
      if (propose(g, v, s->when[step].slot, chain)) {
        int64_t change = sequence_change(s, -1); /* else it is no use */
        g->evaluations++;
        found += change < 0;
        double price =
            ((double)(s->duration - duration) + 1e-3) / -(double)change;
        if (change < 0 && (best < 0 || price < best_price)) {
          best = v;
          best_chain = chain;
          best_price = price;
        }
      }
      sequence_rollback(s);
    }
  }
  if (best < 0)
    return false;
  propose(g, best, s->when[step].slot, best_chain);
  sequence_change(s, INT64_MAX);
  sequence_commit(s);
  return true;
}

/* Deletes, latest first, recomputes whose removal adds no excess. */
static void prune(struct greedy *g) {
  struct sequence *s = g->s;
  for (int q = s->tail; q >= 0 && !stop_after(g->stop, 10);) {
    int ahead = s->at[q].prev;
    if (s->when[q].earlier >= 0) {
      stopped(g);
      if (sequence_delete(s, q) && sequence_change(s, 0) <= 0)
        sequence_commit(s);
      else
        sequence_rollback(s);
    }
    q = ahead;
  }
}

struct schedule *greedy_schedule(struct memory *m, const struct problem *p,
                                 struct stop *stop) {
  struct schedule *start = schedule_baseline(m, p);
  struct greedy g = {.p = p, .s = sequence_new(m, p), .stop = stop};
  struct sequence *s = g.s;
  sequence_load(s, start->step, start->length, p->budget);
  sequence_label_stages(s);
  sort_nodes(&g, m);
  for (int q = s->head; q >= 0 && sequence_over(s) > 0 && !stop_after(stop, 10);
       q = s->at[q].next)
    while (profile_get(&s->profile, s->when[q].slot) > 0 &&
           g.evaluations < EFFORT + p->n / 2 && relieve(&g, s->when[q].slot))
      ;
  prune(&g);
  int *step = MEMORY_ARRAY(m, int, s->length);
  sequence_store(s, step);
  int length = schedule_trim(p, step, s->length, m);
  schedule_free(m, start);
  struct schedule *result = schedule_new(m, p, step, length);
  memory_put(m, step);
  memory_put(m, g.cheapest);
  sequence_free(s);
  return result;
}
