#include "solver/board.h"

#include "model/verify.h"
#include "solver/base/clock.h"

#include <stdio.h>
#include <string.h>

void board_open(struct board *b, struct memory *memory, const struct problem *p,
                const struct moccasin_options *options, double started) {
  memset(b, 0, sizeof *b);
  b->problem = p;
  b->options = options;
  b->started = started;
  b->memory = memory;
  b->least_peak = INT64_MAX;
  atomic_init(&b->upper, INT64_MAX);
  atomic_init(&b->lower, 0);
  atomic_init(&b->done, false);
  atomic_init(&b->infeasible, false);
  pthread_mutex_init(&b->lock, NULL);
}

void board_close(struct board *b) {
  pthread_mutex_destroy(&b->lock);
}

/* Needs the lock. */
static void tell(struct board *b, bool improved) {
  if (!b->options->progress)
    return;
  struct moccasin_progress p = {
      .seconds = clock_seconds() - b->started,
      .found = b->best != NULL,
      .improved = improved,
      .duration = b->best ? b->best->duration : 0,
      .peak = b->best ? b->best->peak : 0,
      .lower_bound = atomic_load(&b->lower),
      .found_by = b->found_by,
      .bound_by = b->bound_by,
  };
  b->options->progress(b->options->data, &p);
}

/* Needs the lock. */
static void fail(struct board *b, enum status fault, const char *text) {
  if (b->fault == STATUS_OK) {
    b->fault = fault;
    snprintf(b->fault_text, sizeof b->fault_text, "%s", text);
  }
  atomic_store(&b->done, true);
}

void board_fail(struct board *b, enum status fault, const char *text) {
  pthread_mutex_lock(&b->lock);
  fail(b, fault, text);
  pthread_mutex_unlock(&b->lock);
}

/* Needs the lock. Ends the solve when the bounds meet, or have crossed. */
static void compare_bounds(struct board *b) {
  long long upper = atomic_load(&b->upper), lower = atomic_load(&b->lower);
  if (lower > upper || (b->best && atomic_load(&b->infeasible))) {
    char text[MOCCASIN_MESSAGE];
    snprintf(text, sizeof text,
             "internal fault: the bound %lld by %s exceeds the verified "
             "schedule of %lld by %s; please report this input",
             lower, b->bound_by, upper, b->found_by);
    fail(b, STATUS_RESOURCES, text);
  } else if (lower == upper) {
    atomic_store(&b->done, true);
  }
}

static bool objective_is_peak(const struct board *b) {
  return b->options->objective == MOCCASIN_PEAK;
}

struct first_fault {
  char text[300];
};

static void note_fault(void *data, const char *text) {
  struct first_fault *f = data;
  if (!f->text[0])
    snprintf(f->text, sizeof f->text, "%s", text);
}

/* The renamed problem's own simulation must find what verify found. */
static bool agrees(const struct problem *p, const int *step, int length,
                   struct memory *scratch, const struct verify_result *result,
                   struct first_fault *fault) {
  struct simulation found = {0};
  if (simulate(p, step, length, scratch, &found) &&
      found.peak == result->peak && found.duration == result->duration)
    return true;
  note_fault(fault, "verify and simulate differ");
  return false;
}

/* Verifies without the budget (a schedule over it still tells a least known
 * budget) and finds peak and duration. */
static bool check(struct board *b, const int *step, int length,
                  struct memory *scratch, struct verify_result *result,
                  struct first_fault *fault) {
  const struct problem *p = b->problem;
  int whole = length;
  if (p->sink >= 0 && (!length || step[--length] != p->sink))
    return false;
  if (!p->free_order && !schedule_is_staged(p, step, whole)) {
    note_fault(fault, "the schedule is not staged");
    return false;
  }
  int *sequence = MEMORY_ARRAY(scratch, int, length);
  bool ok = true;
  for (int k = 0; ok && k < length; k++) {
    ok = step[k] >= 0 && step[k] < p->n && step[k] != p->sink;
    sequence[k] = ok ? p->node_of[step[k]] : 0;
  }
  struct verify_request request = {.sequence = sequence,
                                   .length = length,
                                   .max_computes = p->max_computes,
                                   .input_order = !p->free_order};
  ok = ok && verify(p->graph, &request, scratch, note_fault, fault, result);
  memory_put(scratch, sequence);
  if (ok && b->options->paranoid)
    ok = agrees(p, step, whole, scratch, result, fault);
  return ok;
}

/* Needs the lock.  *place becomes a copy; false if memory ran out: a fault. */
static bool keep(struct board *b, struct schedule **place, const int *step,
                 int length, const struct verify_result *result) {
  if (setjmp(*memory_recover(b->memory))) {
    fail(b, STATUS_RESOURCES, "out of memory");
    return false;
  }
  struct schedule *copy = MEMORY_NEW(b->memory, struct schedule);
  copy->step = MEMORY_ARRAY(b->memory, int, length);
  memcpy(copy->step, step, (size_t)length * sizeof *step);
  copy->length = length;
  copy->peak = result->peak;
  copy->duration = result->duration;
  schedule_free(b->memory, *place);
  *place = copy;
  return true;
}

/* Needs the lock and a verified schedule. */
static bool take(struct board *b, const int *step, int length,
                 const struct verify_result *result, const char *who) {
  const struct moccasin_options *o = b->options;
  bool lower = result->peak < b->least_peak;
  if (lower) {
    b->least_peak = result->peak;
    b->lowered = clock_seconds() - b->started;
  }
  if (result->peak > b->problem->budget ||
      (o->duration_limit && result->duration > o->duration_limit)) {
    if (lower && !b->best && result->peak > b->problem->budget)
      b->lowest_version += keep(b, &b->lowest, step, length, result);
    return false;
  }
  bool peak = objective_is_peak(b);
  int64_t value = peak ? result->peak : result->duration;
  int64_t other = peak ? result->duration : result->peak;
  if (b->best) {
    int64_t old = peak ? b->best->peak : b->best->duration;
    int64_t old_other = peak ? b->best->duration : b->best->peak;
    if (value > old || (value == old && other >= old_other))
      return false;
  }
  if (!keep(b, &b->best, step, length, result))
    return false;
  b->version++;
  snprintf(b->found_by, sizeof b->found_by, "%s", who);
  atomic_store(&b->upper, value);
  return true;
}

bool board_offer(struct board *b, const int *step, int length, const char *who,
                 struct memory *scratch) {
  struct verify_result result;
  struct first_fault fault = {""};
  bool valid = check(b, step, length, scratch, &result, &fault), taken = false;
  pthread_mutex_lock(&b->lock);
  b->offers++;
  if (!valid) {
    char text[MOCCASIN_MESSAGE];
    b->rejected++;
    snprintf(text, sizeof text, "internal fault: %s made a wrong schedule: %s",
             who, fault.text);
    fail(b, STATUS_RESOURCES, text);
  } else if (!atomic_load(&b->done) && take(b, step, length, &result, who)) {
    taken = true;
    compare_bounds(b);
    tell(b, true);
  }
  pthread_mutex_unlock(&b->lock);
  return taken;
}

void board_raise(struct board *b, int64_t value, const char *who) {
  if (value <= atomic_load(&b->lower))
    return;
  pthread_mutex_lock(&b->lock);
  if (value > atomic_load(&b->lower)) {
    atomic_store(&b->lower, value);
    snprintf(b->bound_by, sizeof b->bound_by, "%s", who);
    compare_bounds(b);
    tell(b, false);
  }
  pthread_mutex_unlock(&b->lock);
}

void board_refute(struct board *b, const char *who, const char *reason) {
  pthread_mutex_lock(&b->lock);
  if (!atomic_exchange(&b->infeasible, true)) {
    snprintf(b->bound_by, sizeof b->bound_by, "%s", who);
    snprintf(b->reason, sizeof b->reason, "%s", reason);
    compare_bounds(b);
  }
  atomic_store(&b->done, true);
  pthread_mutex_unlock(&b->lock);
}

static struct bound_fixing *copy_fixing(const struct bound_fixing *f,
                                        struct memory *m) {
  struct bound_fixing *copy = MEMORY_NEW(m, struct bound_fixing);
  *copy = *f;
  copy->window = MEMORY_ARRAY(m, struct bound_window, f->window_count);
  memcpy(copy->window, f->window,
         (size_t)f->window_count * sizeof *copy->window);
  return copy;
}

void board_share_fixing(struct board *b, const struct bound_fixing *f) {
  pthread_mutex_lock(&b->lock);
  if (setjmp(*memory_recover(b->memory))) {
    fail(b, STATUS_RESOURCES, "out of memory");
  } else {
    if (b->fixing)
      bound_fixing_free(b->memory, b->fixing);
    b->fixing = NULL;
    b->fixing = copy_fixing(f, b->memory);
    b->fixing_version++;
  }
  pthread_mutex_unlock(&b->lock);
}

/* Allocates without the lock, as board_newer does, and looks again. */
struct bound_fixing *board_newer_fixing(struct board *b, int *version,
                                        struct memory *m) {
  struct bound_window *window = NULL;
  struct bound_fixing *copy = NULL;
  int room = -1;
  for (;;) {
    pthread_mutex_lock(&b->lock);
    bool newer = b->fixing && b->fixing_version != *version;
    int count = newer ? b->fixing->window_count : 0;
    bool fits = newer && count <= room;
    if (fits) {
      *copy = *b->fixing;
      copy->window = window;
      memcpy(window, b->fixing->window, (size_t)count * sizeof *window);
      *version = b->fixing_version;
    }
    pthread_mutex_unlock(&b->lock);
    if (fits)
      return copy;
    if (room >= 0) {
      memory_put(m, window);
      memory_put(m, copy);
    }
    if (!newer)
      return NULL;
    copy = MEMORY_NEW(m, struct bound_fixing);
    window = MEMORY_ARRAY(m, struct bound_window, count);
    room = count;
  }
}

void board_count(struct board *b, const char *name, int64_t value) {
  int i = 0;
  pthread_mutex_lock(&b->lock);
  while (i < b->counter_count && strcmp(b->counter[i].name, name))
    i++;
  if (i < BOARD_COUNTERS) {
    b->counter_count += i == b->counter_count;
    b->counter[i].name = name;
    b->counter[i].value += value;
  }
  pthread_mutex_unlock(&b->lock);
}

bool board_stop(struct board *b) {
  const struct moccasin_options *o = b->options;
  if (atomic_load(&b->done))
    return true;
  bool over =
      (o->time_limit > 0 && clock_seconds() - b->started >= o->time_limit) ||
      (o->stop && o->stop(o->data));
  if (over)
    atomic_store(&b->done, true);
  return over;
}

/* A copy of *best if its version *current is newer. */
static struct schedule *copy_newer(struct board *b,
                                   struct schedule *const *best,
                                   const int *current, int *version,
                                   struct memory *m) {
  struct schedule *copy = NULL;
  pthread_mutex_lock(&b->lock);
  bool newer = *best && *current != *version;
  int length = newer ? (*best)->length : 0;
  pthread_mutex_unlock(&b->lock);
  if (!newer)
    return NULL;
  /* Allocate without the lock: running out of memory must not keep it.  The
   * best may have changed meanwhile, so look again. */
  for (;;) {
    copy = MEMORY_NEW(m, struct schedule);
    copy->step = MEMORY_ARRAY(m, int, length);
    pthread_mutex_lock(&b->lock);
    const struct schedule *s = *best;
    bool fits = s->length <= length;
    length = s->length;
    if (fits) {
      copy->length = length;
      copy->peak = s->peak;
      copy->duration = s->duration;
      memcpy(copy->step, s->step, (size_t)length * sizeof *copy->step);
      *version = *current;
    }
    pthread_mutex_unlock(&b->lock);
    if (fits)
      return copy;
    schedule_free(m, copy);
  }
}

struct schedule *board_newer(struct board *b, int *version, struct memory *m) {
  return copy_newer(b, &b->best, &b->version, version, m);
}

struct schedule *board_newer_lowest(struct board *b, int *version,
                                    struct memory *m) {
  return copy_newer(b, &b->lowest, &b->lowest_version, version, m);
}

bool board_memory_gains(struct board *b) {
  pthread_mutex_lock(&b->lock);
  double lowered = b->lowered;
  pthread_mutex_unlock(&b->lock);
  return lowered > (clock_seconds() - b->started) / 2;
}
