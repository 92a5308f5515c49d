/* The time of the model: events and the times right after reads. */
#include "model/formulation_internal.h"

#include <stdlib.h>

/* ---- events ---------------------------------------------------------------
 */

/* Numbers all events by stage, then node. */
static void number_events(struct formulation *f) {
  struct memory *m = f->memory;
  int n = f->problem->n;
  const struct stage_ranges *s = f->ranges;
  f->events = s->stages + n;
  f->horizon = (int32_t)f->events + 2;
  f->event_row = MEMORY_ARRAY(m, int64_t, n + 1);
  f->stage = MEMORY_ARRAY(m, int, s->stages + n);
  f->time = MEMORY_ARRAY(m, int32_t, s->stages + n);
  f->first_time = MEMORY_ARRAY(m, int32_t, n);
  int32_t *next = MEMORY_ARRAY(m, int32_t, n + 1); /* by stage */
  for (int r = 0; r < s->start[n]; r++)
    for (int j = s->range[r].first; j <= s->range[r].last; j++)
      next[j + 1]++;
  for (int j = 0; j < n; j++)
    next[j + 1] += next[j] + 1;
  int64_t at = 0;
  for (int v = 0; v < n; v++) {
    f->event_row[v] = at;
    for (int r = s->start[v]; r < s->start[v + 1]; r++)
      for (int j = s->range[r].first; j <= s->range[r].last; j++) {
        f->stage[at] = j;
        f->time[at++] = next[j]++;
      }
    f->time[at++] = f->horizon;
  }
  f->event_row[n] = at;
  for (int v = 0; v < n; v++)
    f->first_time[v] = next[v];
  memory_put(m, next);
}

/* ---- reads ----------------------------------------------------------------
 */

static int by_time(const void *left, const void *right) {
  int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
  return (a > b) - (a < b);
}

/* Is v never recomputed and read only by nodes that are not either? */
static bool is_block(const struct formulation *f, int v) {
  const struct problem *p = f->problem;
  bool block = formulation_stages(f, v) == 0;
  for (int e = p->succ_start[v]; block && e < p->succ_start[v + 1]; e++)
    block = formulation_stages(f, p->succ[e]) == 0;
  return block;
}

/* Times right after possible reads, for nodes that are no blocks; false if
 * there are too many. */
static bool collect_reads(struct formulation *f) {
  const struct problem *p = f->problem;
  f->read_row = MEMORY_ARRAY(f->memory, int64_t, p->n + 1);
  int64_t room = 0;
  for (int v = 0; v < p->n; v++) {
    if (is_block(f, v))
      continue;
    room++;
    for (int e = p->succ_start[v]; e < p->succ_start[v + 1]; e++)
      room += formulation_stages(f, p->succ[e]) + 1;
  }
  if (room > f->options.most_events)
    return false;
  f->read_time = MEMORY_ARRAY(f->memory, int32_t, room);
  int64_t at = 0;
  for (int v = 0; v < p->n; v++) {
    f->read_row[v] = at;
    if (is_block(f, v))
      continue;
    int64_t from = at;
    f->read_time[at++] = f->first_time[v] + 1;
    for (int e = p->succ_start[v]; e < p->succ_start[v + 1]; e++) {
      int c = p->succ[e];
      f->read_time[at++] = f->first_time[c] + 1;
      for (int k = 0; k < formulation_stages(f, c); k++)
        f->read_time[at++] = f->time[f->event_row[c] + k] + 1;
    }
    qsort(f->read_time + from, (size_t)(at - from), sizeof *f->read_time,
          by_time);
    int64_t kept = from;
    for (int64_t k = from; k < at; k++)
      if (kept == from || f->read_time[kept - 1] != f->read_time[k])
        f->read_time[kept++] = f->read_time[k];
    at = kept;
  }
  f->read_row[p->n] = at;
  return true;
}

bool formulation_events(struct formulation *f) {
  if (f->ranges->stages + f->problem->n > f->options.most_events)
    return false;
  number_events(f);
  return collect_reads(f);
}
