#include "heuristics/sequence.h"

/* All slots after `from`, up to and with `to`, whichever way round. */
static void record(struct sequence *s, int from, int to, int64_t delta) {
  if (!delta || from == to)
    return;
  if (s->when[from].slot > s->when[to].slot) {
    int other = from;
    from = to;
    to = other;
    delta = -delta;
  }
  MEMORY_GROW(s->memory, s->range, s->ranges, s->range_capacity);
  s->range[s->ranges++] = (struct sequence_range){from, to, delta};
}

/* The slot of q becomes occupied or empty; see sequence_change. */
static void record_own(struct sequence *s, int q, int64_t value) {
  MEMORY_GROW(s->memory, s->own, s->owns, s->own_capacity);
  s->own[s->owns++] = (struct sequence_own){q, value, value};
}

static void remember(struct sequence *s, int instance, int end) {
  MEMORY_GROW(s->memory, s->undo, s->undos, s->undo_capacity);
  s->undo[s->undos++] = (struct sequence_undo){instance, end};
}

/* Instance i is now last read by r; its memory is recorded elsewhere. */
static void link_end(struct sequence *s, int i, int r) {
  remember(s, i, s->at[i].end);
  s->at[i].end = r;
}

static void set_end(struct sequence *s, int i, int r) {
  int old = s->at[i].end;
  if (old == r)
    return;
  record(s, old, r, s->size[s->at[i].node]);
  link_end(s, i, r);
}

/* The last reader of instance i before `limit`, or i itself. */
static int last_reader(const struct sequence *s, int i, int limit) {
  const struct problem *p = s->p;
  int v = s->at[i].node, best = i, best_slot = s->when[i].slot;
  for (int e = p->succ_start[v]; e < p->succ_start[v + 1]; e++) {
    int r = sequence_last_before(s, p->succ[e], limit);
    if (r >= 0 && s->when[r].slot > best_slot) {
      best = r;
      best_slot = s->when[r].slot;
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
  int earlier = s->when[q].earlier;
  *(earlier >= 0 ? &a[earlier].later : &s->first[i->node]) = q;
  *(i->later >= 0 ? &s->when[i->later].earlier : &s->last[i->node]) = q;
  count_instance(s, i->node, 1);
}

static void unlink_instance(struct sequence *s, int q) {
  struct instance *a = s->at, *i = &a[q];
  *(i->prev >= 0 ? &a[i->prev].next : &s->head) = i->next;
  *(i->next >= 0 ? &a[i->next].prev : &s->tail) = i->prev;
  int earlier = s->when[q].earlier;
  *(earlier >= 0 ? &a[earlier].later : &s->first[i->node]) = i->later;
  *(i->later >= 0 ? &s->when[i->later].earlier : &s->last[i->node]) = earlier;
  count_instance(s, i->node, -1);
}

/* Whoever was computed before has its inputs before, too. */
static bool inputs_before(const struct sequence *s, int v, int slot) {
  const struct problem *p = s->p;
  for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++) {
    int u = s->first[p->pred[e]];
    if (u < 0 || s->when[u].slot >= slot)
      return false;
  }
  return true;
}

static int take_instance(struct sequence *s) {
  if (s->spare_count)
    return s->spare[--s->spare_count];
  int capacity = s->at_capacity;
  MEMORY_GROW(s->memory, s->at, s->at_used, s->at_capacity);
  if (s->at_capacity > capacity)
    s->when = memory_resize(s->memory, s->when, (size_t)s->at_capacity,
                            sizeof *s->when);
  return s->at_used++;
}

static void give_instance(struct sequence *s, int q) {
  MEMORY_GROW(s->memory, s->spare, s->spare_count, s->spare_capacity);
  s->spare[s->spare_count++] = q;
}

int sequence_insert(struct sequence *s, int v, int before) {
  const struct problem *p = s->p;
  int at = before >= 0 ? s->when[before].slot : s->profile.slots;
  int earlier = sequence_last_before(s, v, at);
  if (earlier < 0 && !inputs_before(s, v, at))
    return -1;
  int slot = sequence_make_slot(s, before), q = take_instance(s);
  struct instance *a = s->at;
  a[q] =
      (struct instance){.node = v,
                        .end = q,
                        .later = earlier >= 0 ? a[earlier].later : s->first[v],
                        .prev = before >= 0 ? a[before].prev : s->tail,
                        .next = before,
                        .state = INSTANCE_FRESH};
  s->when[q] = (struct instance_when){slot, earlier};
  s->occupant[slot] = q;
  link_instance(s, q);
  remember(s, q, -1);
  record_own(s, q, sequence_held_at(s, slot) + s->workspace[v] + s->size[v]);
  if (earlier >= 0 && s->when[a[earlier].end].slot > slot) {
    int reader = last_reader(s, earlier, slot);
    record(s, reader, q, -s->size[v]);
    link_end(s, q, a[earlier].end);
    link_end(s, earlier, reader);
  }
  for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++) {
    int u = sequence_last_before(s, p->pred[e], slot);
    if (s->when[a[u].end].slot < slot)
      set_end(s, u, q);
  }
  return q;
}

bool sequence_delete(struct sequence *s, int q) {
  struct instance *a = s->at;
  const struct problem *p = s->p;
  int v = a[q].node, slot = s->when[q].slot, earlier = s->when[q].earlier;
  if (a[q].state != INSTANCE_SETTLED)
    return false;
  if (earlier < 0 && (a[q].end != q || a[q].later < 0))
    return false;
  unlink_instance(s, q);
  a[q].state = INSTANCE_DEAD;
  remember(s, q, -2);
  record_own(s, q, profile_get(&s->profile, slot));
  if (a[q].end != q) {
    record(s, a[earlier].end, q, s->size[v]);
    link_end(s, earlier, a[q].end);
  }
  for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++) {
    int u = sequence_last_before(s, p->pred[e], slot);
    if (a[u].end == q)
      set_end(s, u, last_reader(s, u, slot));
  }
  return true;
}

static void add_event(struct sequence *s, int slot, int64_t delta) {
  MEMORY_GROW(s->memory, s->event, s->events, s->event_capacity);
  s->event[s->events++] = (struct sequence_event){slot, delta};
}

/* A handful of ranges: their ends in order, by insertion. */
static void sort_few(struct sequence *s) {
  for (int k = 0; k < s->ranges; k++) {
    struct sequence_range r = s->range[k];
    add_event(s, s->when[r.from].slot + 1, r.delta);
    add_event(s, s->when[r.to].slot + 1, -r.delta);
  }
  struct sequence_event *event = s->event;
  for (int i = 1; i < s->events; i++) {
    struct sequence_event x = event[i];
    int j = i;
    for (; j >= 1 && event[j - 1].slot > x.slot; j--)
      event[j] = event[j - 1];
    event[j] = x;
  }
}

static void jump_at(struct sequence *s, int slot, int64_t delta) {
  s->jump[slot] += delta;
  s->touched[slot / 64] |= UINT64_C(1) << slot % 64;
}

/* Long chains have hundreds: their ends are marked by slot and collected in
 * one pass over the marks, which are gone after it. */
static void sort_many(struct sequence *s) {
  struct memory *m = s->memory;
  if (s->jump_capacity <= s->profile.slots) {
    s->jump_capacity = s->profile.slots + 1;
    memory_put(m, s->jump);
    memory_put(m, s->touched);
    s->jump = MEMORY_ARRAY(m, int64_t, s->jump_capacity);
    s->touched = MEMORY_ARRAY(m, uint64_t, s->jump_capacity / 64 + 1);
  }
  int first = s->profile.slots, last = 0;
  for (int k = 0; k < s->ranges; k++) {
    struct sequence_range r = s->range[k];
    int from = s->when[r.from].slot + 1, to = s->when[r.to].slot + 1;
    jump_at(s, from, r.delta);
    jump_at(s, to, -r.delta);
    first = from < first ? from : first;
    last = to > last ? to : last;
  }
  for (int w = first / 64; w <= last / 64; w++) {
    for (uint64_t left = s->touched[w]; left; left &= left - 1) {
      int slot = 64 * w + __builtin_ctzll(left);
      add_event(s, slot, s->jump[slot]);
      s->jump[slot] = 0;
    }
    s->touched[w] = 0;
  }
}

/* The ranges as a step function of the slot, its last event back at zero. */
static void collect_events(struct sequence *s) {
  enum { FEW = 6 };
  s->events = 0;
  if (s->ranges <= FEW)
    sort_few(s);
  else
    sort_many(s);
  struct sequence_event *event = s->event;
  int count = 0;
  int64_t delta = 0;
  for (int k = 0; k < s->events; k++) {
    delta += event[k].delta;
    count -= count && event[count - 1].slot == event[k].slot;
    event[count++] = (struct sequence_event){event[k].slot, delta};
  }
  s->events = count;
}

/* What the ranges change at a slot.  O(log events). */
static int64_t delta_at(const struct sequence *s, int slot) {
  int low = 0, high = s->events; /* events before low are at most at slot */
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (s->event[middle].slot <= slot)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? s->event[low - 1].delta : 0;
}

/* What the slots that are filled or emptied change by themselves. */
static int64_t change_of_owns(struct sequence *s) {
  int64_t change = 0;
  for (int k = 0; k < s->owns; k++) {
    struct sequence_own *own = &s->own[k];
    const struct instance *i = &s->at[own->instance];
    own->value = own->before + delta_at(s, s->when[own->instance].slot);
    if (own->value > 0)
      change += i->state == INSTANCE_FRESH ? own->value : -own->value;
  }
  return change;
}

/* What the ranges change, by `change` of profile.h.  They change empty slots
 * too, where it does not show, and those of dead steps, where it must not. */
static int64_t change_of_ranges(struct sequence *s, profile_question *change) {
  int64_t sum = 0;
  for (int k = 0; k + 1 < s->events; k++) {
    const struct sequence_event *e = &s->event[k];
    if (e->delta)
      sum += change(&s->profile, e->slot, e[1].slot - 1, e->delta);
  }
  return sum;
}

int64_t sequence_change(struct sequence *s, int64_t most) {
  collect_events(s);
  int64_t own = change_of_owns(s);
  int64_t least = own + change_of_ranges(s, profile_least_change);
  return least > most ? least : own + change_of_ranges(s, profile_change);
}

static void commit_ranges(struct sequence *s) {
  for (int k = 0; k + 1 < s->events; k++) {
    const struct sequence_event *e = &s->event[k];
    if (e->delta)
      profile_add(&s->profile, e->slot, e[1].slot - 1, e->delta);
  }
}

/* A slot that was or becomes empty takes part in no range: its value is put
 * last. */
void sequence_commit(struct sequence *s) {
  commit_ranges(s);
  for (int k = 0; k < s->owns; k++) {
    int q = s->own[k].instance, slot = s->when[q].slot;
    int64_t value = s->own[k].value;
    if (s->at[q].state == INSTANCE_FRESH) {
      s->at[q].state = INSTANCE_SETTLED;
    } else {
      s->occupant[slot] = -1;
      give_instance(s, q);
      value = PROFILE_EMPTY;
    }
    profile_put(&s->profile, slot, value);
    profile_refresh(&s->profile, slot, slot);
  }
  s->ranges = s->events = s->undos = s->owns = 0;
}

void sequence_rollback(struct sequence *s) {
  while (s->undos) {
    struct sequence_undo u = s->undo[--s->undos];
    struct instance *i = &s->at[u.instance];
    if (u.end == -1) {
      unlink_instance(s, u.instance);
      s->occupant[s->when[u.instance].slot] = -1;
      give_instance(s, u.instance);
    } else if (u.end == -2) {
      i->state = INSTANCE_SETTLED;
      link_instance(s, u.instance);
    } else {
      i->end = u.end;
    }
  }
  s->ranges = s->events = s->owns = 0;
}
