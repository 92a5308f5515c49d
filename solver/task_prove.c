/* Proving, in three phases:
 *
 *   bound    the lower bound by cuts, until it has converged
 *   fix      reduced costs close stages for recomputes: what is left open is
 *            the kernel
 *   kernel   the complete search on the kernel, asked for something strictly
 *            better than the best schedule: it refutes, or improves
 *   leaves   the same on each leaf of the bound's tree (bound.h), of which
 *            far less is open: when all are refuted, nothing is left.  Each
 *            gets little effort at first, so that easy ones come early: they
 *            raise the bound or yield a schedule that cuts off others
 *
 * Measured, one thread, seconds of CPU: rl-n1000 at 90 %, whose kernel of 520
 * nodes with variables is not decided in minutes, is proven by 24 leaves (of
 * 56 to 257 nodes, 7700 conflicts together) in 1.6 s given the best schedule.
 *
 * Whenever the best schedule improves, fixing is repeated; when it leaves much
 * less than the kernel in work, a new one is built, else the search goes on
 * under the tighter limit with all that it has learned.
 *
 * Least peak has neither bound nor fixing: the search's dichotomy runs at once.
 * In free order only the bound is proven; peaks are task_pebbling's.
 */
#include "model/bound.h"
#include "model/formulation.h"
#include "solver/engine_options.h"
#include "solver/task.h"

#include <stdio.h>
#include <string.h>

/* What a unit of effort is worth, beside ARCS_A_MICROSECOND. */
enum { PROPAGATIONS_A_MICROSECOND = 2 };

/* Kernels with more events than this are left to the other searches.  Without
 * a schedule nothing can be fixed, so large kernels wait some turns for one. */
enum { MOST_EVENTS = 2000000, FEW_EVENTS = 20000, PATIENCE = 20 };

/* The bound has the first word until it converges or has had so much effort
 * (microseconds); then they take turns.  When it stands still for some slices,
 * a kernel of few open stages is tried at once.  For a large one that would be
 * too early: the linear program's last steps gain nothing, but its tree, which
 * comes next, closes most of the stages. */
enum { STANDSTILLS = 3, FIRST_WORD = 4000000, FEW_STAGES = 4000 };

/* Effort for a leaf at its first try, four times as much at each further one;
 * with so many tries it has proved hard. */
enum { LEAF_EFFORT = 50000, MANY_TRIES = 3 };

struct kernel {
  struct formulation *model; /* NULL: none */
  int64_t asked;             /* it is asked for less than this */
  int64_t left;              /* effort until another one has its turn */
  int version;               /* of the board's best that it knows */
};

struct prove {
  struct task task;
  struct bound *bound;
  int64_t bounded; /* the bound has converged for this best objective */
  int standstills;
  bool bounds;      /* is there to be one */
  bool leaves;      /* are its leaves to be searched */
  bool bound_first; /* the kernel has not had a turn yet */
  bool bound_next;  /* whose turn it is then */
  bool whole_next;  /* the whole kernel's, where leaves are hard */
  struct bound_fixing *fixing;
  struct kernel whole, part; /* part: of the leaf */
  struct bound_leaf *leaf;
  int64_t refuted; /* leaves */
  int64_t fixed;   /* fixing has seen this objective */
  int64_t refused; /* the objective for which the kernel was too large; 0 */
  int waited;      /* turns without any schedule */
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

/* Is little enough open for the complete search to be tried early? */
static bool is_small(struct prove *t, int64_t upper) {
  const struct problem *p = t->task.board->problem;
  int64_t open = (int64_t)p->n * (p->n - 1) / 2;
  if (p->free_order)
    return false;
  fix(t, upper);
  return (t->fixing ? open_stages(t->fixing) : open) <= FEW_STAGES;
}

static enum task_state run_bound(struct prove *t, int64_t effort) {
  struct board *b = t->task.board;
  const struct problem *p = b->problem;
  struct stop hook = {.asked = task_stop, .data = b};
  enum bound_scope scope = p->free_order     ? BOUND_FREE_ORDER
                           : p->max_computes ? BOUND_LIMITED
                                             : BOUND_ANY;
  int64_t upper = atomic_load(&b->upper);
  bool grew = true;
  if (!t->bound)
    t->bound = bound_new(t->task.memory, p, scope, &hook);
  else
    grew = bound_improve(t->bound, upper, (long)(effort * ARCS_A_MICROSECOND),
                         &hook);
  t->task.spent += effort;
  t->standstills = grew ? 0 : t->standstills + 1;
  if (t->bound->infeasible)
    refute_by_cuts(t);
  else
    board_raise(b, t->bound->value, "cuts");
  bool over = t->bound->converged || t->task.spent >= FIRST_WORD;
  if (t->bound->converged)
    t->bounded = upper;
  if (t->bound->converged || (over && t->bound_first))
    t->fixed = INT64_MAX; /* the bound's tree closes more than its duals */
  if (over || (t->standstills >= STANDSTILLS && is_small(t, upper)))
    t->bound_first = false;
  return TASK_MORE;
}

/* ---- kernels ------------------------------------------------------------ */

static void drop_kernel(struct prove *t, struct kernel *k) {
  if (!k->model)
    return;
  const struct cp_statistics *now = cp_statistics(formulation_cp(k->model));
#define COUNT(name, help) t->before.name += now->name;
  CP_STATISTICS(COUNT)
#undef COUNT
  formulation_free(k->model);
  k->model = NULL;
}

static void prefer_best(struct prove *t, struct kernel *k) {
  struct memory *m = t->task.memory;
  struct schedule *best = board_newer(t->task.board, &k->version, m);
  if (best) {
    formulation_prefer(k->model, best->step, best->length);
    schedule_free(m, best);
  }
}

/* What the engine is asked for: schedules better than `upper`. */
static struct formulation_options ask(const struct prove *t, int64_t upper) {
  const struct moccasin_options *o = t->task.board->options;
  struct formulation_options options = formulation_options_default();
  struct engine_options engine;
  engine_options(o, &engine, NULL);
  options.cp = engine.cp;
  options.rules = engine.rules;
  options.most_events =
      upper == INT64_MAX && t->waited < PATIENCE ? FEW_EVENTS : MOST_EVENTS;
  options.upper = upper;
  if (is_peak(t)) {
    options.low = t->task.board->problem->working_set;
    options.high = upper - 1;
    options.upper = o->duration_limit ? o->duration_limit + 1 : INT64_MAX;
  }
  return options;
}

/* False if the model is too large. */
static bool build_kernel(struct prove *t, struct kernel *k, int64_t upper,
                         const struct formulation_options *options) {
  struct board *b = t->task.board;
  drop_kernel(t, k);
  k->model = formulation_new(t->task.memory, b->problem, options);
  if (!k->model)
    return false;
  cp_set_trace(formulation_cp(k->model), b->options->trace);
  k->asked = upper;
  k->version = 0;
  prefer_best(t, k);
  return true;
}

static void follow_best(struct prove *t, struct kernel *k, int64_t upper) {
  if (!k->model || upper >= k->asked)
    return;
  formulation_limit(k->model, upper);
  k->asked = upper;
  prefer_best(t, k);
}

static bool build_whole(struct prove *t, int64_t upper) {
  struct memory *m = t->task.memory;
  struct formulation_options options = ask(t, upper);
  if (t->fixing) {
    options.window = t->fixing->window;
    options.windows = t->fixing->window_count;
  }
  struct bound_regrets *regrets =
      is_peak(t) || !t->bound ? NULL : bound_regrets(t->bound, m);
  options.regrets = regrets;
  bool built = build_kernel(t, &t->whole, upper, &options);
  bound_regrets_free(m, regrets);
  return built;
}

/* Makes the kernel fit the best schedule; false if there is none to run. */
static bool prepare_whole(struct prove *t, int64_t upper) {
  t->waited += upper == INT64_MAX;
  bool smaller = fix(t, upper), missing = !t->whole.model;
  if (smaller || (missing && (t->refused != upper || t->waited == PATIENCE)))
    t->refused = build_whole(t, upper) ? 0 : upper;
  follow_best(t, &t->whole, upper);
  return t->whole.model;
}

static int64_t least(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static enum formulation_result run_kernel(struct prove *t, struct kernel *k,
                                          int64_t effort) {
  struct board *b = t->task.board;
  struct cp *cp = formulation_cp(k->model);
  int64_t before = cp_statistics(cp)->propagations;
  struct cp_limits limits = {.propagations =
                                 effort * PROPAGATIONS_A_MICROSECOND,
                             .stop = task_stop,
                             .stop_data = b};
  enum formulation_result result = formulation_run(k->model, &limits);
  int64_t used = 1 + (cp_statistics(cp)->propagations - before) /
                         PROPAGATIONS_A_MICROSECOND;
  t->task.spent += used;
  k->left -= used;
  if (result == FORMULATION_SCHEDULE) {
    const struct schedule *s = formulation_schedule(k->model);
    board_offer(b, s->step, s->length, "search", t->task.memory);
    k->asked = least(k->asked, is_peak(t) ? s->peak : s->duration);
  } else if (result == FORMULATION_FAULT) {
    board_fail(b, STATUS_RESOURCES, cp_fault(cp));
  }
  return result;
}

static void refute_by_search(struct prove *t) {
  struct board *b = t->task.board;
  if (t->whole.asked != INT64_MAX) {
    board_raise(b, t->whole.asked, "search");
    return;
  }
  board_refute(b, "search",
               b->options->objective == MOCCASIN_PEAK
                   ? "no schedule within budget and duration limit exists: "
                     "the complete search found none"
                   : "no schedule within the budget exists: the complete "
                     "search found none");
}

static enum task_state run_whole(struct prove *t, int64_t effort) {
  enum formulation_result result = run_kernel(t, &t->whole, effort);
  if (result == FORMULATION_FAULT)
    return TASK_OVER;
  if (result == FORMULATION_DONE) {
    refute_by_search(t);
    return TASK_OVER;
  }
  board_raise(t->task.board,
              least(t->whole.asked, formulation_bound(t->whole.model)),
              "search");
  return TASK_MORE;
}

/* ---- leaves ------------------------------------------------------------- */

static void drop_leaf(struct prove *t) {
  drop_kernel(t, &t->part);
  bound_leaf_free(t->task.memory, t->leaf);
  t->leaf = NULL;
}

/* The leaf holds nothing shorter than `upper`. */
static void refute_leaf(struct prove *t, int64_t upper) {
  bound_leaf_refute(t->bound, t->leaf, upper);
  t->refuted++;
  if (!t->bound->converged)
    t->bounded = 0;
  board_raise(t->task.board, t->bound->value, "search");
  drop_leaf(t);
}

/* Takes up the leaf that had least effort; false if there is none, or if all
 * have had so much that it is the whole kernel's turn. */
static bool prepare_leaf(struct prove *t, int64_t upper) {
  if (!t->bound || is_peak(t) || upper == INT64_MAX || !t->leaves)
    return false;
  if (t->leaf && (t->part.left <= 0 || bound_leaf_gone(t->bound, t->leaf)))
    drop_leaf(t);
  follow_best(t, &t->part, upper);
  while (!t->leaf && !board_stop(t->task.board)) {
    t->leaf = bound_leaf(t->bound, t->task.memory);
    if (!t->leaf)
      return false;
    struct formulation_options options = ask(t, upper);
    options.window = t->leaf->window;
    options.windows = t->leaf->windows;
    options.regrets = t->leaf->regrets;
    if (!t->leaf->regrets)
      refute_leaf(t, INT64_MAX);
    else if (!build_kernel(t, &t->part, upper, &options))
      drop_leaf(t);
    else
      t->part.left = LEAF_EFFORT << (2 * least(t->leaf->tries, 12));
  }
  return t->leaf;
}

static enum task_state run_leaves(struct prove *t, int64_t effort,
                                  int64_t upper) {
  int64_t end = t->task.spent + effort;
  while (t->task.spent < end && !board_stop(t->task.board) &&
         prepare_leaf(t, upper)) {
    enum formulation_result result =
        run_kernel(t, &t->part, least(t->part.left, end - t->task.spent));
    if (result == FORMULATION_FAULT)
      return TASK_OVER;
    if (result == FORMULATION_SCHEDULE)
      break;
    if (result == FORMULATION_DONE)
      refute_leaf(t, t->part.asked);
  }
  return TASK_MORE;
}

/* ---- the task ----------------------------------------------------------- */

static bool is_too_large(const struct problem *p) {
  return p->free_order && p->n > MOST_SETS;
}

/* Leaves have precedence; once they have proved hard they take turns with the
 * whole kernel.  The kernels' model is that of the input order: what they
 * refute says nothing about free order. */
static enum task_state run_search(struct prove *t, int64_t effort,
                                  bool bounds) {
  if (t->task.board->problem->free_order)
    return bounds ? TASK_MORE : TASK_WAIT;
  int64_t upper = atomic_load(&t->task.board->upper);
  bool leaves = !t->whole_next && prepare_leaf(t, upper);
  t->whole_next = leaves && t->leaf->tries >= MANY_TRIES;
  if (leaves)
    return run_leaves(t, effort, upper);
  if (prepare_whole(t, upper))
    return run_whole(t, effort);
  return bounds || t->leaf ? TASK_MORE : TASK_WAIT;
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
  return run_search(t, effort, bounds);
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
  board_count(b, "leaves refuted", t->refuted);
  if (t->whole.model) {
    struct formulation_size size = formulation_size(t->whole.model);
    board_count(b, "kernel: nodes with variables", size.nodes);
    board_count(b, "kernel: events", size.events);
    board_count(b, "kernel: parts of the time axis", size.parts);
  }
  drop_kernel(t, &t->whole);
  drop_leaf(t);
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
  t->leaves = engine.tasks.leaves;
  t->bound_first = true;
  return &t->task;
}
