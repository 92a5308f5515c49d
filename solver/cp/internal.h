/* The solver's inside, shared by the files of this folder only.
 *
 * Life of a conflict, file by file:
 *   trail.c      bounds grow, each growth an entry with its reason
 *   propagate.c  entries fire clause watches, wake propagators, queues run
 *   analyze.c    the first unique implication point gives a clause
 *   minimise.c   its implied literals go
 *   clause.c     it is stored and watched
 *   search.c     backjump, assert, decide on (decide.c), restart, reduce.c
 */
#ifndef MOCCASIN_CP_INTERNAL_H
#define MOCCASIN_CP_INTERNAL_H

#include "solver/base/random.h"
#include "solver/cp/cp.h"
#include "solver/cp/propagator.h"
#include <assert.h>

/* ---- reasons: two bits of kind, thirty of reference ---------------------- */

enum reason_kind {
  REASON_NONE,       /* decision, or root fact */
  REASON_CLAUSE,     /* reference: offset in the clause arena */
  REASON_PROPAGATOR, /* reference: propagator's id; explained on demand */
  REASON_EAGER       /* reference: offset in the stack of eager reasons */
};
static inline uint32_t reason(enum reason_kind kind, uint32_t reference) {
  return reference << 2 | (uint32_t)kind;
}
static inline enum reason_kind reason_kind(uint32_t r) {
  return (enum reason_kind)(r & 3);
}

/* ---- clauses --------------------------------------------------------------
 */

/* A clause in the arena, which is an array of 32-bit words.  The first two
 * literals are watched.  At most one literal a side. */
struct clause {
  int32_t size;
  int32_t start;      /* where the last search for a watch ended */
  uint32_t glue : 24; /* decision levels when learned, or less since */
  uint32_t learned : 1;
  uint32_t dead : 1;
  uint32_t used : 2; /* reductions it survives for having been used */
  struct cp_literal literal[];
};
#define CLAUSE_WORDS(size) (3 + 2 * (uint32_t)(size))

/* A watch waits in the list of the literal that makes its own false. */
struct watch {
  uint32_t clause;           /* offset << 1 | binary */
  struct cp_literal blocker; /* some other literal: if true, nothing to do */
};

/* Lists live in one pool, in blocks of 2^order watches; blocks given up wait in
 * a free list of their order.  Hence no allocation while propagating but for
 * the pool's own doubling. */
struct watch_list {
  int32_t at; /* first watch in the pool */
  int32_t size;
  int32_t order; /* -1: no block */
};

/* The watched bounds of one side, increasing.  `hint` is where the search for
 * the last bound fired ended: the next one is near. */
struct slot {
  int32_t bound, list;
};
struct side_watches {
  struct slot *slot;
  int32_t count, capacity, hint;
};

#define WATCH_ORDERS 31

/* ---- the rest -------------------------------------------------------------
 */

struct wakeup {
  int32_t propagator, data;
};
struct wakeups {
  struct wakeup *list;
  int32_t count, capacity;
};

struct level {
  int32_t trail, saves, eager; /* sizes when it was opened */
  uint64_t stamp;
};

struct saved {
  struct cp_int *place;
  struct cp_int old;
};

/* Per side during analysis: the strongest bound needed so far and the entry
 * that reached it; entry NEED_NO: not listed, NEED_RESOLVED: listed, but no
 * longer needed. */
struct need {
  int32_t bound, entry;
};
enum { NEED_NO = -1, NEED_RESOLVED = -2 };

/* What minimisation found out about a trail entry in this conflict. */
struct memo {
  int32_t bound;   /* for the literal with this bound */
  int32_t verdict; /* 1 implied by the clause, -1 not, 0 not asked */
};

struct queue {
  int32_t *ring;
  int32_t first, count;
};

/* Header of the blocks that cp_get hands out. */
struct block {
  struct block *next;
  int64_t unused; /* two words: what follows is aligned like malloc's */
};

struct frame {
  int32_t entry, bound, begin, next;
};

struct averages {
  double fast, slow, fast_weight, slow_weight;
};

struct cp {
  struct cp_head head; /* must be first: see propagator.h */
  struct memory *memory;
  struct cp_options options;
  struct cp_statistics statistics;
  struct random random;
  struct block *blocks;

  /* variables and sides */
  int32_t variables, variable_capacity;
  char **name;
  int32_t *tier;
  int32_t *phase;    /* value tried first */
  int32_t *solution; /* last solution */
  int32_t *known;    /* for check level 1 */
  int32_t *scratch;  /* a full assignment under test */
  bool has_solution, has_known;
  struct wakeups *wakeups;      /* by side */
  struct side_watches *watches; /* by side */
  struct need *need;            /* by side */

  /* trail */
  int32_t trail_capacity, done; /* entries before `done` have been fired */
  struct memo *memo;            /* by trail position */
  struct level *levels;         /* levels[0] is the root */
  int32_t level_capacity;
  struct saved *saves;
  int32_t saves_size, saves_capacity;
  struct cp_literal *eager;
  int32_t eager_size, eager_capacity;
  uint64_t stamps;
  int64_t backjumps;
  bool failed; /* the model has no solution */

  /* clauses */
  uint32_t *arena;
  int32_t arena_size, arena_capacity;
  uint32_t *learned; /* offsets of learned clauses, oldest first */
  int32_t learned_count, learned_capacity;
  uint32_t *given;
  int32_t given_count, given_capacity;
  struct watch *pool;
  int32_t pool_size, pool_capacity;
  int32_t pool_free[WATCH_ORDERS];
  struct watch_list *lists;
  int32_t lists_size, lists_capacity;
  int32_t lists_free; /* chain through `at` */

  /* propagators */
  struct cp_propagator **propagators;
  int32_t propagator_count, propagator_capacity, queue_capacity;
  struct queue queues[CP_PRIORITIES];
  /* The variables that propagator p watches, some more than once:
   * scope[scope_start[p]] .. scope[scope_start[p + 1] - 1]. */
  int32_t *scope, scope_size, scope_capacity;
  int32_t *scope_start, scope_start_capacity;

  /* explanation being collected, conflict */
  struct cp_literal *because;
  int32_t because_size, because_capacity;
  const char *conflict_rule; /* for the trace */
  int32_t conflict_propagator;
  struct cp_propagator *pushing; /* whose push just failed */

  /* analysis */
  int32_t *sides; /* sides with need.entry != NEED_NO */
  int32_t sides_size, sides_capacity;
  struct cp_literal *clause; /* the learned clause */
  int32_t *clause_entry;     /* entry of each literal's negation */
  int32_t clause_size, clause_capacity;
  struct frame *frames;
  int32_t frames_size, frames_capacity;
  struct cp_literal *frame_literals;
  int32_t frame_literals_size, frame_literals_capacity;
  int32_t *memoed;
  int32_t memoed_size, memoed_capacity;
  int64_t *level_seen; /* by level: the last glue count that met it */
  int64_t seen_stamp;

  /* decisions */
  double *activity[2]; /* by mode, by variable */
  double increment[2];
  int32_t *heap, *heap_place;
  int32_t heap_size;
  int32_t *rest; /* variables of tiers above 0, by tier and number */
  int32_t rest_count;
  struct cp_int rest_next;
  bool rest_stale;
  cp_decide *decide;
  void *decide_data;

  /* search */
  int mode; /* 0 focused, 1 stable */
  struct averages averages;
  int64_t next_mode, mode_length, next_reduce, next_luby, luby;
  int64_t last_restart, reduce_count;
  const struct cp_limits *limits; /* of the search under way; may be NULL */
  bool stopped;                   /* their hook has said so */
  const struct cp_literal *assumed;
  int32_t assumed_count;
  struct cp_literal *core;
  int32_t core_size, core_capacity;

  /* objective */
  bool has_objective;
  int objective_variable;
  int64_t objective_base, objective_unit, objective_most, objective_value;
  struct cp_term *objective_terms;
  int32_t objective_count;
  struct cp_propagator *objective_exact; /* NULL when steps are units */

  FILE *trace;
  int32_t *check_bound; /* by side: scratch of check.c */
  char fault[400];      /* what a check found; empty: nothing */
};

/* Room for `need` more elements. */
#define CP_RESERVE(cp, array, used, capacity, more)                            \
  do {                                                                         \
    if ((used) + (more) > (capacity)) {                                        \
      while ((used) + (more) > (capacity))                                     \
        (capacity) = (capacity) ? 2 * (capacity) : 16;                         \
      (array) = memory_resize((cp)->memory, (array), (size_t)(capacity),       \
                              sizeof *(array));                                \
    }                                                                          \
  } while (0)

static inline struct clause *clause_at(const struct cp *cp, uint32_t offset) {
  return (struct clause *)(void *)(cp->arena + offset);
}

/* trail.c */
void trail_grow(struct cp *cp);
void trail_open_level(struct cp *cp);
void trail_backjump(struct cp *cp, int32_t level);
void trail_settle_root(struct cp *cp);
/* Appends without any test. */
static inline void trail_append(struct cp *cp, struct cp_literal l, uint32_t r,
                                int64_t data) {
  struct cp_head *h = &cp->head;
  if (h->trail_size == cp->trail_capacity)
    trail_grow(cp);
  h->trail[h->trail_size] =
      (struct cp_entry){l.side, l.bound, h->last[l.side], r, data, h->level, 0};
  h->last[l.side] = h->trail_size++;
  h->bound[l.side] = l.bound;
}

/* clause.c */
uint32_t clause_new(struct cp *cp, const struct cp_literal *l, int32_t size,
                    bool learned, int32_t glue);
void clause_attach(struct cp *cp, uint32_t offset);
/* Fires the watches for the growth of trail entry `at`; false on conflict. */
bool clause_fire(struct cp *cp, int32_t at);

/* propagate.c */
bool propagate(struct cp *cp);
void propagate_enqueue(struct cp *cp, struct cp_propagator *p);
/* Asks the constraints that are switched off, at a full assignment. */
bool propagate_idle(struct cp *cp);

/* analyze.c */
/* The reason of entry `at`, as needed for `bound`, into `because`. */
void analyze_explain(struct cp *cp, int32_t at, int32_t bound);
/* From the conflict in `because`: the learned clause in `clause`, asserting
 * literal first, the highest of the others second.  False: a root conflict. */
bool analyze(struct cp *cp, int32_t *glue);
/* The assumptions that make `l` false, with l, into `core`. */
void analyze_core(struct cp *cp, struct cp_literal l);
int32_t analyze_glue(struct cp *cp, const struct cp_literal *l, int32_t size);
/* The entry at which a true literal became true; -1: at the root. */
int32_t analyze_entry(const struct cp *cp, struct cp_literal l);

/* minimise.c */
void minimise(struct cp *cp);

/* reduce.c (at the root) */
void reduce(struct cp *cp);

/* decide.c */
void decide_new_variable(struct cp *cp, int32_t v);
void decide_bump(struct cp *cp, int32_t v);
/* Weighted degree: constraint `reason` took part in a conflict, with the
 * literals in `because`. */
void decide_weigh(struct cp *cp, uint32_t reason);
void decide_decay(struct cp *cp);
void decide_rebuild(struct cp *cp);
void decide_insert(struct cp *cp, int32_t v);
/* At the root, before a search: puts the higher tiers in order. */
void decide_prepare(struct cp *cp);
/* The next decision; false when all variables are fixed. */
bool decide(struct cp *cp, struct cp_literal *l);

/* search.c */
/* Asks the caller's stop hook; once it has said stop, it stays so. */
bool search_stopped(struct cp *cp);

/* objective.c */
bool objective_solution(struct cp *cp);
int64_t objective_of(const struct cp *cp, const int32_t *value);

/* linear.c */
struct cp_propagator *linear_new(struct cp *cp, const struct cp_term *t,
                                 int count, int64_t most, bool always);
/* Lowers `most` by so much. */
void linear_tighten(struct cp *cp, struct cp_propagator *p, int64_t by);

/* check.c */
void check_reason(struct cp *cp, struct cp_literal l, int32_t at);
void check_conflict(struct cp *cp);
void check_clause(struct cp *cp);
void check_level(struct cp *cp);
void check_learned(struct cp *cp);
void cp_fault_set(struct cp *cp, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* trace.c; each does nothing but test when there is no trace */
void trace_entry(struct cp *cp, int32_t at);
void trace_reason(struct cp *cp, int32_t at, int32_t bound);
void trace_conflict(struct cp *cp);
void trace_learned(struct cp *cp, int32_t glue, int32_t level);
void trace_note(struct cp *cp, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
