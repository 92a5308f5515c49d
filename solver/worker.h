/* Workers: one thread each, with memory of its own, running tasks in turns.
 *
 *     threads    1             2                   3 and more
 *     worker 0   everything    local               local
 *     worker 1                 prove, then         prove, then neighbourhoods
 *                              neighbourhoods
 *     worker 2..                                   neighbourhoods and local
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
