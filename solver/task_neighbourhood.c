/* Large neighbourhoods as a task: begins when there is a schedule within the
 * budget, follows better ones of others, opens what the bound leaves open. */
#include "heuristics/neighbourhood.h"
#include "solver/task.h"

enum { PROPAGATIONS_A_MICROSECOND = 2 };

struct neighbourhood_task {
  struct task task;
  struct neighbourhood *search;
  bool started;
  int version, windows_version; /* of the board's, as known here */
};

static void follow(struct neighbourhood_task *t) {
  struct memory *m = t->task.memory;
  struct board *b = t->task.board;
  struct schedule *best = board_newer(b, &t->version, m);
  struct bound_fixing *open = board_newer_fixing(b, &t->windows_version, m);
  if (open) {
    neighbourhood_restrict(t->search, open);
    bound_fixing_free(m, open);
  }
  if (best) {
    const struct schedule *mine = neighbourhood_best(t->search);
    if (!mine || best->duration < mine->duration)
      neighbourhood_start(t->search, best);
    t->started = true;
    schedule_free(m, best);
  }
}

static enum task_state run(struct task *task, int64_t effort) {
  struct neighbourhood_task *t = (struct neighbourhood_task *)task;
  follow(t);
  if (!t->started)
    return TASK_WAIT;
  task->spent += effort;
  if (neighbourhood_run(t->search, effort * PROPAGATIONS_A_MICROSECOND,
                        task_stop, task->board)) {
    const struct schedule *best = neighbourhood_best(t->search);
    board_offer(task->board, best->step, best->length, task->name,
                task->memory);
  }
  return TASK_MORE;
}

static void finish(struct task *task) {
  static const char *const models[NEIGHBOURHOOD_KINDS] = {
      "models: span", "models: peak", "models: ball",
      "models: dear", "models: skip", "models: random"};
  static const char *const improved[NEIGHBOURHOOD_KINDS] = {
      "improved by: span", "improved by: peak", "improved by: ball",
      "improved by: dear", "improved by: skip", "improved by: random"};
  struct neighbourhood_task *t = (struct neighbourhood_task *)task;
  struct neighbourhood_statistics s = neighbourhood_statistics(t->search);
  for (int k = 0; k < NEIGHBOURHOOD_KINDS; k++) {
    board_count(task->board, models[k], s.kind[k].models);
    board_count(task->board, improved[k], s.kind[k].improved);
  }
}

struct task *task_neighbourhood(struct memory *m, struct board *b, int lane) {
  struct neighbourhood_task *t = MEMORY_NEW(m, struct neighbourhood_task);
  t->task = (struct task){.name = "neighbourhood",
                          .run = run,
                          .finish = finish,
                          .board = b,
                          .memory = m};
  t->search = neighbourhood_new(m, b->problem,
                                b->options->seed * 1000003 + (uint64_t)lane);
  return &t->task;
}
