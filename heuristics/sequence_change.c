#include "heuristics/sequence.h"

static void record(struct sequence *s, int from, int to, int64_t delta) {
  if (!delta)
    return;
  MEMORY_GROW(s->memory, s->range, s->ranges, s->range_capacity);
  s->range[s->ranges++] = (struct sequence_range){from, to, delta};
}

static void remember(struct sequence *s, int instance, int end) {
  MEMORY_GROW(s->memory, s->undo, s->undos, s->undo_capacity);
  s->undo[s->undos++] = (struct sequence_undo){instance, end};
}

/* Instance i is now last read by r. */
static void set_end(struct sequence *s, int i, int r) {
  struct instance *a = s->at;
  int old = a[i].end;
  if (old == r)
    return;
  int64_t size = s->size[a[i].node];
  if (a[old].slot < a[r].slot)
    record(s, old, r, size);
  else
    record(s, r, old, -size);
  remember(s, i, old);
  a[i].end = r;
}

/* The last reader of instance i before `limit`, or i itself. */
static int last_reader(const struct sequence *s, int i, int limit) {
  const struct problem *p = s->p;
  int v = s->at[i].node, best = i, best_slot = s->at[i].slot;
  for (int e = p->succ_start[v]; e < p->succ_start[v + 1]; e++) {
    int r = sequence_last_before(s, p->succ[e], limit);
    if (r >= 0 && s->at[r].slot > best_slot) {
      best = r;
      best_slot = s->at[r].slot;
    }
  }
  return best;
}

/* One more (+1) or fewer (-1) instance of v, in all counts. */
static void count_instance(struct sequence *s, int v, int by) {
  s->length += by;
  s->duration += by * s->p->duration[v];
  int more = by > 0 ? s->count[v] : s->count[v] - 1; /* the smaller count */
  s->surplus += more >= s->p->limit[v] ? by : 0;
  s->count[v] += by;
  if (more != 1)
    return;
  if (by > 0) {
    s->repeated_at[v] = s->repeated_count;
    s->repeated[s->repeated_count++] = v;
  } else {
    int place = s->repeated_at[v];
    int moved = s->repeated[--s->repeated_count];
    s->repeated[place] = moved;
    s->repeated_at[moved] = place;
    s->repeated_at[v] = -1;
  }
}

/* Links q into the steps and its node's instances where its own fields say. */
static void link_instance(struct sequence *s, int q) {
  struct instance *a = s->at, *i = &a[q];
  *(i->prev >= 0 ? &a[i->prev].next : &s->head) = q;
  *(i->next >= 0 ? &a[i->next].prev : &s->tail) = q;
  *(i->earlier >= 0 ? &a[i->earlier].later : &s->first[i->node]) = q;
  *(i->later >= 0 ? &a[i->later].earlier : &s->last[i->node]) = q;
  count_instance(s, i->node, 1);
}

static void unlink_instance(struct sequence *s, int q) {
  struct instance *a = s->at, *i = &a[q];
  *(i->prev >= 0 ? &a[i->prev].next : &s->head) = i->next;
  *(i->next >= 0 ? &a[i->next].prev : &s->tail) = i->prev;
  *(i->earlier >= 0 ? &a[i->earlier].later : &s->first[i->node]) = i->later;
  *(i->later >= 0 ? &a[i->later].earlier : &s->last[i->node]) = i->earlier;
  count_instance(s, i->node, -1);
}

static bool inputs_before(const struct sequence *s, int v, int before) {
  if (before < 0)
    return true;
  const struct problem *p = s->p;
  int slot = s->at[before].slot;
  for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++) {
    int u = s->first[p->pred[e]];
    if (u < 0 || s->at[u].slot >= slot)
      return false;
  }
  return true;
}

static int take_instance(struct sequence *s) {
  if (s->spare_count)
    return s->spare[--s->spare_count];
  MEMORY_GROW(s->memory, s->at, s->at_used, s->at_capacity);
  return s->at_used++;
}

static void give_instance(struct sequence *s, int q) {
  MEMORY_GROW(s->memory, s->spare, s->spare_count, s->spare_capacity);
  s->spare[s->spare_count++] = q;
}

int sequence_insert(struct sequence *s, int v, int before) {
  if (!inputs_before(s, v, before))
    return -1;
  const struct problem *p = s->p;
  int slot = sequence_make_slot(s, before), q = take_instance(s);
  struct instance *a = s->at;
  int earlier = sequence_last_before(s, v, slot);
  a[q] =
      (struct instance){.node = v,
                        .slot = slot,
                        .end = q,
                        .earlier = earlier,
                        .later = earlier >= 0 ? a[earlier].later : s->first[v],
                        .prev = before >= 0 ? a[before].prev : s->tail,
                        .next = before,
                        .state = INSTANCE_FRESH};
  s->occupant[slot] = q;
  link_instance(s, q);
  remember(s, q, -1);
  record(s, -1, q,
         sequence_held_at(s, slot) + s->workspace[v] + s->size[v] -
             profile_get(&s->profile, slot));
  if (earlier >= 0 && a[a[earlier].end].slot > slot) {
    set_end(s, q, a[earlier].end);
    set_end(s, earlier, last_reader(s, earlier, slot));
  }
  for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++) {
    int u = sequence_last_before(s, p->pred[e], slot);
    if (a[a[u].end].slot < slot)
      set_end(s, u, q);
  }
  return q;
}

bool sequence_delete(struct sequence *s, int q) {
  struct instance *a = s->at;
  const struct problem *p = s->p;
  int v = a[q].node, slot = a[q].slot, earlier = a[q].earlier;
  if (earlier < 0 && (a[q].end != q || a[q].later < 0))
    return false;
  unlink_instance(s, q);
  a[q].state = INSTANCE_DEAD;
  remember(s, q, -2);
  record(s, -1, q, PROFILE_EMPTY - profile_get(&s->profile, slot));
  int end = a[q].end;
  if (end != q) {
    record(s, q, end, -s->size[v]);
    set_end(s, earlier, end);
  }
  for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++) {
    int u = sequence_last_before(s, p->pred[e], slot);
    if (a[u].end == q)
      set_end(s, u, last_reader(s, u, slot));
  }
  return true;
}

/* Shell sort: a handful of events, rarely hundreds. */
static void sort_events(struct sequence_event *event, int count) {
  /* gaps count / 3, ... 4, 1 */
  for (int gap = count > 32 ? count / 3 : 1; gap; gap = (gap + 1) / 3 % gap)
    for (int i = gap; i < count; i++) {
      struct sequence_event x = event[i];
      int j = i;
      for (; j >= gap && event[j - gap].slot > x.slot; j -= gap)
        event[j] = event[j - gap];
      event[j] = x;
    }
}

/* The ranges as a step function of the slot: events where it changes. */
static void collect_events(struct sequence *s) {
  s->events = 0;
  for (int k = 0; k < s->ranges; k++) {
    struct sequence_range r = s->range[k];
    MEMORY_GROW(s->memory, s->event, s->events + 1, s->event_capacity);
    int to = s->at[r.to].slot, from = r.from < 0 ? to - 1 : s->at[r.from].slot;
    s->event[s->events++] = (struct sequence_event){from + 1, r.delta};
    s->event[s->events++] = (struct sequence_event){to + 1, -r.delta};
  }
  sort_events(s->event, s->events);
}

/* The sum of the changes up to event k.  At a slot with several events the
 * partial sums may leave int64 (slots become empty and full by PROFILE_EMPTY);
 * the sum behind the slot's last event does not, so wrapping is harmless. */
static int64_t accumulate(int64_t sum, int64_t delta) {
  return (int64_t)((uint64_t)sum + (uint64_t)delta);
}

int64_t sequence_change(struct sequence *s) {
  collect_events(s);
  int64_t change = 0, delta = 0;
  for (int k = 0; k + 1 < s->events; k++) {
    int from = s->event[k].slot, to = s->event[k + 1].slot - 1;
    delta = accumulate(delta, s->event[k].delta);
    if (delta && from <= to)
      change += profile_change(&s->profile, from, to, delta);
  }
  return change;
}

/* A slot whose step goes is emptied last, after all additions to it. */
void sequence_commit(struct sequence *s) {
  int64_t delta = 0;
  for (int k = 0; k + 1 < s->events; k++) {
    int from = s->event[k].slot, to = s->event[k + 1].slot - 1;
    delta = accumulate(delta, s->event[k].delta);
    if (delta && from <= to)
      profile_add(&s->profile, from, to, delta);
  }
  for (int k = 0; k < s->undos; k++) {
    int q = s->undo[k].instance;
    if (s->undo[k].end == -1) {
      s->at[q].state = INSTANCE_SETTLED;
    } else if (s->undo[k].end == -2) {
      s->occupant[s->at[q].slot] = -1;
      profile_put(&s->profile, s->at[q].slot, PROFILE_EMPTY);
      give_instance(s, q);
    }
  }
  s->ranges = s->events = s->undos = 0;
}

void sequence_rollback(struct sequence *s) {
  while (s->undos) {
    struct sequence_undo u = s->undo[--s->undos];
    struct instance *i = &s->at[u.instance];
    if (u.end == -1) {
      unlink_instance(s, u.instance);
      s->occupant[i->slot] = -1;
      give_instance(s, u.instance);
    } else if (u.end == -2) {
      i->state = INSTANCE_SETTLED;
      link_instance(s, u.instance);
    } else {
      i->end = u.end;
    }
  }
  s->ranges = s->events = 0;
}
