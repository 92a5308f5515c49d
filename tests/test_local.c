/* Local search: every reported schedule is what the contract says, small
 * problems are solved to the optimum of the exhaustive oracle, and the same
 * calls give the same schedules. */
#include "heuristics/local.h"

#include "tests/layered.h"
#include "tests/oracle.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

struct watch {
  const struct problem *p;
  struct memory *m;
  bool peak;              /* the peak is the objective */
  int64_t duration_limit; /* 0: none */
  int64_t last_peak, last_duration;
  int reports;
  uint64_t hash;
};

static void check_report(void *data, const struct schedule *s) {
  struct watch *w = data;
  const struct problem *p = w->p;
  struct simulation truth = {0};
  cr_assert(simulate(p, s->step, s->length, w->m, &truth));
  cr_assert(truth.peak == s->peak && truth.duration == s->duration);
  cr_assert(p->free_order || schedule_is_staged(p, s->step, s->length));
  int *count = MEMORY_ARRAY(w->m, int, p->n);
  for (int k = 0; k < s->length; k++)
    cr_assert(++count[s->step[k]] <= p->limit[s->step[k]]);
  for (int v = 0; v < p->n; v++)
    cr_assert(count[v]);
  memory_put(w->m, count);
  cr_assert(p->sink < 0 || s->step[s->length - 1] == p->sink);
  if (w->peak) {
    cr_assert(!w->duration_limit || s->duration <= w->duration_limit);
    cr_assert(!w->reports || s->peak < w->last_peak ||
              (s->peak == w->last_peak && s->duration < w->last_duration));
  } else {
    cr_assert(s->peak <= p->budget);
    cr_assert(!w->reports || s->duration < w->last_duration);
  }
  w->last_peak = s->peak;
  w->last_duration = s->duration;
  w->reports++;
  for (int k = 0; k < s->length; k++)
    w->hash = (w->hash ^ (uint64_t)s->step[k]) * UINT64_C(1099511628211);
}

static struct watch search(struct memory *m, const struct problem *p,
                           const struct local_options *o, int64_t moves,
                           int64_t slice) {
  struct watch w = {.p = p,
                    .m = m,
                    .peak = o->objective == LOCAL_PEAK,
                    .duration_limit = o->duration_limit};
  struct local_hooks hooks = {.data = &w, .report = check_report};
  struct local *l = local_new(m, p, o);
  local_start(l, NULL, NULL);
  for (int64_t done = 0; done < moves; done += slice)
    cr_assert(local_run(l, slice, &hooks) == slice);
  const struct schedule *best = local_best(l);
  cr_assert(!best == !w.reports);
  cr_assert(!best ||
            (best->peak == w.last_peak && best->duration == w.last_duration));
  local_free(l);
  return w;
}

Test(local, finds_the_optimum_of_small_problems) {
  int optimal = 0, problems = 0;
  for (uint64_t seed = 1; seed <= 150; seed++) {
    struct memory *m = memory_new(NULL);
    struct problem *p = oracle_problem(m, seed, 6, 1 + (int)(seed % 3));
    struct oracle o;
    oracle_run(p, &o);
    p->budget = oracle_peak(&o) + (int64_t)(seed % 4);
    struct local_options options = {.seed = seed};
    struct watch w = search(m, p, &options, 20000, 20000);
    int64_t least = oracle_duration(&o, p->budget);
    problems++;
    optimal += w.reports && w.last_duration == least;
    cr_assert(!w.reports || w.last_duration >= least, "seed %d", (int)seed);
    memory_free(m);
  }
  cr_assert(optimal == problems, "%d of %d", optimal, problems);
}

Test(local, finds_the_least_peak_of_small_problems) {
  for (uint64_t seed = 1; seed <= 150; seed++) {
    struct memory *m = memory_new(NULL);
    struct problem *p = oracle_problem(m, seed, 6, 1 + (int)(seed % 3));
    struct oracle o;
    oracle_run(p, &o);
    if (seed % 2) /* a first goal, perhaps none that can be met */
      p->budget = oracle_peak(&o) + (int64_t)(seed % 7) - 3;
    struct local_options options = {.seed = seed, .objective = LOCAL_PEAK};
    struct watch w = search(m, p, &options, 20000, 20000);
    cr_assert(w.reports && w.last_peak == oracle_peak(&o),
              "seed %d: %lld, not %lld", (int)seed, (long long)w.last_peak,
              (long long)oracle_peak(&o));
    memory_free(m);
  }
}

Test(local, respects_everything_on_random_graphs) {
  for (uint64_t seed = 1; seed <= 60; seed++) {
    struct memory *m = memory_new(NULL);
    struct layered shape = {.nodes = 2 + (int)(seed * 5 % 90),
                            .width = 1 + (int)(seed % 7),
                            .inputs = 4,
                            .percent_far = 20,
                            .percent_keep = seed % 3 ? 0 : 10,
                            .percent_workspace = seed % 2 ? 0 : 10,
                            .seed = seed};
    bool free_order = seed % 2;
    struct problem *p =
        layered_problem(m, &shape, (int)(seed % 4), free_order, 80);
    struct local_options options = {.seed = seed, .warm = seed % 3 == 0};
    search(m, p, &options, 30000, 30000);
    options.objective = LOCAL_PEAK;
    if (seed % 5 == 0)
      options.duration_limit = p->base_duration + p->base_duration / 50;
    struct watch w = search(m, p, &options, 30000, 30000);
    cr_assert(w.reports && w.last_peak <= p->base_peak);
    memory_free(m);
  }
}

/* The same schedules whatever the slices, and another seed gives others. */
Test(local, depends_on_seed_and_moves_only) {
  struct memory *m = memory_new(NULL);
  struct layered shape = {
      .nodes = 200, .width = 12, .inputs = 6, .percent_far = 20, .seed = 11};
  for (int free_order = 0; free_order < 2; free_order++) {
    struct problem *p = layered_problem(m, &shape, 2, free_order, 80);
    struct local_options options = {.seed = 3};
    struct watch a = search(m, p, &options, 400000, 400000);
    struct watch b = search(m, p, &options, 400000, 1000);
    cr_assert(a.reports > 1 && a.reports == b.reports && a.hash == b.hash);
    options.seed = 4;
    struct watch c = search(m, p, &options, 400000, 400000);
    cr_assert(a.hash != c.hash);
  }
  memory_free(m);
}

static void expect_no_report(void *data, const struct schedule *s) {
  (void)s;
  ++*(int *)data;
}

static bool at_once(void *data) {
  (void)data;
  return true;
}

Test(local, stops_and_offers) {
  struct memory *m = memory_new(NULL);
  struct layered shape = {
      .nodes = 120, .width = 10, .inputs = 5, .percent_far = 25, .seed = 5};
  struct problem *p = layered_problem(m, &shape, 2, false, 85);
  struct local_options options = {.seed = 1};
  struct local *l = local_new(m, p, &options);
  local_start(l, NULL, NULL);
  struct local_hooks stopping = {.stop = at_once};
  cr_assert(local_run(l, 1000000, &stopping) < 20000);
  local_run(l, 200000, NULL);
  cr_assert(local_best(l));
  struct schedule *found =
      schedule_new(m, p, local_best(l)->step, local_best(l)->length);

  /* What is offered becomes the best, silently. */
  struct local *other = local_new(m, p, &options);
  struct schedule *start = schedule_baseline(m, p);
  local_start(other, start, NULL);
  cr_assert(!local_best(other));
  local_offer(other, found);
  cr_assert(local_best(other)->duration == found->duration);
  int reports = 0;
  struct local_hooks hooks = {.data = &reports, .report = expect_no_report};
  local_run(other, 50000, &hooks);
  cr_assert(reports == 0 || local_best(other)->duration < found->duration);
  memory_free(m);
}
