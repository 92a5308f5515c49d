#include "model/bound_separate.h"

#include <string.h>

enum { MOST_NEW = 12 };

static bool in_use(const struct bound_state *s, int cut) {
  int low = 0, high = s->closure_count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (s->closure[middle]->cut < cut)
      low = middle + 1;
    else
      high = middle;
  }
  return low < s->closure_count && s->closure[low]->cut == cut;
}

/* How much of each window the primal point recomputes. */
static double *recomputed(const struct bound_state *s) {
  const struct problem *p = s->maker.problem;
  double *part = MEMORY_ARRAY(s->memory, double, p->succ_start[p->n] + p->n);
  for (int i = 0; i < s->used_count; i++)
    for (int k = s->row[i]; k < s->row[i + 1]; k++)
      if (s->mean[s->row_entry[k]] > part[s->used[i]])
        part[s->used[i]] = s->mean[s->row_entry[k]];
  return part;
}

/* The cut priced at what the primal point lacks; NULL if that is little. */
static struct closure *try_cut(struct bound *b, int cut, const double *part,
                               double least) {
  struct bound_state *s = b->state;
  if (closure_satisfied(&s->maker, cut, part))
    return NULL;
  struct closure *c = closure_new(&s->maker, cut);
  for (int i = 0; i < c->count; i++)
    if (c->window[i] >= 0) {
      double rest = 1 - part[c->window[i]];
      c->cost[i] =
          rest > 0 ? (int64_t)((double)s->weight[c->node[i]] * rest) : 0;
    }
  closure_solve(c, 12);
  b->work += c->flow->work + c->count;
  if ((double)c->value > least)
    return c;
  closure_free(s->memory, c);
  return NULL;
}

static void take_cut(struct bound_state *s, struct closure *c, double *part) {
  for (int i = 0; i < c->count; i++)
    if (c->window[i] >= 0 && c->share[i] > part[c->window[i]])
      part[c->window[i]] = c->share[i];
  memset(c->cost, 0, (size_t)c->count * sizeof *c->cost);
  bound_add_closure(s, c);
}

/* Looks at waiting cuts from the cursor on until all have been seen or the
 * work is spent. */
static int collect(struct bound *b, const double *part, double least, long work,
                   struct cut_place *list) {
  struct bound_state *s = b->state;
  long start = b->work + s->maker.work;
  int count = 0;
  while (s->unseen > 0 && b->work + s->maker.work - start < work) {
    int cut = s->waiting[s->cursor].cut;
    struct closure *c = in_use(s, cut) ? NULL : try_cut(b, cut, part, least);
    if (c) {
      list[count++] = (struct cut_place){cut, c->value};
      closure_free(s->memory, c);
    }
    s->unseen--;
    s->cursor = s->cursor + 1 < s->waiting_count ? s->cursor + 1 : 0;
  }
  cut_sort(list, count);
  return count;
}

int bound_separate_at(struct bound *b, double *part, double least, long work) {
  struct bound_state *s = b->state;
  struct cut_place *list =
      MEMORY_ARRAY(s->memory, struct cut_place, s->waiting_count);
  int count = collect(b, part, least, work, list), taken = 0;
  for (int i = 0; i < count && taken < MOST_NEW; i++) {
    struct closure *c = try_cut(b, list[i].cut, part, least);
    if (c) {
      take_cut(s, c, part);
      taken++;
    }
  }
  if (taken)
    bound_index(s);
  memory_put(s->memory, list);
  return taken;
}

int bound_separate(struct bound *b, double least, long work) {
  double *part = recomputed(b->state);
  bound_restore(b->state);
  int taken = bound_separate_at(b, part, least, work);
  memory_put(b->state->memory, part);
  return taken;
}
