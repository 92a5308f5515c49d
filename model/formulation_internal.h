/* Shared by formulation_events.c (the time), formulation.c (variables,
 * constraints), formulation_cover.c, formulation_duration.c (objective),
 * formulation_regret.c (reduced costs) and formulation_search.c (running,
 * extraction, bounds). */
#ifndef MOCCASIN_FORMULATION_INTERNAL_H
#define MOCCASIN_FORMULATION_INTERNAL_H

#include "model/formulation.h"
#include "solver/cp/interval.h"
#include "solver/cp/probe.h"

struct formulation {
  struct memory *memory;
  const struct problem *problem;
  struct formulation_options options;
  struct cp *cp; /* in a context of its own would not help: freed together */
  struct stage_ranges *ranges;
  bool failed; /* no schedule: found while building */
  bool peak;   /* least peak */

  /* Events.  Node v's recompute events are entries event_row[v] ..
   * event_row[v + 1] - 2 of stage and time; the last entry of the row is the
   * absent one. */
  int64_t *event_row;
  int *stage;
  int32_t *time;
  int32_t *first_time; /* of first computes */
  int32_t horizon;     /* a time beyond all */
  int64_t events;

  /* Times right after reads of v: row read_row[v] .. read_row[v + 1] - 1;
   * empty for nodes that are blocks. */
  int64_t *read_row;
  int32_t *read_time;

  /* Intervals of v: interval_row[v] ..; none for blocks. */
  int *interval_row;
  struct cp_interval *interval;
  int zero; /* the variable that is 0 */

  int *part_sum;         /* size.parts variables */
  int objective;         /* least duration: its variable */
  int capacity;          /* least peak: its variable */
  int64_t grain, unit;   /* bytes: all peaks differ by multiples; a step */
  int32_t top;           /* least peak: largest step that is still asked for */
  int64_t peak_bound;    /* least peak: nothing is below */
  struct cp_probe probe; /* of the objective, or the capacity */
  struct schedule *schedule;
  struct formulation_size size;
};

/* Fills events and reads; false if there are too many. */
bool formulation_events(struct formulation *f);

/* A cover as clauses, instead of cp_post_cover (formulation_cover.c).
 * O(starts of the user x supports) clauses. */
void formulation_clauses(struct cp *cp, const struct cp_interval *user,
                         const struct cp_interval *support, int count);

/* Posts the objective, or the limit on the duration (formulation_duration.c).
 */
void formulation_post_duration(struct formulation *f);
int64_t formulation_gcd(int64_t a, int64_t b);

/* Posts the reduced costs (formulation_regret.c). */
void formulation_post_regrets(struct formulation *f);

/* Number of recompute events of v. */
static inline int formulation_stages(const struct formulation *f, int v) {
  return (int)(f->event_row[v + 1] - f->event_row[v]) - 1;
}
static inline bool formulation_is_block(const struct formulation *f, int v) {
  return f->interval_row[v] == f->interval_row[v + 1];
}

#endif
