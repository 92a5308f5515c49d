/* The proving side as a task: bound, reduced-cost fixing, complete search. */
#include "model/bound.h"
#include "solver/task.h"

struct prove_task {
  struct task task;
  struct bound *bound;
};

/* Arcs looked at in about a microsecond. */
enum { ARCS_PER_EFFORT = 150 };

static enum task_state run(struct task *task, int64_t effort) {
  struct prove_task *t = (struct prove_task *)task;
  struct bound_stop stop = {task_stop, task->board};
  task->spent += effort;
  if (t->bound->infeasible) {
    board_refute(task->board, "bound", "by the lower bound of all cuts");
    return TASK_OVER;
  }
  bound_improve(t->bound, atomic_load(&task->board->upper),
                (long)effort * ARCS_PER_EFFORT, &stop);
  board_raise(task->board, t->bound->value, "bound");
  return t->bound->converged ? TASK_OVER : TASK_MORE;
}

struct task *task_prove(struct memory *m, struct board *b) {
  struct prove_task *t = MEMORY_NEW(m, struct prove_task);
  t->task = (struct task){.name = "prove", .run = run, .board = b, .memory = m};
  enum bound_scope scope =
      b->problem->free_order ? BOUND_FREE_ORDER : BOUND_LIMITED;
  t->bound = bound_new(m, b->problem, scope);
  return &t->task;
}
