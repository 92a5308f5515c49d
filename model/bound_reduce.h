/* Closing stages for recomputes: the rules of bound.h, applied. */
#ifndef MOCCASIN_BOUND_REDUCE_H
#define MOCCASIN_BOUND_REDUCE_H

#include "model/bound_state.h"

/* Closes stages only: linear program and tree go on undisturbed.  False if
 * there was nothing to do. */
bool bound_close(struct bound *b, int64_t upper);

/* Closes what no irredundant schedule shorter than `upper` uses, with the
 * duals of the best point, and bars the entries of cuts that rely on it.  From
 * then on the bound holds for such schedules only, and never claims more than
 * `upper`.  Returns true if any entry was barred: the value may have grown,
 * and can be improved again. */
bool bound_reduce(struct bound *b, int64_t upper);

/* The extra duration, in scaled units, that no schedule shorter than `upper`
 * can have; INT64_MAX if that is out of range. */
int64_t bound_limit(const struct bound *b, int64_t upper);

#endif
