/* moccasin_solve with the memory limit in the caller's hands, so that tests
 * can let any allocation fail and see that nothing is left behind. */
#ifndef MOCCASIN_SOLVE_H
#define MOCCASIN_SOLVE_H

#include "solver/base/memory.h"
#include "solver/moccasin.h"

/* As moccasin_solve; all memory, the result's too, counts against `limit`. */
int solve_within(const struct moccasin_graph *graph,
                 const struct moccasin_options *options,
                 struct memory_limit *limit, struct moccasin_result **result,
                 char *message);

#endif
