/* Problem and schedule: renaming, the sink, baseline, simulate, staged form.
 * The oracle simulates by its definition, step by step and pair by pair. */
#include "model/schedule.h"

#include "solver/base/random.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>

enum { most = 8 };

/* A random graph of up to `most` nodes whose file order is not topological. */
static struct graph *random_graph(struct memory *m, struct random *r) {
  int n = 1 + random_below(r, most), place[most];
  struct graph *g = graph_new(m);
  for (int v = 0; v < n; v++) {
    struct graph_node node = {.id = {NULL, 10 * v}, .name = ""};
    node.duration = random_below(r, 5);
    node.size = random_below(r, 5);
    node.workspace = random_below(r, 4) ? 0 : random_below(r, 5);
    node.keep = random_below(r, 6) == 0;
    graph_add_node(g, &node);
    place[v] = v;
  }
  for (int v = n - 1; v > 0; v--) {
    int other = random_below(r, v + 1), swap = place[v];
    place[v] = place[other];
    place[other] = swap;
  }
  for (int v = 0; v < n; v++)
    for (int u = 0; u < v; u++)
      if (random_below(r, 3) == 0)
        graph_add_edge(g, place[u], place[v]);
  g->fixed_memory = random_below(r, 3);
  struct error error = {0};
  cr_assert(graph_finish(g, NULL, 0, &error), "%s", error.text);
  return g;
}

/* The latest instance of u before step k, or -1. */
static int latest(const int *step, int u, int k) {
  while (--k >= 0 && step[k] != u)
    ;
  return k;
}

/* Last step that reads the instance made at step k, by definition. */
static int naive_end(const struct problem *p, const int *step, int length,
                     int k) {
  int end = k;
  for (int j = k + 1; j < length; j++)
    for (int e = p->pred_start[step[j]]; e < p->pred_start[step[j] + 1]; e++)
      if (p->pred[e] == step[k] && latest(step, step[k], j) == k)
        end = j;
  return end;
}

static int random_staged(const struct problem *p, struct random *r, int *step) {
  struct recompute list[most * most];
  int count = 0;
  for (int stage = 0; stage < p->n; stage++)
    for (int v = 0; v < stage; v++)
      if (v != p->sink && random_below(r, 4) == 0)
        list[count++] = (struct recompute){stage, v};
  for (int i = count - 1; i > 0; i--) {
    int other = random_below(r, i + 1);
    struct recompute swap = list[i];
    list[i] = list[other];
    list[other] = swap;
  }
  return schedule_staged(p, list, count, step);
}

static void compare_with_definition(const struct problem *p, const int *step,
                                    int length, struct memory *m,
                                    uint64_t seed) {
  int end[200], number[200];
  int64_t memory[200], peak = p->fixed, duration = 0;
  struct simulation s = {.end = end, .number = number, .memory = memory};
  cr_assert(simulate(p, step, length, m, &s), "seed %d", (int)seed);
  for (int k = 0; k < length; k++) {
    int64_t here = p->fixed + p->workspace[step[k]];
    int count = 1;
    for (int j = 0; j <= k; j++) {
      if (naive_end(p, step, length, j) >= k)
        here += p->size[step[j]];
      count += j < k && step[j] == step[k];
    }
    cr_assert(here == memory[k] && count == number[k] &&
                  end[k] == naive_end(p, step, length, k),
              "seed %d step %d", (int)seed, k);
    peak = here > peak ? here : peak;
    duration += p->duration[step[k]];
  }
  cr_assert(peak == s.peak && duration == s.duration &&
                (!length || memory[s.peak_step] == peak),
            "seed %d", (int)seed);
}

Test(schedule, simulate_agrees_with_its_definition) {
  for (uint64_t seed = 0; seed < 2000; seed++) {
    struct memory *m = memory_new(NULL);
    struct random r;
    random_seed(&r, seed);
    struct graph *g = random_graph(m, &r);
    struct problem *p = problem_new(m, g, 0, false, NULL);
    int step[200], length = random_staged(p, &r, step);
    compare_with_definition(p, step, length, m, seed);
    memory_free(m);
  }
}

Test(schedule, staged_form_goes_both_ways_and_trim_only_helps) {
  for (uint64_t seed = 0; seed < 2000; seed++) {
    struct memory *m = memory_new(NULL);
    struct random r;
    random_seed(&r, seed);
    struct graph *g = random_graph(m, &r);
    struct problem *p = problem_new(m, g, 0, false, NULL);
    int step[200], again[200], length = random_staged(p, &r, step);
    cr_assert(schedule_is_staged(p, step, length), "seed %d", (int)seed);
    struct recompute list[200];
    int count = schedule_recomputes(p, step, length, list);
    cr_assert(schedule_staged(p, list, count, again) == length, "seed %d",
              (int)seed);
    for (int k = 0; k < length; k++)
      cr_assert(step[k] == again[k], "seed %d step %d", (int)seed, k);
    struct schedule *before = schedule_new(m, p, step, length);
    length = schedule_trim(p, step, length, m);
    struct schedule *after = schedule_new(m, p, step, length);
    cr_assert(after->peak <= before->peak &&
                  after->duration <= before->duration &&
                  schedule_is_staged(p, step, length),
              "seed %d", (int)seed);
    for (int k = 0; k < length; k++)
      cr_assert(latest(step, step[k], k) < 0 ||
                    naive_end(p, step, length, k) > k,
                "seed %d: step %d is an unread recompute", (int)seed, k);
    memory_free(m);
  }
}

Test(schedule, problem_is_the_graph_in_input_order) {
  for (uint64_t seed = 0; seed < 1000; seed++) {
    struct memory *m = memory_new(NULL);
    struct random r;
    random_seed(&r, seed);
    struct graph *g = random_graph(m, &r);
    struct problem *p = problem_new(m, g, 2, false, NULL);
    struct schedule *s = schedule_baseline(m, p);
    int kept = 0;
    int64_t duration = 0;
    for (int v = 0; v < g->node_count; v++) {
      kept += g->node[v].keep;
      duration += g->node[v].duration;
    }
    cr_assert(p->n == g->node_count + (kept > 0) && s->peak == p->base_peak &&
                  s->duration == p->base_duration && duration == s->duration &&
                  p->working_set <= p->base_peak,
              "seed %d", (int)seed);
    for (int v = 0; v < p->n; v++)
      for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++)
        cr_assert(p->pred[e] < v &&
                      (e == p->pred_start[v] || p->pred[e - 1] < p->pred[e]),
                  "seed %d", (int)seed);
    cr_assert(p->pred_start[p->n] == g->edge_count + kept &&
                  p->succ_start[p->n] == g->edge_count + kept,
              "seed %d", (int)seed);
    memory_free(m);
  }
}

Test(schedule, a_missing_input_is_noticed) {
  struct memory *m = memory_new(NULL);
  struct graph *g = graph_new(m);
  for (int v = 0; v < 2; v++)
    graph_add_node(g, &(struct graph_node){.id = {NULL, v}, .name = ""});
  graph_add_edge(g, 0, 1);
  cr_assert(graph_finish(g, NULL, 0, NULL));
  struct problem *p = problem_new(m, g, 2, false, NULL);
  struct simulation s = {0};
  cr_assert_not(simulate(p, (int[]){1, 0}, 2, m, &s));
  cr_assert_not(schedule_is_staged(p, (int[]){1, 0}, 2));
  cr_assert_not(schedule_is_staged(p, (int[]){0}, 1));
  memory_free(m);
}

Test(schedule, percent_budgets_round_up_exactly) {
  struct problem p = {.base_peak = 46319};
  cr_assert_eq(problem_percent_budget(&p, 90000000), 41688);
  p.base_peak = 38059356160;
  cr_assert_eq(problem_percent_budget(&p, 90000000), 34253420544);
  p.base_peak = INT64_MAX;
  cr_assert_eq(problem_percent_budget(&p, 100000000), INT64_MAX);
  cr_assert_eq(problem_percent_budget(&p, 1), INT64_MAX / 100000000 + 1);
  cr_assert_eq(problem_percent_budget(&p, 100000001), INT64_MAX);
}

Test(schedule, durations_of_all_computes_must_fit_int64) {
  struct memory *m = memory_new(NULL);
  struct graph *g = graph_new(m);
  for (int v = 0; v < 3; v++)
    graph_add_node(g, &(struct graph_node){.id = {NULL, v},
                                           .name = "",
                                           .duration = v ? 0 : INT64_MAX / 2});
  cr_assert(graph_finish(g, NULL, 0, NULL));
  struct error error = {0};
  cr_assert_not_null(problem_new(m, g, 2, false, &error));
  cr_assert_null(problem_new(m, g, 3, false, &error));
  cr_assert_eq(error.status, STATUS_INPUT);
  memory_free(m);
}
