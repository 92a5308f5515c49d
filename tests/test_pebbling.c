/* The search over states for the least peak in free order, against the oracle
 * that searches for durations (states.h), on small random graphs with all
 * limits; work comes in pieces, so that what is resumed is tested as well. */
#include "model/pebbling.h"
#include "model/schedule.h"
#include "solver/base/random.h"
#include "tests/states.h"

#include <criterion/criterion.h>

enum { MOST_STATES = 60000 };

static struct problem *random_problem(struct memory *m, struct random *r) {
  struct graph *g = graph_new(m);
  int nodes = 2 + random_below(r, 9), dense = 1 + random_below(r, 3);
  bool extras = random_below(r, 2);
  for (int v = 0; v < nodes; v++) {
    struct graph_node node = {.id = {NULL, v}, .name = "", .duration = 1};
    node.size = random_below(r, 6) ? 1 + random_below(r, 12) : 0;
    if (extras) {
      node.workspace = random_below(r, 4) ? 0 : random_below(r, 6);
      node.keep = random_below(r, 8) == 0;
      node.max_computes = random_below(r, 4) ? 0 : 1 + random_below(r, 3);
    }
    graph_add_node(g, &node);
    for (int u = 0; u < v; u++)
      if (random_below(r, 8) < dense)
        graph_add_edge(g, u, v);
  }
  g->fixed_memory = extras ? random_below(r, 4) : 0;
  struct error error = {STATUS_OK, ""};
  cr_assert(graph_finish(g, NULL, 0, &error), "%s", error.text);
  return problem_new(m, g, random_below(r, 4), true, &error);
}

/* A schedule of the peak that is claimed, within the limits. */
static void check_schedule(const struct problem *p, const struct pebbling *b,
                           struct memory *m, int round) {
  struct simulation found = {0};
  int *computes = MEMORY_ARRAY(m, int, p->n);
  cr_assert(simulate(p, b->step, b->length, m, &found), "round %d", round);
  cr_assert_eq(found.peak, b->high, "round %d: %lld, not %lld", round,
               (long long)found.peak, (long long)b->high);
  for (int k = 0; k < b->length; k++)
    computes[b->step[k]]++;
  for (int v = 0; v < p->n; v++)
    cr_assert(computes[v] >= 1 && computes[v] <= p->limit[v],
              "round %d: node %d is computed %d times", round, v, computes[v]);
  cr_assert(p->sink < 0 || b->step[b->length - 1] == p->sink, "round %d",
            round);
}

Test(pebbling, finds_the_least_peak) {
  struct random r;
  int above = 0, repeated = 0;
  random_seed(&r, 11);
  for (int round = 0; round < 6000; round++) {
    struct memory *m = memory_new(NULL);
    struct problem *p = random_problem(m, &r);
    int64_t truth;
    p->budget = INT64_MAX;
    if (states_peak(p, INT64_MAX, MOST_STATES, &truth) == STATES_FOUND) {
      struct pebbling *b = pebbling_new(m, p, p->working_set, INT64_MAX);
      while (!pebbling_done(b)) {
        pebbling_run(b, 1 + random_below(&r, 2000), NULL);
        cr_assert(b->low <= truth && truth <= b->high,
                  "round %d: %lld .. %lld, not %lld", round, (long long)b->low,
                  (long long)b->high, (long long)truth);
      }
      cr_assert(!b->gave_up && b->low == truth && b->high == truth,
                "round %d: %lld .. %lld, not %lld", round, (long long)b->low,
                (long long)b->high, (long long)truth);
      check_schedule(p, b, m, round);
      above += truth > p->working_set;
      repeated += b->length > p->n;
    }
    memory_free(m);
  }
  cr_log_info("%d above the working set, %d with recomputes", above, repeated);
  cr_assert(above > 200 && repeated > 200,
            "%d above the working set, %d repeat", above, repeated);
}
