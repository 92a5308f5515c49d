/* Graphs too large for any oracle (20 to 50 nodes): several solves of one
 * graph, with other switches, threads, seeds, orders, limits and starts, must
 * not contradict each other.  Each claim (lower bounds, "infeasible") is held
 * against each schedule that `verify` accepts in the claim's scope, from
 * whichever solve it came; so two optima of one scope are equal, too.
 *
 * Such faults were found so: proofs by the tree's leaves in free order that
 * spoke of input order only, and leaves refuted for less than was claimed.
 *
 * Goes on for 10 seconds, or as many as MOCCASIN_CONSISTENCY says, from the
 * seed MOCCASIN_SEED on.
 */
#include "solver/base/clock.h"
#include "solver/base/random.h"
#include "solver/graph_handle.h"
#include "tests/layered.h"
#include "tests/sample.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { SOLVES = 7 };

struct answer {
  struct moccasin_options options;
  struct moccasin_result *result;
  char engine[100], text[300];
};

struct tally {
  int graphs, solves, optimal, infeasible, compared;
};

static struct moccasin_graph *random_graph(struct memory *m, struct random *r) {
  struct moccasin_graph *g = MEMORY_NEW(m, struct moccasin_graph);
  struct error error = {STATUS_OK, ""};
  struct layered shape = {.nodes = 20 + random_below(r, 31),
                          .width = 1 + random_below(r, 6),
                          .inputs = 1 + random_below(r, 4),
                          .percent_far = random_below(r, 60),
                          .percent_keep = random_below(r, 3) ? 0 : 10,
                          .percent_workspace = random_below(r, 3) ? 0 : 20,
                          .seed = (uint64_t)random_below(r, 1 << 30)};
  g->memory = m;
  g->graph = layered_graph(m, &shape);
  g->problem = problem_new(m, g->graph, 1, false, &error);
  cr_assert(g->problem, "%s", error.text);
  return g;
}

/* Switches that must change no answer; half of the solves have none. */
static void random_switches(struct random *r, char *text, size_t size) {
  static const char *const word[] = {
      "leaves=0",          "bound=0",           "neighbourhood=0", "local=0",
      "local=0",           "prove=0",           "learn=0",         "mode=1",
      "weighted_degree=0", "weighted_degree=2", "lift=0",          "windows=0",
      "reduce=0",          "restart=0",         "objective=1",     "safe=0",
      "neighbourhood=0",   "last_use=0"};
  sample_words(r, word, sizeof word / sizeof *word,
               random_below(r, 2) * (1 + random_below(r, 3)), text, size);
}

static struct moccasin_options random_options(struct random *r,
                                              const struct moccasin_graph *g,
                                              int percent, int computes) {
  static const double seconds[] = {0.03, 0.1, 0.3};
  struct moccasin_options o;
  moccasin_options_default(&o);
  o.order = random_below(r, 3) ? MOCCASIN_INPUT_ORDER : MOCCASIN_FREE_ORDER;
  o.max_computes = random_below(r, 4) ? computes : random_below(r, 5);
  o.budget = moccasin_percent_budget(g, (int64_t)percent * 1000000);
  if (!random_below(r, 8)) {
    o.objective = MOCCASIN_PEAK;
    o.budget = INT64_MAX;
  }
  o.threads = 1 + random_below(r, 2);
  o.seed = (uint64_t)random_below(r, 1000);
  o.time_limit = seconds[random_below(r, 3)];
  return o;
}

/* Is the other's schedule in the claim's scope?  In input order claims speak of
 * staged schedules (problem.h), which free order does not make. */
static bool covers(const struct moccasin_graph *g, const struct answer *claim,
                   const struct answer *other, int64_t *peak,
                   int64_t *duration) {
  const struct moccasin_options *o = &claim->options;
  const struct moccasin_result *s = other->result;
  bool input = o->order == MOCCASIN_INPUT_ORDER;
  return s->length && !(input && other->options.order != o->order) &&
         moccasin_verify(g, s->sequence, s->length, o->budget, o->max_computes,
                         input, NULL, NULL, peak, duration) == MOCCASIN_OK;
}

/* A schedule of another solve that may be started from, now and then. */
static void random_start(struct random *r, const struct moccasin_graph *g,
                         struct answer *a, const struct answer *other) {
  const struct moccasin_result *s = other->result;
  int64_t peak, duration;
  if (!random_below(r, 2) || !covers(g, a, other, &peak, &duration))
    return;
  a->options.start = s->sequence;
  a->options.start_length = s->length;
}

static void solve(const struct moccasin_graph *g, struct answer *a,
                  uint64_t seed, struct tally *tally) {
  struct moccasin_options *o = &a->options;
  char message[MOCCASIN_MESSAGE];
  o->engine = a->engine[0] ? a->engine : NULL;
  snprintf(a->text, sizeof a->text,
           "graph %" PRIu64 ", %s order, C %d, %s within %" PRId64
           ", %d threads, seed %" PRIu64 ", %g s%s, %s",
           seed, o->order == MOCCASIN_FREE_ORDER ? "free" : "input",
           o->max_computes, o->objective == MOCCASIN_PEAK ? "peak" : "duration",
           o->budget, o->threads, o->seed, o->time_limit,
           o->start ? ", a start" : "", o->engine ? o->engine : "no switches");
  moccasin_solve(g, o, &a->result, message);
  cr_assert(a->result, "%s: %s", a->text, message);
  tally->solves++;
  tally->optimal += a->result->length && a->result->optimal;
  tally->infeasible += a->result->status == MOCCASIN_INFEASIBLE;
}

static void hold_against(const struct moccasin_graph *g,
                         const struct answer *claim, const struct answer *other,
                         struct tally *tally) {
  const struct moccasin_result *c = claim->result;
  int64_t peak, duration;
  if (!covers(g, claim, other, &peak, &duration))
    return;
  tally->compared++;
  cr_assert_neq(c->status, MOCCASIN_INFEASIBLE, "%s: infeasible; yet: %s",
                claim->text, other->text);
  cr_assert(c->duration_lower_bound <= duration && c->peak_lower_bound <= peak,
            "%s: bounds %" PRId64 " and %" PRId64 "; %s: duration %" PRId64
            ", peak %" PRId64,
            claim->text, c->duration_lower_bound, c->peak_lower_bound,
            other->text, duration, peak);
}

static void one_graph(uint64_t seed, struct tally *tally) {
  struct memory *m = memory_new(NULL);
  struct random r;
  random_seed(&r, seed);
  struct moccasin_graph *g = random_graph(m, &r);
  struct answer answer[SOLVES] = {0};
  int percent = 70 + random_below(&r, 26), computes = 2 + random_below(&r, 3);
  for (int i = 0; i < SOLVES; i++) {
    struct answer *a = &answer[i];
    a->options = random_options(&r, g, percent, computes);
    random_switches(&r, a->engine, sizeof a->engine);
    if (i)
      random_start(&r, g, a, &answer[random_below(&r, i)]);
    solve(g, a, seed, tally);
  }
  for (int i = 0; i < SOLVES; i++)
    for (int k = 0; k < SOLVES; k++)
      hold_against(g, &answer[i], &answer[k], tally);
  for (int i = 0; i < SOLVES; i++)
    moccasin_result_free(answer[i].result);
  tally->graphs++;
  memory_free(m);
}

Test(consistency, solves_do_not_contradict_each_other, .timeout = 36000) {
  double end = clock_seconds() + sample_number("MOCCASIN_CONSISTENCY", 10);
  uint64_t seed = (uint64_t)sample_number("MOCCASIN_SEED", 1);
  struct tally tally = {0};
  do
    one_graph(seed++, &tally);
  while (clock_seconds() < end);
  cr_log_info("%d graphs, %d solves (%d optimal, %d infeasible), %d claims "
              "held against schedules",
              tally.graphs, tally.solves, tally.optimal, tally.infeasible,
              tally.compared);
}
