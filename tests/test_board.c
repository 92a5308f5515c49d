/* The board of the portfolio: what threads offer and what others get of it. */
#include "solver/board.h"

#include "heuristics/local.h"
#include "solver/base/clock.h"
#include "tests/layered.h"

#include <criterion/criterion.h>

/* Schedules of falling peaks, from the local search. */
struct peaks {
  struct memory *m;
  const struct problem *p;
  struct schedule *list[64];
  int count;
};

static void collect(void *data, const struct schedule *s) {
  struct peaks *k = data;
  if (k->count < 64 && (!k->count || s->peak < k->list[k->count - 1]->peak))
    k->list[k->count++] = schedule_new(k->m, k->p, s->step, s->length);
}

static struct peaks falling_peaks(struct memory *m, const struct problem *p) {
  struct peaks k = {.m = m, .p = p};
  struct local_options options = {.seed = 1, .objective = LOCAL_PEAK};
  struct local *l = local_new(m, p, &options);
  struct local_hooks hooks = {.data = &k, .report = collect};
  local_start(l, NULL, &hooks);
  local_run(l, 200000, &hooks);
  local_free(l);
  cr_assert(k.count >= 4);
  return k;
}

static bool offer(struct board *b, const struct schedule *s,
                  struct memory *scratch) {
  return board_offer(b, s->step, s->length, "test", scratch);
}

/* Over the budget the lowest schedule goes round, once a version, until there
 * is one within it. */
Test(board, passes_on_what_is_over_the_budget) {
  struct memory *m = memory_new(NULL), *own = memory_new(NULL);
  struct layered shape = {
      .nodes = 60, .width = 6, .inputs = 4, .percent_far = 20, .seed = 3};
  struct problem *p = layered_problem(m, &shape, 2, false, 60);
  struct peaks k = falling_peaks(m, p);
  p->budget = k.list[k.count - 1]->peak;
  struct moccasin_options options = {.max_computes = 2};
  struct board b;
  board_open(&b, own, p, &options, clock_seconds() - 1000);
  int version = 0, best_version = 0;
  cr_assert_null(board_newer_lowest(&b, &version, m));
  cr_assert_not(board_memory_gains(&b));

  cr_assert_not(offer(&b, k.list[1], m));
  cr_assert(board_memory_gains(&b));
  struct schedule *s = board_newer_lowest(&b, &version, m);
  cr_assert(s && s->peak == k.list[1]->peak && s->length == k.list[1]->length);
  cr_assert_null(board_newer_lowest(&b, &version, m), "nothing new");
  cr_assert_not(offer(&b, k.list[0], m));
  cr_assert_null(board_newer_lowest(&b, &version, m), "higher");
  cr_assert_not(offer(&b, k.list[2], m));
  s = board_newer_lowest(&b, &version, m);
  cr_assert(s && s->peak == k.list[2]->peak);
  cr_assert_null(board_newer(&b, &best_version, m), "none within the budget");

  cr_assert(offer(&b, k.list[k.count - 1], m));
  s = board_newer(&b, &best_version, m);
  cr_assert(s && s->peak == p->budget);
  cr_assert_null(board_newer_lowest(&b, &version, m));
  cr_assert(b.least_peak == p->budget && b.offers == 4 && b.rejected == 0);
  board_close(&b);
  memory_free(own);
  memory_free(m);
}

/* A wrong schedule is a fault, is told, and is never passed on. */
Test(board, rejects_what_does_not_verify) {
  struct memory *m = memory_new(NULL), *own = memory_new(NULL);
  struct layered shape = {.nodes = 20, .width = 4, .inputs = 3, .seed = 5};
  struct problem *p = layered_problem(m, &shape, 2, false, 100);
  struct schedule *s = schedule_baseline(m, p);
  struct moccasin_options options = {.max_computes = 2};
  struct board b;
  board_open(&b, own, p, &options, clock_seconds());
  int version = 0;
  cr_assert_not(board_offer(&b, s->step, s->length - 1, "test", m));
  cr_assert(b.rejected == 1 && b.fault == STATUS_RESOURCES && b.fault_text[0]);
  cr_assert(board_stop(&b));
  cr_assert_null(board_newer(&b, &version, m));
  cr_assert_null(board_newer_lowest(&b, &version, m));
  board_close(&b);
  memory_free(own);
  memory_free(m);
}
