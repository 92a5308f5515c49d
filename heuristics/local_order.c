/* Moves of first computes, in free order. */
#include "heuristics/local_state.h"

#include <string.h>

bool local_move_first(struct local *l) {
  struct sequence *s = l->s;
  const struct problem *p = l->p;
  int v = local_below(l, p->n), q = s->first[v], low = -1;
  if (v == p->sink)
    return false;
  for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++) {
    int slot = s->when[s->first[p->pred[e]]].slot;
    low = slot > low ? slot : low;
  }
  int slot = s->when[q].slot;
  int r = sequence_next_reader(s, v, slot);
  if (r < 0)
    r = s->tail;
  int high = s->when[r].slot;
  if (local_chance(l, 60)) {
    int reach = 3 + local_below(l, 80);
    low = low > slot - reach ? low : slot - reach;
    high = high < slot + reach ? high : slot + reach;
  }
  int place = local_step_from(s, low + 1 + local_below(l, high - low));
  if (place < 0 || place == q || place == s->at[q].next)
    return false;
  return sequence_insert(s, v, place) >= 0 && sequence_delete(s, q);
}

/* Steps of a group move, at most; longer ones were hardly ever accepted. */
enum { MOST_GROUP = 12 };

struct group {
  int count;
  int step[MOST_GROUP]; /* instances, by slot */
};

/* True if the instance is new to the group; *full if it has no place. */
static bool join_group(const struct sequence *s, struct group *g, int q,
                       bool *full) {
  int k = g->count;
  while (k > 0 && s->when[g->step[k - 1]].slot >= s->when[q].slot)
    k--;
  if (k < g->count && g->step[k] == q)
    return false;
  *full = g->count == MOST_GROUP;
  if (*full)
    return false;
  memmove(g->step + k + 1, g->step + k,
          (size_t)(g->count - k) * sizeof *g->step);
  g->step[k] = q;
  g->count++;
  return true;
}

/* The first computes that stand between q and the slot it is to move to and
 * that it needs there (to an earlier one), or that need it; false if many. */
static bool find_group(const struct local *l, struct group *g, int q,
                       int slot) {
  const struct sequence *s = l->s;
  const struct problem *p = l->p;
  bool early = slot < s->when[q].slot, full = false;
  const int *start = early ? p->pred_start : p->succ_start;
  const int *list = early ? p->pred : p->succ;
  int todo[MOST_GROUP], left = 0;
  g->count = 0;
  join_group(s, g, q, &full);
  todo[left++] = q;
  while (left && !full) {
    int v = s->at[todo[--left]].node;
    for (int e = start[v]; e < start[v + 1] && !full; e++) {
      int i = s->first[list[e]];
      bool between = early ? s->when[i].slot >= slot : s->when[i].slot < slot;
      if (between && join_group(s, g, i, &full))
        todo[left++] = i;
    }
  }
  return !full;
}

bool local_move_group(struct local *l) {
  struct sequence *s = l->s;
  int v = local_below(l, l->p->n), q = s->first[v];
  if (v == l->p->sink)
    return false;
  int reach = 4 + local_below(l, 160), slot = s->when[q].slot;
  int last = s->when[s->tail].slot;
  int target = local_chance(l, 50) ? slot - reach : slot + reach;
  int place = local_step_from(s, target < 0      ? 0
                                 : target > last ? last
                                                 : target);
  struct group g;
  if (place == q || !find_group(l, &g, q, s->when[place].slot))
    return false;
  for (int k = 0; k < g.count; k++)
    if (sequence_insert(s, s->at[g.step[k]].node, place) < 0)
      return false;
  for (int k = g.count - 1; k >= 0; k--)
    if (!sequence_delete(s, g.step[k]))
      return false;
  return true;
}
