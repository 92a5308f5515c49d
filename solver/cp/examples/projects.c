/* Resource-constrained project scheduling: precedences, one cumulative
 * constraint a resource, the makespan as objective. */
#include "solver/cp/cumulative.h"
#include "solver/cp/examples/examples.h"
#include "solver/cp/precedence.h"

/* The end of an activity is its start, seen `duration` later. */
static struct cp_interval interval(int start, int duration) {
  return (struct cp_interval){.start = {start, 0, NULL},
                              .end = {start, duration, NULL},
                              .absent = INT32_MAX};
}

static bool post_resource(struct cp *cp, const struct example_project *p,
                          int r) {
  struct cp_task task[EXAMPLE_ACTIVITIES];
  int tasks = 0;
  for (int i = 0; i < p->activities; i++) {
    if (p->demand[i][r] > p->capacity[r])
      return false;
    if (p->duration[i] && p->demand[i][r])
      task[tasks++] =
          (struct cp_task){interval(i, p->duration[i]), p->demand[i][r]};
  }
  return cp_post_cumulative(cp, task, tasks, NULL, 0,
                            (struct cp_capacity){-1, p->capacity[r], 1});
}

/* Activity i is variable i; the makespan comes last. */
static bool post(struct cp *cp, const struct example_project *p) {
  int horizon = 0;
  for (int i = 0; i < p->activities; i++)
    horizon += p->duration[i];
  for (int i = 0; i < p->activities; i++) {
    char name[32];
    snprintf(name, sizeof name, "start%d", i);
    cp_variable(cp, 0, horizon, name);
  }
  int makespan = cp_variable(cp, 0, horizon, "makespan");
  cp_set_tier(cp, makespan, 1);
  struct cp_view end = {makespan, 0, NULL};
  bool ok = true;
  for (int i = 0; i < p->activities && ok; i++) {
    struct cp_view start = {i, 0, NULL};
    ok = cp_post_precedence(cp, start, p->duration[i], end);
    for (int j = 0; j < p->activities && ok; j++)
      if (p->before[i][j])
        ok = cp_post_precedence(cp, start, p->duration[i],
                                (struct cp_view){j, 0, NULL});
  }
  for (int r = 0; r < p->resources && ok; r++)
    ok = post_resource(cp, p, r);
  struct cp_term objective = cp_term(1, makespan);
  cp_minimise(cp, &objective, 1);
  return ok;
}

int example_project(struct memory *m, const struct cp_options *o,
                    const struct example_project *p, int *start,
                    struct cp_statistics *statistics) {
  struct cp *cp = cp_new(m, o);
  int best = -1;
  if (post(cp, p))
    while (cp_solve(cp, NULL, 0, NULL) == CP_SOLUTION) {
      best = (int)cp_objective(cp);
      for (int i = 0; i < p->activities; i++)
        start[i] = cp_value(cp, i);
    }
  if (statistics)
    *statistics = *cp_statistics(cp);
  cp_free(cp);
  return best;
}

struct example_project example_house(void) {
  /* resources: 0 people, 1 machines */
  struct example_project p = {.activities = 12,
                              .resources = 2,
                              .capacity = {6, 2},
                              .duration = {3, 5, 4, 6, 3, 5, 4, 2, 6, 3, 4, 2},
                              .demand = {{2, 1},
                                         {4, 1},
                                         {3, 0},
                                         {4, 1},
                                         {2, 1},
                                         {3, 0},
                                         {3, 1},
                                         {2, 0},
                                         {4, 0},
                                         {2, 1},
                                         {3, 0},
                                         {1, 1}}};
  static const int edge[][2] = {{0, 1},  {0, 2},  {1, 3},  {1, 4},  {2, 5},
                                {3, 6},  {4, 7},  {5, 8},  {6, 9},  {7, 9},
                                {8, 11}, {9, 11}, {2, 10}, {10, 11}};
  for (size_t k = 0; k < sizeof edge / sizeof *edge; k++)
    p.before[edge[k][0]][edge[k][1]] = true;
  return p;
}
