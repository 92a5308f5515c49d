/* Tasks: the pieces of a solve that workers run in turns.
 *
 * A task is a resumable search.  `run` works for about `effort` microseconds'
 * worth of its own counted unit (moves, arcs, propagations), never by the
 * clock: with one worker the whole solve is then a fixed interleaving of
 * fixed pieces, the same on every machine.
 *
 * All memory of a task is the worker's context, which ends with the worker.
 */
#ifndef MOCCASIN_TASK_H
#define MOCCASIN_TASK_H

#include "solver/board.h"

enum task_state {
  TASK_MORE, /* call again */
  TASK_OVER  /* nothing left to do, never again */
};

struct task {
  const char *name;
  enum task_state (*run)(struct task *t, int64_t effort);
  struct board *board;
  struct memory *memory;
  enum task_state state;
  int64_t spent; /* effort so far, for the statistics */
};

/* Local search; `lane` 0, 1, ... makes seeds differ between workers. */
struct task *task_local(struct memory *m, struct board *b, int lane);

/* Lower bounds, reduced-cost fixing, and the complete search on what stays
 * open. */
struct task *task_prove(struct memory *m, struct board *b);

/* Large neighbourhoods on the engine. */
struct task *task_neighbourhood(struct memory *m, struct board *b, int lane);

/* board_stop with the signature of the searches' callbacks. */
bool task_stop(void *board);

#endif
