/* Clauses: the arena, the watches, firing them.
 *
 * A clause waits on two of its literals.  Literal {s, b} becomes false when
 * the other side of its variable reaches 1-b, so its watch stands in the list
 * of slot 1-b of side s^1.  Slots exist only for bounds that are watched: they
 * appear with the first watch and go when `reduce` finds the list empty.  When
 * a side grows from `old` to `now`, the slots in (old, now] fire, found from a
 * hint, since the next growth of a side begins where the last one ended or,
 * after a backjump, a little before.
 */
#include "solver/cp/internal.h"
#include <string.h>

uint32_t clause_new(struct cp *cp, const struct cp_literal *l, int32_t size,
                    bool learned, int32_t glue) {
  int32_t words = (int32_t)CLAUSE_WORDS(size);
  CP_RESERVE(cp, cp->arena, cp->arena_size, cp->arena_capacity, words);
  uint32_t offset = (uint32_t)cp->arena_size;
  cp->arena_size += words;
  struct clause *c = clause_at(cp, offset);
  c->size = size;
  c->start = 2;
  c->glue = (uint32_t)glue & 0xffffff;
  c->learned = learned;
  c->dead = 0;
  c->used = glue <= cp->options.tier2 ? 2 : 1;
  memcpy(c->literal, l, (size_t)size * sizeof *l);
  if (learned) {
    CP_RESERVE(cp, cp->learned, cp->learned_count, cp->learned_capacity, 1);
    cp->learned[cp->learned_count++] = offset;
  } else {
    CP_RESERVE(cp, cp->given, cp->given_count, cp->given_capacity, 1);
    cp->given[cp->given_count++] = offset;
  }
  return offset;
}

/* ---- the pool of watch lists ----------------------------------------------
 */

static void list_grow(struct cp *cp, struct watch_list *list) {
  int32_t order = list->order < 0 ? 1 : list->order + 1, at;
  assert(order < WATCH_ORDERS);
  if (cp->pool_free[order] >= 0) {
    at = cp->pool_free[order];
    cp->pool_free[order] = cp->pool[at].blocker.side;
  } else {
    CP_RESERVE(cp, cp->pool, cp->pool_size, cp->pool_capacity, 1 << order);
    at = cp->pool_size;
    cp->pool_size += 1 << order;
  }
  memcpy(cp->pool + at, cp->pool + (list->order < 0 ? at : list->at),
         list->order < 0 ? 0 : (size_t)list->size * sizeof *cp->pool);
  if (list->order >= 0) {
    cp->pool[list->at].blocker.side = cp->pool_free[list->order];
    cp->pool_free[list->order] = list->at;
  }
  list->at = at;
  list->order = order;
}

static int32_t list_new(struct cp *cp) {
  int32_t id = cp->lists_free;
  if (id >= 0)
    cp->lists_free = cp->lists[id].at;
  else {
    CP_RESERVE(cp, cp->lists, cp->lists_size, cp->lists_capacity, 1);
    id = cp->lists_size++;
  }
  cp->lists[id] = (struct watch_list){0, 0, -1};
  return id;
}

/* Index of the first slot with a bound above `bound`. */
static int32_t slot_after(struct side_watches *w, int32_t bound) {
  int32_t i = w->hint;
  if (i > w->count)
    i = w->count;
  while (i > 0 && w->slot[i - 1].bound > bound)
    i--;
  while (i < w->count && w->slot[i].bound <= bound)
    i++;
  return i;
}

/* The list for `side` reaching `bound`, new if need be. */
static int32_t slot_list(struct cp *cp, int32_t side, int32_t bound) {
  struct side_watches *w = &cp->watches[side];
  int32_t low = 0, high = w->count;
  while (low < high) {
    int32_t middle = (low + high) / 2;
    if (w->slot[middle].bound < bound)
      low = middle + 1;
    else
      high = middle;
  }
  if (low < w->count && w->slot[low].bound == bound)
    return w->slot[low].list;
  CP_RESERVE(cp, w->slot, w->count, w->capacity, 1);
  memmove(w->slot + low + 1, w->slot + low,
          (size_t)(w->count - low) * sizeof *w->slot);
  w->count++;
  w->slot[low] = (struct slot){bound, list_new(cp)};
  return w->slot[low].list;
}

static void watch_add(struct cp *cp, struct cp_literal l, uint32_t clause,
                      struct cp_literal blocker) {
  int32_t id = slot_list(cp, l.side ^ 1, 1 - l.bound);
  struct watch_list *list = &cp->lists[id];
  if (list->order < 0 || list->size == 1 << list->order)
    list_grow(cp, list);
  cp->pool[list->at + list->size++] = (struct watch){clause, blocker};
}

void clause_attach(struct cp *cp, uint32_t offset) {
  const struct clause *c = clause_at(cp, offset);
  struct cp_literal a = c->literal[0], b = c->literal[1];
  uint32_t tagged = offset << 1 | (c->size == 2);
  watch_add(cp, a, tagged, b);
  watch_add(cp, b, tagged, a);
}

/* ---- propagation ----------------------------------------------------------
 */

static bool clause_conflict(struct cp *cp, uint32_t offset) {
  struct clause *c = clause_at(cp, offset);
  cp->because_size = 0;
  for (int32_t i = 0; i < c->size; i++)
    cp_because(cp, cp_not(c->literal[i]));
  c->used = 2;
  cp->conflict_propagator = -1;
  cp->conflict_rule = c->learned ? "learned clause" : "clause";
  return false;
}

static bool clause_assert(struct cp *cp, struct cp_literal l, uint32_t offset) {
  if (cp_false(cp, l))
    return clause_conflict(cp, offset);
  trail_append(cp, l, reason(REASON_CLAUSE, offset), 0);
  if (cp->trace)
    trace_entry(cp, cp->head.trail_size - 1);
  return true;
}

/* Looks for a literal that is not false to watch instead of `l`; the other
 * watched literal is then literal[0].  False if there is none. */
static bool watch_move(struct cp *cp, uint32_t offset, struct cp_literal l) {
  struct clause *c = clause_at(cp, offset);
  if (c->literal[0].side == l.side) {
    c->literal[0] = c->literal[1];
    c->literal[1] = l;
  }
  if (cp_true(cp, c->literal[0]))
    return false;
  /* Going on where the last search ended spares walking a long clause's false
   * beginning again and again (Gent, "Optimal implementation of watched
   * literals", 2013). */
  int32_t i = c->start;
  for (int32_t k = 2; k < c->size; k++, i++) {
    if (i >= c->size)
      i = 2;
    if (!cp_false(cp, c->literal[i])) {
      c->start = i;
      c->literal[1] = c->literal[i];
      c->literal[i] = l;
      watch_add(cp, c->literal[1], offset << 1, c->literal[0]);
      return true;
    }
  }
  return false;
}

/* Fires one list: `l` is the literal that all its watches wait on. */
static bool list_fire(struct cp *cp, int32_t id, struct cp_literal l) {
  int32_t kept = 0, i = 0, size = cp->lists[id].size;
  int32_t at = cp->lists[id].at; /* fixed: nothing is added to this list */
  bool ok = true;
  while (i < size && ok) {
    struct watch w = cp->pool[at + i++];
    uint32_t offset = w.clause >> 1;
    if (cp_true(cp, w.blocker)) {
      cp->pool[at + kept++] = w;
    } else if (w.clause & 1) {
      cp->pool[at + kept++] = w;
      ok = clause_assert(cp, w.blocker, offset);
    } else if (!watch_move(cp, offset, l)) {
      w.blocker = clause_at(cp, offset)->literal[0];
      cp->pool[at + kept++] = w;
      if (!cp_true(cp, w.blocker))
        ok = clause_assert(cp, w.blocker, offset);
    }
  }
  while (i < size)
    cp->pool[at + kept++] = cp->pool[at + i++];
  cp->lists[id].size = kept;
  return ok;
}

bool clause_fire(struct cp *cp, int32_t at) {
  struct cp_entry e = cp->head.trail[at];
  struct side_watches *w = &cp->watches[e.side];
  if (!w->count)
    return true;
  int32_t old =
      e.before < 0 ? cp->head.root[e.side] : cp->head.trail[e.before].bound;
  int32_t i = slot_after(w, old);
  bool ok = true;
  for (; i < w->count && w->slot[i].bound <= e.bound && ok; i++)
    ok = list_fire(cp, w->slot[i].list,
                   (struct cp_literal){e.side ^ 1, 1 - w->slot[i].bound});
  w->hint = i;
  return ok;
}

/* ---- posting ---------------------------------------------------------------
 */

bool cp_require(struct cp *cp, struct cp_literal l) {
  assert(cp->head.level == 0);
  if (cp->failed || cp_false(cp, l)) {
    cp->failed = true;
    return false;
  }
  if (!cp_true(cp, l))
    trail_append(cp, l, reason(REASON_NONE, 0), 0);
  return true;
}

bool cp_post_clause(struct cp *cp, const struct cp_literal *l, int count) {
  assert(cp->head.level == 0);
  if (cp->failed)
    return false;
  /* One literal a side (the weaker), none that is false at the root. */
  struct cp_literal *c = memory_get(cp->memory, (size_t)count + 1, sizeof *c);
  int32_t size = 0;
  bool holds = false;
  for (int i = 0; i < count && !holds; i++) {
    holds = cp_true(cp, l[i]);
    bool merged = cp_false(cp, l[i]);
    for (int32_t j = 0; j < size && !holds && !merged; j++) {
      if (c[j].side == l[i].side) {
        merged = true;
        if (l[i].bound < c[j].bound)
          c[j].bound = l[i].bound;
      }
    }
    if (!merged)
      c[size++] = l[i];
  }
  for (int32_t i = 0; i < size; i++) /* x >= b or x <= a with a >= b-1 */
    for (int32_t j = 0; j < i; j++)
      if (c[j].side == (c[i].side ^ 1) && (int64_t)c[j].bound + c[i].bound < 2)
        holds = true;
  bool ok = true;
  if (!holds && size == 0)
    ok = !(cp->failed = true);
  else if (!holds && size == 1)
    ok = cp_require(cp, c[0]);
  else if (!holds)
    clause_attach(cp, clause_new(cp, c, size, false, size));
  memory_put(cp->memory, c);
  return ok;
}
