#include "model/bound_cut.h"

#include <stdlib.h>
#include <string.h>

/* What a stop is told (stop.h) of a word of a row. */
enum { UNITS_A_WORD = 2 };

void cut_stages(const struct problem *p, enum bound_scope scope, int u,
                int index, int *first, int *last) {
  const int *succ = p->succ + p->succ_start[u];
  int degree = p->succ_start[u + 1] - p->succ_start[u];
  if (scope == BOUND_FREE_ORDER) {
    *first = 0;
    *last = index ? -1 : p->n; /* n: behind all first computes */
    return;
  }
  *first = (index ? succ[index - 1] : u) + 1;
  *last = index < degree ? succ[index] : p->n - 1;
}

/* Rows of ancestors as bits, for the free order. */
static void find_ancestors(struct closure_maker *maker) {
  const struct problem *p = maker->problem;
  maker->words = (p->n + 63) / 64;
  size_t words = (size_t)maker->words;
  maker->ancestors =
      MEMORY_ARRAY(maker->memory, uint64_t, words * (size_t)p->n);
  for (int v = 0; v < p->n; v++) {
    int degree = p->pred_start[v + 1] - p->pred_start[v];
    if (stop_after(&maker->stop, UNITS_A_WORD * (int64_t)words * degree))
      return;
    uint64_t *row = maker->ancestors + words * (size_t)v;
    for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++) {
      int u = p->pred[e];
      const uint64_t *other = maker->ancestors + words * (size_t)u;
      for (size_t i = 0; i < words; i++)
        row[i] |= other[i];
      row[u / 64] |= UINT64_C(1) << (u % 64);
    }
  }
}

static void open_windows(struct closure_maker *maker) {
  const struct problem *p = maker->problem;
  int windows = p->succ_start[p->n] + p->n;
  maker->open_first = MEMORY_ARRAY(maker->memory, int, windows);
  maker->open_last = MEMORY_ARRAY(maker->memory, int, windows);
  for (int u = 0; u < p->n; u++)
    for (int i = 0; i <= p->succ_start[u + 1] - p->succ_start[u]; i++) {
      int w = p->succ_start[u] + u + i;
      cut_stages(p, maker->scope, u, i, &maker->open_first[w],
                 &maker->open_last[w]);
      if (maker->open_first[w] > maker->open_last[w] ||
          !closure_repeatable(maker, u))
        maker->open_last[w] = -1;
    }
}

struct closure_maker closure_maker(struct memory *m, const struct problem *p,
                                   enum bound_scope scope,
                                   const struct stop *stop) {
  struct closure_maker maker = {.memory = m,
                                .problem = p,
                                .scope = scope,
                                .mark = MEMORY_ARRAY(m, int, p->n),
                                .place = MEMORY_ARRAY(m, int, p->n),
                                .list = MEMORY_ARRAY(m, int, p->n)};
  closure_maker_hear(&maker, stop);
  open_windows(&maker);
  if (scope == BOUND_FREE_ORDER) {
    maker.apart = MEMORY_ARRAY(m, bool, p->n);
    find_ancestors(&maker);
  }
  return maker;
}

void closure_maker_hear(struct closure_maker *maker, const struct stop *stop) {
  maker->stop.asked = stop ? stop->asked : NULL;
  maker->stop.data = stop ? stop->data : NULL;
}

bool closure_repeatable(const struct closure_maker *maker, int node) {
  const struct problem *p = maker->problem;
  if (maker->scope != BOUND_ANY || node == p->sink)
    return p->limit[node] > 1;
  return p->graph->node[p->node_of[node]].max_computes != 1;
}

/* Is the first compute of u before that of t in every order?  The sink is last
 * in all. */
static bool is_before(const struct closure_maker *maker, int u, int t) {
  if (maker->problem->sink == t || maker->problem->sink == u)
    return maker->problem->sink == t && u != t;
  return maker->ancestors[(size_t)t * (size_t)maker->words +
                          (size_t)(u / 64)] >>
             (u % 64) &
         1;
}

/* Does a first compute after [t] in the input order read u? */
static bool is_read_later(const struct problem *p, int u, int t) {
  return p->succ_start[u] < p->succ_start[u + 1] &&
         p->succ[p->succ_start[u + 1] - 1] > t;
}

/* Does a first compute that is after [t] in every order read u? */
static bool is_read_after(const struct closure_maker *maker, int u, int t) {
  const struct problem *p = maker->problem;
  for (int e = p->succ_start[u + 1] - 1;
       e >= p->succ_start[u] && p->succ[e] > t; e--)
    if (is_before(maker, t, p->succ[e]))
      return true;
  return false;
}

/* The window of node u that cut t lies in. */
static int find_window(const struct closure_maker *maker, int u, int t) {
  const struct problem *p = maker->problem;
  int low = p->succ_start[u], high = p->succ_start[u + 1];
  if (maker->scope == BOUND_FREE_ORDER)
    return low + u;
  while (low < high) {
    int middle = (low + high) / 2;
    if (p->succ[middle] <= t)
      low = middle + 1;
    else
      high = middle;
  }
  return low + u;
}

int cut_window(const struct closure_maker *maker, int u, int t) {
  int window = find_window(maker, u, t);
  return maker->open_last[window] > t ? window : -1;
}

/* Bytes left at cut t beside what it reads and makes; marks what it reads. */
static int64_t mark_inputs(struct closure_maker *maker, int t) {
  const struct problem *p = maker->problem;
  int64_t capacity = p->budget - p->fixed - p->workspace[t] - p->size[t];
  memset(maker->mark, 0, (size_t)p->n * sizeof *maker->mark);
  for (int e = p->pred_start[t]; e < p->pred_start[t + 1]; e++) {
    maker->mark[p->pred[e]] = CUT_HELD;
    capacity -= p->size[p->pred[e]];
  }
  return capacity;
}

/* A needed node is an entry if it can be recomputed, else held. */
static void need(struct closure_maker *maker, int u, int t, int64_t *capacity) {
  bool entry = cut_window(maker, u, t) >= 0;
  maker->mark[u] = entry ? CUT_NEEDED : CUT_HELD;
  if (!entry)
    *capacity -= maker->problem->size[u];
}

/* Marks what is held and what is needed at cut t, the order being the input
 * order; returns the bytes left for entries, and in *excess how far the needed
 * ones exceed that. */
static int64_t mark_staged(struct closure_maker *maker, int t,
                           int64_t *excess) {
  const struct problem *p = maker->problem;
  int64_t capacity = mark_inputs(maker, t);
  *excess = 0;
  for (int u = t - 1; u >= 0; u--) {
    if (maker->mark[u] == CUT_HELD || !is_read_later(p, u, t))
      continue;
    need(maker, u, t, &capacity);
    *excess += maker->mark[u] == CUT_NEEDED ? p->size[u] : 0;
  }
  *excess -= capacity;
  return capacity;
}

/* Lists the open nodes connected with v by edges between open nodes, those seen
 * before excepted; *needed: one of them is. */
static int list_part(struct closure_maker *maker, int v, bool *needed) {
  const struct problem *p = maker->problem;
  int *seen = maker->place, *list = maker->list, length = 0;
  *needed = false;
  seen[v] = 1;
  list[length++] = v;
  for (int k = 0; k < length; k++) {
    int u = list[k], inputs = p->pred_start[u + 1] - p->pred_start[u];
    int degree = inputs + p->succ_start[u + 1] - p->succ_start[u];
    *needed |= maker->mark[u] == CUT_NEEDED;
    for (int e = 0; e < degree; e++) {
      int x = e < inputs ? p->pred[p->pred_start[u] + e]
                         : p->succ[p->succ_start[u] + e - inputs];
      if (maker->apart[x] && !seen[x]) {
        seen[x] = 1;
        list[length++] = x;
      }
    }
  }
  return length;
}

/* Open nodes that no needed one is connected with: all of them may have been
 * computed and dropped, so they are no entries. */
static void drop_idle_parts(struct closure_maker *maker) {
  int n = maker->problem->n;
  memset(maker->place, 0, (size_t)n * sizeof *maker->place);
  for (int v = 0; v < n; v++) {
    if (!maker->apart[v] || maker->place[v])
      continue;
    bool needed;
    int length = list_part(maker, v, &needed);
    for (int k = 0; k < length && !needed; k++) {
      maker->mark[maker->list[k]] = CUT_PLAIN;
      maker->apart[maker->list[k]] = false;
    }
  }
}

/* The same as mark_staged where the first computes may come in any order; open
 * nodes are marked as needed if they are once they have been computed. */
static int64_t mark_free(struct closure_maker *maker, int t, int64_t *excess) {
  const struct problem *p = maker->problem;
  int64_t capacity = mark_inputs(maker, t);
  for (int u = 0; u < p->n; u++) {
    maker->apart[u] =
        u != t && !is_before(maker, u, t) && !is_before(maker, t, u);
    if (maker->apart[u])
      maker->mark[u] = is_read_after(maker, u, t) ? CUT_NEEDED : CUT_SUPPORT;
    else if (maker->mark[u] != CUT_HELD && is_before(maker, u, t) &&
             is_read_after(maker, u, t))
      need(maker, u, t, &capacity);
  }
  for (int u = 0; u < t; u++)
    if (maker->mark[u] != CUT_HELD && is_read_later(p, u, t))
      *excess += p->size[u];
  *excess -= capacity;
  drop_idle_parts(maker);
  maker->work += p->n;
  return capacity;
}

bool closure_satisfied(struct closure_maker *maker, int t, const double *part) {
  const struct problem *p = maker->problem;
  int64_t excess;
  mark_staged(maker, t, &excess); /* one of the orders, if it is free */
  maker->work += t;
  for (int u = t - 1; u >= 0 && excess > INT64_MIN / 2; u--) {
    int mark = maker->mark[u];
    if (mark != CUT_NEEDED && mark != CUT_SUPPORT)
      continue;
    int window = cut_window(maker, u, t);
    if (window < 0 || part[window] < 1 - 1e-6) {
      excess += mark == CUT_SUPPORT ? p->size[u] : 0;
      continue;
    }
    excess -= mark == CUT_NEEDED ? p->size[u] : 0;
    for (int e = p->pred_start[u]; e < p->pred_start[u + 1]; e++)
      if (maker->mark[p->pred[e]] == CUT_PLAIN)
        maker->mark[p->pred[e]] = CUT_SUPPORT;
  }
  return excess <= 0;
}

/* Needed nodes and the supports they may ask for, downwards; inputs have
 * smaller numbers, so a support is marked before it is met.  Of an open node
 * the inputs are asked for also if it cannot be recomputed. */
static int list_entries(struct closure_maker *maker, int t) {
  const struct problem *p = maker->problem;
  bool free_order = maker->scope == BOUND_FREE_ORDER;
  int count = 0;
  for (int u = free_order ? p->n - 1 : t - 1; u >= 0; u--) {
    if (maker->mark[u] != CUT_NEEDED && maker->mark[u] != CUT_SUPPORT)
      continue;
    maker->list[count++] = u;
    bool open = free_order && maker->apart[u];
    if (!open && cut_window(maker, u, t) < 0)
      continue;
    for (int e = p->pred_start[u]; e < p->pred_start[u + 1]; e++)
      if (maker->mark[p->pred[e]] == CUT_PLAIN)
        maker->mark[p->pred[e]] = CUT_SUPPORT;
  }
  return count;
}

int64_t cut_mark(struct closure_maker *maker, int t, int *count,
                 int64_t *excess) {
  *excess = 0;
  int64_t capacity = maker->scope == BOUND_FREE_ORDER
                         ? mark_free(maker, t, excess)
                         : mark_staged(maker, t, excess);
  *count = list_entries(maker, t);
  return capacity;
}

static int by_amount(const void *left, const void *right) {
  const struct cut_place *a = left, *b = right;
  if (a->amount != b->amount)
    return a->amount > b->amount ? -1 : 1;
  return (a->cut > b->cut) - (a->cut < b->cut);
}

void cut_sort(struct cut_place *list, int count) {
  if (count)
    qsort(list, (size_t)count, sizeof *list, by_amount);
}

struct cut_place *cut_list(struct memory *m, const struct problem *p,
                           int64_t limit, int *count) {
  int64_t held = p->fixed;
  struct cut_place *list = MEMORY_ARRAY(m, struct cut_place, p->n);
  *count = 0;
  for (int t = 0; t < p->n; t++) {
    held += p->size[t];
    int64_t excess = held + p->workspace[t] - limit;
    if (excess > 0)
      list[(*count)++] = (struct cut_place){t, excess};
    for (int e = p->pred_start[t]; e < p->pred_start[t + 1]; e++)
      if (p->succ[p->succ_start[p->pred[e] + 1] - 1] == t)
        held -= p->size[p->pred[e]];
    if (p->succ_start[t] == p->succ_start[t + 1])
      held -= p->size[t];
  }
  cut_sort(list, *count);
  return list;
}
