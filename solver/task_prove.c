/* Proving: the lower bound by cuts, improved in slices until it has converged
 * or meets the best schedule. */
#include "model/bound.h"
#include "solver/task.h"

#include <stdio.h>

/* Arcs that the bound looks at in about a microsecond. */
enum { ARCS_A_MICROSECOND = 8 };

struct prove {
  struct task task;
  struct bound *bound;
};

static bool stop(void *data) {
  return board_stop(data);
}

static enum bound_scope scope(const struct problem *p) {
  return p->free_order ? BOUND_FREE_ORDER : BOUND_LIMITED;
}

static void tell(struct prove *t) {
  struct board *b = t->task.board;
  const struct problem *p = b->problem;
  char text[MOCCASIN_MESSAGE], id[80];
  int v = t->bound->blame;
  if (!t->bound->infeasible) {
    board_raise(b, t->bound->value, "cuts");
    return;
  }
  if (v >= 0 && p->node_of[v] >= 0)
    snprintf(text, sizeof text,
             "what must be in memory or be recomputed around the first compute "
             "of node %s exceeds the budget",
             graph_id_text(p->graph->node[p->node_of[v]].id, id, sizeof id));
  else
    snprintf(text, sizeof text,
             "what must be in memory or be recomputed exceeds the budget");
  board_refute(b, "cuts", text);
}

static enum task_state run(struct task *task, int64_t effort) {
  struct prove *t = (struct prove *)task;
  struct bound_stop hook = {stop, task->board};
  if (!t->bound) {
    t->bound = bound_new(task->memory, task->board->problem,
                         scope(task->board->problem));
  } else {
    bound_improve(t->bound, atomic_load(&task->board->upper),
                  (long)(effort * ARCS_A_MICROSECOND), &hook);
  }
  task->spent = t->bound->work / ARCS_A_MICROSECOND;
  tell(t);
  return t->bound->converged || t->bound->infeasible ? TASK_OVER : TASK_MORE;
}

struct task *task_prove(struct memory *m, struct board *b, int lane) {
  (void)lane;
  struct prove *t = MEMORY_NEW(m, struct prove);
  t->task = (struct task){.name = "prove", .run = run, .board = b, .memory = m};
  return &t->task;
}
