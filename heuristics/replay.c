#include "heuristics/replay.h"

#include <stdlib.h>

struct replay *replay_new(struct memory *m, const struct problem *p) {
  struct replay *r = MEMORY_NEW(m, struct replay);
  r->memory = m;
  r->p = p;
  r->available = MEMORY_ARRAY(m, bool, p->n);
  r->marked = MEMORY_ARRAY(m, bool, p->n);
  r->count = MEMORY_ARRAY(m, int, p->n);
  r->need = MEMORY_ARRAY(m, int, p->n);
  return r;
}

void replay_free(struct replay *r) {
  struct memory *m = r->memory;
  memory_put(m, r->available);
  memory_put(m, r->marked);
  memory_put(m, r->count);
  memory_put(m, r->need);
  memory_put(m, r->step);
  memory_put(m, r);
}

bool replay_drop(struct replay *r, int v) {
  if (r->count[v] >= r->p->limit[v])
    return false;
  r->available[v] = false;
  return true;
}

static int ascending(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* `need` serves as its own queue: what is read there is expanded in turn. */
void replay_need(struct replay *r, int j) {
  const struct problem *p = r->p;
  r->needs = 0;
  for (int next = -1; next < r->needs; next++) {
    int v = next < 0 ? j : r->need[next];
    for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++) {
      int u = p->pred[e];
      if (r->available[u] || r->marked[u])
        continue;
      r->marked[u] = true;
      r->need[r->needs++] = u;
    }
  }
  for (int i = 0; i < r->needs; i++)
    r->marked[r->need[i]] = false;
  if (r->needs)
    qsort(r->need, (size_t)r->needs, sizeof *r->need, ascending);
}

static void compute(struct replay *r, int v) {
  MEMORY_GROW(r->memory, r->step, r->length, r->capacity);
  r->step[r->length++] = v;
  r->count[v]++;
  r->available[v] = true;
}

void replay_stage(struct replay *r, int j) {
  for (int i = 0; i < r->needs; i++)
    compute(r, r->need[i]);
  compute(r, j);
}

struct schedule *replay_finish(struct replay *r) {
  int length = schedule_trim(r->p, r->step, r->length, r->memory);
  return schedule_new(r->memory, r->p, r->step, length);
}
