/* What the workers of one solve share: the best schedule and the bounds.
 *
 *       local search ----offer----> +-------+ <---raise---- bound
 *       neighbourhoods -offer-----> | board | <---raise---- complete search
 *       all <------upper, best----- +-------+ ------------> progress, log
 *
 * Everything that comes in is distrusted: a schedule is verified on the graph
 * as read before anybody sees it, and a bound that exceeds a verified schedule
 * is an internal fault that ends the solve with STATUS_RESOURCES.
 *
 * The *objective* is the duration (cost units) or the peak (bytes).  `upper`
 * is that of the best schedule within the constraints, INT64_MAX without one;
 * `lower` is proven.  The two meet: optimal.
 *
 * All functions may be called from any worker.
 */
#ifndef MOCCASIN_BOARD_H
#define MOCCASIN_BOARD_H

#include "model/bound.h"
#include "model/schedule.h"
#include "solver/moccasin.h"

#include <pthread.h>
#include <stdatomic.h>

enum { BOARD_WHO = 32, BOARD_COUNTERS = 64 };

struct board {
  const struct problem *problem;
  const struct moccasin_options *options;
  double started; /* clock_seconds when the solve began */
  atomic_llong upper, lower;
  atomic_bool done;       /* everybody stops */
  atomic_bool infeasible; /* proven */
  pthread_mutex_t lock;   /* guards what follows */
  struct memory *memory;
  struct schedule *best;
  int version;        /* grows with each better schedule */
  int64_t least_peak; /* bytes: of any verified schedule, also over budget */
  double lowered;     /* seconds into the solve when that was found */
  struct schedule *lowest; /* the one over the budget, while there is no best */
  int lowest_version;
  char found_by[BOARD_WHO], bound_by[BOARD_WHO];
  char reason[MOCCASIN_MESSAGE]; /* why it is infeasible */
  enum status fault;             /* STATUS_OK, or why the solve must fail */
  char fault_text[MOCCASIN_MESSAGE];
  struct bound_fixing *fixing; /* what may be recomputed; NULL: anything */
  int fixing_version;
  int64_t offers, rejected;
  int counter_count;
  struct moccasin_statistic counter[BOARD_COUNTERS];
};

/* `memory` is a context that nobody else uses. */
void board_open(struct board *b, struct memory *memory, const struct problem *p,
                const struct moccasin_options *options, double started);
void board_close(struct board *b);

/* Offers a sequence of problem nodes; `scratch` is the caller's context.
 * Taken if it verifies and is better than the best.  Returns whether taken. */
bool board_offer(struct board *b, const int *step, int length, const char *who,
                 struct memory *scratch);

/* Every schedule within the constraints has an objective of at least `value`.
 */
void board_raise(struct board *b, int64_t value, const char *who);

/* No schedule meets the constraints: proven. */
void board_refute(struct board *b, const char *who, const char *reason);

/* A worker cannot go on: its memory is exhausted, or an internal fault. */
void board_fail(struct board *b, enum status fault, const char *text);

/* Shares what reduced costs leave open (copied).  It holds for schedules that
 * are shorter than the best one now. */
void board_share_fixing(struct board *b, const struct bound_fixing *f);

/* Copies it into the caller's context if newer than *version, else NULL. */
struct bound_fixing *board_newer_fixing(struct board *b, int *version,
                                        struct memory *m);

/* Adds to the counter of this name (a literal), for the statistics. */
void board_count(struct board *b, const char *name, int64_t value);

/* Whether workers shall stop: proven, failed, time over, or the user said so.
 * Cheap; the clock is read every time. */
bool board_stop(struct board *b);

/* Copies the best schedule into the caller's context if its version is newer
 * than *version (which is then updated); NULL otherwise. */
struct schedule *board_newer(struct board *b, int *version, struct memory *m);

/* The same for the schedule of least peak over the budget. */
struct schedule *board_newer_lowest(struct board *b, int *version,
                                    struct memory *m);

/* Has the least peak of all schedules lately got less: in the second half of
 * the solve so far?  Then the search for it is worth its time. */
bool board_memory_gains(struct board *b);

#endif
