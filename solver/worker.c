#include "solver/worker.h"

#include "solver/base/clock.h"
#include "solver/engine_options.h"
#include "solver/task.h"

enum { MOST_SLOTS = 4 };

/* Seconds for a prover before a local search takes part in its thread, see
 * must_wait.  Several threads are not reproducible anyhow, and effort is too
 * rough for this: that of the bound counts flows only, a fifth of its time at
 * tight budgets. */
static const double FIRST_SAY = 0.5;

/* With one thread the second local search of free order begins after so many
 * moves of the first, some of its rounds: each is slow to its first schedule on
 * a large graph (10 000 nodes at 90 %, quiet: 4.7 and 5.9 s with both at once,
 * 2.8 s so). */
enum { FEW_MOVES = 1000000, MOVES_A_NODE = 2000 };

/* A task's place in a worker's turns; the task is made at its first turn. */
struct slot {
  task_new *make;
  int lane;
  bool waits;     /* until no slot before it has anything to do */
  int64_t after;  /* ...or until the slot before it has had so much effort */
  double seconds; /* of its turns so far */
  struct memory *memory;
  struct task *task;
  enum task_state state;
  bool exhausted;
};

struct worker {
  struct board *board;
  struct memory_limit *limit;
  int index, threads;
  pthread_t thread;
  bool started;
  int slot_count;
  struct slot slot[MOST_SLOTS];
};

static void add(struct worker *w, task_new *make, int lane, bool waits) {
  w->slot[w->slot_count++] = (struct slot){
      .make = make, .lane = lane, .waits = waits, .after = INT64_MAX};
}

/* Waits until the slot before it has had so much effort. */
static void add_after(struct worker *w, task_new *make, int lane,
                      int64_t effort) {
  add(w, make, lane, true);
  w->slot[w->slot_count - 1].after = effort;
}

/* See worker.h. */
static void choose_tasks(struct worker *w) {
  const struct board *b = w->board;
  struct engine_options engine;
  engine_options(b->options, &engine, NULL);
  const struct task_switches *on = &engine.tasks;
  bool staged = !b->problem->free_order;
  bool duration = b->options->objective == MOCCASIN_DURATION;
  bool prover = w->index == (w->threads > 1);
  if (on->prove && prover && (staged || duration))
    add(w, task_prove, 0, false);
  if (on->prove && prover && !staged)
    add(w, task_pebbling, 0, false);
  if (on->local && (!prover || w->threads == 1))
    add(w, task_local, w->index, false);
  if (on->neighbourhood && staged && duration)
    add(w, task_neighbourhood, w->index, prover && w->threads > 1);
  if (on->local && prover && w->threads > 1)
    add(w, task_local, w->index, true);
  if (on->local && w->threads == 1 && !staged && duration)
    add_after(w, task_local, 1,
              FEW_MOVES + MOVES_A_NODE * (int64_t)b->problem->n);
}

/* Is memory what is looked for, as the objective or for want of a schedule? */
static bool memory_first(const struct board *b) {
  return b->options->objective == MOCCASIN_PEAK ||
         atomic_load(&b->upper) == INT64_MAX;
}

/* Slices grow with the work done, so that a short solve is interleaved finely
 * and a long one spends its time searching.  Neighbourhoods beside a local
 * search get the smaller part: they gain where it stagnates (measured on
 * rl-n500 at 80 %: an equal part cost 0.01 points of TDI in three seeds of
 * three). */
static int64_t slice(const struct slot *s) {
  int64_t effort = s->task->spent / 8;
  effort = effort < 20000 ? 20000 : effort > 1000000 ? 1000000 : effort;
  bool small = s->make == task_neighbourhood || s->make == task_pebbling;
  return small && !s->waits ? effort / 4 : effort;
}

/* One turn of one task.  Memory that runs out ends the task alone. */
static void take_turn(struct worker *w, struct slot *s) {
  if (!s->memory)
    s->memory = memory_new(w->limit);
  if (!s->memory || setjmp(*memory_recover(s->memory))) {
    memory_free(s->memory);
    s->memory = NULL;
    s->state = TASK_OVER;
    s->exhausted = true;
    return;
  }
  if (!s->task)
    s->task = s->make(s->memory, w->board, s->lane);
  double start = clock_seconds();
  s->state = s->task->run(s->task, slice(s));
  s->seconds += clock_seconds() - start;
}

static bool has_spent(const struct slot *s, int64_t effort) {
  return s->exhausted || (s->task && s->task->spent >= effort);
}

/* Do prover and local search share the second of several threads?  While memory
 * is looked for, that is everybody's business; in free order the second local
 * search is of another kind than the first, and often the better one. */
static bool shares(const struct worker *w) {
  return w->threads > 1 &&
         (memory_first(w->board) || w->board->problem->free_order);
}

/* Does a slot after the first that waits have to?  Not where the thread is
 * shared, once the prover has had its say. */
static bool must_wait(const struct worker *w, const struct slot *s) {
  if (!s->waits || has_spent(s - 1, s->after))
    return false;
  return !shares(w) || w->slot[0].seconds < FIRST_SAY;
}

/* ...and from then on the prover gets a fifth of the local search's time; where
 * memory is looked for only while that finds schedules of less, and twice as
 * much when it does not: then the question is rather whether there is one. */
static bool must_pause(const struct worker *w, const struct slot *s) {
  const struct slot *last = &w->slot[w->slot_count - 1];
  if (s->make != task_prove || last->make != task_local ||
      last->state == TASK_OVER || !shares(w))
    return false;
  bool doubt = memory_first(w->board) && !board_memory_gains(w->board);
  return s->seconds > FIRST_SAY + (doubt ? 2 : 0.2) * last->seconds;
}

bool task_stop(void *board) {
  return board_stop(board);
}

static void *work(void *argument) {
  struct worker *w = argument;
  for (bool more = true; more && !board_stop(w->board);) {
    more = false;
    for (int i = 0; i < w->slot_count && !board_stop(w->board); i++) {
      struct slot *s = &w->slot[i];
      if (s->state == TASK_OVER || (more && must_wait(w, s)) ||
          must_pause(w, s))
        continue;
      take_turn(w, s);
      more = more || s->state == TASK_MORE;
    }
  }
  for (int i = 0; i < w->slot_count; i++) {
    struct slot *s = &w->slot[i];
    if (s->task && !s->exhausted && s->task->finish)
      s->task->finish(s->task);
    memory_free(s->memory);
  }
  return NULL;
}

/* Did every task end for want of memory?  Not if none had a turn. */
static bool all_exhausted(const struct worker *w, int threads) {
  bool any = false;
  for (int i = 0; i < threads; i++)
    for (int k = 0; k < w[i].slot_count; k++) {
      const struct slot *s = &w[i].slot[k];
      if (s->task && !s->exhausted)
        return false;
      any |= s->exhausted;
    }
  return any;
}

void workers_run(struct board *b, int threads, struct memory *m) {
  struct worker *w = MEMORY_ARRAY(m, struct worker, threads);
  for (int i = 0; i < threads; i++) {
    w[i].board = b;
    w[i].limit = memory_shared_limit(m);
    w[i].index = i;
    w[i].threads = threads;
    choose_tasks(&w[i]);
  }
  for (int i = 1; i < threads; i++)
    w[i].started = !pthread_create(&w[i].thread, NULL, work, &w[i]);
  work(&w[0]);
  for (int i = 1; i < threads; i++)
    if (w[i].started)
      pthread_join(w[i].thread, NULL);
  if (all_exhausted(w, threads) && !atomic_load(&b->done) && !b->best)
    board_fail(b, STATUS_RESOURCES, "out of memory");
  memory_put(m, w);
}
