/* A schedule that is cheap to change: the state of the local search.
 *
 * Steps are *instances* in a doubly linked list, each in a slot of a gapped
 * array, so that "earlier" is a comparison of slots and an insertion moves few
 * others (like linear probing).  Each instance knows its node, the previous
 * and next instance of that node, and the last instance that reads it.
 *
 *     slot        0   1   2   3   4   5   6   7
 *     instance    a0  .   b0  .   c0  a1  .   d0       '.' is an empty slot
 *     a0: end b0, next of its node a1;   a1: end d0;   b0: end d0
 *
 * Changes are transactions:
 *
 *     q = sequence_insert(s, v, before);     any number of inserts, deletes
 *     sequence_delete(s, other);
 *     change = sequence_change(s, most);     what it would cost
 *     sequence_commit(s) or sequence_rollback(s);
 *
 * An insertion or deletion of v costs O(degree of v x computes of one node),
 * plus the out-degrees of the inputs whose last reader it is; sequence_change
 * scans the profile where retention intervals change, block by block first: of
 * the moves that a search rejects, eight or nine in ten need no closer look.
 * Instance numbers stay valid until the instance is deleted and committed;
 * slots may change at any insertion.
 *
 * Sums: when all sizes together times the steps could leave int64 (beyond
 * some 2^61), all bytes are divided by a power of two and rounded up, the
 * budget down: what looks feasible then is, see sequence_exact.
 */
#ifndef MOCCASIN_SEQUENCE_H
#define MOCCASIN_SEQUENCE_H

#include "heuristics/profile.h"
#include "model/schedule.h"

enum instance_state { INSTANCE_SETTLED, INSTANCE_FRESH, INSTANCE_DEAD };

/* What most of the work reads, apart from the rest: it stays in the cache. */
struct instance_when {
  int slot;
  int earlier; /* previous instance of the same node, or -1 */
};

struct instance {
  int end; /* the last instance that reads it, itself if none does */
  int node;
  int prev;  /* previous step, or -1 */
  int next;  /* next step, or -1 */
  int later; /* next instance of the same node, or -1 */
  int stage; /* for staged sequences; kept by the caller */
  int state; /* enum instance_state */
};

struct sequence_range {
  int from, to; /* instances: all slots after `from`, up to and with `to` */
  int64_t delta;
};

/* The slot of an instance that is inserted or deleted. */
struct sequence_own {
  int instance;
  int64_t before; /* its value without the transaction's ranges... */
  int64_t value;  /* ...and with them, from sequence_change on */
};

/* From this slot up to the next event's: what the ranges change there. */
struct sequence_event {
  int slot;
  int64_t delta;
};

struct sequence_undo {
  int instance;
  int end; /* its former end; -1: it was inserted, -2: it was deleted */
};

struct sequence {
  struct memory *memory;
  const struct problem *p;
  int shift;      /* bytes are divided by 2^shift */
  int64_t budget; /* in divided bytes */
  int64_t *size, *workspace;
  struct profile profile;
  int *occupant;              /* slot -> instance, or -1 */
  struct instance *at;        /* by instance... */
  struct instance_when *when; /* ...and this part of it */
  int at_used, at_capacity;   /* entries handed out, allocated in both */
  int *spare;                 /* released instance numbers */
  int spare_count, spare_capacity;
  int *first, *last; /* per node: instances */
  int *count;        /* per node: instances */
  int *repeated;     /* nodes with more than one instance... */
  int *repeated_at;  /* ...and each node's place there, or -1 */
  int repeated_count;
  int head, tail; /* first and last step */
  int length;     /* steps */
  int64_t duration;
  int64_t surplus; /* computes above the nodes' limits */
  struct sequence_range *range;
  int ranges, range_capacity;
  struct sequence_own *own;
  int owns, own_capacity;
  struct sequence_event *event;
  int events, event_capacity;
  int64_t *jump;     /* scratch by slot, all zero: what changes from there on */
  uint64_t *touched; /* scratch, a bit a slot, all zero: has it a jump? */
  int jump_capacity; /* slots both have room for */
  struct sequence_undo *undo;
  int undos, undo_capacity;
};

/* An empty sequence; load before use.  Everything is taken from `m`. */
struct sequence *sequence_new(struct memory *m, const struct problem *p);
void sequence_free(struct sequence *s);

/* The sequence becomes these valid steps, the budget `budget` bytes.
 * O(slots + steps x degree). */
void sequence_load(struct sequence *s, const int *step, int length,
                   int64_t budget);
void sequence_set_budget(struct sequence *s, int64_t budget);

/* Writes the steps (s->length entries). */
void sequence_store(const struct sequence *s, int *step);

/* Is the profile exact to the byte, or rounded (see above)? */
static inline bool sequence_exact(const struct sequence *s) {
  return s->shift == 0;
}

/* Peak in bytes (rounded up if not exact).  O(blocks). */
int64_t sequence_peak(const struct sequence *s);

/* Excess over the budget, summed over the steps (divided bytes). */
static inline int64_t sequence_over(const struct sequence *s) {
  return s->profile.total;
}

static inline bool sequence_before(const struct sequence *s, int a, int b) {
  return s->when[a].slot < s->when[b].slot;
}

/* The last instance of v before slot, or -1. */
static inline int sequence_last_before(const struct sequence *s, int v,
                                       int slot) {
  int q = s->last[v];
  while (q >= 0 && s->when[q].slot >= slot)
    q = s->when[q].earlier;
  return q;
}

/* The first step after `slot` that reads v, or -1.  O(out-degree). */
int sequence_next_reader(const struct sequence *s, int v, int slot);

/* Staged sequences: sets every instance's stage, and finds the step ahead of
 * which a recompute of v belongs in a stage; -1 if it is there already. */
void sequence_label_stages(struct sequence *s);
int sequence_staged_place(const struct sequence *s, int stage, int v);

/* Puts a new instance of v right before instance `before` (-1: at the end).
 * Returns it, or -1 with nothing changed if some input of v has no instance
 * before that place. */
int sequence_insert(struct sequence *s, int v, int before);

/* Removes an instance; false with nothing changed if a reader would be left
 * without it, if it is the only one of its node, or not settled. */
bool sequence_delete(struct sequence *s, int q);

/* What the open transaction does to sequence_over, or, if that is more than
 * `most`, something between the two.  (Duration, length, counts and surplus are
 * up to date already.)  Last in a transaction; may be asked again. */
int64_t sequence_change(struct sequence *s, int64_t most);

/* Ends the transaction; commit needs sequence_change before it. */
void sequence_commit(struct sequence *s);
void sequence_rollback(struct sequence *s);

/* For sequence_change.c: an empty slot between the step `before` (-1: the
 * end) and the one ahead of it, made by shifting neighbours if need be. */
int sequence_make_slot(struct sequence *s, int before);

/* For sequence_change.c: the memory held between a slot's neighbours before
 * this transaction, minus the budget. */
int64_t sequence_held_at(const struct sequence *s, int slot);

#endif
