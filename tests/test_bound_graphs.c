/* The lower bounds on the published graphs: never above the best schedules
 * known, within 1 % of the linear program's optimum as a general solver found
 * it, and proofs of optimality where the bound alone gives one.  Effort is
 * counted, not timed. */
#include "graphs/read.h"
#include "model/bound_peak.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

/* Proven: no schedule keeps the budget. */
#define NONE INT64_MAX

struct row {
  const char *name;
  int percent;
  int64_t best;   /* extra duration of the best schedule known, or NONE */
  int64_t free;   /* the same in free order */
  double program; /* the linear program's optimum, % of the base duration */
  bool proved;    /* the bound alone proves that schedule optimal */
  long work;      /* allowed, in units of bound.h */
};

static const struct row rows[] = {
    {"rl-n100", 90, 377, 0, 0.4692, false, 1000000},
    {"rl-n100", 80, 1097, 0, 1.519, false, 1000000},
    {"rl-n250", 90, 1135, 0, 0.6991, true, 20000000},
    {"rl-n250", 80, 6173, 0, 3.2802, false, 40000000},
    {"rl-n500", 90, 1790, 0, 0.6637, true, 20000000},
    {"rl-n500", 80, 8046, 1597, 2.7984, false, 100000000},
    {"rl-n1000", 90, 3416, 378, 0.6648, false, 40000000},
    {"rl-n1000", 80, 13168, 6937, 2.5299, false, 200000000},
    {"fcn8-train", 90, 3017197568, 3017197568, 0, true, 1000000},
    {"fcn8-train", 80, 13985906688, 13985906688, 0, true, 1000000},
    {"resnet50-train", 90, 440, 440, 0.0978, true, 20000000},
    {"resnet50-train", 80, 1130, 1130, 0.2712, true, 20000000},
    {"mobilenet-train", 90, 265, 265, 0.1289, true, 20000000},
    {"mobilenet-train", 80, 600, 600, 0.3381, true, 20000000},
    {"segnet-train", 90, 5080, 5080, 0.1018, true, 10000000},
    {"segnet-train", 80, 10200, 10200, 0.2055, true, 10000000},
    {"unet-train", 90, 350, 350, 0.8326, true, 10000000},
    {"unet-train", 80, 615, 615, 1.7866, true, 10000000},
    {"vgg16-train", 90, 305, 305, 0, true, 10000000},
    {"vgg16-train", 80, NONE, NONE, 0, false, 1000000},
    {"vgg19-train", 90, 9895, 9895, 0, false, 10000000},
    {"vgg19-train", 80, 460480, 460480, 0, false, 10000000},
};

static struct problem *read_problem(struct memory *m, const struct row *row,
                                    bool free_order) {
  const char *folder = getenv("MOCCASIN_DATA");
  char path[300];
  snprintf(path, sizeof path, "%s/%s.json",
           folder ? folder : "../shared/graphs", row->name);
  FILE *file = fopen(path, "r");
  if (!file)
    cr_skip("%s is not here (set MOCCASIN_DATA)", path);
  fclose(file);
  struct graph *g;
  struct error error = {0};
  cr_assert(graph_read(m, path, &g, NULL, &error), "%s", error.text);
  struct problem *p = problem_new(m, g, 2, free_order, &error);
  p->budget = problem_percent_budget(p, row->percent * INT64_C(1000000));
  return p;
}

Test(bound_graphs, between_the_linear_program_and_the_best_known) {
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    const struct row *row = &rows[i];
    struct memory *m = memory_new(NULL);
    struct problem *p = read_problem(m, row, false);
    struct bound *b = bound_new(m, p, BOUND_LIMITED, NULL);
    bound_improve(b, INT64_MAX, row->work, NULL);
    cr_assert_eq(b->infeasible, row->best == NONE, "%s %d %%", row->name,
                 row->percent);
    int64_t extra = b->value - p->base_duration;
    double percent = 100 * (double)extra / (double)p->base_duration;
    cr_assert(extra <= row->best, "%s %d %%: %lld is above the best known %lld",
              row->name, row->percent, (long long)extra, (long long)row->best);
    cr_assert(percent >= 0.99 * row->program,
              "%s %d %%: %.4f %% is below the linear program's %.4f %%",
              row->name, row->percent, percent, row->program);
    memory_free(m);
  }
}

Test(bound_graphs, in_free_order_below_the_best_known) {
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    const struct row *row = &rows[i];
    struct memory *m = memory_new(NULL);
    struct problem *p = read_problem(m, row, true);
    struct bound *b = bound_new(m, p, BOUND_FREE_ORDER, NULL);
    bound_improve(b, INT64_MAX, row->work / 4, NULL);
    cr_assert_eq(b->infeasible, row->free == NONE, "%s %d %%", row->name,
                 row->percent);
    cr_assert_leq(b->value - p->base_duration, row->free,
                  "%s %d %%: %lld is above the best known %lld", row->name,
                  row->percent, (long long)(b->value - p->base_duration),
                  (long long)row->free);
    memory_free(m);
  }
}

/* The integer optimum of all cuts in free order, with what is computed before
 * each as part of its minimum; that of rl-n500 was confirmed by a general
 * solver.  `best` as above. */
Test(bound_graphs, in_free_order_as_strong_as_measured) {
  static const struct {
    struct row row; /* of which name and percent */
    int64_t extra, best;
  } known[] = {{{.name = "rl-n100", .percent = 60}, 1064, INT64_MAX},
               {{.name = "rl-n250", .percent = 70}, 705, 711},
               {{.name = "rl-n500", .percent = 80}, 1297, 1597},
               {{.name = "rl-n1000", .percent = 90}, 39, 378}};
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
    struct memory *m = memory_new(NULL);
    struct problem *p = read_problem(m, &known[i].row, true);
    struct bound *b = bound_new(m, p, BOUND_FREE_ORDER, NULL);
    bound_improve(b, INT64_MAX, 0, NULL);
    int64_t extra = b->value - p->base_duration;
    cr_assert(b->converged && extra >= known[i].extra && extra <= known[i].best,
              "%s %d %%: %lld", known[i].row.name, known[i].row.percent,
              (long long)extra);
    memory_free(m);
  }
}

/* One compute a node; `peak` is the least that the search finds. */
Test(bound_graphs, peaks_of_the_best_orders) {
  static const struct {
    struct row row;
    int64_t least, peak;
  } known[] = {{{.name = "rl-n100"}, 32440, 36790},
               {{.name = "rl-n250"}, 105170, 105170},
               {{.name = "rl-n500"}, 247960, 247960}};
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
    struct memory *m = memory_new(NULL);
    struct problem *p = read_problem(m, &known[i].row, true);
    for (int v = 0; v < p->n; v++)
      p->limit[v] = 1;
    struct bound_peak *b = bound_peak_new(m, p, NULL);
    while (!b->done)
      bound_peak_improve(b, 100000, NULL);
    cr_assert(b->value >= known[i].least && b->value <= known[i].peak,
              "%s: %lld", known[i].row.name, (long long)b->value);
    memory_free(m);
  }
}

Test(bound_graphs, alone_proves_optimality) {
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    const struct row *row = &rows[i];
    if (!row->proved)
      continue;
    struct memory *m = memory_new(NULL);
    struct problem *p = read_problem(m, row, false);
    struct bound *b = bound_new(m, p, BOUND_LIMITED, NULL);
    int64_t upper = p->base_duration + row->best;
    bound_improve(b, upper, row->work, NULL);
    cr_assert_eq(b->value, upper, "%s %d %%: %lld of %lld", row->name,
                 row->percent, (long long)(b->value - p->base_duration),
                 (long long)row->best);
    memory_free(m);
  }
}
