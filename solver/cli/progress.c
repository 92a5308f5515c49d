#define _XOPEN_SOURCE 700
#include "solver/cli/progress.h"

#include "solver/base/clock.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/* Atomic: the handler may run on any thread, and all threads read it. */
static atomic_bool interrupted;

static void interrupt(int number) {
  (void)number;
  atomic_store(&interrupted, true);
}

bool progress_interrupted(void) {
  return atomic_load(&interrupted);
}

void progress_catch_signals(void) {
  static const int number[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = interrupt;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
    struct sigaction old;
    /* What the parent chose to ignore (nohup) stays ignored. */
    if (!sigaction(number[i], NULL, &old) && old.sa_handler != SIG_IGN)
      sigaction(number[i], &action, NULL);
  }
}

void progress_open(struct progress *p, const struct moccasin_graph *g,
                   const struct moccasin_options *o, bool verbose, bool quiet,
                   FILE *log) {
  memset(p, 0, sizeof *p);
  pthread_mutex_init(&p->lock, NULL);
  p->live = !quiet && isatty(STDERR_FILENO);
  p->verbose = verbose;
  p->peak = o->objective == MOCCASIN_PEAK;
  p->log = log;
  p->budget = o->budget;
  p->baseline_duration = moccasin_baseline_duration(g);
  p->started = clock_seconds();
  if (log)
    fputs("seconds,incumbent,bound,who\n", log);
  progress_catch_signals();
}

static double percent(int64_t value, int64_t base) {
  return base ? 100.0 * ((double)value - (double)base) / (double)base : 0.0;
}

/* "12.3 s  duration 48146 (+0.789 %)  bound 48100  gap 0.10 %  peak ..." */
static void describe(const struct progress *p, double seconds, char *text,
                     size_t size) {
  const struct moccasin_progress *l = &p->last;
  char budget[48] = "";
  if (!l->found) {
    snprintf(text, size,
             "%7.1f s  no schedule within the budget yet  bound %lld", seconds,
             (long long)l->lower_bound);
    return;
  }
  if (p->budget != INT64_MAX)
    snprintf(budget, sizeof budget, " of %lld", (long long)p->budget);
  int64_t value = p->peak ? l->peak : l->duration;
  snprintf(text, size,
           "%7.1f s  duration %lld (%+.4f %%)  peak %lld%s  bound %lld  gap "
           "%.4f %%",
           seconds, (long long)l->duration,
           percent(l->duration, p->baseline_duration), (long long)l->peak,
           budget, (long long)l->lower_bound, percent(value, l->lower_bound));
}

static void draw(struct progress *p) {
  char text[240];
  p->drawn = clock_seconds();
  describe(p, p->drawn - p->started, text, sizeof text);
  fprintf(stderr, "\r\033[K%.110s", text);
}

static void on_progress(void *data, const struct moccasin_progress *now) {
  struct progress *p = data;
  pthread_mutex_lock(&p->lock);
  p->last = *now;
  snprintf(p->found_by, sizeof p->found_by, "%s", now->found_by);
  snprintf(p->bound_by, sizeof p->bound_by, "%s", now->bound_by);
  p->last.found_by = p->found_by;
  p->last.bound_by = p->bound_by;
  if (p->log) {
    char incumbent[24] = "";
    if (now->found)
      snprintf(incumbent, sizeof incumbent, "%lld",
               (long long)(p->peak ? now->peak : now->duration));
    fprintf(p->log, "%.4f,%s,%lld,%s\n", now->seconds, incumbent,
            (long long)now->lower_bound,
            now->improved ? now->found_by : now->bound_by);
  }
  if (p->verbose) {
    char text[240];
    describe(p, now->seconds, text, sizeof text);
    fprintf(stderr, "%s%s  by %s\n", p->live ? "\r\033[K" : "", text,
            now->improved ? now->found_by : now->bound_by);
  }
  if (p->live && clock_seconds() - p->drawn > 0.1)
    draw(p);
  pthread_mutex_unlock(&p->lock);
}

static bool on_stop(void *data) {
  struct progress *p = data;
  if (p->live && !pthread_mutex_trylock(&p->lock)) {
    if (clock_seconds() - p->drawn > 0.2)
      draw(p);
    pthread_mutex_unlock(&p->lock);
  }
  return atomic_load(&interrupted);
}

void progress_attach(struct progress *p, struct moccasin_options *o) {
  o->data = p;
  o->progress = on_progress;
  o->stop = on_stop;
}

void progress_close(struct progress *p) {
  if (p->live)
    fputs("\r\033[K", stderr);
  pthread_mutex_destroy(&p->lock);
}
