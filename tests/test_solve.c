/* The library's solve: agreement with exhaustive search, reproducibility,
 * callbacks, limits, and memory that runs out at every single allocation. */
#include "solver/solve.h"

#include "solver/base/random.h"
#include "solver/graph_handle.h"
#include "tests/oracle.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The oracle's random problem as a graph of the public interface. */
static struct moccasin_graph *random_handle(uint64_t seed, int most_nodes) {
  struct error error = {0};
  struct memory *m = memory_new(NULL);
  struct moccasin_graph *g = MEMORY_NEW(m, struct moccasin_graph);
  g->memory = m;
  g->graph = (struct graph *)oracle_problem(m, seed, most_nodes, 1)->graph;
  g->problem = problem_new(m, g->graph, 1, false, &error);
  cr_assert(g->problem, "%s", error.text);
  return g;
}

static struct moccasin_options quick(int max_computes, int threads) {
  struct moccasin_options o;
  moccasin_options_default(&o);
  o.max_computes = max_computes;
  o.threads = threads;
  o.time_limit = 20;
  return o;
}

/* Layers of nodes that read from the layer above and from far up. */
static struct moccasin_graph *layered(int nodes, uint64_t seed) {
  struct random r;
  random_seed(&r, seed);
  int64_t *duration = malloc((size_t)nodes * sizeof *duration);
  int64_t *size = malloc((size_t)nodes * sizeof *size);
  int *edge = malloc((size_t)nodes * 6 * sizeof *edge), edges = 0;
  char message[MOCCASIN_MESSAGE];
  struct moccasin_graph *g;
  for (int v = 0; v < nodes; v++) {
    duration[v] = 1 + random_below(&r, 100);
    size[v] = 1 + random_below(&r, 100);
    for (int i = 0; i < 3 && v; i++) {
      edge[2 * edges] = random_below(&r, 4)
                            ? v - 1 - random_below(&r, v < 8 ? v : 8)
                            : random_below(&r, v);
      edge[2 * edges++ + 1] = v;
    }
  }
  int status =
      moccasin_build(nodes, duration, size, edges, edge, NULL, &g, message);
  cr_assert_eq(status, MOCCASIN_OK, "%s", message);
  free(duration);
  free(size);
  free(edge);
  return g;
}

static void check_against(struct moccasin_graph *g, const struct oracle *oracle,
                          const struct moccasin_options *o, uint64_t seed) {
  char message[MOCCASIN_MESSAGE];
  struct moccasin_result *r;
  bool least_peak = o->objective == MOCCASIN_PEAK;
  int64_t best =
      least_peak ? oracle_peak(oracle) : oracle_duration(oracle, o->budget);
  int status = moccasin_solve(g, o, &r, message);
  cr_assert(r, "seed %d: %s", (int)seed, message);
  cr_assert(status == (best == INT64_MAX ? MOCCASIN_INFEASIBLE : MOCCASIN_OK),
            "seed %d, budget %lld: status %d, best %lld", (int)seed,
            (long long)o->budget, status, (long long)best);
  if (status == MOCCASIN_OK) {
    int64_t peak, duration;
    cr_assert(r->optimal, "seed %d", (int)seed);
    cr_assert_eq(moccasin_verify(g, r->sequence, r->length, o->budget,
                                 o->max_computes, true, NULL, NULL, &peak,
                                 &duration),
                 MOCCASIN_OK);
    cr_assert(peak == r->peak && duration == r->duration);
    cr_assert((least_peak ? peak : duration) == best,
              "seed %d, budget %lld: found %lld, best %lld", (int)seed,
              (long long)o->budget, (long long)duration, (long long)best);
  } else {
    cr_assert(r->reason[0] && !r->length);
  }
  moccasin_result_free(r);
}

Test(solve, equals_exhaustive_search, .timeout = 240) {
  for (uint64_t seed = 0; seed < 250; seed++) {
    int c = 1 + (int)(seed % 3), threads = 1 + (int)(seed / 3 % 2);
    struct moccasin_graph *g = random_handle(seed, 6);
    struct error error = {0};
    struct problem *p = problem_new(g->memory, g->graph, c, false, &error);
    struct oracle *oracle = MEMORY_NEW(g->memory, struct oracle);
    oracle_run(p, oracle);
    struct moccasin_options o = quick(c, threads);
    for (int i = 0; i < oracle->points; i++)
      for (int less = 0; less < 2; less++) {
        o.budget = oracle->peak[i] - less;
        if (o.budget >= 0)
          check_against(g, oracle, &o, seed);
      }
    o.budget = INT64_MAX;
    o.objective = MOCCASIN_PEAK;
    check_against(g, oracle, &o, seed);
    moccasin_graph_free(g);
  }
}

Test(solve, one_thread_is_reproducible) {
  struct moccasin_graph *g = layered(60, 5);
  struct moccasin_result *r[2];
  for (int i = 0; i < 2; i++) {
    struct moccasin_options o = quick(2, 1);
    o.budget = moccasin_percent_budget(g, 85000000);
    cr_assert_eq(moccasin_solve(g, &o, &r[i], NULL), MOCCASIN_OK);
  }
  cr_assert(r[0]->length == r[1]->length &&
            !memcmp(r[0]->sequence, r[1]->sequence,
                    (size_t)r[0]->length * sizeof(int)));
  for (int k = 0; r[0]->statistics[k].name; k++)
    cr_assert(r[0]->statistics[k].value == r[1]->statistics[k].value, "%s",
              r[0]->statistics[k].name);
  moccasin_result_free(r[0]);
  moccasin_result_free(r[1]);
  moccasin_graph_free(g);
}

/* ---- callbacks, limits ----------------------------------------------------
 */

struct watch {
  int calls, stops;
  int64_t upper, lower;
};

static void on_progress(void *data, const struct moccasin_progress *p) {
  struct watch *w = data;
  w->calls++;
  cr_assert_geq(p->lower_bound, w->lower);
  w->lower = p->lower_bound;
  if (p->found) {
    cr_assert_leq(p->duration, w->upper);
    cr_assert_geq(p->duration, p->lower_bound);
    w->upper = p->duration;
  }
}

static bool on_stop(void *data) {
  struct watch *w = data;
  return w->upper != INT64_MAX;
}

Test(solve, progress_is_monotone_and_stop_stops) {
  struct moccasin_graph *g = layered(300, 1);
  struct moccasin_options o = quick(2, 1);
  struct moccasin_result *r;
  struct watch w = {.upper = INT64_MAX};
  o.budget = moccasin_percent_budget(g, 85000000);
  o.data = &w;
  o.progress = on_progress;
  o.stop = on_stop;
  cr_assert_eq(moccasin_solve(g, &o, &r, NULL), MOCCASIN_OK);
  cr_assert(w.calls > 0 && r->duration == w.upper && r->seconds < 10);
  moccasin_result_free(r);
  moccasin_graph_free(g);
}

Test(solve, misuse_is_told) {
  struct moccasin_graph *g = layered(5, 1);
  char message[MOCCASIN_MESSAGE];
  struct moccasin_result *r;
  for (int i = 0; i < 6; i++) {
    struct moccasin_options o = quick(2, 1);
    int steps[] = {0, 0, 0};
    switch (i) {
    case 0:
      o.struct_size--;
      break;
    case 1:
      o.max_computes = -1;
      break;
    case 2:
      o.engine = "no=1";
      break;
    case 3:
      o.heuristic = "no";
      break;
    case 4:
      o.start = steps;
      o.start_length = 3;
      break;
    default:
      o.check = 3;
    }
    message[0] = '\0';
    cr_assert_eq(moccasin_solve(g, &o, &r, message), MOCCASIN_USAGE, "%d", i);
    cr_assert(!r && message[0], "%d", i);
  }
  moccasin_graph_free(g);
}

Test(solve, a_start_schedule_is_used) {
  struct moccasin_graph *g = layered(60, 5);
  struct moccasin_options o = quick(2, 1);
  struct moccasin_result *first, *second;
  o.budget = moccasin_percent_budget(g, 85000000);
  cr_assert_eq(moccasin_solve(g, &o, &first, NULL), MOCCASIN_OK);
  o.start = first->sequence;
  o.start_length = first->length;
  cr_assert_eq(moccasin_solve(g, &o, &second, NULL), MOCCASIN_OK);
  cr_assert_eq(first->duration, second->duration);
  cr_assert_str_eq(second->found_by, "start");
  moccasin_result_free(first);
  moccasin_result_free(second);
  moccasin_graph_free(g);
}

/* Input order: within a stage other programs recompute in any order, twice, or
 * after the end.  Nothing is searched here, so what comes out is the start. */
Test(solve, a_start_schedule_gets_its_stages_sorted) {
  struct moccasin_graph *g = layered(60, 5);
  struct moccasin_options o = quick(2, 1);
  struct moccasin_result *first, *second;
  o.budget = moccasin_percent_budget(g, 80000000);
  cr_assert_eq(moccasin_solve(g, &o, &first, NULL), MOCCASIN_OK);
  int length = first->length, swapped = 0;
  int *steps = malloc(((size_t)length + 2) * sizeof *steps);
  o.max_computes = 0;
  o.engine = "local=0,neighbourhood=0,prove=0";
  bool seen[60] = {false};
  for (int k = 0; k + 1 < length; k++) {
    bool again = seen[first->sequence[k]];
    seen[first->sequence[k]] = true;
    if (!again || !seen[first->sequence[k + 1]])
      continue;
    memcpy(steps, first->sequence, (size_t)length * sizeof *steps);
    steps[k] = first->sequence[k + 1];
    steps[k + 1] = first->sequence[k];
    memmove(steps + k + 3, steps + k + 2,
            (size_t)(length - k - 2) * sizeof *steps);
    steps[k + 2] = steps[k]; /* twice in its stage */
    steps[length + 1] = steps[0];
    o.start = steps;
    o.start_length = length + 2;
    cr_assert_eq(moccasin_solve(g, &o, &second, NULL), MOCCASIN_OK);
    cr_assert_eq(second->length, length);
    cr_assert_arr_eq(second->sequence, first->sequence,
                     (size_t)length * sizeof *steps);
    moccasin_result_free(second);
    swapped++;
  }
  cr_assert_gt(swapped, 0);
  free(steps);
  moccasin_result_free(first);
  moccasin_graph_free(g);
}

/* What is refuted in input order says nothing about free order: a proof there
 * must not be beaten by a schedule that local search finds. */
Test(solve, proofs_in_free_order_hold_in_free_order, .timeout = 240) {
  int compared = 0;
  for (unsigned seed = 1; seed <= 12; seed++) {
    struct moccasin_graph *g = layered(40, seed);
    struct moccasin_options o = quick(2, 1);
    struct moccasin_result *staged, *claimed, *found;
    o.budget = moccasin_percent_budget(g, 80000000);
    o.time_limit = 1;
    int status = (int)moccasin_solve(g, &o, &staged, NULL);
    cr_assert(status != MOCCASIN_RESOURCES, "seed %u: a fault", seed);
    if (status != MOCCASIN_OK) { /* nothing to start from */
      moccasin_graph_free(g);
      moccasin_result_free(staged);
      continue;
    }
    o.order = MOCCASIN_FREE_ORDER;
    o.engine = "prove=0";
    o.time_limit = 0.2;
    moccasin_solve(g, &o, &found, NULL);
    o.start = staged->sequence;
    o.start_length = staged->length;
    o.engine = "local=0";
    moccasin_solve(g, &o, &claimed, NULL);
    compared += found->length > 0 && claimed->length > 0;
    if (claimed->optimal && found->length)
      cr_assert_leq(claimed->duration, found->duration, "seed %u", seed);
    moccasin_result_free(staged);
    moccasin_result_free(found);
    moccasin_result_free(claimed);
    moccasin_graph_free(g);
  }
  cr_assert_gt(compared, 0);
}

/* Free order: the least peak is proven, and a budget below it refuted. */
Test(solve, peaks_in_free_order_are_proven, .timeout = 240) {
  for (unsigned seed = 1; seed <= 8; seed++) {
    int computes = seed % 2 ? 1 : 2;
    struct moccasin_graph *g = layered(computes == 1 ? 24 : 14, seed);
    struct moccasin_options o = quick(computes, 1 + (int)(seed / 2 % 2));
    struct moccasin_result *least, *none;
    o.order = MOCCASIN_FREE_ORDER;
    o.objective = MOCCASIN_PEAK;
    cr_assert_eq(moccasin_solve(g, &o, &least, NULL), MOCCASIN_OK);
    cr_assert(least->optimal, "seed %u: %lld .. %lld", seed,
              (long long)least->peak_lower_bound, (long long)least->peak);
    o.objective = MOCCASIN_DURATION;
    o.budget = least->peak - 1;
    cr_assert_eq(moccasin_solve(g, &o, &none, NULL), MOCCASIN_INFEASIBLE,
                 "seed %u: budget %lld is not refuted", seed,
                 (long long)o.budget);
    cr_assert_geq(none->least_known_budget, least->peak);
    moccasin_result_free(least);
    moccasin_result_free(none);
    moccasin_graph_free(g);
  }
}

/* Leaves were refuted for less than the tree had been made for, when a better
 * schedule came meanwhile, and the tree's limit was claimed: 13788 here. */
static void leaves_hold(const char *path, int computes, int threads,
                        int64_t budget, int64_t known) {
  struct moccasin_graph *g;
  cr_assert_eq(moccasin_read(path, &g, NULL), MOCCASIN_OK);
  for (unsigned seed = 1; seed <= 10; seed++) {
    struct moccasin_options o = quick(computes, threads);
    struct moccasin_result *r;
    o.budget = budget;
    o.seed = seed;
    cr_assert_eq(moccasin_solve(g, &o, &r, NULL), MOCCASIN_OK, "seed %u", seed);
    cr_assert_leq(r->duration_lower_bound, known, "seed %u", seed);
    moccasin_result_free(r);
  }
  moccasin_graph_free(g);
}

Test(solve, leaves_promise_what_was_refuted, .timeout = 240) {
  leaves_hold("tests/cases/leaves/three-computes.txt", 3, 1, 12428, 13683);
}

/* The same where other leaves have bounds above what was refuted: 21936. */
Test(solve, other_leaves_promise_no_more, .timeout = 240) {
  leaves_hold("tests/cases/leaves/two-threads.txt", 2, 2, 21350, 21592);
}

/* Ends a solve after so many questions, whatever the machine's speed. */
static bool stop_soon(void *data) {
  int *left = data;
  return --*left < 0;
}

/* A stop before any task had a turn was called a lack of memory. */
Test(solve, a_stop_at_once_is_no_lack_of_memory) {
  struct moccasin_graph *g = layered(40, 1);
  struct moccasin_options o = quick(2, 1);
  struct moccasin_result *r;
  o.budget = moccasin_percent_budget(g, 80000000);
  for (int asked = 0; asked < 6; asked++) {
    int left = asked;
    o.data = &left;
    o.stop = stop_soon;
    int status = moccasin_solve(g, &o, &r, NULL);
    cr_assert(status == MOCCASIN_OK || status == MOCCASIN_UNKNOWN,
              "stopped at question %d: status %d", asked, status);
    moccasin_result_free(r);
  }
  moccasin_graph_free(g);
}

/* Every allocation of a solve fails once. */
Test(solve, memory_runs_out_anywhere, .timeout = 240) {
  struct moccasin_graph *g = layered(10, 3);
  struct moccasin_options o = quick(2, 1);
  char message[MOCCASIN_MESSAGE];
  o.budget = moccasin_working_set(g, NULL);
  int resources = 0;
  long n = 1;
  for (bool failed = true; failed; n++) {
    struct memory_limit limit = {0};
    struct moccasin_result *r;
    int questions = 12;
    o.data = &questions;
    o.stop = stop_soon;
    atomic_store(&limit.fail_after, n);
    int status = solve_within(g, &o, &limit, &r, message);
    failed = atomic_load(&limit.fail_after) <= 0;
    cr_assert((status == MOCCASIN_RESOURCES) == !r, "allocation %ld", n);
    cr_assert(status != MOCCASIN_INPUT && status != MOCCASIN_USAGE,
              "allocation %ld: %s", n, message);
    cr_assert(status != MOCCASIN_OK ||
                  moccasin_verify(g, r->sequence, r->length, o.budget, 2, true,
                                  NULL, NULL, NULL, NULL) == MOCCASIN_OK,
              "allocation %ld", n);
    resources += status == MOCCASIN_RESOURCES;
    moccasin_result_free(r);
    cr_assert_eq(atomic_load(&limit.used), 0, "allocation %ld leaks", n);
  }
  cr_assert(resources > 3 && n > 100, "%d of %ld", resources, n);
  cr_log_info("%ld allocations failed, %d of them fatal", n - 2, resources);
  moccasin_graph_free(g);
}

Test(solve, a_memory_limit_is_kept) {
  struct moccasin_graph *g = layered(400, 2);
  for (size_t most = 1000; most < 100000000; most *= 10) {
    struct moccasin_options o = quick(2, 2);
    struct moccasin_result *r;
    o.budget = moccasin_percent_budget(g, 85000000);
    o.memory_limit = most;
    o.time_limit = 0.5;
    int status = moccasin_solve(g, &o, &r, NULL);
    cr_assert((status == MOCCASIN_RESOURCES) == !r);
    for (int k = 0; r && r->statistics[k].name; k++)
      if (!strcmp(r->statistics[k].name, "memory, bytes"))
        cr_assert_leq(r->statistics[k].value, (int64_t)most);
    moccasin_result_free(r);
  }
  moccasin_graph_free(g);
}

/* ---- several at once ------------------------------------------------------
 */

static void *solve_on_thread(void *data) {
  struct moccasin_graph *g = data;
  struct moccasin_options o = quick(2, 2);
  struct moccasin_result *r = NULL;
  o.budget = moccasin_percent_budget(g, 85000000);
  moccasin_solve(g, &o, &r, NULL);
  return r;
}

Test(solve, two_at_once_on_one_graph) {
  struct moccasin_graph *g = layered(60, 5);
  pthread_t thread;
  void *other;
  cr_assert_eq(pthread_create(&thread, NULL, solve_on_thread, g), 0);
  struct moccasin_result *mine = solve_on_thread(g);
  pthread_join(thread, &other);
  struct moccasin_result *theirs = other;
  cr_assert(mine && theirs && mine->optimal && theirs->optimal);
  cr_assert_eq(mine->duration, theirs->duration);
  moccasin_result_free(mine);
  moccasin_result_free(theirs);
  moccasin_graph_free(g);
}
