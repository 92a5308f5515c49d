#include "model/formulation_internal.h"

#include "solver/cp/chain.h"
#include "solver/cp/cover.h"
#include "solver/cp/cumulative.h"

struct formulation_options formulation_options_default(void) {
  return (struct formulation_options){.cp = cp_options_default(),
                                      .rules = presolve_rules_default(),
                                      .upper = INT64_MAX,
                                      .low = 0,
                                      .high = -1,
                                      .most_events = 20000000};
}

/* ---- variables -------------------------------------------------------------
 */

/* How many recomputes of v can make sense: each is in a stage of its own and
 * is read before the next, by a compute of a consumer. */
static int count_recomputes(const struct formulation *f, int v,
                            const int *recomputes) {
  const struct problem *p = f->problem;
  int64_t reads = 0;
  for (int e = p->succ_start[v]; e < p->succ_start[v + 1]; e++)
    reads += 1 + recomputes[p->succ[e]];
  int most = p->limit[v] - 1, stages = formulation_stages(f, v);
  most = stages < most ? stages : most;
  return reads < most ? (int)reads : most;
}

static int new_variable(struct formulation *f, int high, const char *what,
                        int v, int number) {
  char name[60];
  snprintf(name, sizeof name, "%s%d.%d", what, v, number);
  return cp_variable(f->cp, 0, high, name);
}

/* Row index of the time in v's reads (it is one of them). */
static int read_index(const struct formulation *f, int v, int32_t time) {
  const int32_t *row = f->read_time + f->read_row[v];
  int low = 0, high = (int)(f->read_row[v + 1] - f->read_row[v]);
  while (low < high) {
    int middle = (low + high) / 2;
    if (row[middle] < time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void new_intervals(struct formulation *f, int v) {
  const struct problem *p = f->problem;
  struct cp_interval *it = &f->interval[f->interval_row[v]];
  int count = f->interval_row[v + 1] - f->interval_row[v];
  int stages = formulation_stages(f, v);
  int reads = (int)(f->read_row[v + 1] - f->read_row[v]);
  for (int i = 0; i < count; i++) {
    if (i == 0) {
      it[i].start = (struct cp_view){f->zero, f->first_time[v], NULL};
      it[i].absent = INT32_MAX;
    } else {
      int start = new_variable(f, stages, "s", v, i);
      it[i].start = (struct cp_view){start, 0, f->time + f->event_row[v]};
      it[i].absent = stages;
      cp_prefer(f->cp, start, stages);
    }
    int end = new_variable(f, reads - 1, "e", v, i);
    it[i].end = (struct cp_view){end, 0, f->read_time + f->read_row[v]};
    cp_set_tier(f->cp, end, 1);
    cp_prefer(f->cp, end, 0);
  }
  if (count == 1 && p->succ_start[v] < p->succ_start[v + 1]) {
    int last = p->succ[p->succ_start[v + 1] - 1];
    cp_require(f->cp, cp_at_least(it->end.variable,
                                  read_index(f, v, f->first_time[last] + 1)));
  }
}

/* Ranges that hold a recompute for sure: the i-th such is reached by the i-th
 * recompute at the latest; a single interval lies in it. */
static void require_musts(struct formulation *f, int v) {
  const struct stage_ranges *s = f->ranges;
  int recomputes = f->interval_row[v + 1] - f->interval_row[v] - 1, musts = 0;
  const struct cp_interval *it = &f->interval[f->interval_row[v]];
  int total = 0;
  for (int r = s->start[v]; r < s->start[v + 1]; r++)
    total += s->range[r].must;
  int index = 0;
  for (int r = s->start[v]; r < s->start[v + 1]; r++) {
    int length = s->range[r].last - s->range[r].first + 1;
    index += length;
    if (!s->range[r].must)
      continue;
    if (++musts > recomputes) {
      f->failed = true;
      return;
    }
    int start = it[musts].start.variable;
    cp_require(f->cp, cp_at_most(start, index - 1));
    if (total == recomputes)
      cp_require(f->cp, cp_at_least(start, index - length));
  }
}

/* Supports of all covers. */
static int64_t count_supports(const struct formulation *f,
                              const int *recomputes) {
  const struct problem *p = f->problem;
  int64_t sum = 0;
  for (int c = 0; c < p->n; c++)
    for (int e = p->pred_start[c]; e < p->pred_start[c + 1]; e++)
      sum += (int64_t)(recomputes[c] + 1) * (recomputes[p->pred[e]] + 1);
  return sum;
}

/* False if the model would be too large (many computes a node). */
static bool build_variables(struct formulation *f) {
  const struct problem *p = f->problem;
  int *recomputes = MEMORY_ARRAY(f->memory, int, p->n);
  for (int v = p->n - 1; v >= 0; v--)
    recomputes[v] = count_recomputes(f, v, recomputes);
  if (count_supports(f, recomputes) > f->options.most_events) {
    memory_put(f->memory, recomputes);
    return false;
  }
  f->interval_row = MEMORY_ARRAY(f->memory, int, p->n + 1);
  for (int v = 0; v < p->n; v++) {
    bool block = f->read_row[v] == f->read_row[v + 1];
    f->interval_row[v + 1] =
        f->interval_row[v] + (block ? 0 : recomputes[v] + 1);
    f->size.nodes += !block;
    f->size.recomputes += recomputes[v];
  }
  f->size.intervals = f->interval_row[p->n];
  f->size.blocks = p->n - f->size.nodes;
  f->interval = MEMORY_ARRAY(f->memory, struct cp_interval, f->size.intervals);
  f->zero = cp_variable(f->cp, 0, 0, "zero");
  for (int v = 0; v < p->n; v++)
    if (!formulation_is_block(f, v)) {
      new_intervals(f, v);
      require_musts(f, v);
    }
  memory_put(f->memory, recomputes);
  return true;
}

/* ---- constraints ------------------------------------------------------------
 */

static void post_covers(struct formulation *f) {
  const struct problem *p = f->problem;
  bool clauses = cp_options(f->cp)->cover == 2;
  for (int c = 0; c < p->n; c++) {
    struct cp_interval first = {.absent = INT32_MAX};
    first.start = (struct cp_view){f->zero, f->first_time[c], NULL};
    int row = f->interval_row[c], count = f->interval_row[c + 1] - row;
    for (int e = p->pred_start[c]; e < p->pred_start[c + 1]; e++) {
      int u = p->pred[e];
      if (formulation_is_block(f, u))
        continue;
      const struct cp_interval *support = &f->interval[f->interval_row[u]];
      int supports = f->interval_row[u + 1] - f->interval_row[u];
      for (int i = 0; i < (count ? count : 1); i++) {
        if (i == 0 && supports == 1)
          continue; /* part of the end's domain */
        const struct cp_interval *user = i ? &f->interval[row + i] : &first;
        if (clauses)
          formulation_clauses(f->cp, user, support, supports);
        else
          cp_post_cover(f->cp, user, support, supports);
        f->size.covers++;
      }
    }
  }
}

static void post_chains(struct formulation *f) {
  for (int v = 0; v < f->problem->n; v++) {
    int row = f->interval_row[v], count = f->interval_row[v + 1] - row;
    if (count > 1)
      cp_post_chain(f->cp, &f->interval[row], count);
  }
}

static void post_memory(struct formulation *f, struct cp_capacity capacity) {
  const struct problem *p = f->problem;
  int blocks = 0, tasks = 0;
  struct cp_block *block =
      MEMORY_ARRAY(f->memory, struct cp_block, 2 * p->n + 1);
  struct cp_task *task =
      MEMORY_ARRAY(f->memory, struct cp_task, 2 * f->size.intervals + 1);
  for (int v = 0; v < p->n; v++) {
    int32_t t = f->first_time[v];
    block[blocks++] = (struct cp_block){t, t + 1, p->workspace[v]};
    if (formulation_is_block(f, v)) {
      int32_t end = t + 1;
      if (p->succ_start[v] < p->succ_start[v + 1])
        end = f->first_time[p->succ[p->succ_start[v + 1] - 1]] + 1;
      block[blocks++] = (struct cp_block){t, end, p->size[v]};
    }
    for (int i = f->interval_row[v]; i < f->interval_row[v + 1]; i++) {
      struct cp_interval it = f->interval[i];
      task[tasks++] = (struct cp_task){it, p->size[v]};
      it.end = it.start; /* the compute's own step */
      it.end.offset++;
      if (i > f->interval_row[v])
        task[tasks++] = (struct cp_task){it, p->workspace[v]};
    }
  }
  cp_post_cumulative(f->cp, task, tasks, block, blocks, capacity);
  memory_put(f->memory, block);
  memory_put(f->memory, task);
}

/* Every peak is fixed memory plus a sum of sizes and workspaces, so it is
 * congruent to `fixed` modulo their gcd; where the range of peaks is still too
 * large for the engine's bounds, a step is a multiple of it. */
static struct cp_capacity new_capacity(struct formulation *f) {
  const struct problem *p = f->problem;
  if (!f->peak)
    return (struct cp_capacity){
        -1, p->budget == INT64_MAX ? INT64_MAX : p->budget - p->fixed, 1};
  int64_t unit = 0;
  for (int v = 0; v < p->n; v++)
    unit = formulation_gcd(formulation_gcd(unit, p->size[v]), p->workspace[v]);
  unit = unit ? unit : 1;
  int64_t low = f->options.low - p->fixed, high = f->options.high - p->fixed;
  low = (low + unit - 1) / unit * unit;
  int64_t coarse = (high - low) / unit / (CP_LIMIT_BOUND / 2) + 1;
  f->grain = unit;
  f->unit = unit * coarse;
  int64_t steps = high < low ? 0 : (high - low) / f->unit;
  f->options.low = low + p->fixed;
  f->top = (int32_t)steps;
  f->capacity = cp_variable(f->cp, 0, f->top, "capacity");
  cp_set_tier(f->cp, f->capacity, 2);
  return (struct cp_capacity){f->capacity, low, f->unit};
}

struct formulation *formulation_new(struct memory *m, const struct problem *p,
                                    const struct formulation_options *options) {
  struct formulation *f = MEMORY_NEW(m, struct formulation);
  f->memory = m;
  f->problem = p;
  f->options = *options;
  f->peak = options->low <= options->high;
  f->capacity = -1;
  int64_t budget = f->peak ? options->low : p->budget;
  f->ranges =
      presolve(m, p, budget, options->window, options->windows, options->rules);
  bool fits = formulation_events(f);
  if (fits) {
    f->cp = cp_new(m, &options->cp);
    fits = build_variables(f);
  }
  if (!fits) {
    formulation_free(f);
    return NULL;
  }
  f->failed |=
      f->ranges->contradiction || (!f->peak && p->working_set > p->budget);
  struct cp_capacity capacity = new_capacity(f);
  post_chains(f);
  post_covers(f);
  post_memory(f, capacity);
  formulation_post_duration(f);
  f->size.events = f->events;
  f->peak_bound = f->options.low;
  int way = f->peak ? f->options.cp.capacity : f->options.cp.objective;
  f->probe =
      cp_probe_new(f->peak ? f->capacity : f->objective, (enum cp_way)way);
  return f;
}

void formulation_free(struct formulation *f) {
  if (!f)
    return;
  struct memory *m = f->memory;
  if (f->cp)
    cp_free(f->cp);
  stage_ranges_free(m, f->ranges);
  schedule_free(m, f->schedule);
  void *const block[] = {f->event_row,    f->stage,    f->time,
                         f->first_time,   f->read_row, f->read_time,
                         f->interval_row, f->interval, f->part_sum};
  for (size_t k = 0; k < sizeof block / sizeof *block; k++)
    memory_put(m, block[k]);
  memory_put(m, f);
}
