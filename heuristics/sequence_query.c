#include "heuristics/sequence.h"

int sequence_next_reader(const struct sequence *s, int v, int slot) {
  const struct problem *p = s->p;
  int best = -1;
  for (int e = p->succ_start[v]; e < p->succ_start[v + 1]; e++) {
    int q = s->last[p->succ[e]];
    while (q >= 0 && s->when[q].slot > slot) {
      if (best < 0 || s->when[q].slot < s->when[best].slot)
        best = q;
      q = s->when[q].earlier;
    }
  }
  return best;
}

void sequence_label_stages(struct sequence *s) {
  int stage = 0;
  for (int q = s->head; q >= 0; q = s->at[q].next) {
    s->at[q].stage = stage;
    stage += s->when[q].earlier < 0;
  }
}

int sequence_staged_place(const struct sequence *s, int stage, int v) {
  const struct instance *a = s->at;
  int before = s->first[stage];
  for (int q = a[before].prev;
       q >= 0 && s->when[q].earlier >= 0 && a[q].node >= v; q = a[q].prev) {
    if (a[q].node == v)
      return -1;
    before = q;
  }
  return before;
}
