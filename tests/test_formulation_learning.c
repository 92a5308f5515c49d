/* What learning buys: 200 random layered graphs of 20 to 60 nodes, proof or
 * not within a number of conflicts, with learning and by plain branch and
 * bound, both without bounds, windows or a schedule to start from. */
#include "model/formulation.h"
#include "tests/layered.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { GRAPHS = 200, CONFLICTS = 2000 };

struct outcome {
  bool proven;
  int64_t duration, conflicts;
};

static struct outcome solve(struct memory *m, const struct problem *p,
                            bool learn) {
  struct formulation_options o = formulation_options_default();
  o.cp.learn = learn;
  struct formulation *f = formulation_new(m, p, &o);
  struct outcome out = {.duration = INT64_MAX};
  enum formulation_result r = FORMULATION_SCHEDULE;
  while (r == FORMULATION_SCHEDULE) {
    struct cp_limits limits = {
        .conflicts = CONFLICTS - cp_statistics(formulation_cp(f))->conflicts};
    if (limits.conflicts < 1)
      break;
    r = formulation_run(f, &limits);
    if (r == FORMULATION_SCHEDULE)
      out.duration = formulation_schedule(f)->duration;
  }
  out.proven = r == FORMULATION_DONE;
  out.conflicts = cp_statistics(formulation_cp(f))->conflicts;
  formulation_free(f);
  return out;
}

static int by_value(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

Test(formulation_learning, proves_what_branch_and_bound_does_not) {
  int learned = 0, plain = 0, only_plain = 0, both = 0;
  double ratio[GRAPHS];
  for (int i = 0; i < GRAPHS; i++) {
    struct memory *m = memory_new(NULL);
    struct layered shape = {.nodes = 20 + i % 41,
                            .width = 3 + i % 5,
                            .inputs = 3,
                            .percent_far = 25,
                            .seed = (uint64_t)i};
    struct problem *p = layered_problem(m, &shape, 2, false, i % 2 ? 80 : 90);
    struct outcome with = solve(m, p, true), without = solve(m, p, false);
    learned += with.proven;
    plain += without.proven;
    only_plain += without.proven && !with.proven;
    if (with.proven && without.proven) {
      cr_assert_eq(with.duration, without.duration, "graph %d", i);
      ratio[both++] =
          (double)(without.conflicts + 1) / (double)(with.conflicts + 1);
    }
    memory_free(m);
  }
  qsort(ratio, (size_t)both, sizeof *ratio, by_value);
  cr_log_info("proven: %d with learning, %d without; median ratio of "
              "conflicts where both do: %.1f",
              learned, plain, both ? ratio[both / 2] : 0);
  cr_assert_gt(learned, plain, "%d with, %d without", learned, plain);
  cr_assert_eq(only_plain, 0);
  cr_assert(both && ratio[both / 2] > 1);
}
