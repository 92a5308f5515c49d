/* The trail: growth of bounds, levels, undoing. */
#include "solver/cp/internal.h"

void trail_grow(struct cp *cp) {
  cp->trail_capacity = cp->trail_capacity ? 2 * cp->trail_capacity : 1024;
  size_t n = (size_t)cp->trail_capacity;
  cp->head.trail =
      memory_resize(cp->memory, cp->head.trail, n, sizeof *cp->head.trail);
  cp->memo = memory_resize(cp->memory, cp->memo, n, sizeof *cp->memo);
  for (size_t i = (size_t)cp->head.trail_size; i < n; i++)
    cp->memo[i] = (struct memo){0, 0};
}

void trail_open_level(struct cp *cp) {
  struct cp_head *h = &cp->head;
  int32_t level = ++h->level;
  if (level >= cp->level_capacity) {
    int32_t old = cp->level_capacity;
    cp->level_capacity = 2 * old;
    size_t n = (size_t)cp->level_capacity;
    cp->levels = memory_resize(cp->memory, cp->levels, n, sizeof *cp->levels);
    cp->level_seen =
        memory_resize(cp->memory, cp->level_seen, n, sizeof *cp->level_seen);
    for (int32_t i = old; i < cp->level_capacity; i++)
      cp->level_seen[i] = 0;
  }
  cp->levels[level] = (struct level){h->trail_size, cp->saves_size,
                                     cp->eager_size, ++cp->stamps};
  h->stamp = cp->stamps;
}

void trail_backjump(struct cp *cp, int32_t level) {
  struct cp_head *h = &cp->head;
  if (h->level <= level)
    return;
  const struct level *l = &cp->levels[level + 1];
  for (int32_t i = h->trail_size - 1; i >= l->trail; i--) {
    const struct cp_entry *e = &h->trail[i];
    h->last[e->side] = e->before;
    h->bound[e->side] =
        e->before < 0 ? h->root[e->side] : h->trail[e->before].bound;
    if (cp->heap_place[e->side >> 1] < 0)
      decide_insert(cp, e->side >> 1);
  }
  for (int32_t i = cp->saves_size - 1; i >= l->saves; i--)
    *cp->saves[i].place = cp->saves[i].old;
  h->trail_size = cp->done = l->trail;
  cp->saves_size = l->saves;
  cp->eager_size = l->eager;
  h->level = level;
  h->stamp = cp->levels[level].stamp;
  cp->backjumps++;
}

/* Facts of the root need no history: the trail starts anew behind them. */
void trail_settle_root(struct cp *cp) {
  struct cp_head *h = &cp->head;
  assert(h->level == 0 && cp->done == h->trail_size);
  for (int32_t i = 0; i < h->trail_size; i++) {
    h->root[h->trail[i].side] = h->bound[h->trail[i].side];
    h->last[h->trail[i].side] = -1;
  }
  h->trail_size = cp->done = cp->eager_size = 0;
}

void cp_save(struct cp *cp, struct cp_int *x) {
  CP_RESERVE(cp, cp->saves, cp->saves_size, cp->saves_capacity, 1);
  cp->saves[cp->saves_size++] = (struct saved){x, *x};
  x->stamp = cp->head.stamp;
}

int64_t cp_backjumps(const struct cp *cp) {
  return cp->backjumps;
}

/* l is false: the conflict is "why l" and "not l". */
static bool conflict_at(struct cp *cp, struct cp_propagator *self,
                        struct cp_literal l, int64_t data) {
  if (cp->head.level > 0 || cp->options.check)
    cp_because(cp, cp_not(l));
  return cp_fail(cp, self, data);
}

bool cp_push(struct cp *cp, struct cp_propagator *self, struct cp_literal l,
             int64_t data) {
  if (cp_true(cp, l))
    return true;
  if (cp_false(cp, l)) {
    cp->because_size = 0;
    if ((cp->head.level > 0 && cp->options.learn) || cp->options.check) {
      cp->statistics.explanations++;
      self->class->explain(cp, self, l, data, cp->head.trail_size);
      cp->pushing = self;
      if (cp->options.check)
        check_reason(cp, l, -1);
    }
    return conflict_at(cp, self, l, data);
  }
  trail_append(cp, l, reason(REASON_PROPAGATOR, (uint32_t)self->id), data);
  if (cp->trace)
    trace_entry(cp, cp->head.trail_size - 1);
  return true;
}

bool cp_push_because(struct cp *cp, struct cp_propagator *self,
                     struct cp_literal l, const struct cp_literal *because,
                     int count, int64_t data) {
  if (cp_true(cp, l))
    return true;
  if (cp_false(cp, l)) {
    cp->because_size = 0;
    for (int i = 0; i < count; i++)
      cp_because(cp, because[i]);
    cp->pushing = self;
    if (cp->options.check)
      check_reason(cp, l, -1);
    return conflict_at(cp, self, l, data);
  }
  uint32_t at = (uint32_t)cp->eager_size;
  CP_RESERVE(cp, cp->eager, cp->eager_size, cp->eager_capacity, count + 1);
  cp->eager[cp->eager_size++] = (struct cp_literal){self->id, count};
  for (int i = 0; i < count; i++)
    cp->eager[cp->eager_size++] = because[i];
  trail_append(cp, l, reason(REASON_EAGER, at), data);
  if (cp->trace)
    trace_entry(cp, cp->head.trail_size - 1);
  return true;
}

bool cp_fail(struct cp *cp, struct cp_propagator *self, int64_t data) {
  cp->conflict_propagator = self->id;
  cp->conflict_rule = self->class->rule ? self->class->rule(self, data) : NULL;
  return false;
}

void cp_because(struct cp *cp, struct cp_literal l) {
  CP_RESERVE(cp, cp->because, cp->because_size, cp->because_capacity, 1);
  cp->because[cp->because_size++] = l;
}

bool cp_free_literal(const struct cp *cp, struct cp_literal l) {
  return cp->head.root[l.side] >= l.bound ||
         (cp->need[l.side].entry >= 0 && cp->need[l.side].bound >= l.bound);
}
