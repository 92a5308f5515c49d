/* How to write a propagator.
 *
 * A propagator is a struct whose first member is `struct cp_propagator`, plus
 * a table of functions shared by its kind:
 *
 *     struct cover { struct cp_propagator base; ... };
 *     static const struct cp_class cover_class = {.name = "cover", ...};
 *     bool cp_post_cover(struct cp *cp, ...) {
 *       struct cover *c = cp_get(cp, sizeof *c);   // zeroed, lives with cp
 *       ...
 *       return cp_add(cp, &cover_class, &c->base);
 *     }
 *
 * The rules that make learning sound:
 *
 * 1. A push says who did it and an int64 from which `explain` can find out why
 *    later.  `explain` is called only if a conflict needs it, long after; the
 *    bounds may have grown meanwhile and the propagator's own state changed.
 *    It must rest on what was true BEFORE trail position `at`: use
 *    cp_bound_at, never cp_bound, and no state that is newer.  Your own pushes
 *    of the same `propagate` count as earlier only if they were made earlier.
 * 2. `explain` gets the literal that is needed, which may be weaker than what
 *    was pushed (x >= 5 when x >= 8 was pushed); explain only that, by the
 *    weakest literals that suffice.
 * 3. Literals true at the root are dropped by the engine: mention them or not.
 * 4. `wake` is called exactly once, in trail order, for each bound change that
 *    survives to the fixpoint; incremental sums kept in `struct cp_int` are
 *    therefore exact when `propagate` runs, up to the propagator's own pushes
 *    of this very run (whose wakes come later).
 */
#ifndef MOCCASIN_CP_PROPAGATOR_H
#define MOCCASIN_CP_PROPAGATOR_H

#include "solver/cp/cp.h"

/* ---- current state (fast; layout of struct cp's public head) ------------- */

struct cp_head {
  int32_t *bound; /* by side: current bound */
  int32_t *last;  /* by side: its latest trail entry, -1: root bound */
  struct cp_entry *trail;
  int32_t *root; /* by side: bound at the root */
  int32_t trail_size;
  int32_t level;  /* number of decisions */
  uint64_t stamp; /* differs between any two levels ever opened */
};

struct cp_entry {
  int32_t side, bound; /* the side grew to `bound` here */
  int32_t before;      /* the side's previous entry, -1: root bound */
  uint32_t reason;     /* private to the engine */
  int64_t data;        /* the propagator's */
  int32_t level;       /* number of decisions then */
  int32_t unused;      /* 32 bytes: two entries a cache line */
};

static inline const struct cp_head *cp_head(const struct cp *cp) {
  return (const struct cp_head *)(const void *)cp;
}
static inline int32_t cp_bound(const struct cp *cp, int side) {
  return cp_head(cp)->bound[side];
}
static inline int32_t cp_low(const struct cp *cp, int variable) {
  return cp_head(cp)->bound[2 * variable];
}
static inline int32_t cp_high(const struct cp *cp, int variable) {
  return -cp_head(cp)->bound[2 * variable + 1];
}
static inline bool cp_true(const struct cp *cp, struct cp_literal l) {
  return cp_head(cp)->bound[l.side] >= l.bound;
}
static inline bool cp_false(const struct cp *cp, struct cp_literal l) {
  return cp_head(cp)->bound[l.side ^ 1] > -l.bound;
}

/* Bound of a side just before trail position `at` (0 .. trail_size). Walks
 * the side's entries back from the newest. */
static inline int32_t cp_bound_at(const struct cp *cp, int side, int32_t at) {
  const struct cp_head *h = cp_head(cp);
  int32_t i = h->last[side];
  if (i < at) /* the common case: nothing newer */
    return h->bound[side];
  do
    i = h->trail[i].before;
  while (i >= at);
  return i < 0 ? h->root[side] : h->trail[i].bound;
}
static inline bool cp_true_at(const struct cp *cp, struct cp_literal l,
                              int32_t at) {
  return cp_bound_at(cp, l.side, at) >= l.bound;
}

/* ---- views: index to value --------------------------------------------- */

/* A variable over indices seen as a variable over increasing values:
 *     value = table[x] + offset,   or x + offset where table is NULL.
 * `table` is strictly increasing over the variable's initial bounds, shared,
 * and owned by the caller (alive as long as the solver). Example: a start
 * that ranges over stages j, seen as event time j(j+1)/2 + v; the last index
 * means "absent" and has a value beyond every time. */
struct cp_view {
  int32_t variable, offset;
  const int32_t *table;
};

static inline int32_t cp_view_value(const struct cp_view *v, int32_t x) {
  return (v->table ? v->table[x] : x) + v->offset;
}
static inline int32_t cp_view_min(const struct cp *cp,
                                  const struct cp_view *v) {
  return cp_view_value(v, cp_low(cp, v->variable));
}
static inline int32_t cp_view_max(const struct cp *cp,
                                  const struct cp_view *v) {
  return cp_view_value(v, cp_high(cp, v->variable));
}
static inline int32_t cp_view_min_at(const struct cp *cp,
                                     const struct cp_view *v, int32_t at) {
  return cp_view_value(v, cp_bound_at(cp, 2 * v->variable, at));
}
static inline int32_t cp_view_max_at(const struct cp *cp,
                                     const struct cp_view *v, int32_t at) {
  return cp_view_value(v, -cp_bound_at(cp, 2 * v->variable + 1, at));
}

/* The literal "value >= t", weakest in indices; beyond the variable's root
 * bounds it is one that is true or false at the root. O(log of the domain). */
struct cp_literal cp_view_at_least(const struct cp *cp, const struct cp_view *v,
                                   int64_t t);
/* The literal "value <= t". */
struct cp_literal cp_view_at_most(const struct cp *cp, const struct cp_view *v,
                                  int64_t t);

/* ---- integers that backtrack --------------------------------------------- */

/* Zero-initialised. Read `value`; write by cp_set, which saves the old value
 * once a level. */
struct cp_int {
  int64_t value;
  uint64_t stamp;
};
void cp_save(struct cp *cp, struct cp_int *x); /* cp_set's slow half */
static inline void cp_set(struct cp *cp, struct cp_int *x, int64_t value) {
  if (x->stamp != cp_head(cp)->stamp)
    cp_save(cp, x);
  x->value = value;
}

/* Grows with each backjump (also a restart): state that is derived and not
 * trailed is stale if this differs from when it was made. */
int64_t cp_backjumps(const struct cp *cp);

/* ---- the class ------------------------------------------------------------
 */

/* Queues, served in this order, all bound changes and clauses before any. */
enum cp_priority {
  CP_PRIORITY_CHEAP,     /* O(1): chain, cover, precedence */
  CP_PRIORITY_LINEAR,    /* linear sums */
  CP_PRIORITY_TIMETABLE, /* profiles */
  CP_PRIORITY_COSTLY     /* overload, bounds from relaxations */
};
#define CP_PRIORITIES 4

struct cp_propagator {
  const struct cp_class *class;
  int32_t id;  /* set by cp_add */
  bool queued; /* private to the engine */
  bool off;    /* switched off: tested at full assignments only */
};

struct cp_class {
  const char *name;
  enum cp_priority priority;

  /* The option that switches the kind off, as offsetof(struct cp_options,
   * cover); 0: always on. An idle constraint is only tested once all its
   * variables are fixed, so the model stays complete. */
  size_t option;

  /* Called once, at the root: cp_watch every side whose growth matters, and
   * initialise incremental state from current bounds. `propagate` is queued
   * afterwards. The variables watched must be all that `check` reads. */
  void (*post)(struct cp *cp, struct cp_propagator *self);

  /* The watched side grew from `old` to `now`; `data` is that of cp_watch.
   * Returns whether `propagate` shall be queued. No pushes here. NULL: true. */
  bool (*wake)(struct cp *cp, struct cp_propagator *self, int32_t data,
               int32_t old, int32_t now);

  /* Pushes what follows; false on conflict (cp_push or cp_fail returned
   * false). Runs again on its own pushes only if a watched side grew. */
  bool (*propagate)(struct cp *cp, struct cp_propagator *self);

  /* Says why `l` held, by cp_because. See the rules above. */
  void (*explain)(struct cp *cp, struct cp_propagator *self,
                  struct cp_literal l, int64_t data, int32_t at);

  /* Whether the constraint holds at the values, by its definition, naively:
   * value[variable]. */
  bool (*check)(const struct cp *cp, const struct cp_propagator *self,
                const int32_t *value);

  /* For check level 2, and for tests as the reference: tightens bound[side]
   * (all sides of the solver, same convention as cp_bound) by the definition,
   * as naively as can be, at least as strongly as the explanations claim;
   * false on contradiction. Reads no incremental state. NULL: the engine
   * enumerates the assignments of the watched variables where that is small. */
  bool (*naive)(const struct cp *cp, const struct cp_propagator *self,
                int32_t *bound);

  /* The label of the rule behind a push with that data: "R1". May be NULL. */
  const char *(*rule)(const struct cp_propagator *self, int64_t data);

  /* The constraint in a readable line, without newline. */
  void (*print)(const struct cp *cp, const struct cp_propagator *self,
                FILE *out);
};

/* Memory that lives with the solver, zeroed. Root only, never in search. */
void *cp_get(struct cp *cp, size_t size);

/* Registers (root only), posts, queues. False if the model already failed. */
bool cp_add(struct cp *cp, const struct cp_class *class,
            struct cp_propagator *self);

/* In post: wake when `side` grows. */
void cp_watch(struct cp *cp, struct cp_propagator *self, int side,
              int32_t data);

/* ---- in propagate ------------------------------------------------------- */

/* Makes `l` true. True at once if it is already. False if `l` is false: then
 * the engine has noted the conflict (it asks `explain` for l) and propagate
 * must return false without further pushes. */
bool cp_push(struct cp *cp, struct cp_propagator *self, struct cp_literal l,
             int64_t data);

/* As cp_push, but with the reason given now: the conjunction of `count` true
 * literals implies `l`. For rare pushes whose reason is hard to rebuild. */
bool cp_push_because(struct cp *cp, struct cp_propagator *self,
                     struct cp_literal l, const struct cp_literal *because,
                     int count, int64_t data);

/* A conflict that is not a push: first cp_because every literal (all true now)
 * whose conjunction is impossible, then `return cp_fail(cp, self, data)`,
 * which is false. */
bool cp_fail(struct cp *cp, struct cp_propagator *self, int64_t data);

/* ---- in explain, and before cp_fail ---------------------------------------
 */

/* One more literal of the explanation. */
void cp_because(struct cp *cp, struct cp_literal l);

/* Whether the conflict's clause so far already holds this literal or a stronger
 * one of the side, or the root implies it: such literals are free, so prefer
 * them where there is a choice. */
bool cp_free_literal(const struct cp *cp, struct cp_literal l);

#endif
