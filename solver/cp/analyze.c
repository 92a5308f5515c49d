/* Conflict analysis: the first unique implication point over bound literals.
 *
 * The conflict is a set of true literals that cannot hold together.  Per side
 * only the strongest bound needed is kept (it implies the weaker ones), with
 * the trail entry that reached it.  Walking down the trail, entries of the
 * highest level are replaced by their reasons until one is left: the point
 * through which that level's decision causes the conflict.  The negation of
 * what remains is the learned clause.
 *
 * Dropping a weaker bound of a side that is needed more strongly stays sound
 * when the stronger one is replaced by its reason: the reason implies the
 * stronger bound and so the weaker one too.
 *
 * Source: Marques-Silva, Sakallah, "GRASP" (1999); Zhang et al., "Efficient
 * conflict driven learning in a Boolean satisfiability solver" (2001); bound
 * literals as in Feydy, Stuckey (2009).
 */
#include "solver/cp/internal.h"

int32_t analyze_entry(const struct cp *cp, struct cp_literal l) {
  const struct cp_head *h = &cp->head;
  if (h->root[l.side] >= l.bound)
    return -1;
  int32_t i = h->last[l.side], before;
  while ((before = h->trail[i].before) >= 0 &&
         h->trail[before].bound >= l.bound)
    i = before;
  return i;
}

/* Entry before which `l` holds, given that it holds before `at`. */
static int32_t entry_at(const struct cp *cp, struct cp_literal l, int32_t at) {
  const struct cp_head *h = &cp->head;
  int32_t i = h->last[l.side], before;
  while (i >= at)
    i = h->trail[i].before;
  assert(i >= 0 && h->trail[i].bound >= l.bound);
  while ((before = h->trail[i].before) >= 0 &&
         h->trail[before].bound >= l.bound)
    i = before;
  return i;
}

static void use_clause(struct cp *cp, struct clause *c) {
  if (!c->learned)
    return;
  c->used = c->glue <= (uint32_t)cp->options.tier2 ? 2 : 1;
  if (c->glue > (uint32_t)cp->options.tier1) {
    int32_t glue = analyze_glue(cp, c->literal, c->size);
    if (glue < (int32_t)c->glue)
      c->glue = (uint32_t)glue & 0xffffff;
  }
}

void analyze_explain(struct cp *cp, int32_t at, int32_t bound) {
  const struct cp_entry e = cp->head.trail[at];
  struct cp_literal l = {e.side, cp->options.lift ? bound : e.bound};
  uint32_t reference = e.reason >> 2;
  cp->because_size = 0;
  switch (reason_kind(e.reason)) {
  case REASON_NONE:
    assert(false);
    break;
  case REASON_CLAUSE: {
    const struct clause *c = clause_at(cp, reference);
    for (int32_t i = 0; i < c->size; i++)
      if (c->literal[i].side != e.side)
        cp_because(cp, cp_not(c->literal[i]));
    return; /* clauses are checked when learned */
  }
  case REASON_PROPAGATOR: {
    struct cp_propagator *p = cp->propagators[reference];
    cp->statistics.explanations++;
    p->class->explain(cp, p, l, e.data, at);
    break;
  }
  case REASON_EAGER:
    for (int32_t i = 1; i <= cp->eager[reference].bound; i++)
      cp_because(cp, cp->eager[reference + (uint32_t)i]);
    break;
  }
  if (cp->options.check)
    check_reason(cp, l, at);
}

int32_t analyze_glue(struct cp *cp, const struct cp_literal *l, int32_t size) {
  int64_t stamp = ++cp->seen_stamp;
  int32_t glue = 0;
  for (int32_t i = 0; i < size; i++) {
    struct cp_literal made = cp_not(l[i]);
    if (!cp_true(cp, made))
      continue; /* the literal that a reason propagated */
    int32_t at = analyze_entry(cp, made);
    if (at < 0)
      continue;
    int32_t level = cp->head.trail[at].level;
    if (cp->level_seen[level] != stamp) {
      cp->level_seen[level] = stamp;
      glue++;
    }
  }
  return glue;
}

/* Notes that `l` is needed; all must have been true before `at`. Returns how
 * many more entries from `start` on are now needed (0 or 1). */
static int32_t need(struct cp *cp, struct cp_literal l, int32_t at,
                    int32_t start) {
  if (cp->head.root[l.side] >= l.bound)
    return 0;
  struct need *n = &cp->need[l.side];
  if (n->entry >= 0 && n->bound >= l.bound)
    return 0;
  if (n->entry == NEED_NO) {
    CP_RESERVE(cp, cp->sides, cp->sides_size, cp->sides_capacity, 1);
    cp->sides[cp->sides_size++] = l.side;
  }
  bool counted = n->entry >= start;
  n->bound = l.bound;
  n->entry = entry_at(cp, l, at);
  return n->entry >= start && !counted;
}

/* The level of the conflict; 0 if it needs nothing above the root. */
static int32_t conflict_level(struct cp *cp) {
  int32_t level = 0;
  for (int32_t i = 0; i < cp->because_size; i++) {
    int32_t at = analyze_entry(cp, cp->because[i]);
    if (at >= 0 && cp->head.trail[at].level > level)
      level = cp->head.trail[at].level;
  }
  return level;
}

static void forget_needs(struct cp *cp) {
  for (int32_t i = 0; i < cp->sides_size; i++)
    cp->need[cp->sides[i]].entry = NEED_NO;
  cp->sides_size = 0;
}

/* Replaces entries down to the first unique implication point; its index. */
static int32_t find_point(struct cp *cp) {
  int32_t start = cp->levels[cp->head.level].trail;
  int32_t open = 0, i = cp->head.trail_size;
  for (int32_t k = 0; k < cp->because_size; k++)
    open += need(cp, cp->because[k], i, start);
  for (;;) {
    const struct cp_entry *e;
    do
      e = &cp->head.trail[--i];
    while (cp->need[e->side].entry != i);
    if (open == 1)
      return i;
    struct need *n = &cp->need[e->side];
    int32_t bound = n->bound;
    n->entry = NEED_RESOLVED;
    open--;
    if (reason_kind(e->reason) == REASON_CLAUSE)
      use_clause(cp, clause_at(cp, e->reason >> 2));
    analyze_explain(cp, i, bound);
    decide_weigh(cp, e->reason);
    if (cp->trace)
      trace_reason(cp, i, bound);
    for (int32_t k = 0; k < cp->because_size; k++)
      open += need(cp, cp->because[k], i, start);
  }
}

static void add_literal(struct cp *cp, int32_t side) {
  if (cp->clause_size == cp->clause_capacity) {
    int32_t n = cp->clause_capacity ? 2 * cp->clause_capacity : 64;
    cp->clause =
        memory_resize(cp->memory, cp->clause, (size_t)n, sizeof *cp->clause);
    cp->clause_entry = memory_resize(cp->memory, cp->clause_entry, (size_t)n,
                                     sizeof *cp->clause_entry);
    cp->clause_capacity = n;
  }
  cp->clause[cp->clause_size] =
      cp_not((struct cp_literal){side, cp->need[side].bound});
  cp->clause_entry[cp->clause_size++] = cp->need[side].entry;
}

bool analyze(struct cp *cp, int32_t *glue) {
  if (cp->options.check)
    check_conflict(cp);
  if (cp->fault[0])
    return false;
  int32_t level = conflict_level(cp);
  if (level == 0)
    return false;
  decide_weigh(
      cp, cp->conflict_propagator < 0
              ? reason(REASON_CLAUSE, 0)
              : reason(REASON_PROPAGATOR, (uint32_t)cp->conflict_propagator));
  trail_backjump(cp, level); /* conflicts may lie below the last decision */
  int32_t point = find_point(cp);
  int32_t side = cp->head.trail[point].side;
  cp->clause_size = 0;
  add_literal(cp, side);
  for (int32_t i = 0; i < cp->sides_size; i++) {
    decide_bump(cp, cp->sides[i] >> 1);
    if (cp->sides[i] != side && cp->need[cp->sides[i]].entry >= 0)
      add_literal(cp, cp->sides[i]);
  }
  if (cp->options.minimise)
    minimise(cp);
  for (int32_t i = 2; i < cp->clause_size; i++)
    if (cp->clause_entry[i] > cp->clause_entry[1]) {
      struct cp_literal l = cp->clause[i];
      int32_t at = cp->clause_entry[i];
      cp->clause[i] = cp->clause[1];
      cp->clause_entry[i] = cp->clause_entry[1];
      cp->clause[1] = l;
      cp->clause_entry[1] = at;
    }
  *glue = analyze_glue(cp, cp->clause, cp->clause_size);
  forget_needs(cp);
  if (cp->options.check)
    check_clause(cp);
  return true;
}

void analyze_core(struct cp *cp, struct cp_literal l) {
  cp->core_size = 0;
  CP_RESERVE(cp, cp->core, 0, cp->core_capacity, cp->assumed_count + 1);
  cp->core[cp->core_size++] = l;
  if (!cp->options.learn) { /* refuted decisions have no reasons */
    for (int32_t i = 0; i < cp->head.level && i < cp->assumed_count; i++)
      cp->core[cp->core_size++] = cp->assumed[i];
    return;
  }
  int32_t i = cp->head.trail_size;
  need(cp, cp_not(l), i, 0);
  while (--i >= 0) {
    const struct cp_entry e = cp->head.trail[i];
    struct need *n = &cp->need[e.side];
    if (n->entry != i)
      continue;
    int32_t bound = n->bound;
    n->entry = NEED_RESOLVED;
    if (reason_kind(e.reason) == REASON_NONE) {
      cp->core[cp->core_size++] = cp->assumed[e.level - 1];
      continue;
    }
    analyze_explain(cp, i, bound);
    for (int32_t k = 0; k < cp->because_size; k++)
      need(cp, cp->because[k], i, 0);
  }
  forget_needs(cp);
}
