/* Variants of the local search compared over seeds, counted in tries, so that
 * the figures do not depend on the machine or its load.
 *
 *     make && cc -O2 -I. bench/local-search.c \
 *       build/release/libmoccasin.a -lm -o build/local-search
 *     build/local-search TRIES SEEDS GRAPH PERCENT MAX_COMPUTES input|free
 */
#include "graphs/read.h"
#include "heuristics/local_state.h"
#include "solver/base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct variant {
  const char *name;
  double hot, cold, target, unit; /* factors of what local_new chose */
  int without;                    /* a move that is never drawn, or -1 */
};

static const struct variant variants[] = {
    {"as it is", 1, 1, 1, 1, -1},
    {"start three times colder", 1 / 3.0, 1, 1, 1, -1},
    {"start three times hotter", 3, 1, 1, 1, -1},
    {"end four times colder", 1, 0.25, 1, 1, -1},
    {"end four times warmer", 1, 4, 1, 1, -1},
    {"rounds a quarter as long", 1, 1, 1, 0.25, -1},
    {"rounds four times as long", 1, 1, 1, 4, -1},
    {"penalty aims at thrice the feasible share", 1, 1, 3, 1, -1},
    {"without fill", 1, 1, 1, 1, MOVE_FILL},
    {"without chain", 1, 1, 1, 1, MOVE_CHAIN},
    {"without shift", 1, 1, 1, 1, MOVE_SHIFT},
    {"without swap", 1, 1, 1, 1, MOVE_SWAP},
};

/* TDI in percent after these tries, or -1; adds up seconds and moves. */
static double run(struct memory *m, const struct problem *p,
                  const struct variant *v, uint64_t seed, int64_t tries,
                  double *seconds, double *moves) {
  struct local_options options = {.seed = seed};
  struct local *l = local_new(m, p, &options);
  l->hot_factor *= v->hot;
  l->cold_factor *= v->cold;
  l->feasible_target *= v->target;
  l->round_unit = (int64_t)((double)l->round_unit * v->unit);
  if (v->without >= 0) {
    l->weights -= l->weight[v->without];
    l->weight[v->without] = 0;
  }
  double start = clock_seconds();
  local_start(l, NULL, NULL);
  local_run(l, tries, NULL);
  *seconds += clock_seconds() - start;
  *moves += (double)local_statistics(l).moves;
  const struct schedule *s = local_best(l);
  double tdi =
      s ? 100 * ((double)s->duration / (double)p->base_duration - 1) : -1;
  local_free(l);
  return tdi;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int count, char **argument) {
  enum { most_seeds = 100 };
  if (count != 7) {
    fprintf(stderr,
            "usage: %s TRIES SEEDS GRAPH PERCENT MAX_COMPUTES "
            "input|free\n",
            argument[0]);
    return 1;
  }
  int64_t tries = (int64_t)atof(argument[1]);
  int seeds = atoi(argument[2]);
  seeds = seeds < 1 ? 1 : seeds > most_seeds ? most_seeds : seeds;
  struct memory *m = memory_new(NULL);
  if (!m || setjmp(*memory_recover(m)))
    return 5;
  struct graph *g;
  struct error error = {0};
  struct problem *p = NULL;
  if (graph_read(m, argument[3], &g, NULL, &error))
    p = problem_new(m, g, atoi(argument[5]), !strcmp(argument[6], "free"),
                    &error);
  if (!p) {
    fprintf(stderr, "%s\n", error.text);
    return 2;
  }
  p->budget = problem_percent_budget(p, (int64_t)(atof(argument[4]) * 1e6));
  printf("| variant | median | best | worst | evaluated moves/s |\n"
         "|---|---|---|---|---|\n");
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
    double tdi[most_seeds], seconds = 0, moves = 0;
    for (int s = 0; s < seeds; s++)
      tdi[s] =
          run(m, p, &variants[i], (uint64_t)s + 1, tries, &seconds, &moves);
    qsort(tdi, (size_t)seeds, sizeof *tdi, ascending);
    printf("| %s | %.4f | %.4f | %.4f | %.0f |\n", variants[i].name,
           tdi[seeds / 2], tdi[0], tdi[seeds - 1], moves / seconds);
    fflush(stdout);
  }
  memory_free(m);
  return 0;
}
