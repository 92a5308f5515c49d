#include "heuristics/classics.h"

#include "heuristics/greedy.h"
#include "heuristics/replay.h"
#include "heuristics/revolve.h"
#include "model/analysis.h"

#include <math.h>
#include <string.h>

static struct schedule *keep_all(const struct problem *p, struct memory *m,
                                 struct stop *stop, struct error *error) {
  (void)stop;
  (void)error;
  return schedule_baseline(m, p);
}

static struct schedule *greedy(const struct problem *p, struct memory *m,
                               struct stop *stop, struct error *error) {
  (void)error;
  return greedy_schedule(m, p, stop);
}

/* After a stage: is there time for another one? */
static bool go_on(const struct replay *r, struct stop *stop) {
  enum { UNITS_A_STAGE = 200, UNITS_A_NEED = 100 };
  return !stop_after(stop, UNITS_A_STAGE + UNITS_A_NEED * (int64_t)r->needs);
}

/* NULL if it was stopped on the way. */
static struct schedule *finish(struct replay *r, const struct stop *stop) {
  return stop && stop->yes ? NULL : replay_finish(r);
}

/* Every output is dropped as soon as the node after it has been computed. */
static struct schedule *recompute_all(const struct problem *p, struct memory *m,
                                      struct stop *stop, struct error *error) {
  enum { MOST_STEPS = 100000000 };
  struct replay *r = replay_new(m, p);
  for (int j = 0; j < p->n && r->length <= MOST_STEPS && go_on(r, stop); j++) {
    replay_need(r, j);
    int from = r->length;
    replay_stage(r, j);
    for (int i = from; i < r->length; i++)
      if (r->step[i] != j)
        replay_drop(r, r->step[i]);
    if (j > 0)
      replay_drop(r, j - 1);
  }
  struct schedule *s = NULL;
  if (r->length > MOST_STEPS)
    error_set(error, STATUS_RESOURCES,
              "recompute-all: more than %d steps; limit the computes",
              MOST_STEPS);
  else
    s = finish(r, stop);
  replay_free(r);
  return s;
}

/* Holds the checkpoints; everything else is dropped where its segment ends,
 * that is at the next checkpoint, and recomputed at most once: then it stays.
 */
static struct schedule *run_segments(const struct problem *p, struct memory *m,
                                     const bool *checkpoint,
                                     struct stop *stop) {
  struct replay *r = replay_new(m, p);
  int start = 0;
  for (int j = 0; j < p->n && go_on(r, stop); j++) {
    replay_need(r, j);
    replay_stage(r, j);
    if (!checkpoint[j])
      continue;
    for (int v = start; v < j; v++)
      if (r->count[v] == 1)
        replay_drop(r, v);
    start = j + 1;
  }
  struct schedule *s = finish(r, stop);
  replay_free(r);
  return s;
}

/* Nodes that may be checkpoints: all, or the articulation points. */
static bool *choose_candidates(const struct problem *p, struct memory *m,
                               bool points_only) {
  bool *candidate = MEMORY_ARRAY(m, bool, p->n);
  if (!points_only) {
    memset(candidate, true, (size_t)p->n * sizeof *candidate);
    return candidate;
  }
  bool *cut = MEMORY_ARRAY(m, bool, p->graph->node_count);
  analysis_articulation(p->graph, m, cut, NULL);
  for (int v = 0; v < p->n; v++)
    candidate[v] = v != p->sink && cut[p->node_of[v]];
  memory_put(m, cut);
  return candidate;
}

static struct schedule *chen_sqrt_of(const struct problem *p, struct memory *m,
                                     bool points_only, struct stop *stop) {
  bool *candidate = choose_candidates(p, m, points_only);
  int count = 0, seen = 0;
  for (int v = 0; v < p->n; v++)
    count += candidate[v];
  int every = (int)ceil(sqrt(count));
  for (int v = 0; v < p->n; v++)
    if (candidate[v])
      candidate[v] = ++seen % every == 0;
  struct schedule *s = run_segments(p, m, candidate, stop);
  memory_put(m, candidate);
  return s;
}

/* One threshold: a checkpoint at the first candidate where the sizes since the
 * last one exceed it. */
static struct schedule *chen_threshold(const struct problem *p,
                                       struct memory *m, const bool *candidate,
                                       double threshold, struct stop *stop) {
  bool *checkpoint = MEMORY_ARRAY(m, bool, p->n);
  double since = 0;
  for (int v = 0; v < p->n; v++) {
    since += (double)p->size[v];
    if (candidate[v] && since > threshold) {
      checkpoint[v] = true;
      since = 0;
    }
  }
  struct schedule *s = run_segments(p, m, checkpoint, stop);
  memory_put(m, checkpoint);
  return s;
}

/* Within the budget before over it; then by duration, or by peak. */
static bool better(const struct problem *p, const struct schedule *a,
                   const struct schedule *b) {
  bool fits = a->peak <= p->budget, other_fits = b->peak <= p->budget;
  if (fits != other_fits)
    return fits;
  return fits ? a->duration < b->duration : a->peak < b->peak;
}

static struct schedule *chen_greedy_of(const struct problem *p,
                                       struct memory *m, bool points_only,
                                       struct stop *stop) {
  enum { THRESHOLDS = 24 };
  bool *candidate = choose_candidates(p, m, points_only);
  double total = 0;
  for (int v = 0; v < p->n; v++)
    total += (double)p->size[v];
  struct schedule *best = NULL;
  for (int i = 0; i < THRESHOLDS; i++) {
    total /= sqrt(2);
    struct schedule *s = chen_threshold(p, m, candidate, total, stop);
    if (!s)
      break;
    if (best && !better(p, s, best)) {
      schedule_free(m, s);
      continue;
    }
    schedule_free(m, best);
    best = s;
  }
  memory_put(m, candidate);
  return best;
}

static struct schedule *chen_sqrt(const struct problem *p, struct memory *m,
                                  struct stop *stop, struct error *error) {
  (void)error;
  return chen_sqrt_of(p, m, false, stop);
}

static struct schedule *chen_sqrt_ap(const struct problem *p, struct memory *m,
                                     struct stop *stop, struct error *error) {
  (void)error;
  return chen_sqrt_of(p, m, true, stop);
}

static struct schedule *chen_greedy(const struct problem *p, struct memory *m,
                                    struct stop *stop, struct error *error) {
  (void)error;
  return chen_greedy_of(p, m, false, stop);
}

static struct schedule *chen_greedy_ap(const struct problem *p,
                                       struct memory *m, struct stop *stop,
                                       struct error *error) {
  (void)error;
  return chen_greedy_of(p, m, true, stop);
}

const struct classic classics[] = {{"keep-all", keep_all},
                                   {"recompute-all", recompute_all},
                                   {"chen-sqrt", chen_sqrt},
                                   {"chen-sqrt-ap", chen_sqrt_ap},
                                   {"chen-greedy", chen_greedy},
                                   {"chen-greedy-ap", chen_greedy_ap},
                                   {"revolve", revolve_schedule},
                                   {"greedy", greedy},
                                   {NULL, NULL}};

const struct classic *classic_find(const char *name) {
  for (const struct classic *c = classics; c->name; c++)
    if (!strcmp(c->name, name))
      return c;
  return NULL;
}
