/* moccasin_solve: options in, portfolio, result out. */
#include "solver/solve.h"

#include "graphs/graph.h"
#include "model/orders.h"
#include "solver/base/clock.h"
#include "solver/board.h"
#include "solver/engine_options.h"
#include "solver/graph_handle.h"
#include "solver/heuristic.h"
#include "solver/task.h"
#include "solver/worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One solve.  Three memory contexts under one limit: the solve's own, the
 * board's (used under its lock) and the result's, which outlives the solve. */
struct solve {
  const struct moccasin_options *options;
  const struct moccasin_graph *handle;
  struct memory_limit *limit;
  struct memory *memory;
  struct problem *problem;
  struct board board;
  bool board_opened;
  int threads;
};

struct result {
  struct moccasin_result public;
  struct memory *memory;
  struct memory_limit *limit; /* freed with the result, or NULL */
};

void moccasin_options_default(struct moccasin_options *options) {
  *options = (struct moccasin_options){
      .struct_size = sizeof *options,
      .budget = INT64_MAX,
      .max_computes = 2,
      .time_limit = 60,
  };
}

static bool check_options(const struct moccasin_options *o,
                          struct error *error) {
  if (o->struct_size != sizeof *o)
    return error_set(error, STATUS_USAGE,
                     "options: struct_size is %zu, expected %zu (call "
                     "moccasin_options_default first; is the header that of "
                     "the library?)",
                     o->struct_size, sizeof *o);
  if (o->objective != MOCCASIN_DURATION && o->objective != MOCCASIN_PEAK)
    return error_set(error, STATUS_USAGE, "options: unknown objective %d",
                     o->objective);
  if (o->order != MOCCASIN_INPUT_ORDER && o->order != MOCCASIN_FREE_ORDER)
    return error_set(error, STATUS_USAGE, "options: unknown order %d",
                     o->order);
  if (o->budget < 0 || o->duration_limit < 0 || o->max_computes < 0 ||
      !(o->time_limit >= 0) || o->threads < 0 || o->threads > 1024)
    return error_set(error, STATUS_USAGE,
                     "options: budget, duration_limit, max_computes, "
                     "time_limit and threads (at most 1024) must not be "
                     "negative");
  struct engine_options engine;
  if (!engine_options(o, &engine, error))
    return false;
  if (o->heuristic && !heuristic_known(o->heuristic))
    return error_set(error, STATUS_USAGE,
                     "options: there is no heuristic '%.60s', expected one of "
                     "%s",
                     o->heuristic, heuristic_names());
  if (o->check < 0 || o->check > 2)
    return error_set(error, STATUS_USAGE, "options: check is %d, expected 0..2",
                     o->check);
  return true;
}

static int machine_threads(void) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return cores < 1 ? 1 : cores > 256 ? 256 : (int)cores;
}

/* Input order: the same recomputes in the same stages, each stage in input
 * order and without repetitions, as the formulation has it; -1 if the first
 * computes are not in input order.  What other programs make need not be so. */
static int stage_start(const struct solve *s, int *step, int length) {
  const struct problem *p = s->problem;
  int first = 0;
  for (int k = 0; k < length; k++) {
    if (step[k] > first)
      return -1;
    first += step[k] == first;
  }
  struct recompute *list = MEMORY_ARRAY(s->memory, struct recompute, length);
  int count = schedule_recomputes(p, step, length, list);
  length = schedule_staged(p, list, count, step);
  memory_put(s->memory, list);
  return length;
}

/* The caller's schedule as problem nodes, offered if it fits the mode. */
static bool offer_start(struct solve *s, const struct graph *g,
                        struct error *error) {
  const struct moccasin_options *o = s->options;
  struct problem *p = s->problem;
  int *place = MEMORY_ARRAY(s->memory, int, g->node_count), length = 0;
  int *step = MEMORY_ARRAY(s->memory, int, (size_t)o->start_length + 1);
  int *count = MEMORY_ARRAY(s->memory, int, p->n);
  for (int k = 0; k < g->node_count; k++)
    place[g->order[k]] = k;
  for (int k = 0; k < o->start_length; k++) {
    if (o->start[k] < 0 || o->start[k] >= g->node_count)
      return error_set(error, STATUS_USAGE,
                       "start schedule: step %d is no node of the graph", k);
    step[length++] = place[o->start[k]];
  }
  if (p->sink >= 0)
    step[length++] = p->sink;
  struct simulation found = {0};
  bool good = simulate(p, step, length, s->memory, &found);
  for (int k = 0; k < length; k++)
    good = good && ++count[step[k]] <= p->limit[step[k]];
  for (int v = 0; v < p->n; v++)
    good = good && count[v];
  if (good && !p->free_order)
    length = stage_start(s, step, length);
  if (!good || length < 0)
    return error_set(error, STATUS_USAGE,
                     "start schedule: it is not valid for this graph, order "
                     "and limit on computes");
  board_offer(&s->board, step, length, "start", s->memory);
  memory_put(s->memory, place);
  memory_put(s->memory, step);
  memory_put(s->memory, count);
  return true;
}

static void refute_by_working_set(struct solve *s) {
  const struct problem *p = s->problem;
  char text[MOCCASIN_MESSAGE], id[120] = "the end";
  int v = p->working_set_node, node = p->n ? p->node_of[v] : -1;
  if (node >= 0)
    graph_node_text(&p->graph->node[node], id, sizeof id);
  snprintf(text, sizeof text,
           "computing node %s takes %lld bytes (its output, workspace, inputs "
           "and fixed memory), %lld over the budget of %lld",
           id, (long long)p->working_set,
           (long long)(p->working_set - p->budget), (long long)p->budget);
  board_refute(&s->board, "working set", text);
}

/* The one heuristic that the user asked for; its schedule counts only if it
 * keeps the budget, but shows what it needs in any case. */
static bool run_heuristic(struct solve *s, struct error *error) {
  const char *name = s->options->heuristic;
  struct stop stop = {.asked = task_stop, .data = &s->board};
  struct schedule *found =
      heuristic_run(name, s->problem, s->memory, &stop, error);
  if (found)
    board_offer(&s->board, found->step, found->length, name, s->memory);
  return error->status == STATUS_OK;
}

/* Free order: an order that fits as it is needs no recompute at all. */
static void offer_orders(struct solve *s) {
  struct problem *p = s->problem;
  int *order = MEMORY_ARRAY(s->memory, int, p->n);
  for (int kind = 0; kind < ORDERS_KINDS && !board_stop(&s->board); kind++)
    if (orders_make(p, (enum orders_kind)kind, order, s->memory))
      board_offer(&s->board, order, p->n, orders_name((enum orders_kind)kind),
                  s->memory);
  memory_put(s->memory, order);
}

/* The phases before the portfolio; it runs only if they do not decide. */
static bool run(struct solve *s, const struct graph *g, struct error *error) {
  const struct moccasin_options *o = s->options;
  struct problem *p = s->problem;
  struct board *b = &s->board;
  struct schedule *baseline = schedule_baseline(s->memory, p);
  if (!o->heuristic)
    board_offer(b, baseline->step, baseline->length, "baseline", s->memory);
  if (o->objective == MOCCASIN_PEAK)
    board_raise(b, p->working_set, "working set");
  else
    board_raise(b, p->base_duration, "every node once");
  if (p->working_set > p->budget) {
    refute_by_working_set(s);
    return true;
  }
  if (o->start && !offer_start(s, g, error))
    return false;
  if (o->heuristic)
    return run_heuristic(s, error);
  if (p->free_order)
    offer_orders(s);
  if (!board_stop(b))
    workers_run(b, s->threads, s->memory);
  return true;
}

static void copy_schedule(struct result *r, const struct solve *s) {
  const struct schedule *best = s->board.best;
  const struct problem *p = s->problem;
  struct moccasin_result *out = &r->public;
  out->sequence = MEMORY_ARRAY(r->memory, int, best->length);
  for (int k = 0; k < best->length; k++)
    if (best->step[k] != p->sink)
      out->sequence[out->length++] = p->node_of[best->step[k]];
  out->peak = best->peak;
  out->duration = best->duration;
}

/* Whatever went before: what is handed out is a schedule of this graph, within
 * budget and limits, with these figures. */
static bool verify_result(const struct moccasin_result *r,
                          const struct solve *s, struct error *error) {
  const struct moccasin_options *o = s->options;
  int64_t peak, duration;
  if (!r->length ||
      (moccasin_verify(s->handle, r->sequence, r->length, o->budget,
                       o->max_computes, o->order == MOCCASIN_INPUT_ORDER, NULL,
                       NULL, &peak, &duration) == MOCCASIN_OK &&
       peak == r->peak && duration == r->duration))
    return true;
  return error_set(error, STATUS_RESOURCES,
                   "internal fault: the schedule by %s does not verify; please "
                   "report this input",
                   r->found_by);
}

static void fill_statistics(struct result *r, const struct solve *s) {
  const struct board *b = &s->board;
  const struct moccasin_statistic list[] = {
      {"schedules offered", b->offers},
      {"memory, bytes", (int64_t)atomic_load(&s->limit->highest)}};
  const size_t fixed = sizeof list / sizeof *list;
  struct moccasin_statistic *all =
      MEMORY_ARRAY(r->memory, struct moccasin_statistic,
                   fixed + (size_t)b->counter_count + 1);
  memcpy(all, list, sizeof list);
  memcpy(all + fixed, b->counter, (size_t)b->counter_count * sizeof *all);
  r->public.statistics = all;
}

static void fill_result(struct result *r, struct solve *s) {
  struct board *b = &s->board;
  const struct problem *p = s->problem;
  struct moccasin_result *out = &r->public;
  bool peak = s->options->objective == MOCCASIN_PEAK;
  int64_t lower = atomic_load(&b->lower);
  out->budget = p->budget;
  out->least_known_budget = b->least_peak;
  out->peak_lower_bound = peak ? lower : p->working_set;
  out->duration_lower_bound = peak ? p->base_duration : lower;
  out->threads = s->threads;
  snprintf(out->found_by, sizeof out->found_by, "%s", b->found_by);
  snprintf(out->bound_by, sizeof out->bound_by, "%s", b->bound_by);
  if (b->best) {
    out->status = MOCCASIN_OK;
    out->optimal = lower == atomic_load(&b->upper);
    copy_schedule(r, s);
  } else if (atomic_load(&b->infeasible)) {
    out->status = MOCCASIN_INFEASIBLE;
    snprintf(out->reason, sizeof out->reason, "%s", b->reason);
  } else {
    out->status = MOCCASIN_UNKNOWN;
    snprintf(out->reason, sizeof out->reason,
             "no schedule within the budget was found and none was ruled out; "
             "%s",
             s->options->heuristic
                 ? "only the heuristic was run"
                 : "the search was ended by its limit or a signal");
  }
  fill_statistics(r, s);
  out->seconds = clock_seconds() - b->started;
}

/* Opens what a solve needs and runs it; false with `error` set. */
static bool solve(struct solve *s, const struct moccasin_graph *graph,
                  struct memory *board_memory, struct error *error) {
  const struct moccasin_options *o = s->options;
  double started = clock_seconds();
  s->problem = problem_new(s->memory, graph->graph, o->max_computes,
                           o->order == MOCCASIN_FREE_ORDER, error);
  if (!s->problem)
    return false;
  s->problem->budget = o->budget;
  s->threads = o->threads ? o->threads : machine_threads();
  board_open(&s->board, board_memory, s->problem, o, started);
  s->board_opened = true;
  if (!run(s, graph->graph, error))
    return false;
  if (s->board.fault != STATUS_OK)
    return error_set(error, s->board.fault, "%s", s->board.fault_text);
  return true;
}

static void say(char *message, const struct error *error) {
  if (message)
    snprintf(message, MOCCASIN_MESSAGE, "%s", error->text);
}

/* The part that runs out of memory by longjmp: on its own, so that no local
 * variable is changed between setjmp and longjmp. */
static bool attempt(struct solve *s, const struct moccasin_graph *graph,
                    struct memory *board_memory, struct memory *kept,
                    struct moccasin_result **result, struct error *error) {
  if (!s->memory || !board_memory || !kept ||
      setjmp(*memory_recover(s->memory)) || setjmp(*memory_recover(kept)))
    return error_set(error, STATUS_RESOURCES, "out of memory");
  if (!solve(s, graph, board_memory, error))
    return false;
  struct result *r = MEMORY_NEW(kept, struct result);
  r->memory = kept;
  fill_result(r, s);
  *result = &r->public;
  return verify_result(*result, s, error);
}

int solve_within(const struct moccasin_graph *graph,
                 const struct moccasin_options *options,
                 struct memory_limit *limit, struct moccasin_result **result,
                 char *message) {
  struct error error = {STATUS_OK, ""};
  *result = NULL;
  if (!check_options(options, &error)) {
    say(message, &error);
    return (int)error.status;
  }
  struct solve s = {.options = options,
                    .handle = graph,
                    .limit = limit,
                    .memory = memory_new(limit)};
  struct memory *board_memory = memory_new(limit), *kept = memory_new(limit);
  bool ok = attempt(&s, graph, board_memory, kept, result, &error);
  if (s.board_opened)
    board_close(&s.board);
  memory_free(board_memory);
  memory_free(s.memory);
  if (!ok) {
    *result = NULL;
    memory_free(kept);
  }
  say(message, &error);
  return ok ? (*result)->status : (int)error.status;
}

int moccasin_solve(const struct moccasin_graph *graph,
                   const struct moccasin_options *options,
                   struct moccasin_result **result, char *message) {
  /* The limit outlives the call with the result, which is counted by it. */
  struct memory_limit *limit = calloc(1, sizeof *limit);
  if (!limit) {
    *result = NULL;
    say(message, &(struct error){STATUS_RESOURCES, "out of memory"});
    return MOCCASIN_RESOURCES;
  }
  limit->most = options->memory_limit;
  int status = solve_within(graph, options, limit, result, message);
  if (*result)
    ((struct result *)*result)->limit = limit;
  else
    free(limit);
  return status;
}

void moccasin_result_free(struct moccasin_result *result) {
  if (!result)
    return;
  struct memory_limit *limit = ((struct result *)result)->limit;
  memory_free(((struct result *)result)->memory);
  free(limit);
}
