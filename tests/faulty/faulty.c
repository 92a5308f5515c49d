/* Faults for a second program, linked so that calls of some functions come here
 * first (--wrap): what it answers must be caught.  The environment variable
 * FAULT says which: "schedule" (the start is a wrong one), "bound" (a bound
 * above every schedule), "final" (the last verification fails). */
#include "model/schedule.h"
#include "solver/board.h"

#include <stdlib.h>
#include <string.h>

static bool chosen(const char *fault) {
  const char *wanted = getenv("FAULT");
  return wanted && !strcmp(wanted, fault);
}

struct schedule *__real_schedule_baseline(struct memory *m,
                                          const struct problem *p);
struct schedule *__wrap_schedule_baseline(struct memory *m,
                                          const struct problem *p);
struct schedule *__wrap_schedule_baseline(struct memory *m,
                                          const struct problem *p) {
  struct schedule *s = __real_schedule_baseline(m, p);
  if (chosen("schedule")) { /* the last two steps change places */
    int last = s->step[s->length - 1];
    s->step[s->length - 1] = s->step[s->length - 2];
    s->step[s->length - 2] = last;
  }
  return s;
}

void __real_board_count(struct board *b, const char *name, int64_t value);
void __wrap_board_count(struct board *b, const char *name, int64_t value);
void __wrap_board_count(struct board *b, const char *name, int64_t value) {
  if (chosen("bound"))
    board_raise(b, INT64_MAX - 1, "a faulty bound");
  __real_board_count(b, name, value);
}

int __real_moccasin_verify(const struct moccasin_graph *graph,
                           const int *sequence, int length, int64_t budget,
                           int max_computes, bool input_order,
                           void (*fault)(void *data, const char *text),
                           void *data, int64_t *peak, int64_t *duration);
int __wrap_moccasin_verify(const struct moccasin_graph *graph,
                           const int *sequence, int length, int64_t budget,
                           int max_computes, bool input_order,
                           void (*fault)(void *data, const char *text),
                           void *data, int64_t *peak, int64_t *duration);
int __wrap_moccasin_verify(const struct moccasin_graph *graph,
                           const int *sequence, int length, int64_t budget,
                           int max_computes, bool input_order,
                           void (*fault)(void *data, const char *text),
                           void *data, int64_t *peak, int64_t *duration) {
  int status =
      __real_moccasin_verify(graph, sequence, length, budget, max_computes,
                             input_order, fault, data, peak, duration);
  return chosen("final") ? MOCCASIN_INFEASIBLE : status;
}
