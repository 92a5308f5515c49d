/* A question that long work asks now and then: shall it end early?
 *
 * Asking reads a clock and runs the caller's own function, so it is done by
 * work and not by step: `stop_after` adds up units of about a nanosecond and
 * asks once a few milliseconds of them have gathered. */
#ifndef MOCCASIN_STOP_H
#define MOCCASIN_STOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stop {
  bool (*asked)(void *data); /* NULL: never */
  void *data;
  int64_t work; /* units since the last question */
  bool yes;     /* once true, it stays so */
};

/* Whether to end, after `work` more units. `s` may be NULL: never. */
static inline bool stop_after(struct stop *s, int64_t work) {
  enum { UNITS_A_QUESTION = 4000000 };
  if (!s || !s->asked || s->yes)
    return s && s->yes;
  s->work += work;
  if (s->work < UNITS_A_QUESTION)
    return false;
  s->work = 0;
  return s->yes = s->asked(s->data);
}

/* The same without waiting for work to gather: for places that are reached
 * every few milliseconds at most. */
static inline bool stop_now(struct stop *s) {
  if (s && s->asked && !s->yes)
    s->yes = s->asked(s->data);
  return s && s->yes;
}

#endif
