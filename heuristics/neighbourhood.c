#include "heuristics/neighbourhood_state.h"

#include "model/formulation.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[NEIGHBOURHOOD_KINDS] = {
    "N1 span", "N2 peak", "N3 ball", "N4 dear", "N5 skip", "N6 random"};

enum { LEAST_SIZE = 4, FIRST_SIZE = 20 };

/* Larger models are not built: it cannot be stopped on the way, and with any
 * number of computes took 15 s beyond the time limit at n = 1000. */
enum { MOST_EVENTS = 2000000 };

/* Stages whose baseline exceeds the budget. */
static void find_tight(struct neighbourhood *s) {
  const struct problem *p = s->problem;
  int64_t held = p->fixed;
  s->tight = MEMORY_ARRAY(s->memory, int, p->n);
  for (int v = 0; v < p->n; v++) {
    held += p->size[v];
    if (held + p->workspace[v] > p->budget)
      s->tight[s->tight_count++] = v;
    for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++)
      if (s->last_read[p->pred[e]] == v)
        held -= p->size[p->pred[e]];
    if (s->last_read[v] < 0)
      held -= p->size[v];
  }
}

struct neighbourhood *
neighbourhood_new(struct memory *m, const struct problem *p, uint64_t seed) {
  struct neighbourhood *s = MEMORY_NEW(m, struct neighbourhood);
  s->memory = m;
  s->problem = p;
  random_seed(&s->random, seed);
  s->open = MEMORY_ARRAY(m, bool, p->n);
  s->list = MEMORY_ARRAY(m, int, p->n);
  s->last_read = MEMORY_ARRAY(m, int, p->n);
  for (int v = 0; v < p->n; v++)
    s->last_read[v] = p->succ_start[v] < p->succ_start[v + 1]
                          ? p->succ[p->succ_start[v + 1] - 1]
                          : -1;
  find_tight(s);
  for (int k = 0; k < NEIGHBOURHOOD_KINDS; k++) {
    s->kind[k].size = FIRST_SIZE;
    s->statistics.kind[k].name = names[k];
  }
  return s;
}

void neighbourhood_free(struct neighbourhood *s) {
  struct memory *m = s->memory;
  schedule_free(m, s->best);
  memory_put(m, s->now);
  memory_put(m, s->allowed);
  memory_put(m, s->allowed_row);
  memory_put(m, s->open);
  memory_put(m, s->list);
  memory_put(m, s->last_read);
  memory_put(m, s->tight);
  memory_put(m, s);
}

void neighbourhood_restrict(struct neighbourhood *s,
                            const struct bound_fixing *open) {
  struct memory *m = s->memory;
  memory_put(m, s->allowed);
  memory_put(m, s->allowed_row);
  s->allowed = NULL;
  s->allowed_row = NULL;
  if (!open)
    return;
  s->allowed_count = open->window_count;
  s->allowed = MEMORY_ARRAY(m, struct bound_window, open->window_count);
  s->allowed_row = MEMORY_ARRAY(m, int, s->problem->n + 1);
  for (int i = 0; i < open->window_count; i++) {
    s->allowed[i] = open->window[i];
    s->allowed_row[open->window[i].node + 1]++;
  }
  for (int v = 0; v < s->problem->n; v++)
    s->allowed_row[v + 1] += s->allowed_row[v];
}

void neighbourhood_start(struct neighbourhood *s, const struct schedule *best) {
  struct memory *m = s->memory;
  struct schedule *copy = schedule_new(m, s->problem, best->step, best->length);
  schedule_free(m, s->best);
  s->best = copy;
  int count = copy->length - s->problem->n;
  if (count > s->now_capacity) {
    s->now = memory_resize(m, s->now, (size_t)count, sizeof *s->now);
    s->now_capacity = count;
  }
  s->now_count =
      schedule_recomputes(s->problem, copy->step, copy->length, s->now);
}

const struct schedule *neighbourhood_best(const struct neighbourhood *s) {
  return s->best;
}

struct neighbourhood_statistics
neighbourhood_statistics(const struct neighbourhood *s) {
  struct neighbourhood_statistics copy = s->statistics;
  for (int k = 0; k < NEIGHBOURHOOD_KINDS; k++)
    copy.kind[k].size = (int)s->kind[k].size;
  return copy;
}

/* ---- the windows of a neighbourhood ------------------------------------- */

static int by_node_and_stage(const void *left, const void *right) {
  const struct bound_window *a = left, *b = right;
  if (a->node != b->node)
    return a->node < b->node ? -1 : 1;
  return (a->first > b->first) - (a->first < b->first);
}

/* Sorts and joins windows of a node that overlap or touch. */
static int join(struct bound_window *w, int count) {
  int kept = 0;
  if (count)
    qsort(w, (size_t)count, sizeof *w, by_node_and_stage);
  for (int i = 0; i < count; i++) {
    struct bound_window *last = &w[kept - (kept > 0)];
    if (kept && last->node == w[i].node && w[i].first <= last->last + 1)
      last->last = w[i].last > last->last ? w[i].last : last->last;
    else
      w[kept++] = w[i];
  }
  return kept;
}

/* An open node may be recomputed in the span, within what is allowed. */
static int open_windows(const struct neighbourhood *s, int v,
                        struct bound_window *out) {
  int first = s->first > v ? s->first : v + 1, last = s->last, count = 0;
  if (!s->allowed_row) {
    if (first <= last)
      out[count++] = (struct bound_window){v, first, last, false};
    return count;
  }
  for (int i = s->allowed_row[v]; i < s->allowed_row[v + 1]; i++) {
    const struct bound_window *w = &s->allowed[i];
    int a = w->first > first ? w->first : first;
    int b = w->last < last ? w->last : last;
    if (a <= b)
      out[count++] = (struct bound_window){v, a, b, false};
  }
  return count;
}

static struct bound_window *make_windows(struct neighbourhood *s, int *count) {
  int most = s->now_count;
  for (int i = 0; i < s->count; i++)
    most += s->allowed_row
                ? s->allowed_row[s->list[i] + 1] - s->allowed_row[s->list[i]]
                : 1;
  struct bound_window *w = MEMORY_ARRAY(s->memory, struct bound_window, most);
  *count = 0;
  for (int i = 0; i < s->count; i++)
    *count += open_windows(s, s->list[i], w + *count);
  for (int i = 0; i < s->now_count; i++)
    w[(*count)++] = (struct bound_window){s->now[i].node, s->now[i].stage,
                                          s->now[i].stage, false};
  *count = join(w, *count);
  return w;
}

/* ---- running ------------------------------------------------------------ */

static int draw_kind(struct neighbourhood *s) {
  double weight[NEIGHBOURHOOD_KINDS], sum = 0, most = 0;
  for (int k = 0; k < NEIGHBOURHOOD_KINDS; k++)
    most = s->kind[k].gain > most ? s->kind[k].gain : most;
  for (int k = 0; k < NEIGHBOURHOOD_KINDS; k++)
    sum += weight[k] = most > 0 ? 0.1 + s->kind[k].gain / most : 1;
  double at = random_real(&s->random) * sum;
  int k = 0;
  while (k + 1 < NEIGHBOURHOOD_KINDS && (at -= weight[k]) >= 0)
    k++;
  return k;
}

/* Solves one model to its end or limit; returns the gain in cost units. */
static int64_t solve_model(struct neighbourhood *s, struct memory *m,
                           const struct bound_window *window, int windows,
                           struct cp_limits *limits, bool *decided,
                           int64_t *spent) {
  struct formulation_options options = formulation_options_default();
  int64_t before = s->best->duration;
  options.window = window;
  options.windows = windows;
  options.upper = before;
  options.most_events = MOST_EVENTS;
  options.cp.seed = random_below(&s->random, 1 << 30);
  *decided = false;
  struct formulation *f = formulation_new(m, s->problem, &options);
  if (!f)
    return 0;
  formulation_prefer(f, s->best->step, s->best->length);
  enum formulation_result result;
  int64_t left = limits->propagations;
  do {
    limits->propagations =
        left - cp_statistics(formulation_cp(f))->propagations;
    if (limits->propagations <= 0) {
      result = FORMULATION_LIMIT;
      break;
    }
    result = formulation_run(f, limits);
    if (result == FORMULATION_SCHEDULE)
      neighbourhood_start(s, formulation_schedule(f));
  } while (result == FORMULATION_SCHEDULE);
  *decided = result == FORMULATION_DONE;
  *spent = cp_statistics(formulation_cp(f))->propagations;
  formulation_free(f);
  return before - s->best->duration;
}

static void learn(struct neighbourhood *s, int kind, bool decided,
                  int64_t spent, int64_t gain) {
  struct kind_state *k = &s->kind[kind];
  double rate = (double)gain * 1e6 / (double)(spent + 1000);
  k->gain = 0.9 * k->gain + 0.1 * rate;
  k->size *= decided ? 1.1 : 0.9;
  if (k->size < LEAST_SIZE)
    k->size = LEAST_SIZE;
  if (k->size > s->problem->n)
    k->size = s->problem->n;
  s->statistics.kind[kind].models++;
  s->statistics.kind[kind].decided += decided;
  s->statistics.kind[kind].improved += gain > 0;
  s->statistics.kind[kind].propagations += spent;
  s->statistics.kind[kind].gain += gain;
}

bool neighbourhood_run(struct neighbourhood *s, int64_t propagations,
                       bool (*stop)(void *), void *data) {
  bool improved = false;
  const int64_t slice = 300000; /* a model's propagations, at most */
  while (propagations > 0 && s->best && !(stop && stop(data))) {
    int kind = draw_kind(s), windows;
    neighbourhood_choose(s, kind);
    struct bound_window *w = make_windows(s, &windows);
    struct cp_limits limits = {.propagations =
                                   slice < propagations ? slice : propagations,
                               .stop = stop,
                               .stop_data = data};
    bool decided = false;
    int64_t spent = 0;
    int64_t gain =
        solve_model(s, s->memory, w, windows, &limits, &decided, &spent);
    memory_put(s->memory, w);
    learn(s, kind, decided, spent, gain);
    improved = improved || gain > 0;
    /* Building a model costs too: about its nodes and edges. */
    propagations -=
        spent + s->problem->n + s->problem->succ_start[s->problem->n];
  }
  return improved;
}
