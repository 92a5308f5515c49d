#include "model/orders.h"

#include <string.h>

const char *orders_name(enum orders_kind kind) {
  static const char *const name[ORDERS_KINDS] = {"depth first", "breadth first",
                                                 "reverse", "least growth"};
  return name[kind];
}

/* The ready nodes; taken from the end, the front, or anywhere. */
struct walk {
  const struct problem *p;
  bool backwards; /* along the reversed graph */
  int *left;      /* inputs not yet placed; backwards: consumers */
  int *readers;   /* consumers not yet placed */
  int *ready, count, front;
  int64_t work;
};

static const int *row(const struct walk *w, int v, bool outputs, int *count) {
  const struct problem *p = w->p;
  const int *start = outputs != w->backwards ? p->succ_start : p->pred_start;
  *count = start[v + 1] - start[v];
  return (outputs != w->backwards ? p->succ : p->pred) + start[v];
}

/* Bytes that computing v adds for good: its own less what it reads last. */
static int64_t growth(const struct walk *w, int v) {
  int count, outputs;
  const int *input = row(w, v, false, &count);
  row(w, v, true, &outputs);
  int64_t bytes = outputs ? w->p->size[v] : 0;
  for (int i = 0; i < count; i++)
    if (w->readers[input[i]] == 1)
      bytes -= w->p->size[input[i]];
  return bytes;
}

static int take_least(struct walk *w) {
  int best = 0;
  int64_t least = INT64_MAX;
  for (int i = 0; i < w->count; i++) {
    int64_t bytes = growth(w, w->ready[i]);
    if (bytes < least) {
      least = bytes;
      best = i;
    }
  }
  w->work += w->count;
  int v = w->ready[best];
  w->count--;
  memmove(w->ready + best, w->ready + best + 1,
          (size_t)(w->count - best) * sizeof *w->ready);
  return v;
}

static int take(struct walk *w, enum orders_kind kind) {
  if (kind == ORDERS_LEAST_GROWTH)
    return take_least(w);
  return kind == ORDERS_BREADTH_FIRST ? w->ready[w->front++]
                                      : w->ready[--w->count];
}

static bool run(struct walk *w, enum orders_kind kind, int *order) {
  const struct problem *p = w->p;
  int count;
  for (int v = 0; v < p->n; v++) {
    row(w, v, false, &w->left[v]);
    row(w, v, true, &w->readers[v]);
    if (w->backwards && p->sink >= 0 && p->succ_start[v] < p->succ_start[v + 1])
      w->left[v] -= p->succ[p->succ_start[v + 1] - 1] == p->sink;
    if (!w->left[v] && v != p->sink)
      w->ready[w->count++] = v;
  }
  /* A sink takes part in no walk: it comes last whatever it reads. */
  int placed = 0;
  while (w->front < w->count && w->work < (INT64_C(1) << 30)) {
    int v = take(w, kind);
    order[placed++] = v;
    const int *input = row(w, v, false, &count);
    for (int i = 0; i < count; i++)
      w->readers[input[i]]--;
    const int *output = row(w, v, true, &count);
    for (int i = 0; i < count; i++)
      if (!--w->left[output[i]] && output[i] != p->sink)
        w->ready[w->count++] = output[i];
  }
  return placed == p->n - (p->sink >= 0);
}

bool orders_make(const struct problem *p, enum orders_kind kind, int *order,
                 struct memory *scratch) {
  struct walk w = {.p = p,
                   .backwards = kind == ORDERS_REVERSE,
                   .left = MEMORY_ARRAY(scratch, int, p->n),
                   .readers = MEMORY_ARRAY(scratch, int, p->n),
                   .ready = MEMORY_ARRAY(scratch, int, p->n + 1)};
  bool ok = run(&w, kind, order);
  int last = p->n - 1 - (p->sink >= 0);
  for (int i = 0; ok && w.backwards && i < last - i; i++) {
    int swap = order[i];
    order[i] = order[last - i];
    order[last - i] = swap;
  }
  if (p->sink >= 0)
    order[p->sink] = p->sink;
  memory_put(scratch, w.left);
  memory_put(scratch, w.readers);
  memory_put(scratch, w.ready);
  return ok;
}
