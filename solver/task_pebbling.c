/* What can be proven of peaks in free order.
 *
 * Least peak: first cuts (model/bound_peak.h) where they say more than the
 * working set; then all that is between these bounds and the best schedule is
 * decided by a search over states (model/pebbling.h).  A limit on the duration
 * is left out, which keeps every bound valid. Least duration: only whether the
 * budget can be kept at all, so it ends with the first schedule.
 */
#include "model/bound_peak.h"
#include "model/pebbling.h"
#include "solver/task.h"

enum { WORK_A_MICROSECOND = 256 };

struct pebbling_task {
  struct task task;
  struct bound_peak *cuts; /* NULL: not asked */
  struct pebbling *pebbling;
};

static bool is_peak(const struct board *b) {
  return b->options->objective == MOCCASIN_PEAK;
}

/* Not asked for from here on. */
static int64_t highest(const struct board *b) {
  int64_t upper = atomic_load(&b->upper), budget = b->problem->budget;
  int64_t beyond = budget < INT64_MAX ? budget + 1 : budget;
  return is_peak(b) && upper < beyond ? upper : beyond;
}

static void tell(struct pebbling_task *t) {
  struct board *b = t->task.board;
  if (t->pebbling->low > b->problem->budget)
    board_refute(b, "states",
                 "no schedule within the budget exists in any order: the "
                 "search over states found none");
  else if (is_peak(b))
    board_raise(b, t->pebbling->low, "states");
}

/* False when there is nothing to be done with cuts any more. */
static bool run_cuts(struct pebbling_task *t, int64_t effort,
                     struct stop *stop) {
  struct board *b = t->task.board;
  const struct problem *p = b->problem;
  if (t->pebbling || !is_peak(b) || p->n > MOST_SETS || !bound_peak_applies(p))
    return false;
  if (!t->cuts)
    t->cuts = bound_peak_new(t->task.memory, p, stop);
  if (t->cuts->done)
    return false;
  if (bound_peak_improve(t->cuts, (long)(effort * ARCS_A_MICROSECOND), stop))
    board_raise(b, t->cuts->value, "cuts");
  return true;
}

static enum task_state run(struct task *task, int64_t effort) {
  struct pebbling_task *t = (struct pebbling_task *)task;
  struct board *b = task->board;
  const struct problem *p = b->problem;
  struct stop stop = {.asked = task_stop, .data = b};
  if (!is_peak(b) && atomic_load(&b->upper) < INT64_MAX)
    return TASK_OVER;
  task->spent += effort;
  if (run_cuts(t, effort, &stop))
    return TASK_MORE;
  if (!t->pebbling) {
    int64_t low = !is_peak(b) ? p->budget
                  : t->cuts   ? t->cuts->value
                              : p->working_set;
    t->pebbling = pebbling_new(task->memory, p, low, highest(b));
  }
  struct pebbling *search = t->pebbling;
  pebbling_limit(search, highest(b));
  if (pebbling_run(search, (long)(effort * WORK_A_MICROSECOND), &stop))
    board_offer(b, search->step, search->length, "states", task->memory);
  if (search->low > p->working_set)
    tell(t);
  return pebbling_done(search) ? TASK_OVER : TASK_MORE;
}

static void finish(struct task *task) {
  struct pebbling_task *t = (struct pebbling_task *)task;
  if (t->pebbling)
    board_count(task->board, "pebbling: states", t->pebbling->states);
}

struct task *task_pebbling(struct memory *m, struct board *b, int lane) {
  (void)lane;
  struct pebbling_task *t = MEMORY_NEW(m, struct pebbling_task);
  t->task = (struct task){
      .name = "states", .run = run, .finish = finish, .board = b, .memory = m};
  return &t->task;
}
