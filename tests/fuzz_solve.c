/* Bytes choose a tiny problem, a budget and the options of a solve: verdict,
 * optimum and bound must be those of exhaustive search.  See also
 * test_differential.c. */
#include "tests/fuzz.h"

#include "solver/graph_handle.h"
#include "solver/moccasin.h"
#include "tests/oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The next number below `most` from the bytes; 0 when they are used up. */
struct source {
  const uint8_t *bytes;
  size_t left;
};

static int pick(struct source *s, int most) {
  if (!s->left)
    return 0;
  s->left--;
  return *s->bytes++ % most;
}

static struct graph *pick_graph(struct source *s, struct memory *m) {
  struct graph *g = graph_new(m);
  int nodes = 1 + pick(s, 6);
  for (int v = 0; v < nodes; v++) {
    struct graph_node node = {.id = {NULL, v}, .name = ""};
    node.duration = pick(s, 6);
    node.size = pick(s, 8);
    node.workspace = pick(s, 5) ? 0 : pick(s, 5);
    node.keep = v < 5 && !pick(s, 8);
    node.max_computes = pick(s, 6) ? 0 : 1 + pick(s, 2);
    graph_add_node(g, &node);
    for (int u = 0; u < v; u++)
      if (pick(s, 2))
        graph_add_edge(g, u, v);
  }
  g->fixed_memory = pick(s, 4);
  struct error error = {STATUS_OK, ""};
  if (!graph_finish(g, NULL, 0, &error))
    abort();
  return g;
}

static const char *const engines[] = {
    NULL,        "learn=0",      "lift=0",          "minimise=0",
    "mode=1",    "mode=2",       "restart=0",       "reduce=0",
    "chain=1",   "luby=2",       "last_use=0",      "safe=0",
    "windows=0", "cumulative=1", "cover=2",         "phase=0",
    "bound=0",   "local=0",      "neighbourhood=0", "bound=0,cover=2"};

static void fail(const char *what, int64_t got, int64_t expected) {
  fprintf(stderr, "fuzz_solve: %s: %lld, expected %lld\n", what, (long long)got,
          (long long)expected);
  abort();
}

static void judge(const struct moccasin_graph *g,
                  const struct moccasin_options *o,
                  const struct moccasin_result *r, int64_t best) {
  bool least_peak = o->objective == MOCCASIN_PEAK;
  if (best == INT64_MAX) {
    if (r->status != MOCCASIN_INFEASIBLE)
      fail("status", r->status, MOCCASIN_INFEASIBLE);
    return;
  }
  int64_t peak, duration;
  if (r->status != MOCCASIN_OK || !r->optimal)
    fail("status", r->status, MOCCASIN_OK);
  if (moccasin_verify(g, r->sequence, r->length, o->budget, o->max_computes,
                      true, NULL, NULL, &peak, &duration) != MOCCASIN_OK)
    fail("verify", 0, 1);
  if ((least_peak ? peak : duration) != best)
    fail("objective", least_peak ? peak : duration, best);
  if ((least_peak ? r->peak_lower_bound : r->duration_lower_bound) != best)
    fail("bound", r->duration_lower_bound, best);
}

static void run(struct memory *m, struct source s) {
  struct error error = {STATUS_OK, ""};
  struct moccasin_graph g = {.memory = m};
  struct moccasin_options o;
  struct moccasin_result *r;
  char message[MOCCASIN_MESSAGE];
  g.graph = pick_graph(&s, m);
  g.problem = problem_new(m, g.graph, 1, false, &error);
  moccasin_options_default(&o);
  o.max_computes = 1 + pick(&s, 3);
  o.threads = 1 + pick(&s, 2);
  o.check = pick(&s, 3);
  o.seed = (uint64_t)pick(&s, 256);
  o.engine = engines[pick(&s, sizeof engines / sizeof *engines)];
  o.paranoid = pick(&s, 2);
  o.objective = pick(&s, 4) ? MOCCASIN_DURATION : MOCCASIN_PEAK;
  struct problem *p = problem_new(m, g.graph, o.max_computes, false, &error);
  struct oracle *oracle = MEMORY_NEW(m, struct oracle);
  oracle_run(p, oracle);
  int64_t best = oracle_peak(oracle);
  if (o.objective == MOCCASIN_DURATION) {
    int64_t low = p->working_set, range = p->base_peak - low + 2;
    o.budget = low + pick(&s, (int)range) - (low > 0);
    best = oracle_duration(oracle, o.budget);
  }
  moccasin_solve(&g, &o, &r, message);
  if (!r) {
    fprintf(stderr, "fuzz_solve: %s\n", message);
    abort();
  }
  judge(&g, &o, r, best);
  moccasin_result_free(r);
}

int fuzz_solve(const uint8_t *bytes, size_t size) {
  struct memory *m = memory_new(NULL);
  if (!m || setjmp(*memory_recover(m)))
    abort();
  run(m, (struct source){bytes, size});
  memory_free(m);
  return 0;
}
