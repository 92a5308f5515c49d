/* Windows and entries of the closures in use, and the split at them. */
#include "model/bound_branch.h"
#include "solver/base/checked.h"

#include <math.h>
#include <string.h>

static void list_blocks(struct bound_state *s) {
  struct memory *m = s->memory;
  memory_put(m, s->block);
  memory_put(m, s->block_of);
  memory_put(m, s->seen);
  s->block = MEMORY_ARRAY(m, int, s->used_count + 1);
  s->block_of = MEMORY_ARRAY(m, int, s->entry_count);
  s->seen = MEMORY_ARRAY(m, int, s->used_count);
  s->stamp = s->block_count = 0;
  for (int i = 0; i < s->used_count; i++)
    if (!i || s->used_node[i] != s->used_node[i - 1])
      s->block[s->block_count++] = i;
  s->block[s->block_count] = s->used_count;
}

void bound_index(struct bound_state *s) {
  struct memory *m = s->memory;
  const struct problem *p = s->maker.problem;
  int windows = p->succ_start[p->n] + p->n;
  int *place = MEMORY_ARRAY(m, int, windows + 1);
  s->entry_count = 0;
  s->first = memory_resize(m, s->first, (size_t)s->closure_count + 1,
                           sizeof *s->first);
  for (int k = 0; k < s->closure_count; k++) {
    const struct closure *c = s->closure[k];
    s->first[k] = s->entry_count;
    s->entry_count += c->count;
    for (int i = 0; i < c->count; i++)
      if (c->window[i] >= 0)
        place[c->window[i]]++;
  }
  s->first[s->closure_count] = s->entry_count;
  size_t entries = (size_t)s->entry_count;
  memory_put(m, s->home);
  s->home = MEMORY_ARRAY(m, int, entries);
  for (int k = 0; k < s->closure_count; k++)
    for (int e = s->first[k]; e < s->first[k + 1]; e++)
      s->home[e] = k;
  memory_put(m, s->used);
  memory_put(m, s->used_node);
  memory_put(m, s->row);
  s->used = MEMORY_ARRAY(m, int, windows);
  s->used_node = MEMORY_ARRAY(m, int, windows);
  s->row = MEMORY_ARRAY(m, int, windows + 1);
  s->row_entry = memory_resize(m, s->row_entry, entries, sizeof(int));
  s->used_count = 0;
  int sum = 0;
  for (int v = 0; v < p->n; v++)
    for (int w = p->succ_start[v] + v; w <= p->succ_start[v + 1] + v; w++)
      if (place[w]) {
        s->used[s->used_count] = w;
        s->used_node[s->used_count] = v;
        s->row[s->used_count++] = sum;
        sum += place[w];
        place[w] = sum - place[w];
      }
  s->row[s->used_count] = sum;
  list_blocks(s);
  for (int k = 0; k < s->closure_count; k++)
    for (int i = 0; i < s->closure[k]->count; i++)
      if (s->closure[k]->window[i] >= 0)
        s->row_entry[place[s->closure[k]->window[i]]++] = s->first[k] + i;
  memory_put(m, place);
  for (int i = 0; i < s->block_count; i++)
    for (int k = s->row[s->block[i]]; k < s->row[s->block[i + 1]]; k++)
      s->block_of[s->row_entry[k]] = i;

  double **array[] = {&s->cost, &s->mean, &s->best_cost};
  for (unsigned i = 0; i < sizeof array / sizeof *array; i++) {
    memory_put(m, *array[i]);
    *array[i] = MEMORY_ARRAY(m, double, entries);
  }
  for (int k = 0; k < s->closure_count; k++)
    for (int i = 0; i < s->closure[k]->count; i++)
      s->cost[s->first[k] + i] = (double)s->closure[k]->cost[i];
  memcpy(s->best_cost, s->cost, entries * sizeof *s->cost);
  memory_put(m, s->best_multiplier);
  s->best_multiplier = MEMORY_ARRAY(m, double, s->closure_count);
  for (int k = 0; k < s->closure_count; k++)
    s->best_multiplier[k] = s->closure[k]->multiplier;
}

void bound_round(struct bound_state *s) {
  for (int i = 0; i < s->used_count; i++) {
    double allowed =
        (double)s->weight[s->used_node[i]] + floor(s->price[s->used_node[i]]);
    int64_t left = (int64_t)allowed;
    for (int k = s->row[i]; k < s->row[i + 1]; k++) {
      int e = s->row_entry[k], home = s->home[e];
      int64_t cost = s->cost[e] > 0 ? (int64_t)s->cost[e] : 0;
      if (cost > left)
        cost = left;
      left -= cost;
      s->closure[home]->cost[e - s->first[home]] = cost;
    }
  }
}

void bound_restore(struct bound_state *s) {
  if (s->tree)
    branch_suspend(s->tree);
  memcpy(s->cost, s->best_cost, (size_t)s->entry_count * sizeof *s->cost);
  memcpy(s->price, s->best_price,
         (size_t)s->maker.problem->n * sizeof *s->price);
  bound_round(s);
  for (int k = 0; k < s->closure_count; k++) {
    s->closure[k]->multiplier = s->best_multiplier[k];
    closure_value(s->closure[k]);
  }
}

int64_t bound_sum(const struct bound_state *s) {
  int64_t sum = 0;
  for (int v = 0; v < s->maker.problem->n; v++)
    if (s->price[v] > 0)
      sum -= (int64_t)floor(s->price[v]) * (int64_t)s->spare[v];
  for (int k = 0; k < s->closure_count; k++)
    checked_add(&sum, s->closure[k]->value);
  return sum;
}
