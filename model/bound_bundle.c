#include "model/bound_bundle.h"

#include <math.h>
#include <string.h>

enum { MOST_PLANES = 60, MOST_IDLE = 25 };

static double plane_value(const struct plane *a, const double *cost) {
  double sum = 0;
  for (int i = 0; i < a->count; i++)
    sum += a->share[i] * cost[a->entry[i]];
  return sum;
}

/* The closure's present shares as a plane.  Makes room by dropping the plane
 * that has been without weight for longest. */
static void add_plane(struct memory *m, struct closure *c) {
  if (!c->plane)
    c->plane = MEMORY_ARRAY(m, struct plane, MOST_PLANES);
  if (c->plane_count == MOST_PLANES) {
    int oldest = 0;
    for (int k = 1; k < c->plane_count; k++)
      if (c->plane[k].idle > c->plane[oldest].idle)
        oldest = k;
    if (!c->plane[oldest].idle)
      return;
    closure_drop_plane(m, c, oldest);
  }
  struct plane *a = &c->plane[c->plane_count++];
  *a = (struct plane){.weight = c->plane_count == 1 ? 1 : 0};
  for (int i = 0; i < c->count; i++)
    a->count += c->share[i] > 0;
  a->entry = MEMORY_ARRAY(m, int, a->count);
  a->share = MEMORY_ARRAY(m, double, a->count);
  int length = 0;
  for (int i = 0; i < c->count; i++)
    if (c->share[i] > 0) {
      a->entry[length] = i;
      a->share[length++] = c->share[i];
    }
}

/* Planes may have been dropped since the last step: weights sum to one. */
static void restore_weights(struct memory *m, struct closure *c) {
  double sum = 0;
  for (int k = 0; k < c->plane_count; k++)
    sum += c->plane[k].weight;
  if (sum >= 1e-3) {
    for (int k = 0; k < c->plane_count; k++)
      c->plane[k].weight /= sum;
    return;
  }
  add_plane(m, c);
  for (int k = 0; k < c->plane_count; k++)
    c->plane[k].weight = k == c->plane_count - 1;
}

/* The threshold t >= 0 with sum of (x - t)+ = total over one window, 0 if the
 * sum is below; *active counts the entries above it (Michelot's method). */
static double threshold(const struct bound_state *s, int slot, double total,
                        int *active) {
  int from = s->row[slot], to = s->row[slot + 1];
  double sum = 0, t = 0;
  int count = 0;
  for (int k = from; k < to; k++)
    if (s->cost[s->row_entry[k]] > 0) {
      sum += s->cost[s->row_entry[k]];
      count++;
    }
  *active = count;
  if (sum <= total)
    return 0;
  for (;;) {
    t = (sum - total) / count;
    double next = 0;
    int left = 0;
    for (int k = from; k < to; k++)
      if (s->cost[s->row_entry[k]] > t) {
        next += s->cost[s->row_entry[k]];
        left++;
      }
    if (left >= count || !left)
      break;
    sum = next;
    count = left;
  }
  *active = count;
  return t;
}

static void clip_window(struct bound_state *s, int slot, double t) {
  for (int k = s->row[slot]; k < s->row[slot + 1]; k++) {
    double *x = &s->cost[s->row_entry[k]];
    *x = *x > t ? *x - t : 0;
  }
}

/* The price of a node with several windows: the root of
 * mu - start - sum of the windows' thresholds at weight + mu, which is concave
 * and grows, by Newton's method from below; at least 0. */
static double find_price(const struct bound_state *s, int from, int to,
                         double weight, double start) {
  double price = 0;
  for (int round = 0; round < 30; round++) {
    double value = price - start, slope = 1;
    for (int slot = from; slot < to; slot++) {
      int active;
      double t = threshold(s, slot, weight + price, &active);
      value -= t;
      if (t > 0)
        slope += 1.0 / active;
    }
    if (value >= -1e-9 * weight)
      break;
    price -= value / slope;
  }
  return price < 15 * weight ? price : 15 * weight;
}

/* The trial point in all windows of one node, from the centre and the primal
 * point. */
static void project(struct bound_state *s, int block) {
  int from = s->block[block], to = s->block[block + 1];
  int node = s->used_node[from];
  double weight = (double)s->weight[node], scale = s->tau * weight;
  for (int k = s->row[from]; k < s->row[to]; k++) {
    int e = s->row_entry[k];
    s->cost[e] = s->best_cost[e] + scale * s->mean[e];
  }
  double price = 0;
  if (to - from > 1 && s->spare[node] > 0)
    price = find_price(s, from, to, weight,
                       s->best_price[node] - scale * s->spare[node]);
  s->price[node] = price;
  for (int slot = from; slot < to; slot++) {
    int active;
    clip_window(s, slot, threshold(s, slot, weight + price, &active));
  }
}

/* Mixes the planes into the primal point. */
static void mix_planes(struct bound_state *s) {
  memset(s->mean, 0, (size_t)s->entry_count * sizeof *s->mean);
  for (int k = 0; k < s->closure_count; k++)
    for (int j = 0; j < s->closure[k]->plane_count; j++) {
      const struct plane *a = &s->closure[k]->plane[j];
      if (a->weight > 0)
        for (int i = 0; i < a->count; i++)
          s->mean[s->first[k] + a->entry[i]] += a->weight * a->share[i];
    }
}

/* Adds `amount` times the difference of two planes to the primal point and
 * updates the trial; returns the difference of their values there. */
static double shift(struct bound_state *s, int k, const struct plane *from,
                    const struct plane *to, double amount) {
  double *mean = s->mean + s->first[k];
  for (int i = 0; i < from->count; i++)
    mean[from->entry[i]] -= amount * from->share[i];
  for (int i = 0; i < to->count; i++)
    mean[to->entry[i]] += amount * to->share[i];
  s->stamp++;
  for (int side = 0; side < 2; side++) {
    const struct plane *a = side ? to : from;
    for (int i = 0; i < a->count; i++) {
      int block = s->block_of[s->first[k] + a->entry[i]];
      if (s->seen[block] != s->stamp) {
        s->seen[block] = s->stamp;
        project(s, block);
      }
    }
    s->bundle_work += a->count;
  }
  const double *cost = s->cost + s->first[k];
  return plane_value(to, cost) - plane_value(from, cost);
}

/* An upper estimate of how fast the difference grows along a shift. */
static double curvature(struct bound_state *s, int k, const struct plane *from,
                        const struct plane *to) {
  double *difference = s->scratch;
  const struct closure *c = s->closure[k];
  double sum = 0;
  for (int i = 0; i < from->count; i++)
    difference[from->entry[i]] -= from->share[i];
  for (int i = 0; i < to->count; i++)
    difference[to->entry[i]] += to->share[i];
  for (int side = 0; side < 2; side++) {
    const struct plane *a = side ? to : from;
    for (int i = 0; i < a->count; i++) {
      double d = difference[a->entry[i]];
      sum += d * d * (double)s->weight[c->node[a->entry[i]]];
      difference[a->entry[i]] = 0;
    }
  }
  return s->tau * sum;
}

/* Moves weight from the worst plane in use to the best one of cut k until
 * their values meet.  Returns the gap between the mixture and the best. */
static double balance(struct bound_state *s, int k, double tolerance) {
  struct closure *c = s->closure[k];
  const double *cost = s->cost + s->first[k];
  int best = 0, worst = -1;
  double mixture = 0;
  for (int j = 0; j < c->plane_count; j++) {
    struct plane *a = &c->plane[j];
    a->value = plane_value(a, cost);
    s->bundle_work += a->count;
    if (a->value < c->plane[best].value)
      best = j;
    if (a->weight > 0) {
      mixture += a->weight * a->value;
      if (worst < 0 || a->value > c->plane[worst].value)
        worst = j;
    }
  }
  double gap = mixture - c->plane[best].value;
  if (worst < 0 || worst == best || gap <= tolerance)
    return gap;
  struct plane *from = &c->plane[worst], *to = &c->plane[best];
  double difference = to->value - from->value, moved = 0;
  double slope = curvature(s, k, from, to);
  for (int round = 0; round < 6 && difference < 0; round++) {
    double amount = slope > 0 ? -difference / slope : from->weight;
    if (moved + amount > from->weight)
      amount = from->weight - moved;
    if (amount <= 0)
      break;
    double next = shift(s, k, from, to, amount);
    moved += amount;
    if (next > 0) {
      double back = amount * next / (next - difference);
      shift(s, k, from, to, -back);
      moved -= back;
      break;
    }
    slope = (next - difference) / amount;
    difference = next;
  }
  from->weight -= moved;
  to->weight += moved;
  if (from->weight < 1e-12) {
    to->weight += from->weight;
    from->weight = 0;
  }
  return gap;
}

/* Finds the trial; returns the model's value there (prices not included). */
static void find_trial(struct bound_state *s, double tolerance) {
  mix_planes(s);
  for (int block = 0; block < s->block_count; block++)
    project(s, block);
  for (int sweep = 0; sweep < 60; sweep++) {
    double gap = 0;
    for (int k = 0; k < s->closure_count; k++)
      gap += balance(s, k, tolerance / (2 * s->closure_count));
    if (gap <= tolerance)
      break;
  }
}

static double model_value(const struct bound_state *s) {
  double sum = 0;
  for (int k = 0; k < s->closure_count; k++) {
    const struct closure *c = s->closure[k];
    double least = INFINITY;
    for (int j = 0; j < c->plane_count; j++) {
      double value = plane_value(&c->plane[j], s->cost + s->first[k]);
      if (value < least)
        least = value;
    }
    sum += least;
  }
  for (int block = 0; block < s->block_count; block++) {
    int node = s->used_node[s->block[block]];
    sum -= s->price[node] * s->spare[node];
  }
  return sum;
}

static void refresh_planes(struct bound_state *s) {
  for (int k = 0; k < s->closure_count; k++) {
    struct closure *c = s->closure[k];
    for (int j = c->plane_count - 1; j >= 0; j--) {
      c->plane[j].idle = c->plane[j].weight > 0 ? 0 : c->plane[j].idle + 1;
      if (c->plane[j].idle > MOST_IDLE)
        closure_drop_plane(s->memory, c, j);
    }
    add_plane(s->memory, c);
  }
}

double bundle_step(struct bound *b) {
  struct bound_state *s = b->state;
  if (s->tau <= 0)
    s->tau = 0.1;
  for (int k = 0; k < s->closure_count; k++)
    restore_weights(s->memory, s->closure[k]);
  double before = (double)s->best;
  find_trial(s, s->promise > 0 ? 0.1 * s->promise : 0.001 * before + 1);
  double promise = model_value(s) - before;
  s->promise = promise;
  bound_round(s);
  for (int k = 0; k < s->closure_count; k++)
    closure_solve(s->closure[k], 6);
  double gain = (double)bound_sum(s) - before;
  bound_take(b);
  refresh_planes(s);
  if (gain >= 0.1 * promise) {
    s->nulls = 0;
    if (gain >= 0.5 * promise)
      s->tau *= 1.5;
  } else if (++s->nulls >= 8 || gain < -2 * promise) {
    s->nulls = 0;
    s->tau *= 0.6;
  }
  b->iterations++;
  return promise;
}
