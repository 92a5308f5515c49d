/* Every switch against exhaustive search: all combinations of propagators that
 * are off, all combinations of presolve rules; with learning, at check level 2.
 * What is off must cost time only. */
#include "graphs/read.h"
#include "model/bound.h"
#include "model/formulation.h"
#include "solver/base/random.h"
#include "tests/formulated.h"
#include "tests/oracle.h"

#include <criterion/criterion.h>
#include <string.h>

enum { PROPAGATORS = 5, RULES = 4 };

static int bits(int mask) {
  int count = 0;
  for (; mask; mask &= mask - 1)
    count++;
  return count;
}

static void switch_propagators(struct cp_options *o, int on) {
  int *const option[PROPAGATORS] = {&o->chain, &o->cover, &o->cumulative,
                                    &o->linear, &o->cost};
  for (int k = 0; k < PROPAGATORS; k++)
    *option[k] = on >> k & 1;
}

static void switch_rules(struct presolve_rules *r, int on) {
  bool *const rule[RULES] = {&r->last_use, &r->safe, &r->windows, &r->parts};
  for (int k = 0; k < RULES; k++)
    *rule[k] = on >> k & 1;
}

/* At every budget of the frontier, asked for less than the optimum + 1 and for
 * less than the optimum, with the bound's windows and reduced costs. */
static void compare(int seed, const struct problem *problem,
                    const struct oracle *truth, struct formulation_options o,
                    const char *what, int mask) {
  struct memory *m = memory_new(NULL);
  struct problem p = *problem;
  o.cp.seed = seed;
  o.cp.check = 2;
  for (int k = 0; k < 2 * truth->points; k++) {
    p.budget = truth->peak[k / 2];
    int64_t optimum = truth->duration[k / 2];
    o.upper = optimum + 1 - k % 2;
    struct bound *b = bound_new(m, &p, BOUND_LIMITED, NULL);
    bound_improve(b, o.upper, 2000, NULL);
    cr_assert(!b->infeasible);
    if (b->value >= o.upper)
      continue;
    struct bound_fixing *fixing = bound_fix(b, o.upper, m);
    o.window = fixing->window;
    o.windows = fixing->window_count;
    o.regrets = bound_regrets(b, m);
    char text[200] = "";
    int64_t found = formulated_duration(m, &p, &o, text);
    cr_assert_eq(found, k % 2 ? INT64_MAX : optimum,
                 "seed %d, %s %d on, budget %lld: %lld, optimum %lld %s", seed,
                 what, mask, (long long)p.budget, (long long)found,
                 (long long)optimum, text);
  }
  memory_free(m);
}

/* A constraint that is off is tested at full assignments only, hence tiny
 * graphs where several are. */
Test(formulation_switches, all_combinations_of_propagators) {
  for (int mask = 0; mask < 1 << PROPAGATORS; mask++)
    for (int k = 0; k < 24; k++) {
      int seed = 110000 + mask * 100 + k;
      bool most_on = bits(mask) >= PROPAGATORS - 1;
      struct memory *m = memory_new(NULL);
      struct problem *p =
          oracle_problem(m, (uint64_t)seed, most_on ? 5 : 4, 2 + (k % 3 == 0));
      struct oracle truth;
      if (most_on || p->n < 4 || k % 4 == 0) {
        oracle_run(p, &truth);
        struct formulation_options o = formulation_options_default();
        switch_propagators(&o.cp, mask);
        compare(seed, p, &truth, o, "propagators", mask);
      }
      memory_free(m);
    }
}

/* The stages that each rule closes are counted: a rule that does nothing here
 * would be no test. */
Test(formulation_switches, all_combinations_of_presolve_rules) {
  int64_t closed[RULES] = {0};
  for (int seed = 0; seed < 300; seed++) {
    struct memory *m = memory_new(NULL);
    int computes = 2 + seed % 2;
    struct problem *p = oracle_problem(m, (uint64_t)seed + 120000,
                                       computes == 3 ? 5 : 7, computes);
    struct oracle truth;
    oracle_run(p, &truth);
    for (int mask = 0; mask < 1 << RULES; mask++) {
      struct formulation_options o = formulation_options_default();
      switch_rules(&o.rules, mask);
      compare(seed, p, &truth, o, "rules", mask);
    }
    p->budget = truth.peak[truth.points / 2];
    struct bound *b = bound_new(m, p, BOUND_LIMITED, NULL);
    bound_improve(b, INT64_MAX, 2000, NULL);
    struct bound_fixing *x =
        bound_fix(b, oracle_duration(&truth, p->budget) + 1, m);
    for (int k = 0; k < RULES - 1; k++) {
      struct presolve_rules one;
      switch_rules(&one, 0);
      int64_t before =
          presolve(m, p, p->budget, x->window, x->window_count, one)->stages;
      switch_rules(&one, 1 << k);
      closed[k] +=
          before -
          presolve(m, p, p->budget, x->window, x->window_count, one)->stages;
    }
    memory_free(m);
  }
  for (int k = 0; k < RULES - 1; k++)
    cr_assert_gt(closed[k], 30, "rule S%d closed %lld stages", k + 2,
                 (long long)closed[k]);
}

/* Two random blocks of four nodes; the second reads the last of the first, and
 * sometimes another node of it. */
static struct problem *two_blocks(struct memory *m, uint64_t seed) {
  char text[800] = "graph two\n";
  struct error error = {0};
  struct graph *g;
  struct random r;
  random_seed(&r, seed);
  size_t used = strlen(text);
  for (int v = 0; v < 8; v++)
    used +=
        (size_t)snprintf(text + used, sizeof text - used, "node n%d %d %d\n", v,
                         random_below(&r, 9), 1 + random_below(&r, 9));
  for (int v = 0; v < 8; v++)
    for (int u = v & 4; u < v; u++)
      if (u == v - 1 || random_below(&r, 2))
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "edge n%d n%d\n", u, v);
  used += (size_t)snprintf(text + used, sizeof text - used,
                           "edge n3 n4\nedge n3 n5\n");
  if (random_below(&r, 3) == 0)
    snprintf(text + used, sizeof text - used, "edge n%d n%d\n",
             random_below(&r, 3), 4 + random_below(&r, 4));
  cr_assert(graph_read_bytes(m, "two", text, strlen(text), &g, NULL, &error),
            "%s", error.text);
  return problem_new(m, g, 2, false, &error);
}

/* Where the time axis is split, with each way to look for the optimum. */
Test(formulation_switches, a_split_time_axis_keeps_the_optimum) {
  int split = 0;
  for (int seed = 0; seed < 60; seed++) {
    struct memory *m = memory_new(NULL);
    struct problem *p = two_blocks(m, (uint64_t)seed);
    struct oracle truth;
    oracle_run(p, &truth);
    struct formulation_options o = formulation_options_default();
    o.cp.objective = seed % 3;
    p->budget = truth.peak[0];
    struct formulation *f = formulation_new(m, p, &o);
    split += formulation_size(f).parts > 1;
    formulation_free(f);
    compare(seed, p, &truth, o, "parts", 1);
    o.rules.parts = false;
    compare(seed, p, &truth, o, "parts", 0);
    memory_free(m);
  }
  cr_assert_gt(split, 10, "%d graphs are split", split);
}
