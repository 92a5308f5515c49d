/* Workers: one thread each, with memory of its own, running tasks in turns.
 *
 *     one thread   prove, local, neighbourhood in turns
 *     worker 1     prove; when it has nothing to do: neighbourhood, local;
 *                  local in turns with it after half a second in free order,
 *                  and while the peak is the objective or there is no schedule
 *     the others   local, neighbourhood in turns
 *
 * In free order every second local search is warm (heuristics/local.h) and
 * keeps to the order that it found itself while it gains there; with one thread
 * it joins after some rounds of the first.  A search over states
 * (task_pebbling) follows prove until it is decided or gives up; beside a local
 * search it gets a quarter.
 *
 * Each kind leaves out what does not apply: see task.h.
 */
#ifndef MOCCASIN_WORKER_H
#define MOCCASIN_WORKER_H

#include "solver/board.h"

/* Runs the portfolio on `threads` >= 1 workers until the board is done or
 * nothing is left to do.  Worker 0 is the calling thread.  `m` serves to list
 * the workers; each opens a context of its own under the same limit.  A worker
 * that runs out of memory ends alone: the solve goes on unless it was the
 * last one. */
void workers_run(struct board *b, int threads, struct memory *m);

#endif
