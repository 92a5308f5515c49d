#include "solver/picture.h"

#include "model/intervals.h"
#include "solver/base/checked.h"

#include <stdlib.h>
#include <string.h>

/* Memory at every step, from the intervals' starts and ends. */
static void fill_memory(const struct graph *g, const int *sequence, int length,
                        const int *end, int64_t *memory) {
  for (int k = 0; k < length; k++)
    memory[k] = 0;
  for (int k = 0; k < length; k++) {
    memory[k] += g->node[sequence[k]].size;
    if (end[k] + 1 < length)
      memory[end[k] + 1] -= g->node[sequence[k]].size;
  }
  int64_t held = g->fixed_memory;
  for (int k = 0; k < length; k++) {
    held += memory[k];
    memory[k] = held + g->node[sequence[k]].workspace;
  }
}

static bool fill_rows(struct picture *p, struct memory *m,
                      struct error *error) {
  const struct graph *g = p->request.graph;
  const int *sequence = p->request.sequence;
  int *latest = MEMORY_ARRAY(m, int, p->rows), row = 0;
  for (int v = 0; v < p->rows; v++)
    latest[v] = -1;
  p->in_order = true;
  for (int k = 0; k < p->request.length; k++) {
    int v = sequence[k];
    p->previous[k] = latest[v];
    if (latest[v] < 0) {
      p->in_order = p->in_order && g->order[row] == v;
      p->row_of[v] = row;
      p->node_of[row++] = v;
    } else {
      p->recompute[p->recomputes++] = k;
    }
    latest[v] = k;
    if (!checked_add(&p->duration, g->node[v].duration))
      return error_set(error, STATUS_INPUT,
                       "step %d: the durations sum beyond int64", k);
  }
  memory_put(m, latest);
  return true;
}

static void fill_baseline(struct picture *p, struct memory *m) {
  const struct graph *g = p->request.graph;
  int n = p->rows, stage = 0;
  int *end = MEMORY_ARRAY(m, int, n), *number = MEMORY_ARRAY(m, int, n);
  int64_t *memory = MEMORY_ARRAY(m, int64_t, n);
  intervals_find(g, g->order, n, end, number, m);
  fill_memory(g, g->order, n, end, memory);
  p->base_peak = g->fixed_memory;
  for (int k = 0; k < n; k++) {
    p->base_peak = memory[k] > p->base_peak ? memory[k] : p->base_peak;
    p->base_duration += g->node[k].duration;
  }
  for (int k = 0; k < p->request.length; k++) {
    int at = p->in_order ? stage : (int)((int64_t)k * n / p->request.length);
    p->behind[k] = memory[at < n ? at : n - 1];
    stage += p->previous[k] < 0;
  }
  memory_put(m, memory);
  memory_put(m, number);
  memory_put(m, end);
}

/* Costliest first, then in order of steps.  The key travels with the step
 * because qsort passes no context. */
struct costed {
  int step;
  int64_t duration;
};

static int by_cost(const void *a, const void *b) {
  const struct costed *x = a, *y = b;
  if (x->duration != y->duration)
    return x->duration > y->duration ? -1 : 1;
  return x->step < y->step ? -1 : x->step > y->step;
}

static void sort_recomputes(struct picture *p, struct memory *m) {
  if (!p->recomputes)
    return;
  struct costed *list = MEMORY_ARRAY(m, struct costed, p->recomputes);
  for (int i = 0; i < p->recomputes; i++) {
    int k = p->recompute[i];
    list[i] = (struct costed){
        k, p->request.graph->node[p->request.sequence[k]].duration};
  }
  qsort(list, (size_t)p->recomputes, sizeof *list, by_cost);
  for (int i = 0; i < p->recomputes; i++)
    p->recompute[i] = list[i].step;
  memory_put(m, list);
}

bool picture_make(struct memory *m, const struct picture_request *request,
                  struct picture *out, struct error *error) {
  const struct graph *g = request->graph;
  int length = request->length;
  *out = (struct picture){.request = *request, .rows = g->node_count};
  out->row_of = MEMORY_ARRAY(m, int, g->node_count);
  out->node_of = MEMORY_ARRAY(m, int, g->node_count);
  out->end = MEMORY_ARRAY(m, int, length);
  out->number = MEMORY_ARRAY(m, int, length);
  out->previous = MEMORY_ARRAY(m, int, length);
  out->recompute = MEMORY_ARRAY(m, int, length);
  out->memory = MEMORY_ARRAY(m, int64_t, length);
  out->behind = MEMORY_ARRAY(m, int64_t, length);
  if (!fill_rows(out, m, error))
    return false;
  intervals_find(g, request->sequence, length, out->end, out->number, m);
  fill_memory(g, request->sequence, length, out->end, out->memory);
  fill_baseline(out, m);
  sort_recomputes(out, m);
  out->peak = g->fixed_memory;
  for (int k = 0; k < length; k++)
    if (out->memory[k] > out->peak || !k) {
      out->peak = out->memory[k];
      out->peak_step = k;
    }
  for (int v = 0; v < g->node_count; v++)
    if (g->node[v].size > out->largest)
      out->largest = g->node[v].size;
  return true;
}

double picture_increase(const struct picture *p) {
  return p->base_duration ? 100.0 * (double)(p->duration - p->base_duration) /
                                (double)p->base_duration
                          : 0.0;
}

const char *picture_label(const struct graph *g, int node, char *buffer,
                          int capacity) {
  if (g->node[node].name[0])
    return g->node[node].name;
  return graph_id_text(g->node[node].id, buffer, capacity);
}
