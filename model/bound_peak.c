#include "model/bound_peak.h"
#include "model/bound_closure.h"

bool bound_peak_applies(const struct problem *p) {
  for (int v = 0; v < p->n; v++)
    if (p->limit[v] == 1 && v != p->sink)
      return true;
  return false;
}

struct bound_peak *bound_peak_new(struct memory *m, const struct problem *p,
                                  struct stop *stop) {
  struct bound_peak *b = MEMORY_NEW(m, struct bound_peak);
  b->value = p->working_set;
  b->maker = closure_maker(m, p, BOUND_FREE_ORDER, stop);
  closure_maker_hear(&b->maker, NULL);
  b->cut = cut_list(m, p, p->working_set, &b->cut_count);
  b->done = b->maker.stop.yes;
  return b;
}

/* Has every cut been seen that may raise the value? */
static bool is_done(const struct bound_peak *b) {
  int64_t above = b->value - b->maker.problem->working_set;
  return b->maker.stop.yes || b->next >= b->cut_count ||
         b->cut[b->next].amount <= above;
}

bool bound_peak_improve(struct bound_peak *b, long work, struct stop *stop) {
  long start = b->work + b->maker.work;
  int64_t before = b->value;
  closure_maker_hear(&b->maker, stop);
  while (!(b->done = b->done || is_done(b)) &&
         b->work + b->maker.work - start <= work) {
    struct closure *c = closure_new(&b->maker, b->cut[b->next++].cut);
    int64_t least = closure_least_memory(c, b->maker.problem);
    if (least > b->value)
      b->value = least;
    b->work += c->flow->work + c->count;
    closure_free(b->maker.memory, c);
  }
  closure_maker_hear(&b->maker, NULL);
  return b->value > before;
}
