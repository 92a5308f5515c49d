/* Tasks: the pieces of a solve that workers run in turns.
 *
 * A task is a resumable search.  `run` works for about `effort` microseconds'
 * worth of its own counted unit (moves, arcs, propagations), never by the
 * clock: with one worker the whole solve is then a fixed interleaving of
 * fixed pieces, the same on every machine.
 *
 * A task lives in a memory context of its own.  When that is exhausted, the
 * task ends (worker.c) and the others go on.
 */
#ifndef MOCCASIN_TASK_H
#define MOCCASIN_TASK_H

#include "solver/board.h"

enum task_state {
  TASK_MORE, /* call again */
  TASK_WAIT, /* nothing to do until the best schedule improves */
  TASK_OVER  /* nothing left to do, never again */
};

struct task {
  const char *name;
  enum task_state (*run)(struct task *t, int64_t effort);
  void (*finish)(struct task *t); /* hands counters to the board; or NULL */
  struct board *board;
  struct memory *memory;
  int64_t spent; /* effort so far */
};

/* What a unit of effort is worth in arcs of the bounds' networks. */
enum { ARCS_A_MICROSECOND = 64 };

/* In free order bounds keep a set of ancestors a node (bound_cut.h): beyond so
 * many nodes that would take gigabytes, and only the working set is proven. */
enum { MOST_SETS = 30000 };

/* Makes a task; `lane` 0, 1, ... tells apart those of the same kind. */
typedef struct task *task_new(struct memory *m, struct board *b, int lane);

/* Local search. */
task_new task_local;

/* Lower bounds, reduced-cost fixing, and the complete search on what stays
 * open. */
task_new task_prove;

/* Free order: the least peak, by cuts where they say anything, and by a search
 * over states, which also tells whether any schedule keeps the budget; ends
 * early where there are too many. */
task_new task_pebbling;

/* Large neighbourhoods on the engine (input order, least duration). */
task_new task_neighbourhood;

/* board_stop with the signature of the searches' callbacks. */
bool task_stop(void *board);

#endif
