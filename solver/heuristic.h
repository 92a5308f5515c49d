/* One heuristic run alone (`--heuristic NAME`): no search, no proof. */
#ifndef MOCCASIN_SOLVER_HEURISTIC_H
#define MOCCASIN_SOLVER_HEURISTIC_H

#include "model/schedule.h"
#include "solver/base/stop.h"

/* The names, for the help and for messages: "keep-all, greedy, ...". */
const char *heuristic_names(void);

bool heuristic_known(const char *name);

/* Runs it on the problem and its budget.  NULL with `error` set
 * (STATUS_USAGE) where it is not defined, such as revolve on a graph that is
 * no chain; NULL without an error when it finds nothing, or is stopped. */
struct schedule *heuristic_run(const char *name, const struct problem *p,
                               struct memory *m, struct stop *stop,
                               struct error *error);

#endif
