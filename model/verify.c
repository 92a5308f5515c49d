#include "model/verify.h"

#include "solver/base/checked.h"

#include <stdarg.h>
#include <stdio.h>

struct check {
  const struct graph *g;
  const struct verify_request *request;
  struct memory *scratch;
  verify_fault *fault;
  void *data;
  struct verify_result *result;
};

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
report(struct check *c, const char *format, ...) {
  char text[300];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  c->result->faults++;
  if (c->fault)
    c->fault(c->data, text);
}

static const char *name_of(const struct check *c, int v, char *buffer) {
  return graph_id_text(c->g->node[v].id, buffer, 64);
}

/* Are the entries nodes at all?  Nothing else can be checked otherwise. */
static bool check_range(struct check *c) {
  for (int k = 0; k < c->request->length; k++)
    if (c->request->sequence[k] < 0 ||
        c->request->sequence[k] >= c->g->node_count) {
      report(c, "step %d: no node of the graph", k);
      return false;
    }
  return true;
}

/* Inputs, completeness, limits, order of first computes, duration. */
static void check_counts(struct check *c) {
  const struct graph *g = c->g;
  int *count = MEMORY_ARRAY(c->scratch, int, g->node_count);
  int firsts = 0;
  bool order_broken = false;
  char a[64], b[64];
  for (int k = 0; k < c->request->length; k++) {
    int v = c->request->sequence[k];
    for (int e = g->pred_start[v]; e < g->pred_start[v + 1]; e++)
      if (!count[g->pred[e]])
        report(c, "step %d: node %s is computed before its input %s", k,
               name_of(c, v, a), name_of(c, g->pred[e], b));
    if (!count[v]++) {
      if (c->request->input_order && !order_broken && g->order[firsts] != v) {
        report(c,
               "step %d: node %s is computed first where the input order has "
               "node %s",
               k, name_of(c, v, a), name_of(c, g->order[firsts], b));
        order_broken = true;
      }
      firsts++;
    } else {
      c->result->recomputes++;
    }
    int limit = g->node[v].max_computes ? g->node[v].max_computes
                                        : c->request->max_computes;
    if (limit && count[v] == limit + 1)
      report(c, "step %d: compute %d of node %s, limit %d", k,
             count[v], name_of(c, v, a), limit);
    if (!checked_add(&c->result->duration, g->node[v].duration)) {
      report(c, "step %d: the duration leaves int64", k);
      break;
    }
  }
  for (int v = 0; v < g->node_count; v++)
    if (!count[v])
      report(c, "node %s is never computed", name_of(c, v, a));
  memory_put(c->scratch, count);
}

/* Walks backwards: reader[u] is the last step that reads the instance of u
 * that is live at this point of the walk, -1 if none does. */
static void check_memory(struct check *c) {
  const struct graph *g = c->g;
  int length = c->request->length;
  int *reader = MEMORY_ARRAY(c->scratch, int, g->node_count);
  int64_t *change = MEMORY_ARRAY(c->scratch, int64_t, length + 1);
  for (int v = 0; v < g->node_count; v++)
    reader[v] = g->node[v].keep ? length - 1 : -1;
  for (int k = length - 1; k >= 0; k--) {
    int v = c->request->sequence[k];
    int last = reader[v] < 0 ? k : reader[v];
    change[k] += g->node[v].size;
    change[last + 1] -= g->node[v].size;
    reader[v] = -1;
    for (int e = g->pred_start[v]; e < g->pred_start[v + 1]; e++)
      if (reader[g->pred[e]] < 0)
        reader[g->pred[e]] = k;
  }
  int64_t held = g->fixed_memory;
  char a[64];
  c->result->peak = held;
  for (int k = 0; k < length; k++) {
    int v = c->request->sequence[k];
    held += change[k];
    int64_t here = held;
    if (!checked_add(&here, g->node[v].workspace)) {
      report(c, "step %d: the memory leaves int64", k);
      break;
    }
    if (here > c->result->peak) {
      c->result->peak = here;
      c->result->peak_step = k;
    }
    if (c->request->limited && here > c->request->budget)
      report(c,
             "step %d: computing node %s takes %lld bytes, %lld over the "
             "budget of %lld",
             k, name_of(c, v, a), (long long)here,
             (long long)(here - c->request->budget),
             (long long)c->request->budget);
  }
  if (c->request->limited && c->result->peak > c->request->budget &&
      c->result->peak == g->fixed_memory)
    report(c, "the fixed memory of %lld bytes exceeds the budget of %lld",
           (long long)g->fixed_memory, (long long)c->request->budget);
  memory_put(c->scratch, change);
  memory_put(c->scratch, reader);
}

bool verify(const struct graph *g, const struct verify_request *request,
            struct memory *scratch, verify_fault *fault, void *data,
            struct verify_result *result) {
  struct check c = {g, request, scratch, fault, data, result};
  *result = (struct verify_result){0};
  if (check_range(&c)) {
    check_counts(&c);
    if (!result->faults)
      check_memory(&c);
  }
  return !result->faults;
}
