#include "model/bound_state.h"

/* Closed means: at least `limit` scaled units beyond the base duration. */
struct fixer {
  struct bound *bound;
  struct bound_fixing *result;
  struct memory *memory;
  int64_t limit, value; /* scaled units; value: of the best duals */
  int capacity;
};

/* A schedule shorter than `upper` has at most `most` extra cost units, which
 * are less than the limit in scaled units. */
static int64_t scaled_limit(const struct bound *b, int64_t upper) {
  const struct bound_scale *scale = &b->state->scale;
  int64_t most = upper - 1 - b->problem->base_duration;
  if (upper <= b->problem->base_duration)
    return 0;
  most -= most % b->state->unit;
  int64_t high = most >> scale->shift;
  if (high >= INT64_MAX / scale->factor - 1)
    return INT64_MAX;
  return scale->shift ? (high + 1) * scale->factor : high * scale->factor + 1;
}

/* Stages of window `index` (0 .. consumers) of node u. */
static void stages(const struct bound *b, int u, int index, int *first,
                   int *last) {
  const struct problem *p = b->problem;
  const int *succ = p->succ + p->succ_start[u];
  int degree = p->succ_start[u + 1] - p->succ_start[u];
  if (b->scope == BOUND_FREE_ORDER) {
    *first = 0;
    *last = p->n - 1;
    return;
  }
  *first = (index ? succ[index - 1] : u) + 1;
  *last = index < degree ? succ[index] : p->n - 1;
}

/* First open stage of a window by rule (F) of bound.h, or INT_MAX.  `slot` is
 * its place among the used windows, or -1. */
static int first_open(const struct fixer *f, int u, int slot, int first) {
  const struct bound_state *s = f->bound->state;
  int64_t cost = f->value + s->weight[u] + (int64_t)s->price[u];
  if (cost < f->limit)
    return first;
  if (slot < 0)
    return INT32_MAX;
  for (int k = s->row[slot]; k < s->row[slot + 1]; k++) {
    int e = s->row_entry[k];
    const struct closure *c = s->closure[s->home[e]];
    int i = e - s->first[s->home[e]];
    cost -= c->cost[i] - closure_slack(c, i);
    if (cost < f->limit)
      return f->bound->scope == BOUND_FREE_ORDER ? first : c->cut + 1;
  }
  return INT32_MAX;
}

/* What the bound grows by when cut's entry i may not be recomputed. */
static int64_t bar(struct closure *c, int i) {
  int64_t value = c->value;
  double multiplier = c->multiplier;
  int window = c->window[i];
  c->window[i] = -1;
  closure_solve(c, 8);
  int64_t growth = c->value - value;
  c->window[i] = window;
  c->multiplier = multiplier;
  closure_value(c);
  return growth > 0 ? growth : 0;
}

static bool must_be_used(const struct fixer *f, int slot) {
  struct bound_state *s = f->bound->state;
  int64_t cost = f->value;
  for (int k = s->row[slot]; k < s->row[slot + 1]; k++) {
    int e = s->row_entry[k], home = s->home[e], i = e - s->first[home];
    struct closure *c = s->closure[home];
    if (flow_inside(c->flow, i))
      cost += bar(c, i);
    if (cost >= f->limit)
      return true;
  }
  return false;
}

static void fix_node(struct fixer *f, int u, int *slot) {
  struct bound_state *s = f->bound->state;
  const struct problem *p = f->bound->problem;
  int base = p->succ_start[u] + u, before = f->result->window_count;
  int windows = p->succ_start[u + 1] - p->succ_start[u] + 1;
  bool must = false;
  for (int index = 0; index < windows; index++) {
    bool used = *slot < s->used_count && s->used[*slot] == base + index;
    int here = used ? (*slot)++ : -1, first, last;
    if (!closure_repeatable(&s->maker, u) ||
        (index && f->bound->scope == BOUND_FREE_ORDER))
      continue;
    stages(f->bound, u, index, &first, &last);
    int open = first_open(f, u, here, first);
    if (open > last)
      continue;
    struct bound_fixing *r = f->result;
    MEMORY_GROW(f->memory, r->window, r->window_count, f->capacity);
    struct bound_window *w = &r->window[r->window_count++];
    *w = (struct bound_window){u, open, last,
                               here >= 0 && must_be_used(f, here)};
    must |= w->must;
  }
  f->result->never_count += f->result->window_count == before;
  f->result->must_count += must;
}

struct bound_fixing *bound_fix(struct bound *b, int64_t upper,
                               struct memory *m) {
  struct fixer f = {.bound = b, .memory = m};
  f.result = MEMORY_NEW(m, struct bound_fixing);
  f.result->upper = upper;
  if (b->value >= upper) {
    f.result->never_count = b->problem->n;
    return f.result;
  }
  f.limit = scaled_limit(b, upper);
  bound_restore(b->state);
  f.value = bound_sum(b->state);
  int slot = 0;
  for (int u = 0; u < b->problem->n; u++)
    fix_node(&f, u, &slot);
  return f.result;
}

void bound_fixing_free(struct memory *m, struct bound_fixing *f) {
  if (!f)
    return;
  memory_put(m, f->window);
  memory_put(m, f);
}
