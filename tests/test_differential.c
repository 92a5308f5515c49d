/* Random small graphs, all options sampled: the solver on one thread and on
 * two, each with switches of its own, against best-first search over states
 * (states.h); verdicts, optima and bounds must agree.
 *
 * 10 000 graphs, or as many as MOCCASIN_DIFFERENTIAL says, from the seed
 * MOCCASIN_SEED on.  Under a sanitizer or without optimisation one tenth.
 */
#include "solver/base/random.h"
#include "solver/graph_handle.h"
#include "solver/moccasin.h"
#include "tests/oracle.h"
#include "tests/pebble.h"
#include "tests/sample.h"
#include "tests/states.h"

#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_STATES = 30000, QUESTIONS = 400, QUESTIONS_FREE = 6 };

struct tally {
  int graphs, decided, optimal, infeasible, unknown, free_order, peak;
};

/* ---- random problems ------------------------------------------------------
 */

static struct moccasin_graph *random_graph(struct memory *m, struct random *r) {
  struct moccasin_graph *h = MEMORY_NEW(m, struct moccasin_graph);
  struct graph *g = h->graph = graph_new(m);
  struct error error = {STATUS_OK, ""};
  /* Mostly such that search over states can decide; now and then larger. */
  int nodes = 1 + random_below(r, random_below(r, 3) ? 8 : STATES_NODES);
  int dense = 1 + random_below(r, 6), large = 1 + random_below(r, 9);
  bool extras = random_below(r, 2);
  for (int v = 0; v < nodes; v++) {
    struct graph_node node = {.id = {NULL, v}, .name = ""};
    node.duration = random_below(r, 8);
    node.size = random_below(r, 5) ? random_below(r, large + 1) : 0;
    if (extras) {
      node.workspace = random_below(r, 4) ? 0 : random_below(r, 5);
      node.keep = random_below(r, 8) == 0;
      node.max_computes = random_below(r, 6) ? 0 : 1 + random_below(r, 3);
    }
    graph_add_node(g, &node);
    for (int u = 0; u < v; u++)
      if (random_below(r, 8) < dense && random_below(r, v - u + 2) < 3)
        graph_add_edge(g, u, v);
  }
  g->fixed_memory = extras ? random_below(r, 4) : 0;
  h->memory = m;
  cr_assert(graph_finish(g, NULL, 0, &error), "%s", error.text);
  h->problem = problem_new(m, g, 1, false, &error);
  return h;
}

/* Switches that must change no answer. */
static const char *random_switches(struct random *r, char *text, size_t size) {
  static const char *const word[] = {
      "learn=0",      "lift=0",     "minimise=0",        "mode=1",
      "mode=2",       "restart=0",  "reduce=0",          "chain=1",
      "chain=0",      "luby=2",     "reduce_interval=1", "tier1=0",
      "last_use=0",   "safe=0",     "windows=0",         "cover=0",
      "cumulative=0", "cost=0",     "linear=0",          "precedence=0",
      "decay=50",     "different=0"};
  sample_words(r, word, sizeof word / sizeof *word, random_below(r, 4), text,
               size);
  return text[0] ? text : NULL;
}

static int64_t random_budget(struct random *r, const struct problem *p) {
  int64_t low = p->working_set, high = p->base_peak;
  switch (random_below(r, 8)) {
  case 0:
    return low > 0 ? low - 1 : 0;
  case 1:
    return low;
  case 2:
    return high > 0 ? high - 1 : 0;
  case 3:
    return high;
  default:
    return low + random_below(r, (int)(high - low) + 1);
  }
}

static struct moccasin_options random_options(struct random *r) {
  static const int computes[] = {1, 2, 2, 2, 3, 4, 0};
  struct moccasin_options o;
  moccasin_options_default(&o);
  o.max_computes = computes[random_below(r, 7)];
  o.order = random_below(r, 4) ? MOCCASIN_INPUT_ORDER : MOCCASIN_FREE_ORDER;
  o.objective = random_below(r, 4) ? MOCCASIN_DURATION : MOCCASIN_PEAK;
  o.seed = (uint64_t)random_below(r, 1000);
  o.time_limit = 0;
  return o;
}

/* ---- one comparison -------------------------------------------------------
 */

/* What is known of the optimum before the solver runs. */
struct truth {
  enum states_verdict verdict;
  int64_t best;
};

/* Answers false so often, then true: ends a solve by work, not by time. */
static bool after_questions(void *data) {
  atomic_int *left = data;
  return atomic_fetch_sub(left, 1) <= 0;
}

static void judge(const struct moccasin_graph *g,
                  const struct moccasin_options *o,
                  const struct moccasin_result *r, const struct truth *t,
                  const char *what) {
  bool peak = o->objective == MOCCASIN_PEAK;
  int64_t lower = peak ? r->peak_lower_bound : r->duration_lower_bound;
  int64_t value = peak ? r->peak : r->duration, p, d;
  if (r->status == MOCCASIN_OK) {
    int status =
        moccasin_verify(g, r->sequence, r->length, o->budget, o->max_computes,
                        o->order == MOCCASIN_INPUT_ORDER, NULL, NULL, &p, &d);
    cr_assert(status == MOCCASIN_OK && p == r->peak && d == r->duration &&
                  lower <= value && r->optimal == (lower == value) &&
                  (!o->duration_limit || d <= o->duration_limit),
              "%s: schedule of %lld, bound %lld", what, (long long)value,
              (long long)lower);
  }
  if (t->verdict == STATES_TOO_MANY)
    return;
  cr_assert(t->verdict != STATES_NONE || r->status != MOCCASIN_OK,
            "%s: a schedule where there is none", what);
  cr_assert(t->verdict != STATES_FOUND || r->status != MOCCASIN_INFEASIBLE,
            "%s: infeasible, but %lld can be had", what, (long long)t->best);
  if (t->verdict != STATES_FOUND)
    return;
  cr_assert_leq(lower, t->best, "%s: bound %lld, optimum %lld", what,
                (long long)lower, (long long)t->best);
  cr_assert(r->status != MOCCASIN_OK || value >= t->best,
            "%s: %lld is better than the optimum %lld", what, (long long)value,
            (long long)t->best);
}

/* Solves on so many threads; the result replaces what was not known. */
static void compare(struct moccasin_graph *g, struct moccasin_options o,
                    int threads, struct truth *t, struct random *r,
                    struct tally *tally, uint64_t seed) {
  char switches[80], what[200], message[MOCCASIN_MESSAGE] = "";
  atomic_int questions =
      o.order == MOCCASIN_FREE_ORDER ? QUESTIONS_FREE : QUESTIONS;
  struct moccasin_result *found;
  o.threads = threads;
  o.engine = random_switches(r, switches, sizeof switches);
  o.check = random_below(r, 16) ? 0 : 1 + random_below(r, 2);
  o.paranoid = random_below(r, 16) == 0;
  o.data = &questions;
  o.stop = after_questions;
  snprintf(what, sizeof what,
           "seed %d, %d threads, C %d, order %d, objective %d, budget %lld, %s",
           (int)seed, threads, o.max_computes, o.order, o.objective,
           (long long)o.budget, o.engine ? o.engine : "no switches");
  moccasin_solve(g, &o, &found, message);
  cr_assert(found, "%s: %s", what, message);
  judge(g, &o, found, t, what);
  tally->optimal += found->status == MOCCASIN_OK && found->optimal;
  tally->infeasible += found->status == MOCCASIN_INFEASIBLE;
  tally->unknown += found->status == MOCCASIN_UNKNOWN;
  if (t->verdict == STATES_TOO_MANY && found->status == MOCCASIN_INFEASIBLE)
    t->verdict = STATES_NONE;
  if (t->verdict == STATES_TOO_MANY && found->status == MOCCASIN_OK &&
      found->optimal)
    *t = (struct truth){STATES_FOUND, o.objective == MOCCASIN_PEAK
                                          ? found->peak
                                          : found->duration};
  moccasin_result_free(found);
}

static void one_graph(uint64_t seed, struct tally *tally) {
  struct memory *m = memory_new(NULL);
  struct random r;
  struct error error = {STATUS_OK, ""};
  random_seed(&r, seed);
  struct moccasin_graph *g = random_graph(m, &r);
  struct moccasin_options o = random_options(&r);
  struct problem *p = problem_new(m, g->graph, o.max_computes,
                                  o.order == MOCCASIN_FREE_ORDER, &error);
  struct truth t = {.verdict = STATES_TOO_MANY};
  if (o.objective == MOCCASIN_PEAK) {
    int64_t extra = random_below(&r, 3) ? 0 : p->base_duration;
    o.duration_limit =
        extra ? p->base_duration + random_below(&r, (int)extra + 1) : 0;
    t.verdict = states_peak(p, o.duration_limit ? o.duration_limit : INT64_MAX,
                            MOST_STATES, &t.best);
  } else {
    o.budget = random_budget(&r, p);
    t.verdict = states_duration(p, o.budget, MOST_STATES, &t.best);
  }
  tally->graphs++;
  tally->decided += t.verdict != STATES_TOO_MANY;
  tally->free_order += p->free_order;
  tally->peak += o.objective == MOCCASIN_PEAK;
  for (int threads = 1; threads <= 2; threads++)
    compare(g, o, threads, &t, &r, tally, seed);
  memory_free(m);
}

Test(differential, solver_oracle_and_threads_agree, .timeout = 36000) {
#ifdef NDEBUG
  const long usual = 10000;
#else
  const long usual = 1000;
#endif
  long graphs = (long)sample_number("MOCCASIN_DIFFERENTIAL", usual);
  uint64_t first = (uint64_t)sample_number("MOCCASIN_SEED", 1);
  struct tally tally = {0};
  for (long i = 0; i < graphs; i++)
    one_graph(first + (uint64_t)i, &tally);
  cr_log_info("%d graphs, %d decided by the oracle, %d in free order, %d for "
              "least peak; of %d solves %d optimal, %d infeasible, %d unknown",
              tally.graphs, tally.decided, tally.free_order, tally.peak,
              2 * tally.graphs, tally.optimal, tally.infeasible, tally.unknown);
  cr_assert_geq(tally.decided, tally.graphs / 2);
}

/* ---- the oracle itself ----------------------------------------------------
 */

Test(differential, oracles_agree) {
  for (uint64_t seed = 1; seed <= 400; seed++) {
    struct memory *m = memory_new(NULL);
    int c = 1 + (int)(seed % 3);
    struct problem *p = oracle_problem(m, seed, 5, c);
    struct oracle *o = MEMORY_NEW(m, struct oracle);
    oracle_run(p, o);
    int64_t best = 0;
    for (int64_t b = o->peak[0] - 1; b <= p->base_peak; b++) {
      int64_t expected = oracle_duration(o, b);
      enum states_verdict v = states_duration(p, b, 1 << 20, &best);
      cr_assert(expected == INT64_MAX ? v == STATES_NONE
                                      : v == STATES_FOUND && best == expected,
                "seed %d, budget %lld", (int)seed, (long long)b);
      p->free_order = true;
      p->budget = b;
      expected = pebble_optimum(
          p, &(struct pebble_rules){.free_order = true, .limited = true});
      v = states_duration(p, b, 1 << 20, &best);
      cr_assert(p->sink >= 0 || (expected == INT64_MAX
                                     ? v == STATES_NONE
                                     : v == STATES_FOUND && best == expected),
                "seed %d, budget %lld, free order", (int)seed, (long long)b);
      p->free_order = false;
    }
    cr_assert(states_peak(p, INT64_MAX, 1 << 20, &best) == STATES_FOUND &&
                  best == oracle_peak(o),
              "seed %d", (int)seed);
    memory_free(m);
  }
}
