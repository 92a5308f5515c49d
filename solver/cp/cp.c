/* The solver's life, its variables, the small questions of the interface. */
#include "solver/cp/internal.h"
#include <string.h>

struct cp *cp_new(struct memory *memory, const struct cp_options *options) {
  struct cp *cp = MEMORY_NEW(memory, struct cp);
  cp->memory = memory;
  cp->options = options ? *options : cp_options_default();
  random_seed(&cp->random, (uint64_t)cp->options.seed);
  cp->level_capacity = 64;
  cp->levels = MEMORY_ARRAY(memory, struct level, cp->level_capacity);
  cp->level_seen = MEMORY_ARRAY(memory, int64_t, cp->level_capacity);
  cp->lists_free = -1;
  for (int k = 0; k < WATCH_ORDERS; k++)
    cp->pool_free[k] = -1;
  cp->increment[0] = cp->increment[1] = 1;
  cp->luby = 1;
  cp->next_reduce = cp->options.reduce_interval;
  cp->objective_variable = -1;
  return cp;
}

void cp_free(struct cp *cp) {
  struct memory *m = cp->memory;
  for (int32_t v = 0; v < cp->variables; v++)
    memory_put(m, cp->name[v]);
  for (int32_t s = 0; s < 2 * cp->variables; s++) {
    memory_put(m, cp->wakeups[s].list);
    memory_put(m, cp->watches[s].slot);
  }
  for (int k = 0; k < CP_PRIORITIES; k++)
    memory_put(m, cp->queues[k].ring);
  while (cp->blocks) {
    struct block *next = cp->blocks->next;
    memory_put(m, cp->blocks);
    cp->blocks = next;
  }
  void *arrays[] = {cp->name,           cp->tier,
                    cp->phase,          cp->solution,
                    cp->known,          cp->scratch,
                    cp->wakeups,        cp->watches,
                    cp->need,           cp->head.bound,
                    cp->head.last,      cp->head.root,
                    cp->head.trail,     cp->memo,
                    cp->levels,         cp->saves,
                    cp->eager,          cp->arena,
                    cp->learned,        cp->given,
                    cp->pool,           cp->lists,
                    cp->propagators,    cp->scope,
                    cp->scope_start,    cp->because,
                    cp->sides,          cp->clause,
                    cp->clause_entry,   cp->frames,
                    cp->frame_literals, cp->memoed,
                    cp->level_seen,     cp->activity[0],
                    cp->activity[1],    cp->heap,
                    cp->heap_place,     cp->rest,
                    cp->core,           cp->objective_terms,
                    cp->check_bound};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    memory_put(m, arrays[i]);
  memory_put(m, cp);
}

/* A block's header keeps what follows aligned as malloc does. */
void *cp_get(struct cp *cp, size_t size) {
  struct block *b = memory_get(cp->memory, 1, sizeof *b + size);
  b->next = cp->blocks;
  cp->blocks = b;
  return b + 1;
}

/* Arrays by variable and by side grow together, by doubling. */
static void grow_variables(struct cp *cp) {
  int32_t old = cp->variable_capacity;
  int32_t n = cp->variable_capacity = old ? 2 * old : 16;
#define GROW(array, count)                                                     \
  ((array) =                                                                   \
       memory_resize(cp->memory, (array), (size_t)(count), sizeof *(array)))
  GROW(cp->name, n);
  GROW(cp->tier, n);
  GROW(cp->phase, n);
  GROW(cp->solution, n);
  GROW(cp->known, n);
  GROW(cp->scratch, n);
  GROW(cp->heap, n);
  GROW(cp->heap_place, n);
  GROW(cp->rest, n);
  GROW(cp->activity[0], n);
  GROW(cp->activity[1], n);
  GROW(cp->head.bound, 2 * n);
  GROW(cp->head.last, 2 * n);
  GROW(cp->head.root, 2 * n);
  GROW(cp->need, 2 * n);
  GROW(cp->wakeups, 2 * n);
  GROW(cp->watches, 2 * n);
#undef GROW
  for (int32_t s = 2 * old; s < 2 * n; s++) {
    cp->wakeups[s] = (struct wakeups){NULL, 0, 0};
    cp->watches[s] = (struct side_watches){NULL, 0, 0, 0};
    cp->need[s] = (struct need){0, NEED_NO};
    cp->head.last[s] = -1;
  }
}

int cp_variable(struct cp *cp, int32_t low, int32_t high, const char *name) {
  assert(cp->head.level == 0);
  assert(-CP_LIMIT_BOUND <= low && low <= high && high <= CP_LIMIT_BOUND);
  if (cp->variables == cp->variable_capacity)
    grow_variables(cp);
  int32_t v = cp->variables++;
  char text[24];
  snprintf(text, sizeof text, "x%d", (int)v);
  if (!name)
    name = text;
  cp->name[v] = memory_text(cp->memory, name, strlen(name));
  cp->tier[v] = 0;
  cp->phase[v] = low;
  cp->solution[v] = low;
  cp->head.root[2 * v] = cp->head.bound[2 * v] = low;
  cp->head.root[2 * v + 1] = cp->head.bound[2 * v + 1] = -high;
  cp->head.last[2 * v] = cp->head.last[2 * v + 1] = -1;
  decide_new_variable(cp, v);
  cp->has_known = false;
  return v;
}

int cp_variables(const struct cp *cp) {
  return cp->variables;
}

const char *cp_name(const struct cp *cp, int variable) {
  return cp->name[variable];
}

int32_t cp_min(const struct cp *cp, int variable) {
  return cp_low(cp, variable);
}

int32_t cp_max(const struct cp *cp, int variable) {
  return cp_high(cp, variable);
}

int cp_truth(const struct cp *cp, struct cp_literal l) {
  return cp_true(cp, l) ? 1 : cp_false(cp, l) ? -1 : 0;
}

void cp_set_tier(struct cp *cp, int variable, int tier) {
  cp->tier[variable] = tier;
  cp->rest_stale = true;
}

void cp_prefer(struct cp *cp, int variable, int32_t value) {
  cp->phase[variable] = value;
}

int32_t cp_value(const struct cp *cp, int variable) {
  assert(cp->has_solution);
  return cp->solution[variable];
}

void cp_set_decide(struct cp *cp, cp_decide *decide_own, void *data) {
  cp->decide = decide_own;
  cp->decide_data = data;
}

void cp_set_trace(struct cp *cp, FILE *out) {
  cp->trace = out;
}

struct cp_options *cp_options(struct cp *cp) {
  return &cp->options;
}

const struct cp_statistics *cp_statistics(const struct cp *cp) {
  return &cp->statistics;
}

const char *cp_fault(const struct cp *cp) {
  return cp->fault;
}

/* ---- views ------------------------------------------------------------------
 */

struct cp_literal cp_view_at_least(const struct cp *cp, const struct cp_view *v,
                                   int64_t t) {
  int side = 2 * v->variable;
  int32_t low = cp->head.root[side], high = -cp->head.root[side + 1] + 1;
  t -= v->offset;
  if (!v->table) {
    int64_t b = t < low ? low : t > high ? high : t;
    return (struct cp_literal){side, (int32_t)b};
  }
  while (low < high) { /* least index whose value is at least t */
    int32_t middle = low + (high - low) / 2;
    if (v->table[middle] < t)
      low = middle + 1;
    else
      high = middle;
  }
  return (struct cp_literal){side, low};
}

struct cp_literal cp_view_at_most(const struct cp *cp, const struct cp_view *v,
                                  int64_t t) {
  return cp_not(cp_view_at_least(cp, v, t + 1));
}
