/* Lower bounds of a search that is stopped, against exhaustive search: however
 * the objective or the peak is probed, and wherever the search ends, none is
 * above the optimum; and an unlimited search ends with the optimum for bound.
 */
#include "model/formulation.h"
#include "solver/base/random.h"
#include "tests/oracle.h"

#include <criterion/criterion.h>

enum { WAYS = 3 };

/* Runs in slices of a few conflicts or propagations; after each the bound must
 * have grown or stayed, and be at most the optimum (INT64_MAX: none exists).
 * Returns what has been found. */
static int64_t run_in_slices(struct formulation *f, bool peak, int64_t optimum,
                             int slices, struct random *r, const char *which) {
  int64_t best = INT64_MAX, bound = 0;
  for (int k = 0;; k++) {
    struct cp_limits limits = {.conflicts = 1 + random_below(r, 3)};
    if (random_below(r, 2))
      limits = (struct cp_limits){.propagations = 1 + random_below(r, 60)};
    enum formulation_result result =
        formulation_run(f, k < slices ? &limits : NULL);
    cr_assert_neq(result, FORMULATION_FAULT, "%s: %s", which,
                  cp_fault(formulation_cp(f)));
    if (result == FORMULATION_SCHEDULE) {
      const struct schedule *s = formulation_schedule(f);
      int64_t found = peak ? s->peak : s->duration;
      cr_assert_lt(found, best, "%s", which);
      best = found;
    }
    int64_t now = formulation_bound(f);
    cr_assert(now >= bound && (now <= optimum || result == FORMULATION_DONE),
              "%s, slice %d: bound %lld after %lld, optimum %lld", which, k,
              (long long)now, (long long)bound, (long long)optimum);
    bound = now;
    if (result == FORMULATION_DONE)
      return best;
  }
}

static struct formulation_options options(int seed, bool peak, int way) {
  struct formulation_options o = formulation_options_default();
  o.cp.seed = seed;
  o.cp.check = seed % 4 ? 0 : 2;
  o.cp.learn = seed % 6 != 5;
  if (peak)
    o.cp.capacity = way;
  else
    o.cp.objective = way;
  return o;
}

Test(formulation_bound, of_the_duration_is_never_above_the_optimum) {
  for (int seed = 0; seed < 400; seed++) {
    struct memory *m = memory_new(NULL);
    struct random r;
    random_seed(&r, (uint64_t)seed);
    struct problem *p = oracle_problem(m, (uint64_t)seed + 90000, 6, 2);
    struct oracle truth;
    oracle_run(p, &truth);
    for (int k = 0; k < truth.points; k++)
      for (int way = 0; way < WAYS; way++) {
        char which[80];
        snprintf(which, sizeof which, "seed %d, point %d, way %d", seed, k,
                 way);
        p->budget = truth.peak[k];
        struct formulation_options o = options(seed, false, way);
        struct formulation *f = formulation_new(m, p, &o);
        int64_t optimum = truth.duration[k];
        cr_assert_eq(run_in_slices(f, false, optimum, 5 + seed % 40, &r, which),
                     optimum, "%s", which);
        formulation_free(f);
      }
    memory_free(m);
  }
}

Test(formulation_bound, of_the_peak_is_never_above_the_optimum) {
  for (int seed = 0; seed < 400; seed++) {
    struct memory *m = memory_new(NULL);
    struct random r;
    random_seed(&r, (uint64_t)seed);
    struct problem *p =
        oracle_problem(m, (uint64_t)seed + 95000, 6, 2 + seed % 2);
    struct oracle truth;
    oracle_run(p, &truth);
    for (int way = 0; way < WAYS; way++) {
      char which[80];
      snprintf(which, sizeof which, "seed %d, way %d", seed, way);
      struct formulation_options o = options(seed, true, way);
      o.low = p->working_set;
      o.high = p->base_peak;
      struct formulation *f = formulation_new(m, p, &o);
      int64_t optimum = oracle_peak(&truth);
      cr_assert_eq(run_in_slices(f, true, optimum, 5 + seed % 40, &r, which),
                   optimum, "%s", which);
      cr_assert_eq(formulation_bound(f), optimum, "%s", which);
      formulation_free(f);
    }
    memory_free(m);
  }
}
