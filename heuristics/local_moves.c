#include "heuristics/local_state.h"

static bool is_first(const struct sequence *s, int q) {
  return s->when[q].earlier < 0;
}

/* May one more compute of v be accepted? */
static bool affordable(const struct local *l, int v) {
  return l->s->count[v] >= l->p->limit[v] || /* another may go for it */
         l->s->duration + l->p->duration[v] <= l->most_duration;
}

static bool allowed(const struct local *l, int v) {
  return l->p->limit[v] > 1;
}

/* Inserts v ahead of step `before`, or in input order in that step's stage.
 * Unless the penalty for it is bearable, a node at its limit gives up another
 * of its recomputes. */
static int insert_at(struct local *l, int v, int before) {
  struct sequence *s = l->s;
  if (!affordable(l, v))
    return -1;
  int stage = s->at[before].stage;
  if (!l->p->free_order) {
    if (v >= stage)
      return -1;
    before = sequence_staged_place(s, stage, v);
    if (before < 0)
      return -1;
  }
  if (s->count[v] >= l->p->limit[v]) {
    if (l->p->limit[v] == 1)
      return -1;
    if (s->count[v] > l->p->limit[v] || local_chance(l, 70)) {
      int victim = s->last[v];
      for (int skip = local_below(l, s->count[v] - 1); skip > 0; skip--)
        victim = s->when[victim].earlier;
      if (victim == before)
        before = s->at[victim].next;
      if (before < 0 || !sequence_delete(s, victim))
        return -1;
    }
  }
  int q = sequence_insert(s, v, before);
  if (q >= 0)
    s->at[q].stage = stage;
  return q;
}

/* A random step in slots low+1 .. high, where `high` is occupied. */
static int random_step(struct local *l, int low, int high) {
  return local_step_from(l->s, low + 1 + local_below(l, high - low));
}

/* Removes recomputes that nobody reads, starting with the inputs of v. */
static void delete_unread_inputs(struct local *l, int v, int slot) {
  struct sequence *s = l->s;
  const struct problem *p = l->p;
  int *todo = l->list, count = 0;
  for (;;) {
    for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++) {
      int u = sequence_last_before(s, p->pred[e], slot);
      if (u >= 0 && !is_first(s, u) && s->at[u].end == u &&
          s->at[u].state == INSTANCE_SETTLED && count < p->n &&
          sequence_delete(s, u))
        todo[count++] = u;
    }
    if (!count)
      return;
    int q = todo[--count];
    v = s->at[q].node;
    slot = s->when[q].slot;
  }
}

static bool delete_with_inputs(struct local *l, int q) {
  struct sequence *s = l->s;
  if (!sequence_delete(s, q))
    return false;
  delete_unread_inputs(l, s->at[q].node, s->when[q].slot);
  return true;
}

/* A recompute of v for reader r: right ahead of it, or anywhere since v was
 * last used. */
static int insert_for(struct local *l, int v, int r) {
  struct sequence *s = l->s;
  int place = r;
  if (local_chance(l, 35)) {
    int i = sequence_last_before(s, v, s->when[r].slot);
    if (i < 0)
      return -1;
    place = random_step(l, s->when[i].slot, s->when[r].slot);
  }
  return insert_at(l, v, place);
}

/* Something that is held across a step over the budget (when none is, across
 * any step), and who reads it next. */
static bool held_over(struct local *l, int *v, int *r) {
  struct sequence *s = l->s;
  int64_t total = s->profile.total;
  int slot =
      total ? profile_find_over(&s->profile, (int64_t)(random_real(&l->random) *
                                                       (double)total))
            : local_below(l, s->profile.slots);
  for (int tries = 0; tries < 16; tries++) {
    int u = local_below(l, l->p->n);
    if (!allowed(l, u) || !affordable(l, u))
      continue;
    int i = sequence_last_before(s, u, slot);
    if (i < 0 || s->when[s->at[i].end].slot <= slot)
      continue;
    *v = u;
    *r = sequence_next_reader(s, u, slot);
    return true;
  }
  return false;
}

static bool fill(struct local *l) {
  int v, r;
  return held_over(l, &v, &r) && insert_for(l, v, r) >= 0;
}

/* A random input of a random step again. */
static bool insert(struct local *l) {
  struct sequence *s = l->s;
  const struct problem *p = l->p;
  int edges = p->pred_start[p->n];
  if (!edges)
    return false;
  int v = p->pred[local_below(l, edges)];
  if (!allowed(l, v) || !affordable(l, v))
    return false;
  int x = p->succ[p->succ_start[v] +
                  local_below(l, p->succ_start[v + 1] - p->succ_start[v])];
  int r = s->last[x];
  for (int skip = local_below(l, s->count[x]); skip > 0; skip--)
    r = s->when[r].earlier;
  return insert_for(l, v, r) >= 0;
}

/* A recompute of v right ahead of reader r, with those chosen for it. */
static bool chosen_chain(struct local *l, int v, int r) {
  struct sequence *s = l->s;
  int stage = s->at[r].stage, before = r;
  if (!l->p->free_order)
    before = v < stage ? sequence_staged_place(s, stage, v) : -1;
  if (before < 0)
    return false;
  int made = local_choose_chain(l, v, s->when[before].slot), q = -1;
  for (int k = 0; k < made; k++) {
    q = insert_at(l, l->list[k], before);
    if (q >= 0)
      before = s->at[q].next;
    else if (s->at[before].state == INSTANCE_DEAD)
      return false; /* given up for one that could not be inserted */
  }
  return q >= 0; /* the last is v */
}

/* Recomputes of a chain that is drawn, at most. */
enum { MOST_DRAWN = 30 };

/* A recompute of v for reader r; its inputs follow it, each with 60 percent,
 * where they are held for it only. */
static bool drawn_chain(struct local *l, int v, int r) {
  struct sequence *s = l->s;
  const struct problem *p = l->p;
  int q = insert_for(l, v, r);
  if (q < 0)
    return false;
  int *todo = l->list, count = 0, made = 1;
  for (;;) {
    v = s->at[q].node;
    for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++) {
      int u = p->pred[e], i = sequence_last_before(s, u, s->when[q].slot);
      if (s->at[i].end != q || s->at[i].state == INSTANCE_FRESH ||
          !allowed(l, u) || made >= MOST_DRAWN || count >= p->n ||
          !local_chance(l, 60))
        continue;
      int extra = insert_at(l, u, q);
      if (extra >= 0) {
        todo[count++] = extra;
        made++;
      }
    }
    if (!count)
      return true;
    q = todo[--count];
  }
}

/* When memory is all that counts, long chains pay, if they are well chosen. */
static bool chain(struct local *l) {
  int v, r;
  if (!held_over(l, &v, &r))
    return false;
  return l->memory_first ? chosen_chain(l, v, r) : drawn_chain(l, v, r);
}

/* A random recompute, or -1. */
static int random_recompute(struct local *l) {
  struct sequence *s = l->s;
  if (!s->repeated_count)
    return -1;
  int v = s->repeated[local_below(l, s->repeated_count)];
  int q = s->last[v];
  for (int skip = local_below(l, s->count[v] - 1); skip > 0; skip--)
    q = s->when[q].earlier;
  return q;
}

static bool delete_one(struct local *l) {
  int q = random_recompute(l);
  return q >= 0 && delete_with_inputs(l, q);
}

static bool shift(struct local *l) {
  struct sequence *s = l->s;
  int q = random_recompute(l);
  if (q < 0)
    return false;
  int v = s->at[q].node, slot = s->when[q].slot;
  int low = s->when[s->when[q].earlier].slot, high = s->when[s->at[q].end].slot;
  if (local_chance(l, 50)) {
    int reach = 4 + local_below(l, 60);
    low = low > slot - reach ? low : slot - reach;
    high = high < slot + reach ? high : slot + reach;
  }
  while (high > slot && s->occupant[high] < 0)
    high--;
  int place = random_step(l, low, high);
  if (place == q || !sequence_delete(s, q))
    return false;
  int moved = insert_at(l, v, place);
  if (moved < 0)
    return false;
  delete_unread_inputs(l, v, slot);
  return true;
}

static bool swap(struct local *l) {
  struct sequence *s = l->s;
  const struct problem *p = l->p;
  int q = random_recompute(l);
  if (q < 0)
    return false;
  int v = s->at[q].node, slot = s->when[q].slot;
  int inputs = p->pred_start[v + 1] - p->pred_start[v];
  int outputs = p->succ_start[v + 1] - p->succ_start[v];
  int pick = local_below(l, inputs + outputs);
  int u = pick < inputs ? p->pred[p->pred_start[v] + pick]
                        : p->succ[p->succ_start[v] + pick - inputs];
  if (!allowed(l, u))
    return false;
  int next = s->at[q].next;
  if (!delete_with_inputs(l, q))
    return false;
  int i = sequence_last_before(s, u, slot);
  int r = i < 0 ? -1 : sequence_next_reader(s, u, slot);
  if (i < 0 || (r < 0 && next < 0))
    return false;
  if (r < 0 || local_chance(l, 30))
    r = next;
  return r >= 0 && s->at[r].state == INSTANCE_SETTLED &&
         insert_at(l, u, r) >= 0;
}

enum move local_draw(struct local *l) {
  const struct move_mix *mix = &l->mix[l->memory_first];
  int pick = random_below(&l->random, mix->total);
  int move = 0;
  while (pick >= mix->weight[move])
    pick -= mix->weight[move++];
  return (enum move)move;
}

bool local_propose(struct local *l, enum move move) {
  switch (move) {
  case MOVE_FILL:
    return fill(l);
  case MOVE_INSERT:
    return insert(l);
  case MOVE_CHAIN:
    return chain(l);
  case MOVE_DELETE:
    return delete_one(l);
  case MOVE_SHIFT:
    return shift(l);
  case MOVE_SWAP:
    return swap(l);
  case MOVE_FIRST:
    return local_move_first(l);
  default:
    return local_move_group(l);
  }
}
