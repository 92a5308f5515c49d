#include "tests/formulated.h"

int64_t formulated_duration(struct memory *m, const struct problem *p,
                            const struct formulation_options *o,
                            char text[200]) {
  struct formulation *f = formulation_new(m, p, o);
  int64_t best = INT64_MAX;
  enum formulation_result r;
  while ((r = formulation_run(f, NULL)) == FORMULATION_SCHEDULE) {
    const struct schedule *s = formulation_schedule(f);
    if (s->peak > p->budget || s->duration >= best ||
        !schedule_is_staged(p, s->step, s->length))
      r = FORMULATION_FAULT;
    best = s->duration;
  }
  if (r == FORMULATION_FAULT)
    snprintf(text, 200, "%s", cp_fault(formulation_cp(f)));
  if (r != FORMULATION_DONE)
    best = -1;
  formulation_free(f);
  return best;
}
