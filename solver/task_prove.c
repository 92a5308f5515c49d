/* Proving, in three phases:
 *
 *   bound    the lower bound by cuts, until it has converged
 *   fix      reduced costs close stages for recomputes: what is left open is
 *            the kernel
 *   kernel   the complete search on the kernel, asked for something strictly
 *            better than the best schedule: it refutes, or improves
 *
 * Whenever the best schedule improves, fixing is repeated; when it leaves much
 * less than the kernel in work, a new one is built, else the search goes on
 * under the tighter limit with all that it has learned.
 *
 * Least peak has neither bound nor fixing: the search's dichotomy runs at once.
 * In free order only the bound is proven.
 */
#include "model/bound.h"
#include "model/formulation.h"
#include "solver/engine_options.h"
#include "solver/task.h"

#include <stdio.h>
#include <string.h>

/* What each unit of effort is worth in microseconds. */
enum { ARCS_A_MICROSECOND = 8, PROPAGATIONS_A_MICROSECOND = 2 };

/* Kernels with more events than this are left to the other searches.  Without
 * a schedule nothing can be fixed, so large kernels wait some turns for one. */
enum { MOST_EVENTS = 2000000, FEW_EVENTS = 20000, PATIENCE = 20 };

/* The bound has the first word until it converges, stands still for so many
 * slices, or has had so much effort (microseconds); then they take turns. */
enum { STANDSTILLS = 3, FIRST_WORD = 1500000 };

struct prove {
  struct task task;
  struct bound *bound;
  int64_t bounded; /* the bound has converged for this best objective */
  int standstills;
  bool bounds;      /* is there to be one */
  bool bound_first; /* the kernel has not had a turn yet */
  bool bound_next;  /* whose turn it is then */
  struct bound_fixing *fixing;
  struct formulation *kernel;
  int64_t asked;   /* the kernel is asked for less than this */
  int64_t fixed;   /* fixing has seen this objective */
  int64_t refused; /* the objective for which the kernel was too large; 0 */
  int waited;      /* turns without any schedule */
  int version;     /* of the board's best that the kernel knows */
  struct cp_statistics before;
};

static bool is_peak(const struct prove *t) {
  return t->task.board->options->objective == MOCCASIN_PEAK;
}

/* ---- bound -------------------------------------------------------------- */

static void refute_by_cuts(struct prove *t) {
  struct board *b = t->task.board;
  const struct problem *p = b->problem;
  char text[MOCCASIN_MESSAGE], id[120];
  int v = t->bound->blame;
  if (v >= 0 && p->node_of[v] >= 0)
    snprintf(text, sizeof text,
             "around the first compute of node %s, what must be in memory or "
             "computed again exceeds the budget",
             graph_node_text(&p->graph->node[p->node_of[v]], id, sizeof id));
  else
    snprintf(text, sizeof text,
             "what must be in memory or computed again exceeds the budget at "
             "several steps together");
  board_refute(b, "cuts", text);
}

static enum task_state run_bound(struct prove *t, int64_t effort) {
  struct board *b = t->task.board;
  const struct problem *p = b->problem;
  struct bound_stop hook = {task_stop, b};
  enum bound_scope scope = p->free_order     ? BOUND_FREE_ORDER
                           : p->max_computes ? BOUND_LIMITED
                                             : BOUND_ANY;
  int64_t upper = atomic_load(&b->upper);
  bool grew = true;
  if (!t->bound)
    t->bound = bound_new(t->task.memory, p, scope);
  else
    grew = bound_improve(t->bound, upper, (long)(effort * ARCS_A_MICROSECOND),
                         &hook);
  t->task.spent += effort;
  t->standstills = grew ? 0 : t->standstills + 1;
  if (t->bound->infeasible)
    refute_by_cuts(t);
  else
    board_raise(b, t->bound->value, "cuts");
  if (t->bound->converged) {
    t->bounded = upper;
    t->fixed = INT64_MAX; /* the bound's tree closes more than its duals */
  }
  if (t->bound->converged || t->standstills >= STANDSTILLS ||
      t->task.spent >= FIRST_WORD)
    t->bound_first = false;
  return TASK_MORE;
}

/* ---- kernel ------------------------------------------------------------- */

static void keep_statistics(struct prove *t) {
  const struct cp_statistics *now = cp_statistics(formulation_cp(t->kernel));
#define COUNT(name, help) t->before.name += now->name;
  CP_STATISTICS(COUNT)
#undef COUNT
}

static void drop_kernel(struct prove *t) {
  if (t->kernel) {
    keep_statistics(t);
    formulation_free(t->kernel);
  }
  t->kernel = NULL;
}

static void prefer_best(struct prove *t) {
  struct memory *m = t->task.memory;
  struct schedule *best = board_newer(t->task.board, &t->version, m);
  if (best) {
    formulation_prefer(t->kernel, best->step, best->length);
    schedule_free(m, best);
  }
}

/* Builds the kernel for schedules better than `upper`; false if too large. */
static bool build_kernel(struct prove *t, int64_t upper) {
  struct board *b = t->task.board;
  const struct moccasin_options *o = b->options;
  struct formulation_options options = formulation_options_default();
  struct engine_options engine;
  engine_options(o, &engine, NULL);
  options.cp = engine.cp;
  options.rules = engine.rules;
  options.most_events =
      upper == INT64_MAX && t->waited < PATIENCE ? FEW_EVENTS : MOST_EVENTS;
  if (is_peak(t)) {
    options.low = b->problem->working_set;
    options.high = upper - 1;
    options.upper = o->duration_limit ? o->duration_limit + 1 : INT64_MAX;
  } else {
    options.upper = upper;
    if (t->fixing) {
      options.window = t->fixing->window;
      options.windows = t->fixing->window_count;
    }
  }
  drop_kernel(t);
  struct memory *m = t->task.memory;
  struct bound_regrets *regrets =
      is_peak(t) || !t->bound ? NULL : bound_regrets(t->bound, m);
  options.regrets = regrets;
  t->kernel = formulation_new(m, b->problem, &options);
  bound_regrets_free(m, regrets);
  if (!t->kernel)
    return false;
  cp_set_trace(formulation_cp(t->kernel), o->trace);
  t->asked = upper;
  t->version = 0;
  prefer_best(t);
  return true;
}

static int64_t open_stages(const struct bound_fixing *f) {
  int64_t sum = 0;
  for (int i = 0; i < f->window_count; i++)
    sum += f->window[i].last - f->window[i].first + 1;
  return sum;
}

/* Repeats the fixing for a better schedule; true if it closes enough for a
 * new kernel to pay. */
static bool fix(struct prove *t, int64_t upper) {
  struct memory *m = t->task.memory;
  if (is_peak(t) || !t->bound || upper >= t->fixed)
    return false;
  t->fixed = upper;
  struct bound_fixing *f = bound_fix(t->bound, upper, m);
  bool better = !t->fixing || open_stages(f) < open_stages(t->fixing) / 4 * 3;
  bound_fixing_free(m, better ? t->fixing : f);
  if (better) {
    t->fixing = f;
    board_share_fixing(t->task.board, f);
  }
  return better;
}

/* Makes the kernel fit the best schedule; false if there is none to run. */
static bool prepare_kernel(struct prove *t) {
  int64_t upper = atomic_load(&t->task.board->upper);
  t->waited += upper == INT64_MAX;
  bool smaller = fix(t, upper);
  if (smaller || (!t->kernel && (t->refused != upper || t->waited == PATIENCE)))
    t->refused = build_kernel(t, upper) ? 0 : upper;
  if (t->kernel && upper < t->asked) {
    formulation_limit(t->kernel, upper);
    t->asked = upper;
    prefer_best(t);
  }
  return t->kernel;
}

static void refute_by_search(struct prove *t) {
  struct board *b = t->task.board;
  if (t->asked != INT64_MAX) {
    board_raise(b, t->asked, "search");
    return;
  }
  board_refute(b, "search",
               b->options->objective == MOCCASIN_PEAK
                   ? "no schedule within budget and duration limit exists: "
                     "the complete search found none"
                   : "no schedule within the budget exists: the complete "
                     "search found none");
}

static int64_t least(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static enum task_state run_kernel(struct prove *t, int64_t effort) {
  struct board *b = t->task.board;
  struct cp *cp = formulation_cp(t->kernel);
  int64_t before = cp_statistics(cp)->propagations;
  struct cp_limits limits = {.propagations =
                                 effort * PROPAGATIONS_A_MICROSECOND,
                             .stop = task_stop,
                             .stop_data = b};
  enum formulation_result result = formulation_run(t->kernel, &limits);
  t->task.spent += 1 + (cp_statistics(cp)->propagations - before) /
                           PROPAGATIONS_A_MICROSECOND;
  if (result == FORMULATION_SCHEDULE) {
    const struct schedule *s = formulation_schedule(t->kernel);
    board_offer(b, s->step, s->length, "search", t->task.memory);
    t->asked = least(t->asked, is_peak(t) ? s->peak : s->duration);
  } else if (result == FORMULATION_FAULT) {
    board_fail(b, STATUS_RESOURCES, cp_fault(cp));
    return TASK_OVER;
  } else if (result == FORMULATION_DONE) {
    refute_by_search(t);
    return TASK_OVER;
  }
  board_raise(b, least(t->asked, formulation_bound(t->kernel)), "search");
  return TASK_MORE;
}

/* ---- the task ----------------------------------------------------------- */

/* Listing the cuts looks at every output held across every first compute, and
 * cannot be stopped on the way; in free order it keeps a set of ancestors a
 * node.  Where that takes more than seconds, or gigabytes, nothing is proven
 * beyond the working set. */
static bool is_too_large(const struct problem *p) {
  int64_t held = 0;
  if (p->free_order)
    return p->n > 30000;
  for (int v = 0; v < p->n; v++)
    if (p->succ_start[v] < p->succ_start[v + 1])
      held += p->succ[p->succ_start[v + 1] - 1] - v;
  return held > 200000000;
}

static enum task_state run(struct task *task, int64_t effort) {
  struct prove *t = (struct prove *)task;
  bool free_order = task->board->problem->free_order;
  if (!t->bound && is_too_large(task->board->problem))
    return TASK_OVER;
  bool bounds = !is_peak(t) && t->bounds &&
                (!t->bounded || atomic_load(&task->board->upper) < t->bounded);
  if (bounds && (t->bound_first || t->bound_next || free_order)) {
    t->bound_next = false;
    return run_bound(t, effort);
  }
  t->bound_next = true;
  if (!free_order && prepare_kernel(t))
    return run_kernel(t, effort);
  return bounds ? TASK_MORE : TASK_WAIT;
}

static void finish(struct task *task) {
  struct prove *t = (struct prove *)task;
  struct board *b = task->board;
  if (t->bound) {
    board_count(b, "bound: iterations", t->bound->iterations);
    board_count(b, "bound: arcs", t->bound->work);
  }
  if (t->fixing) {
    board_count(b, "fixing: nodes never recomputed", t->fixing->never_count);
    board_count(b, "fixing: nodes that must be", t->fixing->must_count);
    board_count(b, "fixing: stages open", open_stages(t->fixing));
  }
  if (t->kernel) {
    struct formulation_size size = formulation_size(t->kernel);
    board_count(b, "kernel: nodes with variables", size.nodes);
    board_count(b, "kernel: events", size.events);
    keep_statistics(t);
  }
#define COUNT(name, help) board_count(b, "engine: " help, t->before.name);
  CP_STATISTICS(COUNT)
#undef COUNT
}

struct task *task_prove(struct memory *m, struct board *b, int lane) {
  (void)lane;
  struct prove *t = MEMORY_NEW(m, struct prove);
  t->task = (struct task){
      .name = "prove", .run = run, .finish = finish, .board = b, .memory = m};
  t->fixed = INT64_MAX;
  struct engine_options engine;
  engine_options(b->options, &engine, NULL);
  t->bounds = engine.tasks.bound;
  t->bound_first = true;
  return &t->task;
}
