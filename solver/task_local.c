/* The local search as a task: runs slices of moves, offers what it finds, and
 * takes over what others found.
 *
 * When no schedule within the budget turns up for a while, a second search for
 * the least peak takes turns with it (phase 1 of the paper) until one does.
 * Its schedules over the budget tell the least budget known to work. */
#include "heuristics/local.h"
#include "solver/task.h"

/* Moves without a schedule before the search for the least peak begins (on
 * large problems its first round, so many a node), and how many turns of it
 * then go with one of the search itself. */
enum { PATIENCE = 50000, PATIENCE_A_NODE = 50, PEAK_TURNS = 31 };

/* Rounds without gain before a search takes over what others found: a warm one,
 * and one for the least peak. */
enum { WARM_PATIENCE = 12, PEAK_PATIENCE = 1 };

struct local_task {
  struct task task;
  struct local *local, *peak; /* peak: NULL unless it is needed */
  int peak_turns;             /* of the peak's search, in a row so far */
  bool warm;                  /* see local_options */
  uint64_t seed;
  int version;        /* of the board's best that the search has seen */
  int lowest_version; /* of what is over the budget, likewise */
};

static void report(void *data, const struct schedule *s) {
  struct local_task *t = data;
  board_offer(t->task.board, s->step, s->length, t->task.name, t->task.memory);
}

static bool stop(void *data) {
  struct local_task *t = data;
  return board_stop(t->task.board);
}

/* A warm search stays with the order that it has as long as it gains there:
 * what hot ones find is seldom near.  One for the least peak only counts as
 * gain what is below the best peak that it knows, so it ends its rounds among
 * its own (bench/local-search.md). */
static bool takes_over(const struct local_task *t, const struct local *l) {
  bool peak =
      l == t->peak || t->task.board->options->objective == MOCCASIN_PEAK;
  int patience = peak ? PEAK_PATIENCE : t->warm ? WARM_PATIENCE : 0;
  return !local_best(l) || local_statistics(l).stale >= patience;
}

/* A turn of the search for the least peak; what it costs counts as moves. */
static int64_t run_peak(struct local_task *t, int64_t effort,
                        const struct local_hooks *hooks) {
  struct board *b = t->task.board;
  if (!t->peak) {
    struct local_options options = {.seed = t->seed, .objective = LOCAL_PEAK};
    t->peak = local_new(t->task.memory, b->problem, &options);
    local_start(t->peak, NULL, hooks);
  }
  struct schedule *other =
      takes_over(t, t->peak)
          ? board_newer_lowest(b, &t->lowest_version, t->task.memory)
          : NULL;
  if (other)
    local_offer(t->peak, other);
  schedule_free(t->task.memory, other);
  return local_run(t->peak, effort, hooks);
}

static enum task_state run(struct task *task, int64_t effort) {
  struct local_task *t = (struct local_task *)task;
  const struct board *b = task->board;
  struct schedule *other =
      takes_over(t, t->local)
          ? board_newer(task->board, &t->version, task->memory)
          : NULL;
  struct local_hooks hooks = {.data = t, .stop = stop, .report = report};
  if (other) {
    local_offer(t->local, other);
    schedule_free(task->memory, other);
  }
  bool found = atomic_load(&b->upper) != INT64_MAX;
  if (t->peak && found) {
    local_free(t->peak);
    t->peak = NULL;
  }
  int64_t patience = PATIENCE_A_NODE * (int64_t)b->problem->n;
  patience = patience > PATIENCE ? patience : PATIENCE;
  bool peak = !found && task->spent >= patience && t->peak_turns < PEAK_TURNS &&
              b->options->objective == MOCCASIN_DURATION;
  t->peak_turns = peak ? t->peak_turns + 1 : 0;
  int64_t moves =
      peak ? run_peak(t, effort, &hooks) : local_run(t->local, effort, &hooks);
  task->spent += moves;
  board_count(task->board, "local: moves", moves);
  return TASK_MORE;
}

/* At the best so far; without one the first lane makes the greedy schedule, and
 * the others, which would make the same, begin at the baseline.  A warm search
 * makes its own: near the order that it refines. */
static void begin(struct local_task *t, int lane) {
  struct board *b = t->task.board;
  struct memory *m = t->task.memory;
  struct local_hooks hooks = {.data = t, .stop = stop};
  struct schedule *start = t->warm ? NULL : board_newer(b, &t->version, m);
  if (!start && lane > 0 && !t->warm)
    start = schedule_baseline(m, b->problem);
  local_start(t->local, start, &hooks);
  schedule_free(m, start);
}

struct task *task_local(struct memory *m, struct board *b, int lane) {
  const struct moccasin_options *o = b->options;
  struct local_task *t = MEMORY_NEW(m, struct local_task);
  t->task = (struct task){.name = "local", .run = run, .board = b, .memory = m};
  t->seed = o->seed * 1000003 + (uint64_t)lane;
  bool peak = o->objective == MOCCASIN_PEAK;
  t->warm = b->problem->free_order && !peak && lane % 2;
  struct local_options options = {
      .seed = t->seed,
      .objective = peak ? LOCAL_PEAK : LOCAL_DURATION,
      .duration_limit = o->duration_limit,
      .warm = t->warm,
  };
  t->local = local_new(m, b->problem, &options);
  begin(t, lane);
  return &t->task;
}
