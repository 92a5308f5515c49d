/* Reduction of the clause database, at the root.
 *
 * Learned clauses of small glue stay for ever (tier 1).  Others outlive one
 * reduction after each use in a conflict, those of middle glue (tier 2) two.
 * Of the rest the half with the larger glue goes, then size decides.  Clauses
 * that hold at the root go too.  Then the arena is packed and the watches are
 * made anew, so that slots and lists without watches disappear.
 */
#include "solver/cp/internal.h"
#include <stdlib.h>
#include <string.h>

struct candidate {
  uint32_t offset;
  int32_t glue, size;
};

static int worse_first(const void *a, const void *b) {
  const struct candidate *x = a, *y = b;
  if (x->glue != y->glue)
    return x->glue < y->glue ? 1 : -1;
  if (x->size != y->size)
    return x->size < y->size ? 1 : -1;
  return x->offset < y->offset ? -1 : x->offset > y->offset; /* old first */
}

/* Drops literals that are false at the root; true when the clause holds. */
static bool clause_settled(struct cp *cp, struct clause *c) {
  int32_t kept = 0;
  for (int32_t i = 0; i < c->size; i++) {
    if (cp_true(cp, c->literal[i]))
      return true;
    if (!cp_false(cp, c->literal[i]))
      c->literal[kept++] = c->literal[i];
  }
  assert(kept >= 2); /* the root is at its fixpoint */
  c->size = kept;
  if (c->learned && c->glue > (uint32_t)kept)
    c->glue = (uint32_t)kept & 0xffffff;
  return false;
}

static void mark(struct cp *cp) {
  struct candidate *list =
      MEMORY_ARRAY(cp->memory, struct candidate, cp->learned_count + 1);
  int32_t count = 0;
  for (int32_t i = 0; i < cp->learned_count; i++) {
    struct clause *c = clause_at(cp, cp->learned[i]);
    if (c->dead || (int)c->glue <= cp->options.tier1)
      continue;
    if (c->used) {
      c->used--;
      continue;
    }
    list[count++] =
        (struct candidate){cp->learned[i], (int32_t)c->glue, c->size};
  }
  qsort(list, (size_t)count, sizeof *list, worse_first);
  for (int32_t i = 0; i < count / 2; i++) {
    clause_at(cp, list[i].offset)->dead = 1;
    cp->statistics.forgotten++;
  }
  memory_put(cp->memory, list);
}

/* Copies the living clauses of a list to the new arena. */
static void pack(struct cp *cp, uint32_t *list, int32_t *count, uint32_t *to,
                 int32_t *to_size) {
  int32_t kept = 0;
  for (int32_t i = 0; i < *count; i++) {
    const struct clause *c = clause_at(cp, list[i]);
    if (c->dead)
      continue;
    int32_t words = (int32_t)CLAUSE_WORDS(c->size);
    memcpy(to + *to_size, c, (size_t)words * sizeof *to);
    list[kept++] = (uint32_t)*to_size;
    *to_size += words;
  }
  *count = kept;
}

static void clear_watches(struct cp *cp) {
  for (int32_t s = 0; s < 2 * cp->variables; s++)
    cp->watches[s].count = cp->watches[s].hint = 0;
  cp->pool_size = cp->lists_size = 0;
  cp->lists_free = -1;
  for (int k = 0; k < WATCH_ORDERS; k++)
    cp->pool_free[k] = -1;
}

static void settle(struct cp *cp, const uint32_t *list, int32_t count) {
  for (int32_t i = 0; i < count; i++) {
    struct clause *c = clause_at(cp, list[i]);
    if (!c->dead && clause_settled(cp, c))
      c->dead = 1;
  }
}

void reduce(struct cp *cp) {
  assert(cp->head.level == 0);
  cp->statistics.reductions++;
  int64_t n = cp->statistics.reductions + 1;
  cp->next_reduce = cp->statistics.conflicts + cp->options.reduce_interval * n;
  settle(cp, cp->given, cp->given_count);
  settle(cp, cp->learned, cp->learned_count);
  mark(cp);
  uint32_t *to = memory_get(cp->memory, (size_t)cp->arena_size + 1, sizeof *to);
  int32_t size = 0;
  pack(cp, cp->given, &cp->given_count, to, &size);
  pack(cp, cp->learned, &cp->learned_count, to, &size);
  memory_put(cp->memory, cp->arena);
  cp->arena_capacity = cp->arena_size + 1;
  cp->arena = to;
  cp->arena_size = size;
  clear_watches(cp);
  for (int32_t i = 0; i < cp->given_count; i++)
    clause_attach(cp, cp->given[i]);
  for (int32_t i = 0; i < cp->learned_count; i++)
    clause_attach(cp, cp->learned[i]);
  if (cp->trace)
    trace_note(cp, "reduced to %d learned clauses", (int)cp->learned_count);
}
