/* Intervals [start, end) whose presence may be open.
 *
 * Absence is a domain end: the last index of `start` (number `absent`, a value
 * beyond every time) means absent, and an absent interval's end has its lowest
 * index.  So the bounds of an undecided interval may be pushed without asking
 * whether it is present: what does not fit drifts to absence by itself.
 *
 *     start:  t0 t1 ... tk | H        presence is the literal
 *     end:    e0 | e1 ... el          start <= absent - 1
 *             ^ absent only (if optional)
 */
#ifndef MOCCASIN_CP_INTERVAL_H
#define MOCCASIN_CP_INTERVAL_H

#include "solver/cp/propagator.h"

struct cp_interval {
  struct cp_view start, end;
  int32_t absent; /* start index that means absent; INT32_MAX: always present */
};

static inline bool cp_interval_optional(const struct cp_interval *i) {
  return i->absent != INT32_MAX;
}
static inline struct cp_literal
cp_interval_present(const struct cp_interval *i) {
  return cp_at_most(i->start.variable, i->absent - 1);
}
static inline bool cp_is_present(const struct cp *cp,
                                 const struct cp_interval *i) {
  return cp_high(cp, i->start.variable) < i->absent;
}
static inline bool cp_is_absent(const struct cp *cp,
                                const struct cp_interval *i) {
  return cp_low(cp, i->start.variable) >= i->absent;
}

/* Bounds and values as seen by `naive` and `check`, which get plain arrays. */
static inline int32_t cp_naive_min(const int32_t *bound,
                                   const struct cp_view *v) {
  return cp_view_value(v, bound[2 * v->variable]);
}
static inline int32_t cp_naive_max(const int32_t *bound,
                                   const struct cp_view *v) {
  return cp_view_value(v, -bound[2 * v->variable + 1]);
}
static inline int32_t cp_naive_value(const int32_t *value,
                                     const struct cp_view *v) {
  return cp_view_value(v, value[v->variable]);
}
/* Makes l true in the array; false if that empties the domain. */
static inline bool cp_naive_push(int32_t *bound, struct cp_literal l) {
  if (bound[l.side] < l.bound)
    bound[l.side] = l.bound;
  return bound[l.side] <= -bound[l.side ^ 1];
}

#endif
