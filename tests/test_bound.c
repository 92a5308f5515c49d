/* The lower bounds against exhaustive search on small random graphs: never
 * above the truth, in any scope; what reduced costs close is in no shorter
 * schedule, and what they demand is in every one. */
#include "model/bound_peak.h"
#include "solver/base/random.h"
#include "tests/pebble.h"

#include <criterion/criterion.h>
#include <limits.h>

struct shape {
  int nodes, most_duration, most_size;
  bool extras; /* workspace, fixed memory, keep, limits */
};

static struct graph *random_graph(struct memory *m, struct random *r,
                                  const struct shape *shape) {
  struct graph *g = graph_new(m);
  int edges = 10 + random_below(r, 50);
  for (int v = 0; v < shape->nodes; v++) {
    struct graph_node node = {.id = {NULL, v}, .name = ""};
    node.duration = random_below(r, shape->most_duration + 1);
    node.size = random_below(r, shape->most_size + 1);
    if (shape->extras) {
      node.workspace = random_below(r, 4) ? 0 : random_below(r, 5);
      node.keep = shape->nodes < 6 && !random_below(r, 8);
      node.max_computes = random_below(r, 5) ? 0 : 1 + random_below(r, 2);
    }
    graph_add_node(g, &node);
    if (v && random_below(r, 5))
      graph_add_edge(g, v - 1 - random_below(r, v > 1 ? 2 : 1), v);
    for (int u = 0; u + 1 < v; u++)
      if (random_below(r, 100) < edges)
        graph_add_edge(g, u, v);
  }
  if (shape->extras)
    g->fixed_memory = random_below(r, 4);
  struct error error = {0};
  bool ok = graph_finish(g, NULL, 0, &error);
  cr_assert(ok, "%s", error.text);
  return g;
}

static struct shape random_shape(struct random *r, int most_nodes) {
  return (struct shape){.nodes = most_nodes - random_below(r, most_nodes / 2),
                        .most_duration = random_below(r, 3) ? 9 : 2,
                        .most_size = 1 + random_below(r, 12),
                        .extras = random_below(r, 2)};
}

struct tally {
  int cases, above_base, tight, infeasible, proven;
};

/* What a bound of the scope speaks of.  In free order limits are kept where the
 * problem has them. */
static struct pebble_rules rules_of(enum bound_scope scope,
                                    const struct problem *p) {
  return (struct pebble_rules){
      .free_order = scope == BOUND_FREE_ORDER,
      .limited = scope == BOUND_LIMITED ||
                 (scope == BOUND_FREE_ORDER && p->max_computes)};
}

/* Limits make the oracle slower: in free order only small graphs have one. */
static int random_limit(struct random *r, enum bound_scope scope,
                        int most_nodes) {
  return scope == BOUND_FREE_ORDER && most_nodes > 5 ? 0
                                                     : 1 + random_below(r, 3);
}

static void check_value(struct problem *p, enum bound_scope scope, int round,
                        struct tally *tally) {
  struct memory *m = memory_new(NULL);
  struct bound *b = bound_new(m, p, scope, NULL);
  bound_improve(b, INT64_MAX, 300000, NULL);
  struct pebble_rules rules = rules_of(scope, p);
  int64_t truth = pebble_optimum(p, &rules);
  cr_assert(b->value <= truth, "round %d budget %lld scope %d: %lld > %lld",
            round, (long long)p->budget, (int)scope, (long long)b->value,
            (long long)truth);
  cr_assert(!b->infeasible || truth == INT64_MAX, "round %d budget %lld", round,
            (long long)p->budget);
  tally->cases++;
  tally->infeasible += truth == INT64_MAX;
  tally->proven += b->infeasible;
  if (truth < INT64_MAX && truth > p->base_duration) {
    tally->above_base++;
    tally->tight += b->value == truth;
  }
  memory_free(m);
}

static void sweep(enum bound_scope scope, int rounds, int most_nodes,
                  uint64_t seed) {
  struct random r;
  struct tally tally = {0};
  random_seed(&r, seed);
  for (int round = 0; round < rounds; round++) {
    struct memory *m = memory_new(NULL);
    struct shape shape = random_shape(&r, most_nodes);
    struct graph *g = random_graph(m, &r, &shape);
    struct error error = {0};
    struct problem *p =
        problem_new(m, g, random_limit(&r, scope, most_nodes), false, &error);
    for (p->budget = p->working_set - 1; p->budget <= p->base_peak;
         p->budget += 1 + random_below(&r, 2))
      check_value(p, scope, round, &tally);
    memory_free(m);
  }
  cr_log_info("scope %d: %d cases, %d need recomputes, bound tight in %d; %d "
              "infeasible, %d proven",
              (int)scope, tally.cases, tally.above_base, tally.tight,
              tally.infeasible, tally.proven);
  int percent = scope == BOUND_FREE_ORDER ? 60 : 85;
  cr_assert(100 * tally.tight >= percent * tally.above_base,
            "only %d of %d are tight", tally.tight, tally.above_base);
}

Test(bound, limited_is_never_above_the_truth) {
  sweep(BOUND_LIMITED, 1000, 5, 1);
}

Test(bound, any_limit_is_never_above_the_truth) {
  sweep(BOUND_ANY, 2000, 7, 2);
}

Test(bound, free_order_is_never_above_the_truth) {
  sweep(BOUND_FREE_ORDER, 2000, 7, 3);
  sweep(BOUND_FREE_ORDER, 2000, 5, 9);
}

/* The least peak of a problem in free order, by the oracle. */
static int64_t least_peak(struct problem *p) {
  struct pebble_rules rules = {.free_order = true, .limited = true};
  p->budget = p->working_set;
  while (pebble_optimum(p, &rules) == INT64_MAX)
    p->budget++;
  return p->budget;
}

Test(bound, peak_in_free_order_is_never_above_the_truth) {
  struct random r;
  int cases = 0, above = 0, tight = 0;
  random_seed(&r, 11);
  for (int round = 0; round < 3000; round++) {
    struct memory *m = memory_new(NULL);
    struct shape shape = random_shape(&r, 6);
    struct graph *g = random_graph(m, &r, &shape);
    struct error error = {0};
    int computes = random_below(&r, 3) ? 1 : 2;
    struct problem *p = problem_new(m, g, computes, true, &error);
    if (bound_peak_applies(p)) {
      struct bound_peak *b = bound_peak_new(m, p, NULL);
      while (!b->done)
        bound_peak_improve(b, 10, NULL);
      int64_t truth = least_peak(p);
      cr_assert(b->value <= truth, "round %d: %lld > %lld", round,
                (long long)b->value, (long long)truth);
      cases++;
      above += truth > p->working_set;
      tight += truth > p->working_set && b->value == truth;
    }
    memory_free(m);
  }
  cr_log_info("%d cases, %d above the working set, bound tight in %d", cases,
              above, tight);
  cr_assert(above > 100 && 100 * tight >= 40 * above, "%d of %d", tight, above);
}

static void close_outside(const struct problem *p, const struct bound_fixing *f,
                          bool *closed) {
  for (int i = 0; i < p->n * p->n; i++)
    closed[i] = true;
  for (int i = 0; i < f->window_count; i++)
    for (int j = f->window[i].first; j <= f->window[i].last; j++)
      closed[f->window[i].node * p->n + j] = false;
}

/* The optimum survives inside the windows whenever it is shorter than upper,
 * and nothing shorter does without a window that must be used. */
static void check_fixing(struct problem *p, enum bound_scope scope,
                         int64_t truth, struct random *r, int round,
                         struct tally *tally) {
  struct memory *m = memory_new(NULL);
  struct bound *b = bound_new(m, p, scope, NULL);
  int64_t upper = truth + 1 + (random_below(r, 2) ? 0 : random_below(r, 6));
  bound_improve(b, random_below(r, 2) ? upper : INT64_MAX, 200000, NULL);
  struct bound_fixing *f = bound_fix(b, upper, m);
  bool *closed = MEMORY_ARRAY(m, bool, p->n * p->n);
  struct pebble_rules rules = rules_of(scope, p);
  rules.closed = closed;
  close_outside(p, f, closed);
  int64_t least = pebble_optimum(p, &rules);
  cr_assert_eq(least, truth,
               "round %d scope %d budget %lld upper %lld: %lld inside the "
               "windows, truth %lld",
               round, (int)scope, (long long)p->budget, (long long)upper,
               (long long)least, (long long)truth);
  cr_assert(b->value <= truth, "round %d scope %d budget %lld: %lld > %lld",
            round, (int)scope, (long long)p->budget, (long long)b->value,
            (long long)truth);
  tally->cases++;
  tally->infeasible += f->never_count;
  for (int i = 0; i < f->window_count; i++) {
    const struct bound_window *w = &f->window[i];
    if (!w->must)
      continue;
    tally->proven++;
    close_outside(p, f, closed);
    for (int j = w->first; j <= w->last; j++)
      closed[w->node * p->n + j] = true;
    least = pebble_optimum(p, &rules);
    cr_assert(least >= upper,
              "round %d scope %d budget %lld: node %d must be recomputed in %d "
              "to %d below %lld but %lld goes without",
              round, (int)scope, (long long)p->budget, w->node, w->first,
              w->last, (long long)upper, (long long)least);
  }
  memory_free(m);
}

typedef void check_budget(struct problem *p, enum bound_scope scope,
                          int64_t truth, struct random *r, int round,
                          struct tally *tally);

/* Checks random problems at every budget that some schedule keeps. */
static struct tally each_budget(enum bound_scope scope, int rounds,
                                int most_nodes, uint64_t seed,
                                check_budget *check) {
  struct random r;
  struct tally tally = {0};
  random_seed(&r, seed);
  for (int round = 0; round < rounds; round++) {
    struct memory *m = memory_new(NULL);
    struct shape shape = random_shape(&r, most_nodes);
    struct graph *g = random_graph(m, &r, &shape);
    struct error error = {0};
    struct problem *p =
        problem_new(m, g, random_limit(&r, scope, most_nodes), false, &error);
    struct pebble_rules rules = rules_of(scope, p);
    for (p->budget = p->working_set; p->budget < p->base_peak; p->budget++) {
      int64_t truth = pebble_optimum(p, &rules);
      if (truth < INT64_MAX)
        check(p, scope, truth, &r, round, &tally);
    }
    memory_free(m);
  }
  return tally;
}

static void sweep_fixing(enum bound_scope scope, int rounds, int most_nodes,
                         uint64_t seed) {
  struct tally tally =
      each_budget(scope, rounds, most_nodes, seed, check_fixing);
  cr_log_info("scope %d: %d cases, %d nodes fixed, %d windows demanded",
              (int)scope, tally.cases, tally.infeasible, tally.proven);
  cr_assert(tally.infeasible && tally.proven, "nothing was fixed");
}

Test(bound, fixing_is_sound_for_limits) {
  sweep_fixing(BOUND_LIMITED, 400, 6, 4);
}

Test(bound, fixing_is_sound_for_any_limit) {
  sweep_fixing(BOUND_ANY, 800, 7, 5);
}

Test(bound, fixing_is_sound_for_free_order) {
  sweep_fixing(BOUND_FREE_ORDER, 800, 7, 6);
  sweep_fixing(BOUND_FREE_ORDER, 800, 5, 10);
}

/* A leaf holds the optimum, or may be refuted: then the value stays below the
 * truth; and some leaf holds it.  `asked`, at most `upper`: a better schedule
 * came after the tree was made, so less is refuted. */
static void refute_leaves(struct problem *p, int64_t truth, int64_t upper,
                          int64_t asked, int round, struct tally *tally) {
  struct memory *m = memory_new(NULL);
  struct bound *b = bound_new(m, p, BOUND_LIMITED, NULL);
  bound_improve(b, upper, 0, NULL);
  bool *closed = MEMORY_ARRAY(m, bool, p->n * p->n);
  struct pebble_rules rules = rules_of(BOUND_LIMITED, p);
  rules.closed = closed;
  bool held = false;
  struct bound_leaf *leaf;
  while ((leaf = bound_leaf(b, m)) && !leaf->tries) {
    struct bound_fixing open = {.window_count = leaf->windows,
                                .window = leaf->window};
    close_outside(p, &open, closed);
    int64_t least = leaf->regrets ? pebble_optimum(p, &rules) : INT64_MAX;
    tally->cases++;
    held |= least == truth;
    if (least >= asked)
      bound_leaf_refute(b, leaf, asked);
    tally->proven += least >= asked;
    bound_leaf_free(m, leaf);
  }
  bound_leaf_free(m, leaf);
  cr_assert(held && b->value <= truth,
            "round %d budget %lld upper %lld: %s, value %lld, truth %lld",
            round, (long long)p->budget, (long long)upper,
            held ? "held" : "in no leaf", (long long)b->value,
            (long long)truth);
  memory_free(m);
}

static void check_leaves(struct problem *p, enum bound_scope scope,
                         int64_t truth, struct random *r, int round,
                         struct tally *tally) {
  (void)scope;
  int64_t upper = truth + 1 + random_below(r, 6);
  refute_leaves(p, truth, upper, upper, round, tally);
  refute_leaves(p, truth, upper, truth, round, tally);
}

Test(bound, leaves_hold_every_shorter_schedule) {
  struct tally tally = each_budget(BOUND_LIMITED, 500, 6, 7, check_leaves);
  cr_log_info("%d leaves, %d refuted", tally.cases, tally.proven);
  cr_assert(tally.cases > tally.proven && tally.proven > 0);
}
