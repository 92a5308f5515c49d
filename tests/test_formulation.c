/* The formulation against exhaustive search over all staged schedules: least
 * duration and infeasibility at every budget that matters, least peak; with
 * presolve rules, propagators, learning switched off, with a bound's windows,
 * at check level 2. */
#include "model/bound.h"
#include "model/formulation.h"
#include "tests/formulated.h"
#include "tests/oracle.h"

#include <criterion/criterion.h>

/* Without a propagator ends are enumerated, so that is for tiny graphs. */
static struct formulation_options options(int seed, bool check, bool tiny) {
  struct formulation_options o = formulation_options_default();
  o.cp.seed = seed;
  o.cp.check = check ? 2 : 0;
  o.cp.learn = seed % 5 != 4;
  o.cp.lift = seed % 7 != 6;
  o.cp.cumulative = seed % 17 != 16;
  o.cp.objective = seed % 3;
  o.cp.capacity = seed / 3 % 3;
  o.cp.weighted_degree = seed / 2 % 4;
  if (tiny) {
    o.cp.chain = seed % 2;
    o.cp.cover = seed / 2 % 2;
    o.cp.cumulative = seed / 4 % 2;
    o.cp.linear = seed / 8 % 2;
  }
  o.rules.last_use = seed % 3 != 2;
  o.rules.safe = seed % 4 != 3;
  o.rules.windows = seed % 9 != 8;
  return o;
}

/* Every budget at which the verdict changes, and one byte less; and below the
 * working set. */
static void compare(int seed, int nodes, int computes, bool check) {
  struct memory *m = memory_new(NULL);
  struct problem *p = oracle_problem(m, (uint64_t)seed, nodes, computes);
  struct oracle truth;
  oracle_run(p, &truth);
  struct formulation_options o = options(seed, check, nodes < 4);
  size_t used = memory_used(m);
  for (int k = 0; k < 2 * truth.points; k++) {
    char text[200] = "";
    p->budget = truth.peak[k / 2] - k % 2;
    int64_t expected = oracle_duration(&truth, p->budget),
            found = formulated_duration(m, p, &o, text);
    cr_assert_eq(found, expected,
                 "seed %d, C = %d, budget %lld: %lld instead of %lld %s", seed,
                 computes, (long long)p->budget, (long long)found,
                 (long long)expected, text);
  }
  cr_assert_eq(memory_used(m), used, "leak, seed %d", seed);
  memory_free(m);
}

Test(formulation, equals_oracle_2) {
  for (int seed = 0; seed < 2500; seed++)
    compare(seed, 6, 2, false);
}

Test(formulation, equals_oracle_3) {
  for (int seed = 0; seed < 600; seed++)
    compare(seed + 5000, seed % 4 ? 5 : 6, 3, false);
}

Test(formulation, equals_oracle_unlimited_and_1) {
  for (int seed = 0; seed < 400; seed++)
    compare(seed + 9000, 5, seed % 3 == 2 ? 1 : 0, false);
}

Test(formulation, equals_oracle_with_propagators_off) {
  for (int seed = 0; seed < 320; seed++)
    compare(seed + 15000, 3, 2, seed % 3 == 0);
}

Test(formulation, equals_oracle_at_check_level_2) {
  for (int seed = 0; seed < 250; seed++)
    compare(seed + 20000, seed % 2 ? 6 : 5, 2 + seed % 2, true);
}

Test(formulation, least_peak_equals_oracle) {
  for (int seed = 0; seed < 2000; seed++) {
    struct memory *m = memory_new(NULL);
    int computes = 1 + seed % 3;
    struct problem *p = oracle_problem(m, (uint64_t)seed + 30000,
                                       computes == 3 ? 5 : 6, computes);
    struct oracle truth;
    oracle_run(p, &truth);
    struct formulation_options o = options(seed, seed % 8 == 0, false);
    o.low = p->working_set;
    o.high = p->base_peak;
    struct formulation *f = formulation_new(m, p, &o);
    int64_t best = INT64_MAX;
    enum formulation_result r;
    while ((r = formulation_run(f, NULL)) == FORMULATION_SCHEDULE) {
      cr_assert_lt(formulation_schedule(f)->peak, best);
      best = formulation_schedule(f)->peak;
    }
    cr_assert_eq(r, FORMULATION_DONE, "seed %d: %s", seed,
                 cp_fault(formulation_cp(f)));
    cr_assert_eq(best, oracle_peak(&truth), "seed %d: peak %lld, not %lld",
                 seed, (long long)best, (long long)oracle_peak(&truth));
    cr_assert_eq(formulation_bound(f), best, "seed %d: peak bound %lld", seed,
                 (long long)formulation_bound(f));
    memory_free(m);
  }
}

/* With upper = optimum + 1 and the bound's windows the optimum remains; with
 * upper = optimum nothing does. */
Test(formulation, windows_of_the_bound_keep_the_optimum) {
  for (int seed = 0; seed < 1500; seed++) {
    struct memory *m = memory_new(NULL);
    int computes = 2 + seed % 2;
    struct problem *p = oracle_problem(m, (uint64_t)seed + 50000,
                                       computes == 3 ? 5 : 6, computes);
    struct oracle truth;
    oracle_run(p, &truth);
    for (int k = 0; k < truth.points; k++) {
      p->budget = truth.peak[k];
      int64_t optimum = truth.duration[k];
      for (int better = 0; better < 2; better++) {
        struct bound *b = bound_new(m, p, BOUND_LIMITED, NULL);
        int64_t upper = optimum + 1 - better;
        bound_improve(b, upper, 20000, NULL);
        cr_assert(!b->infeasible);
        if (b->value >= upper)
          continue;
        struct bound_fixing *fixing = bound_fix(b, upper, m);
        struct formulation_options o = options(seed, seed % 16 == 0, false);
        o.upper = upper;
        o.window = fixing->window;
        o.windows = fixing->window_count;
        o.regrets = seed % 5 ? bound_regrets(b, m) : NULL;
        char text[200] = "";
        int64_t found = formulated_duration(m, p, &o, text);
        cr_assert_eq(found, better ? INT64_MAX : optimum,
                     "seed %d, budget %lld, better %d: %lld, optimum %lld %s",
                     seed, (long long)p->budget, better, (long long)found,
                     (long long)optimum, text);
      }
    }
    memory_free(m);
  }
}

/* ---- reduced costs, on every schedule --------------------------------------
 */

struct priced {
  const struct problem *problem;
  const struct bound_regrets *regrets;
  int holds;     /* that had to be paid */
  int64_t worst; /* least of: scaled duration - right side */
};

static bool recomputes(const struct problem *p, const int *step, int length,
                       int node, int first, int last) {
  struct recompute list[64];
  int count = schedule_recomputes(p, step, length, list);
  for (int k = 0; k < count; k++)
    if (list[k].node == node && list[k].stage >= first && list[k].stage <= last)
      return true;
  return false;
}

static void price(void *data, const int *step, int length, int64_t peak,
                  int64_t duration) {
  struct priced *x = data;
  const struct problem *p = x->problem;
  const struct bound_regrets *r = x->regrets;
  if (peak > p->budget)
    return;
  int64_t left = duration - p->base_duration, right = r->value;
  left = r->shift ? ((left >> r->shift) + 1) * r->factor : left * r->factor;
  struct recompute list[64];
  int count = schedule_recomputes(p, step, length, list);
  for (int k = 0; k < count; k++)
    for (int i = 0; i < r->count; i++)
      if (r->step[i].node == list[k].node &&
          r->step[i].first <= list[k].stage && r->step[i].last >= list[k].stage)
        right += r->step[i].cost;
  for (int i = 0; i < r->hold_count; i++)
    if (!recomputes(p, step, length, r->hold[i].node, r->hold[i].cut + 1,
                    r->hold[i].last)) {
      right += r->hold[i].cost;
      x->holds++;
    }
  if (left - right < x->worst)
    x->worst = left - right;
}

/* Without an upper limit nothing is closed, and the reduced costs speak of all
 * schedules within the budget. */
Test(formulation, reduced_costs_hold_for_every_schedule) {
  int holds = 0, tight = 0;
  for (int seed = 0; seed < 1200; seed++) {
    struct memory *m = memory_new(NULL);
    int computes = 2 + seed % 2;
    struct problem *p = oracle_problem(
        m, (uint64_t)seed + 70000, computes == 3 ? 6 : ORACLE_NODES, computes);
    if (p->n < 5 || (p->n > 7 && seed % 8)) {
      memory_free(m);
      continue;
    }
    struct oracle truth;
    oracle_run(p, &truth);
    for (int k = 0; k < truth.points; k++) {
      p->budget = truth.peak[k];
      struct bound *b = bound_new(m, p, BOUND_LIMITED, NULL);
      bound_improve(b, INT64_MAX, 100 << seed % 8, NULL);
      struct priced x = {p, bound_regrets(b, m), 0, INT64_MAX};
      oracle_each(p, price, &x);
      cr_assert_geq(x.worst, 0, "seed %d, budget %lld: short by %lld", seed,
                    (long long)p->budget, (long long)-x.worst);
      holds += x.holds;
      tight += x.worst < x.regrets->factor;
    }
    memory_free(m);
  }
  cr_assert_gt(holds, 300);
  cr_assert_gt(tight, 300);
}
