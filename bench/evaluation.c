/* What incremental evaluation is worth: the local search as it is, and the same
 * search when every move is followed by a simulation of the whole sequence, as
 * a program without incremental evaluation has to do.  One core, CPU seconds;
 * both make the same moves, so quality differs by their number only.
 *
 *     make && cc -O2 -I. bench/evaluation.c build/release/libmoccasin.a \
 *       -lm -pthread -o build/evaluation
 *     build/evaluation GRAPH PERCENT SECONDS [SEED]
 *
 * Moves are those whose effect on memory was evaluated, not the tries that came
 * to nothing or were given up for their duration alone.
 *
 * CSV: evaluation,nodes,moves,seconds,moves_per_second,tdi_percent
 */
#include "bench/read_problem.h"
#include "heuristics/local_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SLICE = 4096 };

static double cpu_seconds(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

/* Simulates what the search holds at the moment, as is. */
static void simulate_all(struct memory *m, const struct problem *p,
                         struct local *l) {
  int length = l->s->length;
  int *step = MEMORY_ARRAY(m, int, length);
  struct simulation found = {0};
  sequence_store(l->s, step);
  if (!simulate(p, step, length, m, &found))
    abort(); /* the search holds valid sequences only */
  memory_put(m, step);
}

static void run(struct memory *m, const struct problem *p, bool incremental,
                double most, uint64_t seed) {
  struct local_options options = {.seed = seed};
  struct local *l = local_new(m, p, &options);
  local_start(l, NULL, NULL);
  double start = cpu_seconds(), used;
  do {
    local_run(l, incremental ? SLICE : 1, NULL);
    if (!incremental)
      simulate_all(m, p, l);
    used = cpu_seconds() - start;
  } while (used < most);
  const struct schedule *s = local_best(l);
  int64_t moves = local_statistics(l).moves;
  printf("%s,%d,%lld,%.3f,%.0f,", incremental ? "incremental" : "whole", p->n,
         (long long)moves, used, (double)moves / used);
  if (s)
    printf("%.6f", 100 * ((double)s->duration / (double)p->base_duration - 1));
  printf("\n");
  local_free(l);
}

int main(int count, char **argument) {
  if (count < 4 || count > 5) {
    fprintf(stderr, "usage: %s GRAPH PERCENT SECONDS [SEED]\n", argument[0]);
    return 1;
  }
  struct memory *m = memory_new(NULL);
  if (!m || setjmp(*memory_recover(m)))
    return 5;
  struct problem *p = read_problem(m, argument[1], argument[2], 2, false);
  if (!p)
    return 2;
  uint64_t seed = count > 4 ? (uint64_t)atoll(argument[4]) : 1;
  printf("evaluation,nodes,moves,seconds,moves_per_second,tdi_percent\n");
  for (int incremental = 1; incremental >= 0; incremental--)
    run(m, p, incremental, atof(argument[3]), seed);
  memory_free(m);
  return 0;
}
