/* The first schedule within a budget, in milliseconds.
 *
 * One pass over the steps of the input order.  At the first step over the
 * budget, some outputs that are held across it and not read there are
 * candidates for a recompute right before their next use, alone or with the
 * chain of inputs that would otherwise have to be held for it.  The one that
 * removes most excess for its duration is taken, until the step is within the
 * budget or nothing helps; then the pass goes on.  Last, recomputes that turned
 * out to be needless are removed.
 *
 * Candidates are looked for in ascending order of duration per byte, a few
 * dozen a step, each evaluated exactly (sequence.h).
 */
#ifndef MOCCASIN_GREEDY_H
#define MOCCASIN_GREEDY_H

#include "model/schedule.h"
#include "solver/base/stop.h"

/* A staged schedule within the nodes' limits.  Its peak may be above
 * p->budget: then this heuristic found nothing better, or was stopped (`stop`
 * may be NULL). */
struct schedule *greedy_schedule(struct memory *m, const struct problem *p,
                                 struct stop *stop);

#endif
