#include "solver/worker.h"

#include "solver/task.h"

enum { MOST_TASKS = 4 };

struct worker {
  struct board *board;
  struct memory_limit *limit;
  int index, threads;
  pthread_t thread;
  bool started, exhausted;
};

/* Which tasks a worker has, in the order of their turns. */
static int make_tasks(struct worker *w, struct memory *m, struct task **task) {
  struct board *b = w->board;
  int count = 0;
  task[count++] = task_local(m, b, w->index);
  return count;
}

/* Slices grow with the work done, so that a short solve is interleaved finely
 * and a long one spends its time searching. */
static int64_t slice(const struct task *t) {
  int64_t effort = t->spent / 8;
  return effort < 100000 ? 100000 : effort > 2000000 ? 2000000 : effort;
}

static void take_turns(struct worker *w, struct memory *m) {
  struct task *task[MOST_TASKS];
  int count = make_tasks(w, m, task);
  for (bool more = true; more && !board_stop(w->board);) {
    more = false;
    for (int i = 0; i < count && !board_stop(w->board); i++) {
      if (task[i]->state == TASK_OVER)
        continue;
      task[i]->state = task[i]->run(task[i], slice(task[i]));
      more = true;
    }
  }
}

static void *work(void *argument) {
  struct worker *w = argument;
  struct memory *m = memory_new(w->limit);
  if (!m || setjmp(*memory_recover(m)))
    w->exhausted = true;
  else
    take_turns(w, m);
  memory_free(m);
  return NULL;
}

void workers_run(struct board *b, int threads, struct memory *m) {
  struct worker *w = MEMORY_ARRAY(m, struct worker, threads);
  bool all_exhausted = true;
  for (int i = 0; i < threads; i++) {
    w[i].board = b;
    w[i].limit = memory_shared_limit(m);
    w[i].index = i;
    w[i].threads = threads;
  }
  for (int i = 1; i < threads; i++)
    w[i].started = !pthread_create(&w[i].thread, NULL, work, &w[i]);
  work(&w[0]);
  for (int i = 1; i < threads; i++)
    if (w[i].started)
      pthread_join(w[i].thread, NULL);
  for (int i = 0; i < threads; i++)
    all_exhausted = all_exhausted && (w[i].exhausted || (i && !w[i].started));
  if (all_exhausted)
    board_fail(b, STATUS_RESOURCES, "out of memory");
  memory_put(m, w);
}
