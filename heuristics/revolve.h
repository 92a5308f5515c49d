/* Revolve: reversing a chain with few checkpoints.
 *
 * Defined on chains with their reverse: l forward nodes, each reading the one
 * before, then l backward nodes, of which the t-th reads the backward node
 * before it and the t-th last forward output, the one before that, or both
 * (the last may read neither):
 *
 *     f0 -> f1 -> ... -> f(l-1)        b(t) reads b(t-1), and
 *      \     \             |                 f(l-1-t) or f(l-2-t)
 *     b(l-1) <- ...  <-  b(0)
 *
 * (where b(t) reads f(l-2-t), a slot may have to hold both of them.)
 * With s slots for held outputs, besides the one just computed and the one
 * before it, the least number of forward computes is
 *
 *     F(l, s) = r (l + 1) - C(s + 1 + r, s + 2),
 *     r the least number with C(s + 1 + r, s + 1) >= l + 1
 *
 * (Griewank and Walther, Algorithm 799: t(l + 1, s + 1), where the state ahead
 * of f0 is their first checkpoint).  The most slots whose peak is within the
 * budget are used; with unequal sizes and durations the splitting stays that
 * of equal ones, as theirs.
 */
#ifndef MOCCASIN_REVOLVE_H
#define MOCCASIN_REVOLVE_H

#include "model/schedule.h"
#include "solver/base/stop.h"

/* F(l, s), the forward computes; exact while it fits int64. O(r). */
int64_t revolve_computes(int l, int s);

/* NULL with STATUS_USAGE if the graph is no such chain; NULL alone if some
 * node's limit does not allow the schedule, or when stopped before any was
 * found (`stop` may be NULL). */
struct schedule *revolve_schedule(const struct problem *p, struct memory *m,
                                  struct stop *stop, struct error *error);

/* With exactly s slots (l - 1 or more: nothing is recomputed). */
struct schedule *revolve_with_slots(const struct problem *p, int s,
                                    struct memory *m, struct stop *stop,
                                    struct error *error);

#endif
