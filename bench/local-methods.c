#include "bench/local-methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PLAIN, ONE_ANNEALING, LATE_ACCEPTANCE, TABU, ELITES };
enum { LATE = 20000, SAMPLE = 16, TENURE = 12, POOL = 6, CHECK = 256 };

const char *const method_names[METHODS] = {"plain", "one annealing",
                                           "late acceptance", "tabu", "elites"};

struct run {
  struct local *l;
  int64_t tries, done, moves;
  double seconds, start;
  int64_t excess; /* over the budget, after the open transaction */
  int64_t best;   /* duration, -1: none */
  int *step;      /* the best's steps */
  int length, capacity;
};

static double cpu_seconds(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

/* The part of the run that is over. */
static double progress(const struct run *r) {
  return r->seconds > 0 ? (cpu_seconds() - r->start) / r->seconds
                        : (double)r->done / (double)r->tries;
}

static double cost(const struct local *l) {
  return (double)l->s->duration + l->surplus_cost * (double)l->s->surplus +
         l->penalty * (double)sequence_over(l->s);
}

static void keep_best(struct run *r) {
  const struct sequence *s = r->l->s;
  if (sequence_over(s) || s->surplus ||
      (r->best >= 0 && s->duration >= r->best))
    return;
  if (s->length > r->capacity) {
    r->capacity = 2 * s->length;
    r->step = memory_resize(r->l->memory, r->step, (size_t)r->capacity,
                            sizeof *r->step);
  }
  sequence_store(s, r->step);
  r->length = s->length;
  r->best = s->duration;
}

static void adapt(struct local *l) {
  l->penalty *= sequence_over(l->s) ? 1 + 0.02 * l->feasible_target
                                    : 1 - 0.02 * (1 - l->feasible_target);
}

static enum move draw(struct local *l, bool plain) {
  if (plain)
    return random_below(&l->random, 2) ? MOVE_INSERT : MOVE_DELETE;
  return local_draw(l);
}

/* Opens a transaction; its change of the cost, or infinity. */
static double propose(struct run *r, enum move move) {
  struct local *l = r->l;
  struct sequence *s = l->s;
  int64_t duration = s->duration, surplus = s->surplus;
  r->done++;
  if (!local_propose(l, move))
    return INFINITY;
  r->moves++;
  int64_t change = sequence_change(s, INT64_MAX);
  r->excess = sequence_over(s) + change;
  return (double)(s->duration - duration) +
         l->surplus_cost * (double)(s->surplus - surplus) +
         l->penalty * (double)change;
}

static void settle(struct run *r, bool accept) {
  if (accept) {
    sequence_commit(r->l->s);
    keep_best(r);
  } else {
    sequence_rollback(r->l->s);
  }
}

static void anneal(struct run *r, bool plain) {
  struct local *l = r->l;
  double hot = l->hot_factor * l->mean_duration, part;
  double cold = l->cold_factor * l->mean_duration;
  while ((part = progress(r)) < 1) {
    double temperature = hot * pow(cold / hot, part);
    for (int i = 0; i < CHECK; i++) {
      double bearable = -temperature * log(1 - random_real(&l->random));
      settle(r, propose(r, draw(l, plain)) <= bearable);
    }
    adapt(l);
  }
}

static void late_acceptance(struct run *r) {
  struct local *l = r->l;
  double *history = MEMORY_ARRAY(l->memory, double, LATE);
  for (int i = 0; i < LATE; i++)
    history[i] = cost(l);
  while (progress(r) < 1) {
    for (int i = 0; i < CHECK; i++) {
      double *late = &history[r->done % LATE], before = cost(l);
      double change = propose(r, draw(l, false));
      settle(r, change <= 0 || before + change <= *late);
      *late = cost(l);
    }
    adapt(l);
  }
  memory_put(l->memory, history);
}

/* Was a node that the open transaction inserts or deletes touched after
 * accepted move `since`?  Else, with `mark`, it is now, by move `mark`. */
static bool touched(const struct sequence *s, int64_t *when, int64_t since,
                    int64_t mark) {
  for (int k = 0; k < s->owns; k++) {
    int v = s->at[s->own[k].instance].node;
    if (mark)
      when[v] = mark;
    else if (when[v] > since)
      return true;
  }
  return false;
}

/* The move is drawn again with the random numbers that it was drawn with. */
static void tabu(struct run *r) {
  struct local *l = r->l;
  int64_t *when = MEMORY_ARRAY(l->memory, int64_t, l->p->n);
  for (int64_t accepted = TENURE + 1; progress(r) < 1; accepted++) {
    struct random chosen = l->random;
    double least = INFINITY;
    for (int i = 0; i < SAMPLE; i++) {
      struct random before = l->random;
      double change = propose(r, draw(l, false));
      if (change < least &&
          (!touched(l->s, when, accepted - TENURE, 0) ||
           (r->best >= 0 && l->s->duration < r->best && !r->excess))) {
        least = change;
        chosen = before;
      }
      settle(r, false);
    }
    if (least < INFINITY) {
      struct random after = l->random;
      l->random = chosen;
      r->done--;
      propose(r, draw(l, false));
      touched(l->s, when, 0, accepted);
      settle(r, true);
      l->random = after;
    }
    if (accepted % (CHECK / SAMPLE) == 0)
      adapt(l);
  }
  memory_put(l->memory, when);
}

/* The worst of the pool, an empty place before all. */
static int worst_of(struct schedule *const pool[POOL]) {
  int worst = 0;
  for (int i = 1; i < POOL && pool[worst]; i++)
    if (!pool[i] || pool[i]->duration > pool[worst]->duration)
      worst = i;
  return worst;
}

static void elites(struct run *r) {
  struct local *l = r->l;
  struct schedule *pool[POOL] = {NULL};
  int64_t share = r->tries / (4 * POOL);
  for (int k = 0; k < 3 * POOL; k++) {
    int parent = random_below(&l->random, POOL);
    bool fresh = k < POOL || !pool[parent];
    local_start(l, fresh ? NULL : pool[parent], NULL);
    local_run(l, k < POOL ? 2 * share : share, NULL);
    const struct schedule *found = local_best(l);
    int place = fresh ? worst_of(pool) : parent;
    if (!found || (pool[place] && found->duration >= pool[place]->duration))
      continue;
    schedule_free(l->memory, pool[place]);
    pool[place] = schedule_new(l->memory, l->p, found->step, found->length);
    if (r->best < 0 || found->duration < r->best)
      r->best = found->duration;
  }
  r->moves = local_statistics(l).moves;
  for (int i = 0; i < POOL; i++)
    schedule_free(l->memory, pool[i]);
}

int64_t method_run(int method, struct local *l, int64_t tries, double seconds,
                   double *moves) {
  struct run r = {.l = l,
                  .tries = tries,
                  .seconds = seconds,
                  .start = cpu_seconds(),
                  .best = -1};
  local_start(l, NULL, NULL);
  l->most_duration = INT64_MAX / 2;
  keep_best(&r);
  if (method == ELITES)
    elites(&r);
  else if (method == TABU)
    tabu(&r);
  else if (method == LATE_ACCEPTANCE)
    late_acceptance(&r);
  else
    anneal(&r, method == PLAIN);
  *moves += (double)r.moves;
  struct simulation truth = {0};
  if (r.length && (!simulate(l->p, r.step, r.length, l->memory, &truth) ||
                   truth.peak > l->p->budget || truth.duration != r.best))
    r.best = -1;
  memory_put(l->memory, r.step);
  return r.best;
}
