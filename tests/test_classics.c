/* The classics and the greedy heuristic: what they promise on random graphs,
 * and revolve against an exhaustive split and the binomial formula. */
#include "heuristics/classics.h"

#include "heuristics/revolve.h"
#include "tests/layered.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Staged, complete, within the limits: by counting. */
static void check_schedule(const struct problem *p, const struct schedule *s,
                           struct memory *m, const char *what) {
  struct simulation truth = {0};
  cr_assert(simulate(p, s->step, s->length, m, &truth), "%s: inputs", what);
  cr_assert(truth.peak == s->peak && truth.duration == s->duration, "%s", what);
  cr_assert(schedule_is_staged(p, s->step, s->length), "%s: staged", what);
  int *count = MEMORY_ARRAY(m, int, p->n);
  for (int k = 0; k < s->length; k++)
    cr_assert(++count[s->step[k]] <= p->limit[s->step[k]], "%s: limit", what);
  for (int v = 0; v < p->n; v++)
    cr_assert(count[v] >= 1, "%s: node %d", what, v);
  memory_put(m, count);
}

Test(classics, valid_on_random_graphs) {
  for (uint64_t seed = 1; seed <= 60; seed++)
    for (int limit = 0; limit < 4; limit++) {
      struct memory *m = memory_new(NULL);
      struct layered shape = {.nodes = 1 + (int)(seed * 7 % 40),
                              .width = 1 + (int)(seed % 5),
                              .inputs = 3,
                              .percent_far = 25,
                              .percent_keep = seed % 3 ? 0 : 15,
                              .percent_workspace = 10,
                              .seed = seed};
      struct problem *p = layered_problem(m, &shape, limit, false, 75);
      for (const struct classic *c = classics; c->name; c++) {
        char what[100];
        snprintf(what, sizeof what, "%s, seed %d, limit %d", c->name, (int)seed,
                 limit);
        struct error error = {0};
        struct schedule *s = c->run(p, m, NULL, &error);
        if (!s) {
          cr_assert(!strcmp(c->name, "revolve"), "%s", what);
          continue;
        }
        check_schedule(p, s, m, what);
        if (!strcmp(c->name, "keep-all") || limit == 1)
          cr_assert(s->peak == p->base_peak, "%s", what);
        if (!strcmp(c->name, "greedy"))
          cr_assert(s->peak <= p->base_peak, "%s", what);
      }
      memory_free(m);
    }
}

/* A diamond chain 0 -> 1 -> 2 -> 3 with 0 -> 3: only node 0 has a later
 * reader, and is computed again for it. */
Test(classics, recompute_all_on_a_skip) {
  struct memory *m = memory_new(NULL);
  struct graph *g = graph_new(m);
  for (int v = 0; v < 4; v++) {
    struct graph_node node = {
        .id = {NULL, v}, .name = "", .duration = 1, .size = 1};
    graph_add_node(g, &node);
    if (v)
      graph_add_edge(g, v - 1, v);
  }
  graph_add_edge(g, 0, 3);
  struct error error = {0};
  cr_assert(graph_finish(g, NULL, 0, &error));
  struct problem *p = problem_new(m, g, 0, false, &error);
  struct schedule *s = classic_find("recompute-all")->run(p, m, NULL, &error);
  const int expected[] = {0, 1, 2, 0, 3};
  cr_assert(s->length == 5 && !memcmp(s->step, expected, sizeof expected));
  memory_free(m);
}

/* A chain of l forward nodes and its reverse; unit sizes and durations. */
static struct problem *reversed_chain(struct memory *m, int l, bool skip) {
  struct graph *g = graph_new(m);
  for (int v = 0; v < 2 * l; v++) {
    struct graph_node node = {
        .id = {NULL, v}, .name = "", .duration = v < l, .size = 1};
    graph_add_node(g, &node);
    if (v)
      graph_add_edge(g, v - 1, v);
    if (v > l)
      graph_add_edge(g, 2 * l - 1 - v, v);
    if (skip && v >= l && 2 * l - 2 - v >= 0)
      graph_add_edge(g, 2 * l - 2 - v, v);
  }
  struct error error = {0};
  cr_assert(graph_finish(g, NULL, 0, &error), "%s", error.text);
  struct problem *p = problem_new(m, g, 0, false, &error);
  cr_assert(p);
  return p;
}

/* The formula against the recursion that defines it. */
Test(revolve, formula_is_the_optimum) {
  enum { most = 40 };
  static int64_t best[most + 1][most + 1];
  for (int s = 0; s <= most; s++)
    for (int l = 1; l <= most; l++) {
      best[s][l] = l + best[s][l - 1];
      for (int d = 1; d < l && s > 0; d++) {
        int64_t cost = d + best[s - 1][l - d] + best[s][d - 1];
        best[s][l] = cost < best[s][l] ? cost : best[s][l];
      }
      cr_assert(revolve_computes(l, s) == best[s][l], "l %d s %d", l, s);
    }
}

Test(revolve, schedules_have_the_formulas_cost) {
  for (int l = 1; l <= 30; l++)
    for (int s = 0; s <= l; s++) {
      struct memory *m = memory_new(NULL);
      struct problem *p = reversed_chain(m, l, l % 2);
      struct error error = {0};
      struct schedule *found = revolve_with_slots(p, s, m, NULL, &error);
      cr_assert(found, "l %d s %d: %s", l, s, error.text);
      check_schedule(p, found, m, "revolve");
      if (l % 2 == 0)
        cr_assert(found->duration == revolve_computes(l, s), "l %d s %d", l, s);
      /* s slots, a forward or backward output and the ones it reads */
      int per_slot = l % 2 ? 2 : 1;
      cr_assert(found->peak <= per_slot * s + 4, "l %d s %d: %lld", l, s,
                (long long)found->peak);
      memory_free(m);
    }
}

Test(revolve, uses_the_budget) {
  struct memory *m = memory_new(NULL);
  struct problem *p = reversed_chain(m, 30, false);
  int64_t last = INT64_MAX;
  for (p->budget = 4; p->budget <= 32; p->budget++) {
    struct error error = {0};
    struct schedule *s = classic_find("revolve")->run(p, m, NULL, &error);
    cr_assert(s && s->peak <= p->budget && s->duration <= last);
    last = s->duration;
  }
  cr_assert(last == p->base_duration);
  memory_free(m);
}

/* What `generate chain --training` makes: gradients read the operation's input,
 * not its output. */
Test(revolve, gradients_may_read_inputs_alone) {
  for (int l = 2; l < 20; l++) {
    struct memory *m = memory_new(NULL);
    struct graph *g = graph_new(m);
    for (int v = 0; v < 2 * l; v++) {
      struct graph_node node = {
          .id = {NULL, v}, .name = "", .duration = v < l, .size = 1};
      graph_add_node(g, &node);
      if (v)
        graph_add_edge(g, v - 1, v);
      if (v >= l && v < 2 * l - 1)
        graph_add_edge(g, 2 * l - 2 - v, v);
    }
    struct error error = {0};
    cr_assert(graph_finish(g, NULL, 0, &error), "%s", error.text);
    struct problem *p = problem_new(m, g, 0, false, &error);
    for (int s = 0; s < l; s++) {
      struct schedule *found = revolve_with_slots(p, s, m, NULL, &error);
      cr_assert(found, "l %d s %d: %s", l, s, error.text);
      check_schedule(p, found, m, "revolve");
      cr_assert_leq(found->duration, revolve_computes(l, s), "l %d s %d", l, s);
    }
    memory_free(m);
  }
}

Test(revolve, only_on_reversed_chains) {
  struct memory *m = memory_new(NULL);
  struct layered shape = {.nodes = 20, .width = 4, .inputs = 3, .seed = 2};
  struct problem *p = layered_problem(m, &shape, 0, false, 80);
  struct error error = {0};
  cr_assert(!classic_find("revolve")->run(p, m, NULL, &error));
  cr_assert(error.status == STATUS_USAGE);
  memory_free(m);
}
