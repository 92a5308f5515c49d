#include "model/bound_reduce.h"
#include "model/bound_branch.h"

#include <limits.h>
#include <string.h>

enum { FEW_NODES = 30 };

int64_t bound_limit(const struct bound *b, int64_t upper) {
  const struct bound_scale *scale = &b->state->scale;
  if (upper <= b->problem->base_duration)
    return 0;
  int64_t most = upper - 1 - b->problem->base_duration;
  most -= most % b->state->unit;
  int64_t high = most >> scale->shift;
  if (high >= INT64_MAX / scale->factor - 1)
    return INT64_MAX;
  return scale->shift ? (high + 1) * scale->factor : high * scale->factor + 1;
}

static bool is_open(const struct closure_maker *maker, int window) {
  return maker->open_first[window] <= maker->open_last[window];
}

/* Closes the stages before `first`; a window without open stage has
 * open_last = -1. */
static bool open_from(struct closure_maker *maker, int window, int first) {
  if (first <= maker->open_first[window])
    return false;
  maker->open_first[window] = first;
  if (first > maker->open_last[window])
    maker->open_last[window] = -1;
  return true;
}

/* Rule F: raises the first open stage of the window at `slot` of the used
 * ones (-1: no cut counts it). */
static void apply_costs(struct bound_state *s, int u, int window, int slot,
                        int64_t value, int64_t limit) {
  int64_t cost = value + s->weight[u] + (int64_t)s->price[u];
  if (cost < limit)
    return;
  int from = slot < 0 ? 0 : s->row[slot], to = slot < 0 ? 0 : s->row[slot + 1];
  for (int k = from; k < to; k++) {
    int e = s->row_entry[k], home = s->home[e];
    const struct closure *c = s->closure[home];
    int i = e - s->first[home];
    cost -= c->cost[i] - closure_slack(c, i);
    if (cost < limit) {
      if (s->maker.scope != BOUND_FREE_ORDER)
        open_from(&s->maker, window, c->cut + 1);
      return;
    }
  }
  s->maker.open_last[window] = -1;
}

static void close_by_costs(struct bound *b, int64_t limit) {
  struct bound_state *s = b->state;
  const struct problem *p = b->problem;
  int64_t value = bound_sum(s);
  int slot = 0;
  for (int u = 0; u < p->n; u++)
    for (int w = p->succ_start[u] + u; w <= p->succ_start[u + 1] + u; w++) {
      bool used = slot < s->used_count && s->used[slot] == w;
      if (s->maker.open_first[w] <= s->maker.open_last[w])
        apply_costs(s, u, w, used ? slot : -1, value, limit);
      slot += used;
    }
}

/* Scratch of the rules R and T.  Places of the time axis: 2j for the
 * recomputes in stage j, 2j + 1 for the first compute of j. */
struct profile {
  int *read_until; /* of a node: last stage in which a recompute reads it */
  int *open;       /* of a stage: windows open in it, as differences */
  int64_t *held;   /* of a place: most bytes held, as differences */
  int *tight;      /* of a place: the first tight place from it on */
};

/* Rule R: an input is recomputed only if somebody reads it afterwards. */
static bool close_unread(struct bound_state *s, struct profile *f) {
  const struct problem *p = s->maker.problem;
  bool changed = false;
  memset(f->read_until, 0, (size_t)p->n * sizeof *f->read_until);
  for (int u = p->n - 1; u >= 0; u--) {
    int last = p->succ_start[u + 1] + u;
    if (s->maker.open_last[last] > f->read_until[u]) {
      s->maker.open_last[last] = f->read_until[u];
      if (!is_open(&s->maker, last))
        s->maker.open_last[last] = -1;
      changed = true;
    }
    int until = 0;
    for (int w = p->succ_start[u] + u; w <= last; w++)
      if (is_open(&s->maker, w))
        until = s->maker.open_last[w];
    for (int e = p->pred_start[u]; e < p->pred_start[u + 1]; e++)
      if (until > f->read_until[p->pred[e]])
        f->read_until[p->pred[e]] = until;
  }
  return changed;
}

static void find_profile(struct bound_state *s, struct profile *f) {
  const struct problem *p = s->maker.problem;
  int64_t workspace = 0;
  memset(f->open, 0, (size_t)(p->n + 1) * sizeof *f->open);
  memset(f->held, 0, (size_t)(2 * p->n + 1) * sizeof *f->held);
  for (int u = 0; u < p->n; u++) {
    for (int w = p->succ_start[u] + u; w <= p->succ_start[u + 1] + u; w++)
      if (is_open(&s->maker, w)) {
        f->open[s->maker.open_first[w]]++;
        f->open[s->maker.open_last[w] + 1]--;
        if (p->workspace[u] > workspace)
          workspace = p->workspace[u];
      }
    int degree = p->succ_start[u + 1] - p->succ_start[u];
    int until = degree ? 2 * p->succ[p->succ_start[u + 1] - 1] + 1 : 2 * u + 1;
    if (2 * f->read_until[u] > until)
      until = 2 * f->read_until[u];
    f->held[2 * u + 1] += p->size[u];
    f->held[until + 1 <= 2 * p->n ? until + 1 : 2 * p->n] -= p->size[u];
  }
  int64_t held = p->fixed;
  int open = 0;
  for (int j = 0; j < p->n; j++) {
    open += f->open[j];
    held += f->held[2 * j];
    f->tight[2 * j] = open > 0 && held > p->budget - workspace;
    held += f->held[2 * j + 1];
    f->tight[2 * j + 1] = held > p->budget - p->workspace[j];
  }
  f->tight[2 * p->n] = 2 * p->n;
  for (int place = 2 * p->n - 1; place >= 0; place--)
    f->tight[place] = f->tight[place] ? place : f->tight[place + 1];
}

/* Rule T: without a tight place since the node was last read for certain, the
 * earlier instance could have stayed. */
static bool close_slack(struct bound_state *s, const struct profile *f) {
  const struct problem *p = s->maker.problem;
  bool changed = false;
  for (int u = 0; u < p->n; u++)
    for (int w = p->succ_start[u] + u; w <= p->succ_start[u + 1] + u; w++) {
      if (!is_open(&s->maker, w))
        continue;
      int index = w - p->succ_start[u] - u;
      int since = index ? p->succ[p->succ_start[u] + index - 1] : u;
      int first = (f->tight[2 * since + 2] + 1) / 2;
      changed |= open_from(&s->maker, w, first);
    }
  return changed;
}

static void close_by_dominance(struct bound *b) {
  struct bound_state *s = b->state;
  struct memory *m = s->memory;
  int n = b->problem->n;
  struct profile f = {.read_until = MEMORY_ARRAY(m, int, n),
                      .open = MEMORY_ARRAY(m, int, n + 2),
                      .held = MEMORY_ARRAY(m, int64_t, 2 * n + 2),
                      .tight = MEMORY_ARRAY(m, int, 2 * n + 1)};
  for (bool changed = true; changed;) {
    changed = close_unread(s, &f);
    find_profile(s, &f);
    changed |= close_slack(s, &f);
  }
  memory_put(m, f.read_until);
  memory_put(m, f.open);
  memory_put(m, f.held);
  memory_put(m, f.tight);
}

/* Entries that rely on closed stages. */
static int count_closed(const struct bound_state *s) {
  int count = 0;
  for (int k = 0; k < s->closure_count; k++) {
    const struct closure *c = s->closure[k];
    for (int i = 0; i < c->count; i++)
      count += c->window[i] >= 0 && s->maker.open_last[c->window[i]] <= c->cut;
  }
  return count;
}

/* A tree is given up only for a good part of the entries; once it has come far,
 * so that much of what it has proven would be lost, for a quarter of them. */
static bool worth_a_new_tree(const struct bound *b, int closed) {
  const struct bound_state *s = b->state;
  bool young = b->converged || branch_nodes(s->tree) < FEW_NODES;
  return closed >= s->entry_count / (young ? 16 : 4);
}

static bool bar_entries(struct bound *b) {
  struct bound_state *s = b->state;
  int count = count_closed(s);
  if (!count || (s->tree && !worth_a_new_tree(b, count)))
    return false;
  bound_drop_tree(s);
  for (int k = 0; k < s->closure_count; k++) {
    closure_bar(s->memory, s->closure[k], s->maker.open_last);
    s->closure[k] = closure_shrink(&s->maker, s->closure[k]);
  }
  bound_index(s);
  s->best = -1;
  bound_take(b);
  return true;
}

/* What no open node of the tree needs. */
static void close_by_tree(struct bound *b) {
  struct bound_state *s = b->state;
  const struct problem *p = b->problem;
  int windows = p->succ_start[p->n] + p->n;
  int *first = MEMORY_ARRAY(s->memory, int, windows);
  branch_limit(s->tree, s->upper);
  if (branch_open(s->tree, first))
    for (int w = 0; w < windows; w++)
      open_from(&s->maker, w, first[w]);
  memory_put(s->memory, first);
}

bool bound_close(struct bound *b, int64_t upper) {
  struct bound_state *s = b->state;
  if (upper >= s->upper || b->value >= upper || b->infeasible)
    upper = s->upper;
  if (upper == INT64_MAX || b->value >= upper)
    return false;
  s->upper = upper;
  bound_restore(s);
  close_by_costs(b, bound_limit(b, upper));
  if (s->tree)
    close_by_tree(b);
  if (b->scope != BOUND_FREE_ORDER)
    close_by_dominance(b);
  return true;
}

bool bound_reduce(struct bound *b, int64_t upper) {
  return bound_close(b, upper) && bar_entries(b);
}
