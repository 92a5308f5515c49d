/* A lower bound on the peak in free order, from the cuts of bound.h: at the
 * first compute of t no schedule holds less than the minimum over all sets of
 * nodes that may have been computed before, what can be computed again being
 * dropped for nothing.
 *
 * So it is the working set where every node may be computed again; it tells
 * something where many may not.  Measured with one compute a node: rl-n500
 * 247960 bytes, which is the optimum, after 66 cuts and 0.02 s; rl-n1000 550170
 * (561079 found), 133 cuts, 0.07 s.
 */
#ifndef MOCCASIN_BOUND_PEAK_H
#define MOCCASIN_BOUND_PEAK_H

#include "model/bound_cut.h"

struct bound_peak {
  struct closure_maker maker;
  int64_t value;         /* bytes: no schedule has a lower peak */
  struct cut_place *cut; /* those that may raise it, above the working set */
  int cut_count, next;
  bool done;
  long work; /* arcs looked at so far */
};

/* Everything lives in `m`.  O(n + m), and n^2 / 64 words. */
struct bound_peak *bound_peak_new(struct memory *m, const struct problem *p,
                                  struct stop *stop);

/* Goes on for `work` arcs or a cut, whichever is more; done when no cut can
 * raise the value.  The stop is final (bound.h).  True if the value grew. */
bool bound_peak_improve(struct bound_peak *b, long work, struct stop *stop);

/* Is there a node, apart from the sink, that may be computed only once? */
bool bound_peak_applies(const struct problem *p);

#endif
