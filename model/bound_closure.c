#include "model/bound_closure.h"

#include <math.h>
#include <string.h>

/* Beyond every sum of costs (2^53), and what a barred entry costs. */
static const int64_t price_limit = INT64_C(1) << 54;
static const int64_t barred_cost = INT64_C(1) << 58;

/* Arcs after which the search for a multiplier ends with what it has: only
 * networks of a million arcs come to that. */
enum { SOLVE_WORK = 20000000 };

static void fill_entries(const struct closure_maker *maker, struct closure *c) {
  struct memory *m = maker->memory;
  bool free_order = maker->scope == BOUND_FREE_ORDER;
  c->node = MEMORY_ARRAY(m, int, c->count);
  c->window = MEMORY_ARRAY(m, int, c->count);
  c->support = MEMORY_ARRAY(m, int, c->count);
  c->open = MEMORY_ARRAY(m, int, c->count);
  c->size = MEMORY_ARRAY(m, int64_t, c->count);
  c->cost = MEMORY_ARRAY(m, int64_t, c->count);
  c->share = MEMORY_ARRAY(m, double, c->count);
  c->low = MEMORY_ARRAY(m, bool, c->count);
  c->high = MEMORY_ARRAY(m, bool, c->count);
  for (int i = 0; i < c->count; i++) {
    int u = maker->list[i];
    c->node[i] = u;
    c->size[i] = maker->problem->size[u];
    c->window[i] = cut_window(maker, u, c->cut);
    c->support[i] = maker->mark[u] == CUT_SUPPORT ? c->support_count++ : -1;
    c->open[i] = free_order && maker->apart[u] ? c->open_count++ : -1;
  }
}

/* The arcs of a network while it is made: two passes, the first one counts. */
struct arcs {
  int count, *from, *to;
};

static void add_arc(struct arcs *a, int from, int to) {
  if (a->from) {
    a->from[a->count] = from;
    a->to[a->count] = to;
  }
  a->count++;
}

/* Arcs A -> Y of supports come first, so that support k owns arc k; then arcs
 * Y -> N of open entries likewise; all others are unlimited.  place[u] is the
 * entry of node u, which must be marked as one. */
static void list_arcs(const struct closure_maker *maker,
                      const struct closure *c, const int *place,
                      struct arcs *a) {
  const struct problem *p = maker->problem;
  int supports = c->count, later = c->count + c->support_count;
  a->count = 0;
  for (int i = 0; i < c->count; i++)
    if (c->support[i] >= 0)
      add_arc(a, supports + c->support[i], i);
  for (int i = 0; i < c->count; i++)
    if (c->open[i] >= 0)
      add_arc(a, i, later + c->open[i]);
  for (int i = 0; i < c->count; i++) {
    int u = c->node[i];
    bool open = c->open[i] >= 0;
    if (!open && c->window[i] < 0)
      continue;
    for (int e = p->pred_start[u]; e < p->pred_start[u + 1]; e++)
      if (maker->mark[p->pred[e]] == CUT_SUPPORT)
        add_arc(a, i, supports + c->support[place[p->pred[e]]]);
    if (!open)
      continue;
    add_arc(a, later + c->open[i], i);
    for (int e = p->succ_start[u]; e < p->succ_start[u + 1]; e++)
      if (maker->apart[p->succ[e]])
        add_arc(a, later + c->open[i], later + c->open[place[p->succ[e]]]);
  }
}

static void build_network(struct closure_maker *maker, struct closure *c) {
  struct memory *m = maker->memory;
  struct arcs a = {.from = NULL};
  int *place = maker->place;
  for (int i = 0; i < c->count; i++)
    place[c->node[i]] = i;
  list_arcs(maker, c, place, &a);
  a.from = MEMORY_ARRAY(m, int, a.count);
  a.to = MEMORY_ARRAY(m, int, a.count);
  list_arcs(maker, c, place, &a);
  c->flow = flow_new(m, c->count + c->support_count + c->open_count, a.count,
                     a.from, a.to);
  c->flow->stop = &maker->stop;
  for (int k = c->support_count + c->open_count; k < a.count; k++)
    flow_set_capacity(c->flow, k, FLOW_UNLIMITED);
  memory_put(m, a.from);
  memory_put(m, a.to);
}

/* lambda * bytes, rounded so that the bound stays below: the double product
 * errs by a factor of at most 1 + 2^-52. */
static int64_t price(double multiplier, int64_t bytes) {
  double x = multiplier * (double)bytes * (1 - 0x1p-49);
  return x >= (double)price_limit ? price_limit : (int64_t)x;
}

static double price_capacity(double multiplier, int64_t bytes) {
  double x = multiplier * (double)bytes;
  return ceil(x + fabs(x) * 0x1p-49);
}

/* Sums of what is paid end here: less is still a valid bound. */
static void add_capped(int64_t *sum, int64_t amount) {
  const int64_t most = INT64_C(1) << 61;
  *sum = *sum + amount < most ? *sum + amount : most;
}

/* One flow at the given multiplier, `bar`: with every entry barred.  Returns
 * what the minimum pays, capacity aside; *held are the bytes that it holds. */
static int64_t minimise(struct closure *c, double multiplier, bool bar,
                        int64_t *held) {
  struct flow *f = c->flow;
  int64_t paid = 0;
  for (int i = 0; i < c->count; i++) {
    int64_t hold = price(multiplier, c->size[i]);
    int64_t cost = bar || c->window[i] < 0 ? barred_cost : c->cost[i];
    int64_t supply = c->support[i] < 0 ? hold : 0;
    if (c->open[i] >= 0) {
      flow_set_capacity(f, closure_open_arc(c, i), cost);
    } else {
      add_capped(&paid, supply < cost ? supply : cost);
      supply -= cost;
    }
    flow_set_supply(f, i, supply);
    if (c->support[i] >= 0)
      flow_set_capacity(f, c->support[i], hold);
  }
  flow_solve(f);
  f->work += f->node_count;
  for (int v = 0; v < f->node_count; v++) {
    int64_t sent = f->supply[v] < 0 ? -f->supply[v] : 0;
    add_capped(&paid, f->excess[v] < 0 ? sent + f->excess[v] : sent);
  }
  *held = 0;
  for (int i = 0; i < c->count; i++) {
    bool dropped = flow_inside(f, i), available = true;
    if (c->support[i] >= 0)
      available = flow_inside(f, c->count + c->support[i]);
    if (available && !dropped)
      *held += c->size[i];
  }
  return paid;
}

/* D at the given multiplier, and its slope in bytes. */
static int64_t evaluate(struct closure *c, double multiplier, int64_t *slope) {
  int64_t held, value = minimise(c, multiplier, false, &held);
  *slope = held - c->capacity;
  double paid = price_capacity(multiplier, c->capacity);
  if (!(fabs(paid) < 0x1p62))
    return -1;
  return value - (int64_t)paid;
}

/* Scaled units for a byte so that all bytes fit and roundings, less than one
 * unit an entry, stay below a byte. */
static double byte_unit(const struct closure *c) {
  double total = 1, unit = 0x1p30;
  for (int i = 0; i < c->count; i++)
    total += (double)c->size[i];
  while (unit > 1 && unit * total > 0x1p54)
    unit /= 2;
  return unit;
}

struct closure *closure_new(struct closure_maker *maker, int t) {
  struct closure *c = MEMORY_NEW(maker->memory, struct closure);
  c->cut = t;
  c->capacity = cut_mark(maker, t, &c->count, &c->excess);
  fill_entries(maker, c);
  build_network(maker, c);
  return c;
}

bool closure_is_met(struct closure *c) {
  int64_t held;
  minimise(c, byte_unit(c), true, &held);
  return !c->flow->unfinished && held <= c->capacity;
}

static bool uses_barred(const struct closure *c, const struct plane *a) {
  for (int i = 0; i < a->count; i++)
    if (c->window[a->entry[i]] < 0)
      return true;
  return false;
}

void closure_bar(struct memory *m, struct closure *c, const int *open_last) {
  for (int i = 0; i < c->count; i++)
    if (c->window[i] >= 0 && open_last[c->window[i]] <= c->cut) {
      c->window[i] = -1;
      c->cost[i] = 0;
    }
  for (int k = c->plane_count - 1; k >= 0; k--)
    if (uses_barred(c, &c->plane[k]))
      closure_drop_plane(m, c, k);
}

/* Entries of both are sorted by node, downwards; to_new[i] is -1 for what is
 * gone. */
static void map_entries(const struct closure *old, const struct closure *new,
                        int *to_new) {
  for (int i = 0, j = 0; i < old->count; i++) {
    while (j<new->count &&new->node[j]> old->node[i])
      j++;
    to_new[i] = j < new->count &&new->node[j] == old->node[i] ? j : -1;
  }
}

struct closure *closure_shrink(struct closure_maker *maker, struct closure *c) {
  struct closure *new = closure_new(maker, c->cut);
  int *to_new = MEMORY_ARRAY(maker->memory, int, c->count);
  map_entries(c, new, to_new);
  for (int i = 0; i < c->count; i++)
    if (to_new[i] >= 0 && c->window[i] >= 0)
      new->cost[to_new[i]] = c->cost[i];
  new->multiplier = c->multiplier;
  new->plane = c->plane;
  new->plane_count = c->plane_count;
  c->plane = NULL;
  c->plane_count = 0;
  for (int k = new->plane_count - 1; k >= 0; k--) {
    struct plane *a = &new->plane[k];
    bool kept = true;
    for (int i = 0; i < a->count && kept; i++) {
      a->entry[i] = to_new[a->entry[i]];
      kept = a->entry[i] >= 0;
    }
    if (!kept)
      closure_drop_plane(maker->memory, new, k);
  }
  memory_put(maker->memory, to_new);
  closure_free(maker->memory, c);
  closure_solve(new, 12);
  return new;
}

void closure_drop_plane(struct memory *m, struct closure *c, int k) {
  memory_put(m, c->plane[k].entry);
  memory_put(m, c->plane[k].share);
  c->plane[k] = c->plane[--c->plane_count];
}

void closure_free(struct memory *m, struct closure *c) {
  while (c->plane_count)
    closure_drop_plane(m, c, c->plane_count - 1);
  flow_free(c->flow);
  void *block[] = {c->node, c->window, c->support, c->open, c->size,
                   c->cost, c->share,  c->low,     c->high, c};
  for (unsigned i = 0; i < sizeof block / sizeof *block; i++)
    memory_put(m, block[i]);
}

static void keep_set(const struct closure *c, bool *set) {
  for (int i = 0; i < c->count; i++)
    set[i] = closure_recomputes(c, i);
}

/* One end of the bracket around the best multiplier: a line below which D
 * stays. */
struct end {
  double multiplier, value, slope;
};

static double crossing(const struct end *low, const struct end *high,
                       double *value) {
  double at_zero_low = low->value - low->slope * low->multiplier;
  double at_zero_high = high->value - high->slope * high->multiplier;
  double x = (at_zero_high - at_zero_low) / (low->slope - high->slope);
  *value = at_zero_low + low->slope * x;
  return x;
}

static double first_guess(const struct closure *c) {
  double cost = 0, size = 0;
  for (int i = 0; i < c->count; i++)
    if (c->support[i] < 0) {
      cost += (double)c->cost[i];
      size += (double)c->size[i];
    }
  return size > 0 && cost > 0 ? cost / size : 1;
}

static void mix_shares(struct closure *c, const struct end *low,
                       const struct end *high) {
  double part = high ? high->slope / (high->slope - low->slope) : 1;
  for (int i = 0; i < c->count; i++)
    c->share[i] = part * c->low[i] + (high ? (1 - part) * c->high[i] : 0);
}

/* D is concave and piecewise linear in the multiplier: Newton's method from
 * both sides (the crossing of the two lines). */
void closure_solve(struct closure *c, int steps) {
  struct end low = {0, 0, (double)c->excess}, high = {0, 0, 0};
  bool has_high = false;
  double x = c->multiplier > 0 ? c->multiplier : first_guess(c);
  c->value = 0;
  c->multiplier = 0;
  memset(c->low, 0, (size_t)c->count * sizeof *c->low);
  double last = -1, reach = 1.03;
  long most = c->flow->work + SOLVE_WORK;
  for (int step = 0; step < steps && x < 0x1p100; step++) {
    if (c->value > 0 && c->flow->work > most)
      break;
    int64_t slope, value = evaluate(c, x, &slope);
    last = x;
    if (value > c->value) {
      c->value = value;
      c->multiplier = x;
    }
    if (c->flow->unfinished)
      break;
    struct end *side = slope > 0 ? &low : &high;
    *side = (struct end){x, (double)value, (double)slope};
    keep_set(c, slope > 0 ? c->low : c->high);
    has_high |= slope <= 0;
    if (slope == 0)
      break;
    if (!has_high || (low.multiplier <= 0 && step < 2)) {
      x = slope > 0 ? x * reach : x / reach;
      reach *= reach;
      continue;
    }
    double best;
    x = crossing(&low, &high, &best);
    if (!(x > low.multiplier && x < high.multiplier) ||
        best <= (double)c->value * (1 + 1e-6) + 1)
      break;
  }
  mix_shares(c, &low, has_high ? &high : NULL);
  if (last != c->multiplier)
    closure_value(c);
}

int64_t closure_value(struct closure *c) {
  int64_t slope, value = evaluate(c, c->multiplier, &slope);
  if (value < 0) {
    c->multiplier = 0;
    value = evaluate(c, 0, &slope);
  }
  return c->value = value;
}

bool closure_feasible(struct closure *c) {
  int64_t slope;
  memset(c->cost, 0, (size_t)c->count * sizeof *c->cost);
  int64_t value = evaluate(c, 0x1p12, &slope);
  return c->flow->unfinished || value <= 0;
}

int64_t closure_least_memory(struct closure *c, const struct problem *p) {
  double unit = byte_unit(c);
  int64_t held;
  memset(c->cost, 0, (size_t)c->count * sizeof *c->cost);
  double paid = (double)minimise(c, unit, false, &held);
  return c->flow->unfinished
             ? 0
             : p->budget - c->capacity + (int64_t)ceil(paid / unit);
}
