/* Check levels 1 and 2: explanations tested while the solver runs.
 *
 * Level 1 holds each explanation, conflict and learned clause against a known
 * solution of the model (as long as its objective is still asked for), and all
 * learned clauses against each new solution: they were learned when at least
 * that much was asked for, so none may exclude it.  Level 2
 * derives each explanation again: from the root bounds plus the explanation's
 * literals, the constraint alone, by its naive form or by enumeration, must
 * imply the pushed literal.  Level 2 also asks, at each conflict, for the
 * reasons of all entries of the conflict's level, needed or not, in full and
 * weakened, as late as they may ever be asked.
 *
 * A large constraint's naive form may take seconds for one explanation, so the
 * stop hook is asked between its rounds; from then on nothing is derived.
 */
#include "solver/cp/internal.h"
#include <stdarg.h>
#include <string.h>

enum { MOST_ASSIGNMENTS = 20000, MOST_ROUNDS = 100000 };

void cp_fault_set(struct cp *cp, const char *format, ...) {
  if (cp->fault[0])
    return;
  va_list list;
  va_start(list, format);
  vsnprintf(cp->fault, sizeof cp->fault, format, list);
  va_end(list);
}

static int32_t known(const struct cp *cp, int32_t side) {
  int32_t x = cp->known[side >> 1];
  return side & 1 ? -x : x;
}

/* Whether the known solution is one of those still asked for. */
static bool known_counts(const struct cp *cp) {
  return cp->has_known && (!cp->has_objective ||
                           objective_of(cp, cp->known) <= cp->objective_most);
}

void cp_set_known(struct cp *cp, const int32_t *values) {
  cp->has_known = values != NULL;
  for (int32_t v = 0; values && v < cp->variables; v++)
    cp->known[v] = values[v];
}

static bool because_known(const struct cp *cp) {
  for (int32_t i = 0; i < cp->because_size; i++)
    if (known(cp, cp->because[i].side) < cp->because[i].bound)
      return false;
  return true;
}

/* ---- level 2: the constraint alone
 * ------------------------------------------- */

/* By enumeration of the watched variables within cp->check_bound: does every
 * assignment that satisfies the constraint satisfy `l` (NULL: none may)? */
static bool implied_by_enumeration(struct cp *cp, struct cp_propagator *p,
                                   const struct cp_literal *l) {
  int32_t scope[16], n = 0;
  int64_t assignments = 1;
  for (int32_t i = cp->scope_start[p->id]; i < cp->scope_start[p->id + 1];
       i++) {
    int32_t v = cp->scope[i], k = 0;
    while (k < n && scope[k] != v)
      k++;
    if (k < n)
      continue;
    if (n == 16)
      return true; /* too many to enumerate */
    scope[n++] = v;
    assignments *=
        -(int64_t)cp->check_bound[2 * v + 1] - cp->check_bound[2 * v] + 1;
    if (assignments > MOST_ASSIGNMENTS)
      return true;
    if (assignments <= 0)
      return true; /* the explanation contradicts the root by itself */
  }
  for (int32_t v = 0; v < cp->variables; v++)
    cp->scratch[v] = cp->check_bound[2 * v];
  for (int32_t k = 0; k < n;) {
    int32_t x = l ? cp->scratch[l->side >> 1] : 0;
    if ((!l || (l->side & 1 ? -x : x) < l->bound) &&
        p->class->check(cp, p, cp->scratch))
      return false;
    for (k = 0; k < n; k++) {
      int32_t v = scope[k];
      if (cp->scratch[v]++ < -cp->check_bound[2 * v + 1])
        break;
      cp->scratch[v] = cp->check_bound[2 * v];
    }
  }
  return true;
}

static bool implied_naively(struct cp *cp, struct cp_propagator *p,
                            const struct cp_literal *l) {
  int32_t *bound = cp->check_bound;
  if (l && bound[l->side ^ 1] < 1 - l->bound)
    bound[l->side ^ 1] = 1 - l->bound; /* refute: assume not l */
  for (int32_t s = 0; s < 2 * cp->variables; s++)
    if (bound[s] > -bound[s ^ 1])
      return true;
  for (int round = 0; round < MOST_ROUNDS && !search_stopped(cp); round++) {
    int64_t before = 0, after = 0;
    for (int32_t s = 0; s < 2 * cp->variables; s++)
      before += bound[s];
    if (!p->class->naive(cp, p, bound))
      return true;
    for (int32_t s = 0; s < 2 * cp->variables; s++) {
      after += bound[s];
      if (bound[s] > -bound[s ^ 1])
        return true;
    }
    if (before == after)
      return false;
  }
  return true;
}

static bool derived_again(struct cp *cp, struct cp_propagator *p,
                          const struct cp_literal *l) {
  size_t sides = 2 * (size_t)cp->variables;
  cp->check_bound = memory_resize(cp->memory, cp->check_bound, sides + 1,
                                  sizeof *cp->check_bound);
  memcpy(cp->check_bound, cp->head.root, sides * sizeof *cp->check_bound);
  for (int32_t i = 0; i < cp->because_size; i++)
    if (cp->check_bound[cp->because[i].side] < cp->because[i].bound)
      cp->check_bound[cp->because[i].side] = cp->because[i].bound;
  if (p->class->naive)
    return implied_naively(cp, p, l);
  return implied_by_enumeration(cp, p, l);
}

/* ---- what is tested
 * -------------------------------------------------------------- */

static void fault_at(struct cp *cp, const char *what, struct cp_propagator *p,
                     const struct cp_literal *l) {
  char text[400], literal[80] = "a conflict";
  size_t used = 0;
  text[0] = 0;
  if (l)
    cp_literal_text(cp, *l, literal, sizeof literal);
  for (int32_t i = 0; i < cp->because_size && used < 250; i++) {
    char one[80];
    cp_literal_text(cp, cp->because[i], one, sizeof one);
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                             i ? ", " : "", one);
  }
  cp_fault_set(cp, "%s #%d: %s because of %s: %s", p->class->name, (int)p->id,
               literal, text, what);
}

/* The explanation in `because` of l, pushed at trail position `at`; -1: now. */
void check_reason(struct cp *cp, struct cp_literal l, int32_t at) {
  struct cp_propagator *p;
  int32_t before = at < 0 ? cp->head.trail_size : at;
  if (at < 0)
    p = cp->pushing;
  else {
    uint32_t r = cp->head.trail[at].reason;
    int32_t id = reason_kind(r) == REASON_EAGER ? cp->eager[r >> 2].side
                                                : (int32_t)(r >> 2);
    p = cp->propagators[id];
  }
  cp->statistics.checks++;
  for (int32_t i = 0; i < cp->because_size; i++)
    if (!cp_true_at(cp, cp->because[i], before))
      fault_at(cp, "a literal was not true yet", p, &l);
  if (known_counts(cp) && because_known(cp) && known(cp, l.side) < l.bound)
    fault_at(cp, "the known solution contradicts", p, &l);
  if (cp->options.check > 1 && !derived_again(cp, p, &l))
    fault_at(cp, "does not follow", p, &l);
}

void check_conflict(struct cp *cp) {
  cp->statistics.checks++;
  struct cp_propagator *p = cp->conflict_propagator < 0
                                ? NULL
                                : cp->propagators[cp->conflict_propagator];
  for (int32_t i = 0; i < cp->because_size; i++)
    if (!cp_true(cp, cp->because[i]))
      cp_fault_set(cp, "conflict by %s #%d has a literal that is not true",
                   p ? p->class->name : "clause", p ? (int)p->id : -1);
  if (known_counts(cp) && because_known(cp))
    cp_fault_set(cp, "conflict by %s #%d contradicts the known solution",
                 p ? p->class->name : "clause", p ? (int)p->id : -1);
  if (p && cp->options.check > 1 && !derived_again(cp, p, NULL))
    fault_at(cp, "does not follow", p, NULL);
}

void check_clause(struct cp *cp) {
  if (!known_counts(cp))
    return;
  for (int32_t i = 0; i < cp->clause_size; i++)
    if (known(cp, cp->clause[i].side) >= cp->clause[i].bound)
      return;
  cp_fault_set(cp, "learned clause %lld contradicts the known solution",
               (long long)cp->statistics.learned);
}

void check_level(struct cp *cp) {
  const struct cp_head *h = &cp->head;
  int32_t from = h->level ? cp->levels[h->level].trail : 0;
  int32_t kept = cp->because_size;
  struct cp_literal *conflict =
      MEMORY_ARRAY(cp->memory, struct cp_literal, kept + 1);
  for (int32_t i = 0; i < kept; i++)
    conflict[i] = cp->because[i];
  for (int32_t i = from; i < h->trail_size && !cp->fault[0] && !cp->stopped;
       i++) {
    const struct cp_entry e = h->trail[i];
    if (reason_kind(e.reason) < REASON_PROPAGATOR)
      continue;
    int32_t old = e.before < 0 ? h->root[e.side] : h->trail[e.before].bound;
    analyze_explain(cp, i, e.bound);
    analyze_explain(cp, i, old + 1 + random_below(&cp->random, e.bound - old));
  }
  for (int32_t i = 0; i < kept; i++)
    cp->because[i] = conflict[i];
  cp->because_size = kept;
  memory_put(cp->memory, conflict);
}

/* ---- whole assignments
 * ------------------------------------------------------------ */

static bool clause_holds(const struct clause *c, const int32_t *values) {
  for (int32_t i = 0; i < c->size; i++) {
    int32_t x = values[c->literal[i].side >> 1];
    if ((c->literal[i].side & 1 ? -x : x) >= c->literal[i].bound)
      return true;
  }
  return false;
}

bool cp_satisfied(struct cp *cp, const int32_t *values, char *fault,
                  size_t size) {
  for (int32_t i = 0; i < cp->propagator_count; i++) {
    const struct cp_propagator *p = cp->propagators[i];
    if (!p->class->check(cp, p, values)) {
      if (fault)
        snprintf(fault, size, "%s #%d", p->class->name, (int)i);
      return false;
    }
  }
  for (int32_t i = 0; i < cp->given_count; i++)
    if (!clause_holds(clause_at(cp, cp->given[i]), values)) {
      if (fault)
        snprintf(fault, size, "clause %d", (int)i);
      return false;
    }
  for (int32_t v = 0; v < cp->variables; v++)
    if (values[v] < cp->head.root[2 * v] ||
        values[v] > -cp->head.root[2 * v + 1]) {
      if (fault)
        snprintf(fault, size, "bounds of %s", cp->name[v]);
      return false;
    }
  return true;
}

/* The solution was looked for under every objective bound that a learned clause
 * may rest on, so all of them hold for it. */
void check_learned(struct cp *cp) {
  for (int32_t i = 0; i < cp->learned_count; i++) {
    const struct clause *c = clause_at(cp, cp->learned[i]);
    cp->statistics.checks++;
    if (!c->dead && !clause_holds(c, cp->solution)) {
      cp_fault_set(cp, "a learned clause of %d literals excludes the solution",
                   (int)c->size);
      return;
    }
  }
}
