/* The propagation loop: bound changes first, then propagators by priority. */
#include "solver/cp/internal.h"

void propagate_enqueue(struct cp *cp, struct cp_propagator *p) {
  if (p->queued || p->off)
    return;
  p->queued = true;
  struct queue *q = &cp->queues[p->class->priority];
  int32_t place = (q->first + q->count++) & (cp->queue_capacity - 1);
  q->ring[place] = p->id;
}

static void clear_queues(struct cp *cp) {
  for (int k = 0; k < CP_PRIORITIES; k++) {
    struct queue *q = &cp->queues[k];
    for (int32_t i = 0; i < q->count; i++) {
      int32_t id = q->ring[(q->first + i) & (cp->queue_capacity - 1)];
      cp->propagators[id]->queued = false;
    }
    q->count = 0;
  }
}

/* Entries not yet fired: clause watches, then the propagators that wait. */
static bool fire(struct cp *cp) {
  while (cp->done < cp->head.trail_size) {
    int32_t at = cp->done++;
    cp->statistics.propagations++;
    if (!clause_fire(cp, at))
      return false;
    struct cp_entry e = cp->head.trail[at];
    int32_t old =
        e.before < 0 ? cp->head.root[e.side] : cp->head.trail[e.before].bound;
    const struct wakeups *w = &cp->wakeups[e.side];
    for (int32_t i = 0; i < w->count; i++) {
      struct cp_propagator *p = cp->propagators[w->list[i].propagator];
      if (!p->class->wake ||
          p->class->wake(cp, p, w->list[i].data, old, e.bound))
        propagate_enqueue(cp, p);
    }
  }
  return true;
}

static struct cp_propagator *dequeue(struct cp *cp) {
  for (int k = 0; k < CP_PRIORITIES; k++) {
    struct queue *q = &cp->queues[k];
    if (q->count) {
      struct cp_propagator *p = cp->propagators[q->ring[q->first]];
      q->first = (q->first + 1) & (cp->queue_capacity - 1);
      q->count--;
      p->queued = false;
      return p;
    }
  }
  return NULL;
}

/* To the fixpoint; false on conflict, its literals then in `because`. */
bool propagate(struct cp *cp) {
  struct cp_propagator *p;
  for (;;) {
    if (!fire(cp))
      break;
    if (!(p = dequeue(cp)))
      return true;
    cp->statistics.runs++;
    cp->because_size = 0;
    if (!p->class->propagate(cp, p))
      break;
  }
  clear_queues(cp);
  if (cp->trace)
    trace_conflict(cp);
  return false;
}

bool cp_propagate_root(struct cp *cp) {
  assert(cp->head.level == 0);
  if (cp->failed || !propagate(cp)) {
    cp->failed = true;
    return false;
  }
  trail_settle_root(cp);
  return true;
}

static void grow_queues(struct cp *cp) {
  int32_t capacity = cp->queue_capacity ? 2 * cp->queue_capacity : 16;
  for (int k = 0; k < CP_PRIORITIES; k++) {
    struct queue *q = &cp->queues[k];
    int32_t *ring = MEMORY_ARRAY(cp->memory, int32_t, capacity);
    for (int32_t i = 0; i < q->count; i++)
      ring[i] = q->ring[(q->first + i) & (cp->queue_capacity - 1)];
    memory_put(cp->memory, q->ring);
    q->ring = ring;
    q->first = 0;
  }
  cp->queue_capacity = capacity;
}

bool cp_add(struct cp *cp, const struct cp_class *class,
            struct cp_propagator *self) {
  assert(cp->head.level == 0);
  if (cp->failed)
    return false;
  /* Changes under way are told to the others first, so that the new one's
   * initial state already contains them and its wakes are only new ones. */
  if (!fire(cp)) {
    clear_queues(cp);
    cp->failed = true;
    return false;
  }
  CP_RESERVE(cp, cp->propagators, cp->propagator_count, cp->propagator_capacity,
             1);
  self->class = class;
  self->id = cp->propagator_count;
  self->off =
      class->option &&
      !*(const int *)(const void *)((const char *)&cp->options + class->option);
  cp->propagators[cp->propagator_count++] = self;
  CP_RESERVE(cp, cp->scope_start, self->id, cp->scope_start_capacity, 2);
  cp->scope_start[self->id] = cp->scope_size;
  if (cp->propagator_count > cp->queue_capacity)
    grow_queues(cp);
  class->post(cp, self);
  cp->scope_start[self->id + 1] = cp->scope_size;
  propagate_enqueue(cp, self);
  return true;
}

void cp_watch(struct cp *cp, struct cp_propagator *self, int side,
              int32_t data) {
  CP_RESERVE(cp, cp->scope, cp->scope_size, cp->scope_capacity, 1);
  cp->scope[cp->scope_size++] = side >> 1;
  if (self->off)
    return;
  struct wakeups *w = &cp->wakeups[side];
  CP_RESERVE(cp, w->list, w->count, w->capacity, 1);
  w->list[w->count++] = (struct wakeup){self->id, data};
}

/* Constraints switched off still must hold: tested when all is fixed; the
 * conflict is the values of their variables. */
bool propagate_idle(struct cp *cp) {
  for (int32_t i = 0; i < cp->propagator_count; i++) {
    struct cp_propagator *p = cp->propagators[i];
    if (!p->off)
      continue;
    for (int32_t v = 0; v < cp->variables; v++)
      cp->scratch[v] = cp_low(cp, v);
    if (p->class->check(cp, p, cp->scratch))
      continue;
    cp->because_size = 0;
    for (int32_t j = cp->scope_start[i]; j < cp->scope_start[i + 1]; j++) {
      int v = cp->scope[j];
      cp_because(cp, cp_at_least(v, cp_low(cp, v)));
      cp_because(cp, cp_at_most(v, cp_low(cp, v)));
    }
    cp->conflict_propagator = i;
    cp->conflict_rule = "switched off";
    if (cp->trace)
      trace_conflict(cp);
    return false;
  }
  return true;
}
