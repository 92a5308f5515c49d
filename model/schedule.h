/* Schedules and what they cost.
 *
 * A schedule is a sequence of steps, each the compute of one node; a node's
 * occurrences are its *instances*.  A step reads the latest earlier instance
 * of each predecessor.  An instance is retained from its own step through the
 * last step that reads it: its *retention interval*.
 *
 *     step      0  1  2  3  4          a is computed twice: its first
 *     node      a  b  c  a  d          instance is retained 0..1, its second
 *     a held    ====     ====          3..4; b is retained 1..4 (read by d)
 *     b held       ============
 *
 *     memory(k) = fixed + workspace of step k's node
 *                 + sizes of the instances retained at k
 *
 * Nodes are those of struct problem (input-order numbers); a schedule of a
 * problem with a sink ends with the sink.
 */
#ifndef MOCCASIN_SCHEDULE_H
#define MOCCASIN_SCHEDULE_H

#include "model/problem.h"

struct schedule {
  int length;             /* steps */
  int *step;              /* node computed at each step */
  int64_t peak, duration; /* bytes, cost units; as simulate finds them */
};

/* What simulate finds out.  The arrays have one entry a step; each may be
 * NULL when the caller does not want it, and is then not filled. */
struct simulation {
  int64_t peak;     /* bytes */
  int peak_step;    /* the first step that reaches it */
  int64_t duration; /* cost units */
  int *end;         /* last step at which the instance of step k is held */
  int *number;      /* 1 for a node's first instance, 2 for the second... */
  int64_t *memory;  /* memory(k), bytes */
};

/* Runs a sequence; false if some step's input has not been computed yet (a
 * node that never occurs is not looked for: see verify).  `scratch` serves
 * temporary arrays, released on return.  O(steps x degree). */
bool simulate(const struct problem *p, const int *step, int length,
              struct memory *scratch, struct simulation *result);

/* Copies the steps and simulates them; they must be valid. */
struct schedule *schedule_new(struct memory *m, const struct problem *p,
                              const int *step, int length);
void schedule_free(struct memory *m, struct schedule *s);

/* The input order with nothing recomputed. */
struct schedule *schedule_baseline(struct memory *m, const struct problem *p);

/* A recompute of a staged schedule: `node` within `stage`, node < stage. */
struct recompute {
  int stage, node;
};

/* Builds the staged sequence from recomputes in any order (sorts them, takes
 * each once a stage, and none after the last stage).
 * `step` has room for p->n + count entries.  Returns its length.
 * O(n + count log count). */
int schedule_staged(const struct problem *p, struct recompute *list, int count,
                    int *step);

/* The reverse: lists the recomputes of a staged sequence, sorted by stage and
 * node, and returns their count (at most length - n). */
int schedule_recomputes(const struct problem *p, const int *step, int length,
                        struct recompute *list);

/* Are first computes in input order and each stage's recomputes increasing? */
bool schedule_is_staged(const struct problem *p, const int *step, int length);

/* Removes recomputes that nobody reads, until none is left; peak and duration
 * never grow.  Returns the new length.  O(steps x degree). */
int schedule_trim(const struct problem *p, int *step, int length,
                  struct memory *scratch);

#endif
