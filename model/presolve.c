#include "model/presolve.h"

#include <string.h>

struct presolve_rules presolve_rules_default(void) {
  struct presolve_rules r;
#define ON(name, help) r.name = true;
  PRESOLVE_RULES(ON)
#undef ON
  return r;
}

bool presolve_rules_set(struct presolve_rules *r, const char *name,
                        const char *value) {
  bool on = !strcmp(value, "1");
  if (!on && strcmp(value, "0"))
    return false;
#define SET(rule, help)                                                        \
  if (!strcmp(name, #rule))                                                    \
    return r->rule = on, true;
  PRESOLVE_RULES(SET)
#undef SET
  return false;
}

void presolve_rules_help(FILE *out) {
#define HELP(name, help)                                                       \
  fprintf(out, "  %-16s %10d  %d..%d  %s\n", #name, 1, 0, 1, help);
  PRESOLVE_RULES(HELP)
#undef HELP
}

/* Clips the ranges of u to first .. last, in place; empty ones become
 * first > last.  Returns whether anything changed. */
static bool clip(struct stage_ranges *s, int u, int first, int last) {
  bool changed = false;
  for (int k = s->start[u]; k < s->start[u + 1]; k++) {
    struct stage_range *r = &s->range[k];
    if (r->first > r->last)
      continue;
    if (r->first < first || r->last > last)
      changed = true;
    r->first = r->first < first ? first : r->first;
    r->last = r->last > last ? last : r->last;
  }
  return changed;
}

/* The largest stage of J(u), or -1. */
static int last_stage(const struct stage_ranges *s, int u) {
  for (int k = s->start[u + 1] - 1; k >= s->start[u]; k--)
    if (s->range[k].first <= s->range[k].last)
      return s->range[k].last;
  return -1;
}

static int last_use(const struct problem *p, const struct stage_ranges *s,
                    int u) {
  int last = u;
  for (int e = p->succ_start[u]; e < p->succ_start[u + 1]; e++) {
    int c = p->succ[e], again = last_stage(s, c);
    last = c > last ? c : last;
    last = again > last ? again : last;
  }
  return last;
}

/* For each stage, the first unsafe stage at or after it (n: none). */
static void find_unsafe(const struct problem *p, const struct stage_ranges *s,
                        int64_t budget, int64_t *change, int *unsafe) {
  memset(change, 0, ((size_t)p->n + 1) * sizeof *change);
  int64_t work = 0;
  for (int v = 0; v < p->n; v++) {
    change[v] += p->size[v];
    change[last_use(p, s, v) + 1] -= p->size[v];
    if (last_stage(s, v) >= 0 && p->workspace[v] > work)
      work = p->workspace[v];
  }
  int64_t held = p->fixed;
  for (int i = 0; i < p->n; i++) {
    held += change[i];
    int64_t most = held + (p->workspace[i] > work ? p->workspace[i] : work);
    unsafe[i] = most > budget;
  }
  unsafe[p->n] = p->n;
  for (int i = p->n - 1; i >= 0; i--)
    unsafe[i] = unsafe[i] ? i : unsafe[i + 1];
}

static struct stage_ranges *initial(struct memory *m, const struct problem *p,
                                    const struct bound_window *window,
                                    int windows) {
  struct stage_ranges *s = MEMORY_NEW(m, struct stage_ranges);
  s->start = MEMORY_ARRAY(m, int, p->n + 1);
  s->range = MEMORY_ARRAY(m, struct stage_range, window ? windows : p->n);
  int count = 0, w = 0;
  for (int u = 0; u < p->n; u++) {
    s->start[u] = count;
    bool never = p->limit[u] < 2 || p->succ_start[u] == p->succ_start[u + 1];
    for (; window && w < windows && window[w].node == u; w++)
      if (!never)
        s->range[count++] = (struct stage_range){
            window[w].first, window[w].last, window[w].must};
    if (!window && !never)
      s->range[count++] = (struct stage_range){u + 1, p->n - 1, false};
  }
  s->start[p->n] = count;
  return s;
}

/* Drops empty ranges and counts. */
static void finish(const struct problem *p, struct stage_ranges *s) {
  int count = 0, from = 0;
  for (int u = 0; u < p->n; u++) {
    int to = s->start[u + 1];
    s->start[u] = count;
    for (; from < to; from++) {
      struct stage_range r = s->range[from];
      if (r.first > r.last) {
        s->contradiction |= r.must;
        continue;
      }
      s->range[count++] = r;
      s->stages += r.last - r.first + 1;
    }
    s->nodes += count > s->start[u];
  }
  s->start[p->n] = count;
}

struct stage_ranges *presolve(struct memory *m, const struct problem *p,
                              int64_t budget, const struct bound_window *window,
                              int windows, struct presolve_rules rules) {
  struct stage_ranges *s =
      initial(m, p, rules.windows ? window : NULL, windows);
  int64_t *change = MEMORY_ARRAY(m, int64_t, p->n + 1);
  int *unsafe = MEMORY_ARRAY(m, int, p->n + 1);
  for (bool again = true; again;) {
    again = false;
    if (rules.safe)
      find_unsafe(p, s, budget, change, unsafe);
    for (int u = p->n - 1; u >= 0; u--) {
      int first = rules.safe ? unsafe[u + 1] : u + 1;
      int last = rules.last_use ? last_use(p, s, u) : p->n - 1;
      again |= clip(s, u, first, last);
    }
    again = again && rules.safe;
  }
  memory_put(m, change);
  memory_put(m, unsafe);
  finish(p, s);
  return s;
}

void stage_ranges_free(struct memory *m, struct stage_ranges *s) {
  if (!s)
    return;
  memory_put(m, s->start);
  memory_put(m, s->range);
  memory_put(m, s);
}
