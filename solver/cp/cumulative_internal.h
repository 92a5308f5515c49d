/* Shared by cumulative.c (propagation) and cumulative_explain.c (reasons,
 * definition, printing). */
#ifndef MOCCASIN_CP_CUMULATIVE_INTERNAL_H
#define MOCCASIN_CP_CUMULATIVE_INTERNAL_H

#include "solver/cp/cumulative.h"
#include "solver/cp/profile.h"

struct part {
  int from, to; /* points; empty: from == to */
};

struct cumulative {
  struct cp_propagator base;
  struct cp_capacity capacity;
  int tasks;
  struct cp_task *task; /* highest first */
  int32_t *time;        /* of the points, increasing */
  int *point_at;        /* of time[0] + t, t < span; NULL: search */
  int64_t span;
  int64_t *fixed; /* height of all blocks at each point */

  struct cp_profile profile; /* blocks and parts */
  struct part *part;         /* what the profile holds of each task */
  struct cp_int *mark;       /* the same, backtracking; see pack() */
  int *touched;              /* tasks with a part */
  int touched_count;
  struct cp_int touched_now; /* the same, backtracking */
  int64_t backjumps;         /* when profile and marks last agreed */

  int *dirty, dirties; /* tasks whose bounds changed */
  bool *is_dirty;
  int *sparse; /* the first `open` are undecided */
  struct cp_int open;
  int *chosen; /* scratch: tasks of an explanation */
};

enum cumulative_rule { R0, R1, R2, R3, R4 };

static inline struct cumulative *as_cumulative(struct cp_propagator *p) {
  return (struct cumulative *)(void *)p;
}

/* A push's data: the rule, the task, the point. */
static inline int64_t cumulative_data(int rule, int task, int point) {
  return rule | (int64_t)task << 3 | (int64_t)point << 32;
}

/* The first point at time >= t. */
int cumulative_point(const struct cumulative *c, int64_t t);

/* The largest r in (p, q] such that the blocks and the tasks other than i that
 * hold all of the points p .. r-1 exceed the limit there. */
int cumulative_reach(const struct cumulative *c, int i, int p, int q,
                     int64_t limit);

/* Says (cp_because) by literals true before `at` why the tasks other than
 * `skip` that hold the times from .. to, with the blocks, exceed the limit. */
void cumulative_because(struct cp *cp, struct cumulative *c, int skip,
                        int32_t from, int32_t to, int64_t limit, int32_t at);

void cumulative_explain(struct cp *cp, struct cp_propagator *self,
                        struct cp_literal l, int64_t data, int32_t at);
bool cumulative_check(const struct cp *cp, const struct cp_propagator *self,
                      const int32_t *value);
bool cumulative_naive(const struct cp *cp, const struct cp_propagator *self,
                      int32_t *bound);
const char *cumulative_rule(const struct cp_propagator *self, int64_t data);
void cumulative_print(const struct cp *cp, const struct cp_propagator *self,
                      FILE *out);

#endif
