/* precedence: x + delay <= y, on views.
 *
 * Rules: P1 y >= min x + delay; P2 x <= max y - delay.  Constant time, complete
 * on bounds. */
#ifndef MOCCASIN_CP_PRECEDENCE_H
#define MOCCASIN_CP_PRECEDENCE_H

#include "solver/cp/propagator.h"

bool cp_post_precedence(struct cp *cp, struct cp_view x, int32_t delay,
                        struct cp_view y);

#endif
