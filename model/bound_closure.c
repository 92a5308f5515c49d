#include "model/bound_closure.h"

#include <math.h>
#include <string.h>

/* Beyond every sum of costs (2^53), and what a barred entry costs. */
static const int64_t price_limit = INT64_C(1) << 54;
static const int64_t barred_cost = INT64_C(1) << 58;

/* Arcs after which the search for a multiplier ends with what it has: only
 * networks of a million arcs come to that. */
enum { SOLVE_WORK = 20000000 };

/* Marks of nodes below the cut. */
enum { PLAIN, NEEDED, HELD, SUPPORT };

bool closure_repeatable(const struct closure_maker *maker, int node) {
  const struct problem *p = maker->problem;
  if (maker->scope != BOUND_ANY || node == p->sink)
    return p->limit[node] > 1;
  return p->graph->node[p->node_of[node]].max_computes != 1;
}

/* Is the first compute of u before that of t in every order?  The sink is last
 * in all. */
static bool is_before(const struct closure_maker *maker, int u, int t) {
  if (maker->problem->sink == t || maker->problem->sink == u)
    return maker->problem->sink == t && u != t;
  return maker->ancestors[(size_t)t * (size_t)maker->words +
                          (size_t)(u / 64)] >>
             (u % 64) &
         1;
}

/* Does a first compute after [t] in the input order read u? */
static bool is_read_later(const struct problem *p, int u, int t) {
  return p->succ_start[u] < p->succ_start[u + 1] &&
         p->succ[p->succ_start[u + 1] - 1] > t;
}

/* Does a first compute that is after [t] in every order read u? */
static bool is_read_after(const struct closure_maker *maker, int u, int t) {
  const struct problem *p = maker->problem;
  for (int e = p->succ_start[u + 1] - 1;
       e >= p->succ_start[u] && p->succ[e] > t; e--)
    if (is_before(maker, t, p->succ[e]))
      return true;
  return false;
}

/* The window of node u that cut t lies in. */
static int find_window(const struct closure_maker *maker, int u, int t) {
  const struct problem *p = maker->problem;
  int low = p->succ_start[u], high = p->succ_start[u + 1];
  if (maker->scope == BOUND_FREE_ORDER)
    return low + u;
  while (low < high) {
    int middle = (low + high) / 2;
    if (p->succ[middle] <= t)
      low = middle + 1;
    else
      high = middle;
  }
  return low + u;
}

/* The same, or -1 if nothing can recompute u in there after the cut. */
static int window_of(const struct closure_maker *maker, int u, int t) {
  int window = find_window(maker, u, t);
  return maker->open_last[window] > t ? window : -1;
}

/* Bytes left at cut t beside what it reads and makes; marks what it reads. */
static int64_t mark_inputs(struct closure_maker *maker, int t) {
  const struct problem *p = maker->problem;
  int64_t capacity = p->budget - p->fixed - p->workspace[t] - p->size[t];
  memset(maker->mark, 0, (size_t)p->n * sizeof *maker->mark);
  for (int e = p->pred_start[t]; e < p->pred_start[t + 1]; e++) {
    maker->mark[p->pred[e]] = HELD;
    capacity -= p->size[p->pred[e]];
  }
  return capacity;
}

/* A needed node is an entry if it can be recomputed, else held. */
static void need(struct closure_maker *maker, int u, int t, int64_t *capacity) {
  bool entry = window_of(maker, u, t) >= 0;
  maker->mark[u] = entry ? NEEDED : HELD;
  if (!entry)
    *capacity -= maker->problem->size[u];
}

/* Marks what is held and what is needed at cut t, the order being the input
 * order; returns the bytes left for entries, and in *excess how far the needed
 * ones exceed that. */
static int64_t mark_staged(struct closure_maker *maker, int t,
                           int64_t *excess) {
  const struct problem *p = maker->problem;
  int64_t capacity = mark_inputs(maker, t);
  *excess = 0;
  for (int u = t - 1; u >= 0; u--) {
    if (maker->mark[u] == HELD || !is_read_later(p, u, t))
      continue;
    need(maker, u, t, &capacity);
    *excess += maker->mark[u] == NEEDED ? p->size[u] : 0;
  }
  *excess -= capacity;
  return capacity;
}

/* Open nodes that no needed one is connected with: all of them may have been
 * computed and dropped, so they are no entries. */
static void drop_idle_parts(struct closure_maker *maker) {
  const struct problem *p = maker->problem;
  int *part = maker->depth, *list = maker->list;
  for (int v = 0; v < p->n; v++)
    part[v] = 0;
  for (int v = 0; v < p->n; v++) {
    if (!maker->apart[v] || part[v])
      continue;
    int length = 0;
    bool needed = false;
    part[v] = 1;
    list[length++] = v;
    for (int k = 0; k < length; k++) {
      int u = list[k], inputs = p->pred_start[u + 1] - p->pred_start[u];
      int degree = inputs + p->succ_start[u + 1] - p->succ_start[u];
      needed |= maker->mark[u] == NEEDED;
      for (int e = 0; e < degree; e++) {
        int x = e < inputs ? p->pred[p->pred_start[u] + e]
                           : p->succ[p->succ_start[u] + e - inputs];
        if (maker->apart[x] && !part[x]) {
          part[x] = 1;
          list[length++] = x;
        }
      }
    }
    for (int k = 0; k < length && !needed; k++) {
      maker->mark[list[k]] = PLAIN;
      maker->apart[list[k]] = false;
    }
  }
}

/* The same as mark_staged where the first computes may come in any order; open
 * nodes are marked as needed if they are once they have been computed. */
static int64_t mark_free(struct closure_maker *maker, int t) {
  const struct problem *p = maker->problem;
  int64_t capacity = mark_inputs(maker, t);
  for (int u = 0; u < p->n; u++) {
    maker->apart[u] =
        u != t && !is_before(maker, u, t) && !is_before(maker, t, u);
    if (maker->apart[u])
      maker->mark[u] = is_read_after(maker, u, t) ? NEEDED : SUPPORT;
    else if (maker->mark[u] != HELD && is_before(maker, u, t) &&
             is_read_after(maker, u, t))
      need(maker, u, t, &capacity);
  }
  drop_idle_parts(maker);
  maker->work += p->n;
  return capacity;
}

bool closure_satisfied(struct closure_maker *maker, int t, const double *part) {
  const struct problem *p = maker->problem;
  int64_t excess;
  mark_staged(maker, t, &excess); /* one of the orders, if it is free */
  maker->work += t;
  for (int u = t - 1; u >= 0 && excess > INT64_MIN / 2; u--) {
    int mark = maker->mark[u];
    if (mark != NEEDED && mark != SUPPORT)
      continue;
    int window = window_of(maker, u, t);
    if (window < 0 || part[window] < 1 - 1e-6) {
      excess += mark == SUPPORT ? p->size[u] : 0;
      continue;
    }
    excess -= mark == NEEDED ? p->size[u] : 0;
    for (int e = p->pred_start[u]; e < p->pred_start[u + 1]; e++)
      if (maker->mark[p->pred[e]] == PLAIN)
        maker->mark[p->pred[e]] = SUPPORT;
  }
  return excess <= 0;
}

/* Needed nodes and the supports they may ask for, downwards; inputs have
 * smaller numbers, so a support is marked before it is met.  Of an open node
 * the inputs are asked for also if it cannot be recomputed. */
static int list_entries(struct closure_maker *maker, int t) {
  const struct problem *p = maker->problem;
  bool free_order = maker->scope == BOUND_FREE_ORDER;
  int count = 0;
  for (int u = free_order ? p->n - 1 : t - 1; u >= 0; u--) {
    int mark = maker->mark[u];
    bool open = free_order && maker->apart[u];
    if (mark == NEEDED || open)
      maker->depth[u] = 0;
    else if (mark != SUPPORT)
      continue;
    maker->list[count++] = u;
    if (!open &&
        (maker->depth[u] >= maker->max_depth || window_of(maker, u, t) < 0))
      continue;
    for (int e = p->pred_start[u]; e < p->pred_start[u + 1]; e++) {
      int q = p->pred[e], depth = maker->depth[u] + 1;
      if (maker->mark[q] == PLAIN ||
          (maker->mark[q] == SUPPORT && depth < maker->depth[q])) {
        maker->mark[q] = SUPPORT;
        maker->depth[q] = depth;
      }
    }
  }
  return count;
}

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
    c->window[i] = window_of(maker, u, c->cut);
    c->support[i] = maker->mark[u] == SUPPORT ? c->support_count++ : -1;
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
      if (maker->mark[p->pred[e]] == SUPPORT)
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
  int *place = maker->depth;
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
      paid += supply < cost ? supply : cost;
      supply -= cost;
    }
    flow_set_supply(f, i, supply);
    if (c->support[i] >= 0)
      flow_set_capacity(f, c->support[i], hold);
  }
  flow_solve(f);
  f->work += f->node_count;
  for (int v = 0; v < f->node_count; v++) {
    paid -= f->supply[v] < 0 ? f->supply[v] : 0;
    paid += f->excess[v] < 0 ? f->excess[v] : 0;
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
  bool free_order = maker->scope == BOUND_FREE_ORDER;
  c->cut = t;
  c->capacity =
      free_order ? mark_free(maker, t) : mark_staged(maker, t, &c->excess);
  c->count = list_entries(maker, t);
  fill_entries(maker, c);
  build_network(maker, c);
  if (free_order) {
    int64_t held;
    minimise(c, byte_unit(c), true, &held);
    c->excess = held - c->capacity;
  }
  return c;
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
