#include "heuristics/revolve.h"

/* C(s + r, s), the steps that s slots reverse with at most r computes each;
 * INT64_MAX where it is far beyond any chain. */
static int64_t binomial(int s, int r) {
  const int64_t far = INT64_C(1) << 40;
  int64_t value = 1;
  int few = s < r ? s : r, many = s < r ? r : s;
  for (int i = 1; i <= few; i++) {
    value = value * (many + i) / i;
    if (value > far)
      return INT64_MAX;
  }
  return value;
}

int64_t revolve_computes(int l, int s) {
  if (l <= 0)
    return 0;
  int r = 0;
  while (binomial(s + 1, r) < l + 1)
    r++;
  return (int64_t)r * (l + 1) - binomial(s + 2, r - 1);
}

/* The number of forward nodes, or -1 if the graph is no reversed chain. */
static int forward_nodes(const struct problem *p) {
  int nodes = p->sink >= 0 ? p->n - 1 : p->n, l = nodes / 2;
  bool reversed = l == 1; /* does any but the first and last look back? */
  if (nodes % 2 || !l)
    return -1;
  for (int v = 0; v < nodes; v++) {
    int t = v - l, mirror = l - 1 - t;
    bool ahead = v == 0, mirrored = v < l || !mirror;
    for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++) {
      int u = p->pred[e];
      ahead |= u == v - 1;
      bool back = v >= l && (u == mirror || u == mirror - 1);
      mirrored |= back;
      reversed |= back && (v > l || u == mirror - 1);
      if (u != v - 1 && !back)
        return -1;
    }
    if (!ahead || !mirrored)
      return -1;
  }
  return reversed ? l : -1;
}

/* How far to go before the next checkpoint, to reverse l nodes with s slots:
 * d + F(l - d, s - 1) + F(d - 1, s) is least. */
static int best_split(int l, int s) {
  int best = l;
  int64_t least = l + revolve_computes(l - 1, s);
  for (int d = 1; d < l && s > 0; d++) {
    int64_t cost =
        d + revolve_computes(l - d, s - 1) + revolve_computes(d - 1, s);
    if (cost < least) {
      least = cost;
      best = d;
    }
  }
  return best;
}

struct segment {
  int start;  /* nodes start .. start + l - 1; the one ahead is held */
  int l, s;   /* nodes, slots */
  bool ready; /* the last one is held: its backward node comes next */
};

/* Depth first, right parts before left ones; a left part waits on the stack.
 * Writes at most `most` steps; returns their number, -1 if there are more or
 * it was stopped. */
static int64_t write_steps(int l, int slots, struct segment *stack, int *step,
                           int64_t most, struct stop *stop) {
  enum { UNITS_A_SPLIT = 50 };
  int depth = 0;
  int64_t length = 0;
  stack[depth++] = (struct segment){0, l, slots, false};
  while (depth) {
    struct segment g = stack[--depth];
    if (g.ready) {
      if (length == most)
        return -1;
      step[length++] = l + (l - (g.start + g.l));
      g.l--;
    }
    if (!g.l)
      continue;
    int d = best_split(g.l, g.s);
    if (length + d > most || stop_after(stop, UNITS_A_SPLIT * (int64_t)g.l))
      return -1;
    for (int i = 0; i < d; i++)
      step[length++] = g.start + i;
    stack[depth++] = (struct segment){g.start, d, g.s, true};
    if (d < g.l)
      stack[depth++] = (struct segment){g.start + d, g.l - d, g.s - 1, false};
  }
  return length;
}

static bool within_limits(const struct problem *p, const int *step,
                          int64_t length, struct memory *m) {
  int *count = MEMORY_ARRAY(m, int, p->n);
  bool within = true;
  for (int64_t k = 0; k < length; k++)
    within &= ++count[step[k]] <= p->limit[step[k]];
  memory_put(m, count);
  return within;
}

struct schedule *revolve_with_slots(const struct problem *p, int s,
                                    struct memory *m, struct stop *stop,
                                    struct error *error) {
  int l = forward_nodes(p);
  if (l < 0) {
    error_set(error, STATUS_USAGE,
              "revolve: the graph is no chain followed by its reverse");
    return NULL;
  }
  int64_t most = revolve_computes(l, s) + l + 1;
  if (most > INT32_MAX / 4) {
    error_set(error, STATUS_RESOURCES, "revolve: %lld steps are too many",
              (long long)most);
    return NULL;
  }
  int *step = MEMORY_ARRAY(m, int, most);
  struct segment *stack = MEMORY_ARRAY(m, struct segment, 2 * (size_t)l + 2);
  int64_t length = write_steps(l, s, stack, step, most - 1, stop);
  if (length >= 0 && p->sink >= 0)
    step[length++] = p->sink;
  struct schedule *result = NULL;
  if (length >= 0 && within_limits(p, step, length, m)) {
    int trimmed = schedule_trim(p, step, (int)length, m);
    result = schedule_new(m, p, step, trimmed);
  }
  memory_put(m, stack);
  memory_put(m, step);
  return result;
}

/* More slots, fewer computes, higher peak: halves the range of slots.  If none
 * is within the budget, the lowest peak is returned. */
struct schedule *revolve_schedule(const struct problem *p, struct memory *m,
                                  struct stop *stop, struct error *error) {
  int low = 0, high = p->n / 2;
  struct schedule *best = NULL;
  while (low < high && !stop_after(stop, 0)) {
    int s = low + (high - low) / 2;
    struct error failure = {0};
    struct schedule *found = revolve_with_slots(p, s, m, stop, &failure);
    if (failure.status == STATUS_USAGE) {
      error_set(error, failure.status, "%s", failure.text);
      return NULL;
    }
    bool fits = found && found->peak <= p->budget;
    if (found && !fits)
      high = s;
    else
      low = s + 1;
    if (found && (!best || fits || best->peak > p->budget)) {
      schedule_free(m, best);
      best = found;
    } else {
      schedule_free(m, found);
    }
  }
  return best;
}
