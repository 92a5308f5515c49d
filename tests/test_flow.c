/* flow against every cut of small random networks, through random changes. */
#include "model/flow.h"
#include "solver/base/random.h"

#include <criterion/criterion.h>

enum { NODES = 7, ARCS = 16 };

static int64_t cut_cost(const struct flow *f, const int *from, const int *to,
                        unsigned set) {
  int64_t cost = 0;
  for (int v = 0; v < f->node_count; v++) {
    bool inside = set >> v & 1;
    if (inside && f->supply[v] < 0)
      cost -= f->supply[v];
    if (!inside && f->supply[v] > 0)
      cost += f->supply[v];
  }
  for (int k = 0; k < f->arc_count; k++)
    if ((set >> from[k] & 1) && !(set >> to[k] & 1))
      cost += f->capacity[k];
  return cost;
}

static int64_t proven(const struct flow *f) {
  int64_t value = 0;
  for (int v = 0; v < f->node_count; v++) {
    value += f->supply[v] > 0 ? f->supply[v] : 0;
    value -= f->excess[v] > 0 ? f->excess[v] : 0;
  }
  return value;
}

/* Least cost over all cuts, and the smallest set that attains it: minimum
 * cuts are closed under intersection. */
static int64_t best_cut(const struct flow *f, const int *from, const int *to,
                        unsigned *smallest) {
  int64_t best = INT64_MAX;
  for (unsigned set = 0; set < 1u << f->node_count; set++) {
    int64_t cost = cut_cost(f, from, to, set);
    if (cost < best) {
      best = cost;
      *smallest = set;
    } else if (cost == best) {
      *smallest &= set;
    }
  }
  return best;
}

static void check_conserved(const struct flow *f, const int *from,
                            const int *to, int round) {
  int64_t balance[NODES];
  for (int v = 0; v < f->node_count; v++)
    balance[v] = f->supply[v];
  for (int k = 0; k < f->arc_count; k++) {
    int64_t on = flow_on(f, k);
    cr_assert(on >= 0 && on <= f->capacity[k], "round %d: arc %d", round, k);
    balance[from[k]] -= on;
    balance[to[k]] += on;
  }
  for (int v = 0; v < f->node_count; v++)
    cr_assert_eq(balance[v], f->excess[v], "round %d: node %d", round, v);
}

static void change(struct random *r, struct flow *f, int scale) {
  int how_many = 1 + random_below(r, 6);
  for (int i = 0; i < how_many; i++) {
    if (random_below(r, 2))
      flow_set_supply(f, random_below(r, f->node_count),
                      random_below(r, 2 * scale + 1) - scale);
    else if (f->arc_count)
      flow_set_capacity(f, random_below(r, f->arc_count),
                        random_below(r, 5) ? random_below(r, scale)
                                           : FLOW_UNLIMITED);
  }
}

static bool never(void *context) {
  return context;
}

/* Stopped at once: it still proves no more than there is. */
static void check_stopped(struct flow *f, int64_t best, int round) {
  struct stop stop = {.asked = never, .yes = true};
  f->stop = &stop;
  flow_solve(f);
  f->stop = NULL;
  cr_assert(proven(f) <= best, "round %d: stopped at %lld > %lld", round,
            (long long)proven(f), (long long)best);
}

Test(flow, equals_best_of_all_cuts_through_changes) {
  struct memory *m = memory_new(NULL);
  struct random r;
  random_seed(&r, 5);
  for (int round = 0; round < 1500; round++) {
    int n = 1 + random_below(&r, NODES), arcs = random_below(&r, ARCS + 1);
    int from[ARCS], to[ARCS], scale = 1 + random_below(&r, 20);
    if (n == 1)
      arcs = 0;
    for (int k = 0; k < arcs; k++) {
      from[k] = random_below(&r, n);
      to[k] = (from[k] + 1 + random_below(&r, n - 1)) % n;
    }
    struct flow *f = flow_new(m, n, arcs, from, to);
    for (int step = 0; step < 8; step++) {
      change(&r, f, scale);
      check_conserved(f, from, to, round);
      unsigned smallest = 0, found = 0;
      int64_t best = best_cut(f, from, to, &smallest);
      cr_assert(proven(f) <= best, "round %d: unfinished %lld > %lld", round,
                (long long)proven(f), (long long)best);
      check_stopped(f, best, round);
      flow_solve(f);
      check_conserved(f, from, to, round);
      for (int v = 0; v < n; v++)
        found |= (unsigned)flow_inside(f, v) << v;
      cr_assert_eq(proven(f), best, "round %d step %d: %lld, not %lld", round,
                   step, (long long)proven(f), (long long)best);
      cr_assert_eq(found, smallest, "round %d step %d: set %x, not %x", round,
                   step, found, smallest);
    }
    flow_free(f);
  }
  memory_free(m);
}
