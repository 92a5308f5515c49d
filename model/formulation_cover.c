/* Covers as clauses: what a solver without a propagator for them would do.
 *
 * It is there to be compared with (bench/run.sh ablation): option cover=2.
 * A node's intervals follow one another and absent ones come last (chain), so
 * a use at time t is covered if t lies in no gap:
 *
 *     gap 0     [support 0)   gap 1   [support 1)   gap 2
 *     t <= s_0               e_0 <= t <= s_1        e_1 <= t
 *
 * For every time t at which the user may start, and each gap j, one clause:
 *
 *     user not at t  or  e_(j-1) > t  or  support j-1 absent  or  s_j < t
 *
 * (the first gap has no support before it, the last none after).  k + 1
 * clauses a time for k supports; complete at fixed assignments, weaker than
 * the propagator before.
 */
#include "model/formulation_internal.h"

enum { LITERALS = 5 };

static bool post_gap(struct cp *cp, const struct cp_interval *before,
                     const struct cp_interval *after, int32_t t,
                     struct cp_literal *l, int count) {
  if (before) {
    l[count++] = cp_view_at_least(cp, &before->end, (int64_t)t + 1);
    if (cp_interval_optional(before))
      l[count++] = cp_not(cp_interval_present(before));
  }
  if (after)
    l[count++] = cp_view_at_most(cp, &after->start, (int64_t)t - 1);
  return cp_post_clause(cp, l, count);
}

void formulation_clauses(struct cp *cp, const struct cp_interval *user,
                         const struct cp_interval *support, int count) {
  int variable = user->start.variable;
  int32_t low = cp_min(cp, variable), high = cp_max(cp, variable);
  for (int32_t x = low; x <= high && x < user->absent; x++) {
    int32_t t = cp_view_value(&user->start, x);
    struct cp_literal l[LITERALS] = {cp_at_most(variable, x - 1),
                                     cp_at_least(variable, x + 1)};
    for (int j = 0; j <= count; j++)
      post_gap(cp, j ? &support[j - 1] : NULL, j < count ? &support[j] : NULL,
               t, l, 2);
  }
}
