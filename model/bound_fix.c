#include "model/bound_reduce.h"

/* Arcs that may be spent on finding windows that must be used: knowing them is
 * a help, not a need, and on large graphs it would take seconds. */
enum { MUST_WORK = 4000000 };

/* Closed means: at least `limit` scaled units beyond the base duration. */
struct fixer {
  struct bound *bound;
  struct bound_fixing *result;
  struct memory *memory;
  int64_t limit, value; /* scaled units; value: of the best duals */
  int capacity;
  long work; /* spent on windows that must be used */
};

/* What the bound grows by when cut's entry i may not be recomputed. */
static int64_t bar(struct fixer *f, struct closure *c, int i) {
  int64_t value = c->value;
  long before = c->flow->work;
  double multiplier = c->multiplier;
  int window = c->window[i];
  c->window[i] = -1;
  closure_solve(c, 8);
  int64_t growth = c->value - value;
  c->window[i] = window;
  c->multiplier = multiplier;
  closure_value(c);
  f->work += c->flow->work - before;
  return growth > 0 ? growth : 0;
}

static bool must_be_used(struct fixer *f, int slot) {
  struct bound_state *s = f->bound->state;
  int64_t cost = f->value;
  for (int k = s->row[slot]; k < s->row[slot + 1]; k++) {
    int e = s->row_entry[k], home = s->home[e], i = e - s->first[home];
    struct closure *c = s->closure[home];
    if (f->work > MUST_WORK)
      return false;
    if (closure_recomputes(c, i))
      cost += bar(f, c, i);
    if (cost >= f->limit)
      return true;
  }
  return false;
}

static void list_node(struct fixer *f, int u, int *slot) {
  struct bound_state *s = f->bound->state;
  const struct problem *p = f->bound->problem;
  int before = f->result->window_count;
  bool must = false;
  for (int w = p->succ_start[u] + u; w <= p->succ_start[u + 1] + u; w++) {
    int here = -1;
    if (*slot < s->used_count && s->used[*slot] == w)
      here = (*slot)++;
    int first = s->maker.open_first[w], last = s->maker.open_last[w];
    if (first > last)
      continue;
    last = last < p->n ? last : p->n - 1;
    struct bound_fixing *r = f->result;
    MEMORY_GROW(f->memory, r->window, r->window_count, f->capacity);
    bool used = here >= 0 && must_be_used(f, here);
    r->window[r->window_count++] = (struct bound_window){u, first, last, used};
    must |= used;
  }
  f->result->never_count += f->result->window_count == before;
  f->result->must_count += must;
}

struct bound_fixing *bound_fix(struct bound *b, int64_t upper,
                               struct memory *m) {
  struct fixer f = {.bound = b, .memory = m};
  f.result = MEMORY_NEW(m, struct bound_fixing);
  f.result->upper = upper;
  if (!b->infeasible)
    bound_close(b, upper);
  if (b->value >= upper) {
    f.result->never_count = b->problem->n;
    return f.result;
  }
  bound_restore(b->state);
  f.limit = bound_limit(b, upper);
  f.value = bound_sum(b->state);
  int slot = 0;
  for (int u = 0; u < b->problem->n; u++)
    list_node(&f, u, &slot);
  return f.result;
}

void bound_fixing_free(struct memory *m, struct bound_fixing *f) {
  if (!f)
    return;
  memory_put(m, f->window);
  memory_put(m, f);
}
