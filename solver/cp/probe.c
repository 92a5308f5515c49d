#include "solver/cp/probe.h"

/* Conflicts of the first turn; the narrowest part; the widest. */
enum { FIRST_TURN = 300, NARROWEST = 30, WIDEST = 1 };

struct cp_probe cp_probe_new(int variable, enum cp_way way) {
  return (struct cp_probe){.variable = variable,
                           .way = way,
                           .upper = way == CP_DICHOTOMY,
                           .shift = way == CP_RAISE ? NARROWEST : WIDEST,
                           .conflicts = FIRST_TURN,
                           .left = FIRST_TURN};
}

static int32_t part_of(const struct cp *cp, const struct cp_probe *p) {
  return (cp_max(cp, p->variable) - cp_min(cp, p->variable)) >> p->shift;
}

static void narrow(const struct cp *cp, struct cp_probe *p) {
  if (p->shift < NARROWEST && part_of(cp, p))
    p->shift++;
}

/* Widens at least as far as makes a difference. */
static void widen(const struct cp *cp, struct cp_probe *p) {
  do
    p->shift -= p->shift > WIDEST;
  while (p->shift > WIDEST && !part_of(cp, p));
}

/* The turn has used up its conflicts. */
static void too_hard(const struct cp *cp, struct cp_probe *p) {
  bool round = p->upper != (p->way == CP_DICHOTOMY); /* both had a turn */
  if (p->way == CP_RAISE ? !p->upper : round)
    narrow(cp, p);
  if (round)
    p->conflicts += p->conflicts / 2;
  p->upper = !p->upper;
  p->left = p->conflicts;
}

static void succeeded(const struct cp *cp, struct cp_probe *p) {
  widen(cp, p);
  p->left = p->conflicts;
}

/* What z may be at most in the probe that is due. */
static int32_t most_of(const struct cp *cp, const struct cp_probe *p) {
  int32_t low = cp_min(cp, p->variable), high = cp_max(cp, p->variable);
  if (!p->upper)
    return low + part_of(cp, p);
  return p->way == CP_DICHOTOMY ? high - part_of(cp, p) : high;
}

/* What is left of the caller's limits, at most the turn's; false: nothing. */
static bool turn_limits(const struct cp *cp, const struct cp_probe *p,
                        const struct cp_limits *limits,
                        const struct cp_statistics *begin,
                        struct cp_limits *turn) {
  const struct cp_statistics *now = cp_statistics(cp);
  *turn = limits ? *limits : (struct cp_limits){0};
  if (turn->stop && turn->stop(turn->stop_data))
    return false;
  if (turn->conflicts &&
      (turn->conflicts -= now->conflicts - begin->conflicts) <= 0)
    return false;
  if (turn->propagations &&
      (turn->propagations -= now->propagations - begin->propagations) <= 0)
    return false;
  if (!turn->conflicts || turn->conflicts > p->left)
    turn->conflicts = p->left;
  return true;
}

enum cp_result cp_solve_least(struct cp *cp, struct cp_probe *p,
                              const struct cp_limits *limits) {
  if (p->way == CP_FROM_ABOVE)
    return cp_solve(cp, NULL, 0, limits);
  struct cp_statistics begin = *cp_statistics(cp);
  for (;;) {
    struct cp_limits turn;
    if (!cp_propagate_root(cp))
      return *cp_fault(cp) ? CP_FAULT : CP_INFEASIBLE;
    if (!turn_limits(cp, p, limits, &begin, &turn))
      return CP_LIMIT;
    int64_t before = cp_statistics(cp)->conflicts;
    int32_t most = most_of(cp, p);
    struct cp_literal assumed = cp_at_most(p->variable, most);
    int count = most < cp_max(cp, p->variable);
    enum cp_result r = cp_solve(cp, &assumed, count, &turn);
    p->left -= cp_statistics(cp)->conflicts - before;
    if (r == CP_INFEASIBLE_ASSUMED) {
      if (!cp_require(cp, cp_at_least(p->variable, most + 1)))
        return CP_INFEASIBLE;
      succeeded(cp, p);
      continue;
    }
    if (r == CP_SOLUTION && count)
      succeeded(cp, p);
    else if (p->left <= 0)
      too_hard(cp, p);
    if (r != CP_LIMIT)
      return r;
  }
}
