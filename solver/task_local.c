/* The local search as a task: runs slices of moves, offers what it finds, and
 * takes over what others found. */
#include "heuristics/local.h"
#include "solver/task.h"

struct local_task {
  struct task task;
  struct local *local;
  int version; /* of the board's best that the search has seen */
};

static void report(void *data, const struct schedule *s) {
  struct local_task *t = data;
  board_offer(t->task.board, s->step, s->length, t->task.name, t->task.memory);
}

static bool stop(void *data) {
  struct local_task *t = data;
  return board_stop(t->task.board);
}

static enum task_state run(struct task *task, int64_t effort) {
  struct local_task *t = (struct local_task *)task;
  struct schedule *other = board_newer(task->board, &t->version, task->memory);
  if (other) {
    local_offer(t->local, other);
    schedule_free(task->memory, other);
  }
  struct local_hooks hooks = {.data = t, .stop = stop, .report = report};
  int64_t moves = local_run(t->local, effort, &hooks);
  task->spent += moves;
  board_count(task->board, "local: moves", moves);
  return TASK_MORE;
}

struct task *task_local(struct memory *m, struct board *b, int lane) {
  const struct moccasin_options *o = b->options;
  struct local_task *t = MEMORY_NEW(m, struct local_task);
  t->task = (struct task){.name = "local", .run = run, .board = b, .memory = m};
  struct local_options options = {
      .seed = o->seed * 1000003 + (uint64_t)lane,
      .objective = o->objective == MOCCASIN_PEAK ? LOCAL_PEAK : LOCAL_DURATION,
      .duration_limit = o->duration_limit,
  };
  t->local = local_new(m, b->problem, &options);
  local_start(t->local, board_newer(b, &t->version, m));
  return &t->task;
}
