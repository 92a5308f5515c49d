/* What a solve shows while it runs, and how a user ends it.
 *
 * On a terminal one live line on standard error; with -v a line for each
 * improvement; with a log file a CSV row for each change of incumbent or
 * bound.  Interrupt, terminate, hangup and CPU-limit signals ask the solve to
 * stop (the one global of the program is the flag that the handler sets).
 */
#ifndef MOCCASIN_CLI_PROGRESS_H
#define MOCCASIN_CLI_PROGRESS_H

#include "solver/moccasin.h"

#include <pthread.h>
#include <stdio.h>

struct progress {
  pthread_mutex_t lock; /* the solve's threads call in */
  bool live;            /* redraw a line on the terminal */
  bool verbose;         /* a line for each improvement */
  bool peak;            /* the objective is the peak */
  FILE *log;            /* CSV, or NULL */
  int64_t budget, baseline_duration;
  double started, drawn; /* clock_seconds */
  struct moccasin_progress last;
  char found_by[32], bound_by[32];
};

void progress_open(struct progress *p, const struct moccasin_graph *g,
                   const struct moccasin_options *o, bool verbose, bool quiet,
                   FILE *log);

/* Sets the callbacks of `o` to this. */
void progress_attach(struct progress *p, struct moccasin_options *o);

/* Clears the live line. */
void progress_close(struct progress *p);

/* From now on the signals set the flag instead of killing the program. */
void progress_catch_signals(void);

/* Has one of the signals come? */
bool progress_interrupted(void);

#endif
