/* Check level 2 derives every explanation anew, which takes long on large
 * models: the stop hook must be heard in the middle of it. */
#include "model/formulation.h"
#include "tests/layered.h"
#include <criterion/criterion.h>

struct patience {
  int asked, left;
};

static bool ask(void *data) {
  struct patience *p = data;
  p->asked++;
  return --p->left <= 0;
}

/* Search itself asks once in 1000 propagations, so that all further questions
 * come from the checks; and none comes after the answer was yes. */
Test(cp_check, a_stop_is_heard_between_derivations) {
  for (int left = 1; left <= 200; left += 13) {
    struct memory *m = memory_new(NULL);
    struct layered shape = {
        .nodes = 40, .width = 5, .inputs = 3, .percent_far = 25, .seed = 7};
    struct problem *p = layered_problem(m, &shape, 2, false, 80);
    struct formulation_options o = formulation_options_default();
    o.cp.check = 2;
    struct formulation *f = formulation_new(m, p, &o);
    struct patience patience = {0, left};
    struct cp_limits limits = {.stop = ask, .stop_data = &patience};
    cr_assert_eq(formulation_run(f, &limits), FORMULATION_LIMIT);
    const struct cp_statistics *s = cp_statistics(formulation_cp(f));
    cr_assert_eq(patience.asked, left);
    cr_assert_lt(s->propagations, 1000 * (left / 4 + 1), "left %d: %lld", left,
                 (long long)s->propagations);
    memory_free(m);
  }
}
