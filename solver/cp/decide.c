/* Decisions: which variable, which literal.
 *
 * Variables of tier 0 lie in a heap by score.  The two modes keep scores of
 * their own: the focused one forgets fast, the stable one slowly.
 *
 * Stable mode scores by activity: a variable is bumped when it takes part in a
 * conflict (variable state independent decaying sum).
 *
 * Focused mode scores by weighted degree: the sum of the weights of the
 * constraints on the variable.  A constraint, or learned clause, gains weight
 * when it fails or is asked for a reason in the analysis.  Constraints on very
 * many variables gain none: what is added to all of them orders none.
 *
 * Option `weighted_degree` chooses.  Conflicts, geometric means over runs that
 * end at 2000: 200 random graphs (tests/test_formulation_learning) 63.9 by
 * activity, 57.9 by weighted degree in focused mode, 57.9 in both.  41 budgets
 * of published and generated graphs, most with the bound's reduced costs, seed
 * 1, weights divided by the constraint's size: 294 (30 proven), 265 (31), 260
 * (33).  Weighing only the constraint that fails, as in the source: 71.5, 425.
 *
 * Higher tiers follow in order, with a cursor that backtracks.
 *
 * A variable is brought to its phase, the value of the best solution known (or
 * the caller's preference): first one bound, then the other.
 *
 * Source: Boussemart, Hemery, Lecoutre, Sais, "Boosting systematic search by
 * weighting constraints" (ECAI 2004).
 */
#include "solver/cp/internal.h"

/* Constraints that watch more sides than this weigh nothing. */
enum { WIDEST = 64 };

static bool above(const struct cp *cp, int32_t a, int32_t b) {
  double x = cp->activity[cp->mode][a], y = cp->activity[cp->mode][b];
  return x > y || (!(x < y) && a < b);
}

static void sift_up(struct cp *cp, int32_t i) {
  int32_t v = cp->heap[i];
  while (i > 0 && above(cp, v, cp->heap[(i - 1) / 2])) {
    cp->heap[i] = cp->heap[(i - 1) / 2];
    cp->heap_place[cp->heap[i]] = i;
    i = (i - 1) / 2;
  }
  cp->heap[i] = v;
  cp->heap_place[v] = i;
}

static void sift_down(struct cp *cp, int32_t i) {
  int32_t v = cp->heap[i];
  for (;;) {
    int32_t child = 2 * i + 1;
    if (child >= cp->heap_size)
      break;
    if (child + 1 < cp->heap_size &&
        above(cp, cp->heap[child + 1], cp->heap[child]))
      child++;
    if (!above(cp, cp->heap[child], v))
      break;
    cp->heap[i] = cp->heap[child];
    cp->heap_place[cp->heap[i]] = i;
    i = child;
  }
  cp->heap[i] = v;
  cp->heap_place[v] = i;
}

void decide_insert(struct cp *cp, int32_t v) {
  if (cp->tier[v] || cp->heap_place[v] >= 0)
    return;
  cp->heap[cp->heap_size] = v;
  sift_up(cp, cp->heap_size++);
}

void decide_new_variable(struct cp *cp, int32_t v) {
  cp->heap_place[v] = -1;
  /* a seed breaks the first ties its own way; seed 0: in order of creation */
  cp->activity[0][v] = cp->activity[1][v] =
      cp->options.seed ? 1e-3 * random_real(&cp->random) : 0;
  decide_insert(cp, v);
}

void decide_rebuild(struct cp *cp) {
  cp->heap_size = 0;
  for (int32_t v = 0; v < cp->variables; v++)
    cp->heap_place[v] = -1;
  for (int32_t v = 0; v < cp->variables; v++)
    decide_insert(cp, v);
}

static void add_activity(struct cp *cp, int32_t v, double amount) {
  double *a = cp->activity[cp->mode];
  if ((a[v] += amount) > 1e100) {
    for (int32_t i = 0; i < cp->variables; i++)
      a[i] *= 1e-100;
    cp->increment[cp->mode] *= 1e-100;
  }
  if (cp->heap_place[v] >= 0)
    sift_up(cp, cp->heap_place[v]);
}

static bool by_degree(const struct cp *cp) {
  return cp->options.weighted_degree & 1 << cp->mode;
}

void decide_bump(struct cp *cp, int32_t v) {
  if (!by_degree(cp))
    add_activity(cp, v, cp->increment[cp->mode]);
}

void decide_weigh(struct cp *cp, uint32_t r) {
  if (!by_degree(cp))
    return;
  double amount = cp->increment[cp->mode];
  if (reason_kind(r) == REASON_CLAUSE) {
    for (int32_t i = 0; i < cp->because_size; i++)
      add_activity(cp, cp->because[i].side >> 1, amount);
    return;
  }
  int32_t id = reason_kind(r) == REASON_EAGER ? cp->eager[r >> 2].side
                                              : (int32_t)(r >> 2);
  int32_t from = cp->scope_start[id], to = cp->scope_start[id + 1];
  if (to - from <= WIDEST)
    for (int32_t i = from; i < to; i++)
      add_activity(cp, cp->scope[i], amount);
}

void cp_bump(struct cp *cp, int variable, double weight) {
  for (int mode = 0; mode < 2; mode++)
    cp->activity[mode][variable] += weight * cp->increment[mode];
  if (cp->heap_place[variable] >= 0)
    sift_up(cp, cp->heap_place[variable]);
}

void decide_decay(struct cp *cp) {
  double kept = cp->mode ? cp->options.decay : cp->options.focused_decay;
  cp->increment[cp->mode] *= 100 / kept;
}

void decide_prepare(struct cp *cp) {
  if (!cp->rest_stale)
    return;
  cp->rest_count = 0;
  int32_t highest = 0;
  for (int32_t v = 0; v < cp->variables; v++)
    if (cp->tier[v] > highest)
      highest = cp->tier[v];
  for (int32_t t = 1; t <= highest; t++)
    for (int32_t v = 0; v < cp->variables; v++)
      if (cp->tier[v] == t)
        cp->rest[cp->rest_count++] = v;
  cp->rest_stale = false;
  cp->rest_next = (struct cp_int){0, 0};
}

/* The first step from the variable's domain towards its phase. */
static struct cp_literal towards_phase(const struct cp *cp, int32_t v) {
  int32_t low = cp_low(cp, v), high = cp_high(cp, v), phase = cp->phase[v];
  if (phase <= low)
    return cp_at_most(v, low);
  return phase >= high ? cp_at_least(v, high) : cp_at_least(v, phase);
}

bool decide(struct cp *cp, struct cp_literal *l) {
  if (cp->decide && cp->decide(cp, cp->decide_data, l)) {
    assert(!cp_true(cp, *l) && !cp_false(cp, *l));
    return true;
  }
  while (cp->heap_size) {
    int32_t v = cp->heap[0];
    if (cp_low(cp, v) < cp_high(cp, v)) {
      *l = towards_phase(cp, v);
      return true;
    }
    cp->heap_place[v] = -1;
    int32_t last = cp->heap[--cp->heap_size];
    if (cp->heap_size) {
      cp->heap[0] = last;
      sift_down(cp, 0);
    }
  }
  int64_t i = cp->rest_next.value;
  while (i < cp->rest_count &&
         cp_low(cp, cp->rest[i]) == cp_high(cp, cp->rest[i]))
    i++;
  cp_set(cp, &cp->rest_next, i);
  if (i == cp->rest_count)
    return false;
  *l = towards_phase(cp, cp->rest[i]);
  return true;
}
