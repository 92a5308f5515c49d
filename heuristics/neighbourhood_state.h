/* Inside the large-neighbourhood search (neighbourhood.h). */
#ifndef MOCCASIN_NEIGHBOURHOOD_STATE_H
#define MOCCASIN_NEIGHBOURHOOD_STATE_H

#include "heuristics/neighbourhood.h"
#include "solver/base/random.h"

struct kind_state {
  double size; /* nodes aimed at */
  double gain; /* recent gain per million propagations, decayed */
};

struct neighbourhood {
  struct memory *memory;
  const struct problem *problem;
  struct random random;
  struct schedule *best;
  struct recompute *now; /* the recomputes of `best`, by stage and node */
  int now_count, now_capacity;
  struct bound_window *allowed; /* by node and stage */
  int allowed_count;
  int *allowed_row; /* n + 1: rows of `allowed`; NULL: everything */
  int *last_read;   /* last stage that first-computes a consumer */
  int *tight;       /* stages whose baseline is over the budget */
  int tight_count;
  struct kind_state kind[NEIGHBOURHOOD_KINDS];
  struct neighbourhood_statistics statistics;

  /* The neighbourhood being built. */
  bool *open; /* n */
  int *list;  /* the open nodes */
  int count;
  int first, last; /* the span of stages */
};

/* Fills open, list, count, first and last for a kind. */
void neighbourhood_choose(struct neighbourhood *s, int kind);

#endif
