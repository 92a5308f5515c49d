/* The engine's examples, against searches of their own. */
#include "solver/base/random.h"
#include "solver/cp/examples/examples.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

Test(cp_examples, queens) {
  for (int n = 1; n <= 24; n++) {
    struct memory *m = memory_new(NULL);
    struct cp_options o = cp_options_default();
    o.check = n <= 8 ? 2 : 0;
    int row[24];
    bool found = example_queens(m, &o, n, row);
    cr_assert_eq(found, n != 2 && n != 3, "%d queens", n);
    for (int a = 0; found && a < n; a++)
      for (int b = 0; b < a; b++)
        cr_assert(row[a] != row[b] && abs(row[a] - row[b]) != a - b,
                  "%d queens: columns %d and %d", n, b, a);
    memory_free(m);
  }
}

/* ---- projects: exhaustive search
 * --------------------------------------------- Some list of activities gives
 * an optimum when each is put at the earliest time that precedences and
 * resources allow; so all lists are tried. */

enum { HORIZON = 80 };

struct exhaustive {
  const struct example_project *p;
  int best, end[EXAMPLE_ACTIVITIES];
  int used[HORIZON][EXAMPLE_RESOURCES];
};

static bool fits(const struct exhaustive *e, int i, int t) {
  for (int k = t; k < t + e->p->duration[i]; k++)
    for (int r = 0; r < e->p->resources; r++)
      if (e->used[k][r] + e->p->demand[i][r] > e->p->capacity[r])
        return false;
  return true;
}

static void occupy(struct exhaustive *e, int i, int t, int sign) {
  for (int k = t; k < t + e->p->duration[i]; k++)
    for (int r = 0; r < e->p->resources; r++)
      e->used[k][r] += sign * e->p->demand[i][r];
}

static void extend(struct exhaustive *e, unsigned done, int makespan) {
  const struct example_project *p = e->p;
  if (makespan >= e->best)
    return;
  if (done == (1U << p->activities) - 1)
    e->best = makespan;
  for (int i = 0; i < p->activities; i++) {
    int t = 0;
    bool ready = !(done >> i & 1);
    for (int j = 0; j < p->activities; j++)
      if (p->before[j][i]) {
        ready = ready && done >> j & 1;
        t = ready && e->end[j] > t ? e->end[j] : t;
      }
    if (!ready)
      continue;
    while (!fits(e, i, t))
      t++;
    occupy(e, i, t, 1);
    e->end[i] = t + p->duration[i];
    extend(e, done | 1U << i, e->end[i] > makespan ? e->end[i] : makespan);
    occupy(e, i, t, -1);
  }
}

static int exhaustive(const struct example_project *p) {
  struct exhaustive e = {.p = p, .best = HORIZON};
  extend(&e, 0, 0);
  return e.best;
}

static struct example_project random_project(struct random *r) {
  struct example_project p = {.activities = 2 + random_below(r, 5),
                              .resources = 1 + random_below(r, 3)};
  for (int k = 0; k < p.resources; k++)
    p.capacity[k] = 2 + random_below(r, 5);
  for (int i = 0; i < p.activities; i++) {
    p.duration[i] = random_below(r, 7); /* 0 too */
    for (int k = 0; k < p.resources; k++)
      p.demand[i][k] = random_below(r, p.capacity[k] + 1);
    for (int j = 0; j < i; j++)
      p.before[j][i] = random_below(r, 4) == 0;
  }
  return p;
}

static void check(const struct example_project *p, const int *start, int best,
                  const char *name) {
  int used[HORIZON][EXAMPLE_RESOURCES] = {{0}};
  for (int i = 0; i < p->activities; i++) {
    cr_assert(start[i] >= 0 && start[i] + p->duration[i] <= best, "%s", name);
    for (int j = 0; j < p->activities; j++)
      cr_assert(!p->before[i][j] || start[i] + p->duration[i] <= start[j], "%s",
                name);
    for (int t = start[i]; t < start[i] + p->duration[i]; t++)
      for (int r = 0; r < p->resources; r++)
        cr_assert((used[t][r] += p->demand[i][r]) <= p->capacity[r], "%s",
                  name);
  }
}

Test(cp_examples, random_projects_equal_exhaustive_search) {
  for (int seed = 0; seed < 300; seed++) {
    struct random r;
    random_seed(&r, (uint64_t)seed);
    struct example_project p = random_project(&r);
    struct cp_options o = cp_options_default();
    o.check = 2;
    o.learn = seed % 4 != 3;
    o.cumulative = seed % 5 != 4 || p.activities > 3;
    int start[EXAMPLE_ACTIVITIES];
    char name[32];
    snprintf(name, sizeof name, "seed %d", seed);
    struct memory *m = memory_new(NULL);
    int best = example_project(m, &o, &p, start, NULL);
    cr_assert_eq(best, exhaustive(&p), "%s: %d, expected %d", name, best,
                 exhaustive(&p));
    check(&p, start, best, name);
    memory_free(m);
  }
}

Test(cp_examples, house) {
  struct example_project p = example_house();
  struct memory *m = memory_new(NULL);
  int start[EXAMPLE_ACTIVITIES];
  int best = example_project(m, NULL, &p, start, NULL);
  cr_assert_eq(best, exhaustive(&p), "%d, expected %d", best, exhaustive(&p));
  cr_assert_eq(best, 31, "the header says 31, it is %d", best);
  check(&p, start, best, "house");
  memory_free(m);
}
