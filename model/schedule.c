#include "model/schedule.h"

#include <stdlib.h>
#include <string.h>

/* For each step, the last step that reads its instance; false if an input is
 * missing.  `latest` (n entries) is scratch. */
static bool find_ends(const struct problem *p, const int *step, int length,
                      int *latest, int *end) {
  for (int v = 0; v < p->n; v++)
    latest[v] = -1;
  for (int k = 0; k < length; k++) {
    int v = step[k];
    for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++) {
      int producer = latest[p->pred[e]];
      if (producer < 0)
        return false;
      end[producer] = k;
    }
    latest[v] = k;
    end[k] = k;
  }
  return true;
}

static void find_peak(const struct problem *p, const int *step, int length,
                      const int *end, int64_t *freed,
                      struct simulation *result) {
  int64_t held = p->fixed;
  result->peak = p->fixed;
  result->peak_step = 0;
  result->duration = 0;
  memset(freed, 0, (size_t)length * sizeof *freed);
  for (int k = 0; k < length; k++)
    freed[end[k]] += p->size[step[k]];
  for (int k = 0; k < length; k++) {
    int v = step[k];
    held += p->size[v];
    int64_t here = held + p->workspace[v];
    if (result->memory)
      result->memory[k] = here;
    if (here > result->peak) {
      result->peak = here;
      result->peak_step = k;
    }
    result->duration += p->duration[v];
    held -= freed[k];
  }
}

bool simulate(const struct problem *p, const int *step, int length,
              struct memory *scratch, struct simulation *result) {
  int *latest = MEMORY_ARRAY(scratch, int, p->n);
  int *end = result->end ? result->end : MEMORY_ARRAY(scratch, int, length);
  bool ok = find_ends(p, step, length, latest, end);
  if (ok) {
    int64_t *freed = MEMORY_ARRAY(scratch, int64_t, length);
    find_peak(p, step, length, end, freed, result);
    memory_put(scratch, freed);
  }
  if (ok && result->number) {
    memset(latest, 0, (size_t)p->n * sizeof *latest);
    for (int k = 0; k < length; k++)
      result->number[k] = ++latest[step[k]];
  }
  if (!result->end)
    memory_put(scratch, end);
  memory_put(scratch, latest);
  return ok;
}

struct schedule *schedule_new(struct memory *m, const struct problem *p,
                              const int *step, int length) {
  struct schedule *s = MEMORY_NEW(m, struct schedule);
  s->length = length;
  s->step = MEMORY_ARRAY(m, int, length);
  if (length)
    memcpy(s->step, step, (size_t)length * sizeof *step);
  struct simulation result = {0};
  simulate(p, step, length, m, &result);
  s->peak = result.peak;
  s->duration = result.duration;
  return s;
}

void schedule_free(struct memory *m, struct schedule *s) {
  if (!s)
    return;
  memory_put(m, s->step);
  memory_put(m, s);
}

struct schedule *schedule_baseline(struct memory *m, const struct problem *p) {
  int *step = MEMORY_ARRAY(m, int, p->n);
  for (int v = 0; v < p->n; v++)
    step[v] = v;
  struct schedule *s = schedule_new(m, p, step, p->n);
  memory_put(m, step);
  return s;
}

static int by_stage_and_node(const void *left, const void *right) {
  const struct recompute *a = left, *b = right;
  if (a->stage != b->stage)
    return a->stage < b->stage ? -1 : 1;
  return (a->node > b->node) - (a->node < b->node);
}

int schedule_staged(const struct problem *p, struct recompute *list, int count,
                    int *step) {
  if (count)
    qsort(list, (size_t)count, sizeof *list, by_stage_and_node);
  int length = 0, next = 0;
  for (int stage = 0; stage < p->n; stage++) {
    for (; next < count && list[next].stage == stage; next++)
      if (!next || by_stage_and_node(&list[next - 1], &list[next]))
        step[length++] = list[next].node;
    step[length++] = stage;
  }
  return length;
}

int schedule_recomputes(const struct problem *p, const int *step, int length,
                        struct recompute *list) {
  int stage = 0, count = 0;
  for (int k = 0; k < length; k++)
    if (step[k] == stage)
      stage++;
    else if (count < length - p->n)
      list[count++] = (struct recompute){stage, step[k]};
  return count;
}

bool schedule_is_staged(const struct problem *p, const int *step, int length) {
  int stage = 0, last = -1;
  for (int k = 0; k < length; k++) {
    int v = step[k];
    if (v > stage || v <= last)
      return false;
    last = v == stage ? -1 : v;
    stage += v == stage;
  }
  return stage == p->n && last == -1;
}

/* One backward pass suffices: whether a step is read is known when all later
 * steps have been decided, and a dropped step reads nothing.  Dropping an
 * instance never moves a read, since nobody read it. */
int schedule_trim(const struct problem *p, int *step, int length,
                  struct memory *scratch) {
  bool *wanted = MEMORY_ARRAY(scratch, bool, p->n);
  int *first = MEMORY_ARRAY(scratch, int, p->n);
  for (int k = length - 1; k >= 0; k--)
    first[step[k]] = k;
  int to = length;
  for (int k = length - 1; k >= 0; k--) {
    int v = step[k];
    if (!wanted[v] && first[v] != k)
      continue;
    wanted[v] = false;
    for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++)
      wanted[p->pred[e]] = true;
    step[--to] = v;
  }
  memmove(step, step + to, (size_t)(length - to) * sizeof *step);
  memory_put(scratch, first);
  memory_put(scratch, wanted);
  return length - to;
}
