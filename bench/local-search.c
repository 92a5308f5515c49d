/* Variants of the local search, and other methods on the same moves
 * (local-methods.h), compared over seeds; counted in tries, so that the figures
 * depend neither on the machine nor on its load, or in CPU seconds.
 *
 *     make && cc -O2 -I. bench/local-search.c bench/local-methods.c \
 *       build/release/libmoccasin.a -lm -pthread -o build/local-search
 *     build/local-search 1e6 5 GRAPH 80 2 input
 *     build/local-search 10s 5 GRAPH 80 2 free "as it is"
 */
#include "bench/local-methods.h"
#include "bench/read_problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct variant {
  const char *name;
  double hot, cold, target, unit; /* factors of what local_new chose */
  int without;                    /* a move that is never drawn, or -1 */
  bool warm;                      /* see local_options */
};

static const struct variant variants[] = {
    {"as it is", 1, 1, 1, 1, -1, false},
    {"start three times colder", 1 / 3.0, 1, 1, 1, -1, false},
    {"start three times hotter", 3, 1, 1, 1, -1, false},
    {"end four times colder", 1, 0.25, 1, 1, -1, false},
    {"end four times warmer", 1, 4, 1, 1, -1, false},
    {"rounds a quarter as long", 1, 1, 1, 0.25, -1, false},
    {"rounds four times as long", 1, 1, 1, 4, -1, false},
    {"penalty aims at thrice the feasible share", 1, 1, 3, 1, -1, false},
    {"without fill", 1, 1, 1, 1, MOVE_FILL, false},
    {"without chain", 1, 1, 1, 1, MOVE_CHAIN, false},
    {"without shift", 1, 1, 1, 1, MOVE_SHIFT, false},
    {"without swap", 1, 1, 1, 1, MOVE_SWAP, false},
    {"without groups", 1, 1, 1, 1, MOVE_GROUP, false},
    {"warm", 1, 1, 1, 1, -1, true},
    {"warm, without groups", 1, 1, 1, 1, MOVE_GROUP, true},
};

struct effort {
  int64_t tries;  /* or, if 0, */
  double seconds; /* of CPU */
};

static double cpu_seconds(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

static bool over(void *end) {
  return cpu_seconds() >= *(double *)end;
}

static void run_variant(struct local *l, const struct variant *v,
                        struct effort effort) {
  l->hot_factor *= v->hot;
  l->cold_factor *= v->cold;
  l->feasible_target *= v->target;
  l->round_unit = (int64_t)((double)l->round_unit * v->unit);
  for (int k = 0; k < 2 && v->without >= 0; k++) {
    l->mix[k].total -= l->mix[k].weight[v->without];
    l->mix[k].weight[v->without] = 0;
  }
  double end = cpu_seconds() + effort.seconds;
  struct local_hooks hooks = {.data = &end, .stop = over};
  local_start(l, NULL, effort.tries ? NULL : &hooks);
  if (effort.tries)
    local_run(l, effort.tries, NULL);
  else
    local_run(l, INT64_MAX, &hooks);
}

enum { VARIANTS = sizeof variants / sizeof *variants };

static const char *name_of(int row) {
  return row < VARIANTS ? variants[row].name : method_names[row - VARIANTS];
}

/* TDI in percent after this effort, or -1; adds up CPU seconds and moves. */
static double run(struct memory *m, const struct problem *p, int row,
                  uint64_t seed, struct effort effort, double *seconds,
                  double *moves) {
  struct local_options options = {.seed = seed,
                                  .warm = row < VARIANTS && variants[row].warm};
  struct local *l = local_new(m, p, &options);
  double start = cpu_seconds();
  int64_t duration = -1;
  if (row < VARIANTS) {
    run_variant(l, &variants[row], effort);
    duration = local_best(l) ? local_best(l)->duration : -1;
    *moves += (double)local_statistics(l).moves;
  } else {
    duration =
        method_run(row - VARIANTS, l, effort.tries, effort.seconds, moves);
  }
  *seconds += cpu_seconds() - start;
  local_free(l);
  if (duration < 0)
    return -1;
  return 100 * ((double)duration / (double)p->base_duration - 1);
}

/* Without a schedule (-1) last. */
static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  x = x < 0 ? 1e9 : x;
  y = y < 0 ? 1e9 : y;
  return (x > y) - (x < y);
}

static void compare(struct memory *m, const struct problem *p, int seeds,
                    struct effort effort, const char *only) {
  enum { most_seeds = 100 };
  double tdi[most_seeds];
  seeds = seeds < 1 ? 1 : seeds > most_seeds ? most_seeds : seeds;
  printf("| variant | median | best | worst | evaluated moves / CPU s |\n"
         "|---|---|---|---|---|\n");
  for (int row = 0; row < VARIANTS + METHODS; row++) {
    double seconds = 0, moves = 0;
    if (only && strcmp(only, name_of(row)))
      continue;
    for (int s = 0; s < seeds; s++)
      tdi[s] = run(m, p, row, (uint64_t)s + 1, effort, &seconds, &moves);
    qsort(tdi, (size_t)seeds, sizeof *tdi, ascending);
    printf("| %s | %.4f | %.4f | %.4f | %.0f |\n", name_of(row), tdi[seeds / 2],
           tdi[0], tdi[seeds - 1], moves / seconds);
    fflush(stdout);
  }
}

int main(int count, char **argument) {
  if (count < 7 || count > 8) {
    fprintf(stderr,
            "usage: %s TRIES|SECONDSs SEEDS GRAPH PERCENT MAX_COMPUTES "
            "input|free [VARIANT]\n",
            argument[0]);
    return 1;
  }
  struct memory *m = memory_new(NULL);
  if (!m || setjmp(*memory_recover(m)))
    return 5;
  struct problem *p =
      read_problem(m, argument[3], argument[4], atoi(argument[5]),
                   !strcmp(argument[6], "free"));
  if (!p)
    return 2;
  bool timed = strchr(argument[1], 's');
  struct effort effort = {.tries = timed ? 0 : (int64_t)atof(argument[1]),
                          .seconds = timed ? atof(argument[1]) : 0};
  compare(m, p, atoi(argument[2]), effort, count > 7 ? argument[7] : NULL);
  memory_free(m);
  return 0;
}
