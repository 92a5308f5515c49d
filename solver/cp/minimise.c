/* Minimisation of the learned clause: a literal whose reason is implied by the
 * others goes.
 *
 * "Implied" for a needed literal {s, b} with entry i: it holds at the root, or
 * the clause itself needs a bound >= b of s whose entry is not later than i,
 * or all literals of its reason are implied in turn.  Walking only to earlier
 * entries keeps the argument free of circles.  Depth first with a stack of its
 * own; verdicts are remembered per entry for this conflict, and the number of
 * reasons asked is bounded, since asking propagators costs.
 *
 * Source: Sorensson, Biere, "Minimizing learned clauses" (SAT 2009).
 */
#include "solver/cp/internal.h"

enum { MOST_REASONS = 2000, DEEPEST = 100 };

static void remember(struct cp *cp, int32_t at, int32_t bound,
                     int32_t verdict) {
  if (!cp->memo[at].verdict) {
    CP_RESERVE(cp, cp->memoed, cp->memoed_size, cp->memoed_capacity, 1);
    cp->memoed[cp->memoed_size++] = at;
  }
  cp->memo[at] = (struct memo){bound, verdict};
}

/* 1 implied, -1 not, 0 its reason must be asked; *at is its entry. */
static int judge(struct cp *cp, struct cp_literal l, int32_t before,
                 int32_t *at, int64_t stamp) {
  const struct cp_head *h = &cp->head;
  if (h->root[l.side] >= l.bound)
    return 1;
  int32_t i = h->last[l.side], j;
  while (i >= before)
    i = h->trail[i].before;
  while ((j = h->trail[i].before) >= 0 && h->trail[j].bound >= l.bound)
    i = j;
  *at = i;
  const struct need *n = &cp->need[l.side];
  if (n->entry >= 0 && n->entry <= i && n->bound >= l.bound)
    return 1;
  const struct memo *m = &cp->memo[i];
  if (m->verdict > 0 && m->bound >= l.bound)
    return 1;
  if (m->verdict < 0 && m->bound <= l.bound)
    return -1;
  const struct cp_entry *e = &h->trail[i];
  if (reason_kind(e->reason) == REASON_NONE ||
      cp->level_seen[e->level] != stamp)
    return -1;
  return 0;
}

/* Asks the reason of entry `at` and opens a frame for its literals. */
static void open_frame(struct cp *cp, int32_t at, int32_t bound) {
  analyze_explain(cp, at, bound);
  int32_t begin = cp->frame_literals_size;
  CP_RESERVE(cp, cp->frame_literals, begin, cp->frame_literals_capacity,
             cp->because_size);
  for (int32_t i = 0; i < cp->because_size; i++)
    cp->frame_literals[cp->frame_literals_size++] = cp->because[i];
  CP_RESERVE(cp, cp->frames, cp->frames_size, cp->frames_capacity, 1);
  cp->frames[cp->frames_size++] = (struct frame){at, bound, begin, begin};
}

/* Whether the reason of entry `at` is implied by the clause. */
static bool implied(struct cp *cp, int32_t at, int32_t bound, int64_t stamp,
                    int32_t *asked) {
  cp->frames_size = cp->frame_literals_size = 0;
  open_frame(cp, at, bound);
  ++*asked;
  bool yes = true;
  while (cp->frames_size) {
    struct frame *f = &cp->frames[cp->frames_size - 1];
    if (!yes || f->next == cp->frame_literals_size) {
      /* This frame is decided, its literals are the last ones. */
      remember(cp, f->entry, f->bound, yes ? 1 : -1);
      cp->frame_literals_size = f->begin;
      cp->frames_size--;
      continue;
    }
    struct cp_literal l = cp->frame_literals[f->next++];
    int32_t i = -1;
    int verdict = judge(cp, l, f->entry, &i, stamp);
    if (verdict < 0)
      yes = false;
    else if (verdict == 0) {
      if (*asked >= MOST_REASONS || cp->frames_size >= DEEPEST)
        yes = false;
      else {
        ++*asked;
        open_frame(cp, i, l.bound);
      }
    }
  }
  return yes;
}

void minimise(struct cp *cp) {
  int64_t stamp = ++cp->seen_stamp;
  for (int32_t i = 0; i < cp->clause_size; i++)
    cp->level_seen[cp->head.trail[cp->clause_entry[i]].level] = stamp;
  int32_t kept = 1, asked = 0;
  for (int32_t i = 1; i < cp->clause_size; i++) {
    int32_t at = cp->clause_entry[i];
    struct cp_literal l = cp->clause[i];
    bool gone = reason_kind(cp->head.trail[at].reason) != REASON_NONE &&
                asked < MOST_REASONS &&
                implied(cp, at, cp_not(l).bound, stamp, &asked);
    if (gone) {
      cp->statistics.minimised++;
      continue;
    }
    cp->clause[kept] = l;
    cp->clause_entry[kept++] = at;
  }
  cp->clause_size = kept;
  for (int32_t i = 0; i < cp->memoed_size; i++)
    cp->memo[cp->memoed[i]].verdict = 0;
  cp->memoed_size = 0;
}
