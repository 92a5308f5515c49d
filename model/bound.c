#include "model/bound_branch.h"
#include "model/bound_bundle.h"
#include "model/bound_reduce.h"
#include "model/bound_separate.h"
#include "solver/base/checked.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Effort spent on one round through the cuts at a time. */
enum { LOOK_WORK = 4000000 };

/* The linear program counts as solved when so many steps in a row have gained
 * less than this part.  Where one cut decides nearly all, its value is there
 * at once, but the model of the other cuts goes on promising a little. */
enum { STALL = 12 };
static const double stall_gain = 1e-4;

static int64_t divisor(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Scales durations so that all of them sum to at most 2^49, which leaves a
 * factor of 16 for prices below 2^53. */
static void choose_scale(struct bound_state *s) {
  const struct problem *p = s->maker.problem;
  const int64_t room = INT64_C(1) << 49;
  int64_t sum = 0;
  for (int v = 0; v < p->n; v++) {
    sum += p->duration[v];
    if (closure_repeatable(&s->maker, v))
      s->unit = divisor(s->unit, p->duration[v]);
  }
  if (!s->unit)
    s->unit = 1;
  s->scale = (struct bound_scale){1, 0};
  while (sum >> s->scale.shift > room)
    s->scale.shift++;
  if (sum && !s->scale.shift)
    s->scale.factor = room / sum;
  s->weight = MEMORY_ARRAY(s->memory, int64_t, p->n);
  for (int v = 0; v < p->n; v++)
    s->weight[v] = (p->duration[v] >> s->scale.shift) * s->scale.factor;
}

/* Scaled units to a total duration, upwards; extra durations come in
 * multiples of the unit. */
static int64_t to_duration(const struct bound_state *s, int64_t scaled) {
  const struct problem *p = s->maker.problem;
  if (scaled <= 0)
    return p->base_duration;
  int64_t factor = s->scale.factor;
  int64_t extra = scaled / factor + (scaled % factor != 0), total;
  if (extra > INT64_MAX >> s->scale.shift)
    return INT64_MAX;
  extra <<= s->scale.shift;
  int64_t beyond = extra % s->unit;
  total = p->base_duration;
  if ((beyond && !checked_add(&extra, s->unit - beyond)) ||
      !checked_add(&total, extra))
    return INT64_MAX;
  return total;
}

void bound_take(struct bound *b) {
  struct bound_state *s = b->state;
  int64_t sum = bound_sum(s);
  if (sum <= s->best)
    return;
  s->best = sum;
  memcpy(s->best_cost, s->cost, (size_t)s->entry_count * sizeof *s->cost);
  memcpy(s->best_price, s->price, (size_t)b->problem->n * sizeof *s->price);
  for (int k = 0; k < s->closure_count; k++)
    s->best_multiplier[k] = s->closure[k]->multiplier;
  bound_raise(b, sum);
}

void bound_raise(struct bound *b, int64_t scaled) {
  int64_t value = to_duration(b->state, scaled);
  if (value > b->state->upper)
    value = b->state->upper;
  if (value > b->value)
    b->value = value;
}

static void begin_split(struct bound_state *s) {
  const struct problem *p = s->maker.problem;
  int windows = p->succ_start[p->n] + p->n;
  s->left = MEMORY_ARRAY(s->memory, int64_t, windows);
  s->part = MEMORY_ARRAY(s->memory, double, windows);
  for (int v = 0; v < p->n; v++)
    for (int w = p->succ_start[v] + v; w <= p->succ_start[v + 1] + v; w++)
      s->left[w] = s->weight[v];
}

static void split_cut(struct bound *b, struct cut_place *waiting) {
  struct bound_state *s = b->state;
  struct closure *c = closure_new(&s->maker, waiting->cut);
  if (b->scope == BOUND_FREE_ORDER && closure_is_met(c)) {
    waiting->amount = 0; /* see drop_met */
    b->work += c->flow->work + c->count;
    closure_free(s->memory, c);
    return;
  }
  if (!closure_feasible(c)) {
    b->infeasible = true;
    b->blame = waiting->cut;
  }
  for (int i = 0; i < c->count; i++)
    if (c->window[i] >= 0)
      c->cost[i] = s->left[c->window[i]];
  closure_solve(c, 30);
  b->work += c->flow->work + c->count;
  if (c->value <= 0) {
    closure_free(s->memory, c);
    return;
  }
  for (int i = 0; i < c->count; i++)
    if (c->window[i] >= 0) {
      closure_lower(c, i);
      s->left[c->window[i]] -= c->cost[i];
      s->part[c->window[i]] = s->left[c->window[i]] <= 0;
    }
  bound_add_closure(s, c);
}

/* Cuts that some order meets without any recompute have nothing to say. */
static void drop_met(struct bound_state *s) {
  int kept = 0;
  for (int i = 0; i < s->waiting_count; i++)
    if (s->waiting[i].amount > 0)
      s->waiting[kept++] = s->waiting[i];
  s->waiting_count = kept;
}

/* Every cut in turn takes what it can use of what the others left; those that
 * can use something are kept.  This alone often is the optimum: one cut, the
 * peak's, decides nearly everything at moderate budgets.  Returns true when
 * all cuts have had their turn; does about LOOK_WORK at a time. */
static bool first_split(struct bound *b) {
  struct bound_state *s = b->state;
  long start = b->work + s->maker.work;
  int before = s->closure_count;
  for (; s->cursor < s->waiting_count && !b->infeasible; s->cursor++) {
    if (b->work + s->maker.work - start > LOOK_WORK || s->maker.stop.yes)
      break;
    struct cut_place *waiting = &s->waiting[s->cursor];
    if (!closure_satisfied(&s->maker, waiting->cut, s->part))
      split_cut(b, waiting);
  }
  if (s->closure_count > before || !s->first)
    bound_index(s);
  if (b->infeasible) {
    b->value = INT64_MAX;
    b->converged = true;
  } else {
    s->best = -1;
    bound_take(b);
  }
  if (s->cursor < s->waiting_count && !b->infeasible)
    return false;
  s->cursor = 0;
  drop_met(s);
  memory_put(s->memory, s->left);
  memory_put(s->memory, s->part);
  s->left = NULL;
  s->part = NULL;
  return true;
}

void bound_add_closure(struct bound_state *s, struct closure *c) {
  MEMORY_GROW(s->memory, s->closure, s->closure_count, s->closure_room);
  int k = s->closure_count++;
  for (; k && s->closure[k - 1]->cut > c->cut; k--)
    s->closure[k] = s->closure[k - 1];
  s->closure[k] = c;
}

struct bound *bound_new(struct memory *m, const struct problem *p,
                        enum bound_scope scope, struct stop *stop) {
  struct bound *b = MEMORY_NEW(m, struct bound);
  struct bound_state *s = MEMORY_NEW(m, struct bound_state);
  b->problem = p;
  b->scope = scope;
  b->value = p->base_duration;
  b->blame = -1;
  b->state = s;
  s->memory = m;
  if (p->working_set > p->budget) {
    b->infeasible = b->converged = true;
    b->blame = p->working_set_node;
    b->value = INT64_MAX;
    return b;
  }
  s->maker = closure_maker(m, p, scope, stop);
  s->upper = INT64_MAX;
  choose_scale(s);
  s->price = MEMORY_ARRAY(m, double, p->n);
  s->best_price = MEMORY_ARRAY(m, double, p->n);
  s->spare = MEMORY_ARRAY(m, double, p->n);
  s->scratch = MEMORY_ARRAY(m, double, p->n);
  for (int v = 0; v < p->n && scope == BOUND_LIMITED; v++)
    if (p->limit[v] <= p->succ_start[v + 1] - p->succ_start[v] + 1)
      s->spare[v] = p->limit[v] - 1;
  /* In free order these are the cuts that the input order does not meet; of
   * them first_split drops those that another order meets. */
  s->waiting = cut_list(m, p, p->budget, &s->waiting_count);
  s->precision = 0.01;
  begin_split(s);
  first_split(b);
  closure_maker_hear(&s->maker, NULL);
  return b;
}

static long effort(const struct bound *b) {
  long sum = b->work + b->state->bundle_work + b->state->maker.work;
  for (int k = 0; k < b->state->closure_count; k++)
    sum += b->state->closure[k]->flow->work;
  return sum;
}

/* Goes on with a round of looking for violated cuts; when it finds none at
 * all, precision rises. */
static void look_for_cuts(struct bound *b, double least) {
  struct bound_state *s = b->state;
  if (bound_separate(b, least, LOOK_WORK)) {
    s->unseen = 0;
    return;
  }
  if (s->unseen > 0)
    return;
  if (s->tau < 4)
    s->tau = 4;
  s->precision *= 0.1;
}

/* Coarse first: new cuts join when the model of those in use promises little,
 * and "little" shrinks whenever no cut is violated by so much.  Looking at all
 * cuts costs as much as many steps, so it is done rarely.  Returns true when
 * the linear program is solved. */
static bool solve_program(struct bound *b) {
  struct bound_state *s = b->state;
  double scale = (double)s->best + 1;
  if (s->left) {
    first_split(b);
    return false;
  }
  if (!s->waiting_count)
    return true;
  if (!s->unseen && s->closure_count) {
    s->steps++;
    double promise = bundle_step(b);
    if ((double)s->best > s->stalled_at * (1 + stall_gain)) {
      s->stalled_at = (double)s->best;
      s->stall = 0;
    } else if (++s->stall >= STALL) {
      s->stall = 0;
      return true;
    }
    if (promise > s->precision * scale)
      return false;
    if (s->tau < 4 && s->steps < 12) {
      s->tau *= 2;
      return false;
    }
  }
  s->steps = 0;
  if (!s->unseen)
    s->unseen = s->waiting_count;
  look_for_cuts(b, 0.2 * s->precision * scale);
  return s->precision < 5e-5;
}

void bound_drop_tree(struct bound_state *s) {
  if (s->tree)
    branch_free(s->tree);
  s->tree = NULL;
}

/* One piece of work: on the linear program, or on the tree. */
static void advance(struct bound *b, int64_t upper, long work,
                    struct stop *stop) {
  struct bound_state *s = b->state;
  if (!s->tree) {
    closure_maker_hear(&s->maker, stop);
    bool solved = solve_program(b);
    closure_maker_hear(&s->maker, NULL);
    if (!solved || s->maker.stop.yes)
      return;
    if (bound_reduce(b, upper)) {
      s->precision = 0.003;
      return;
    }
    s->tree = branch_new(b, s->upper);
  }
  enum branch_result result = branch_run(s->tree, work, stop);
  b->converged = result != BRANCH_OPEN;
  if (result == BRANCH_STUCK && bound_reduce(b, s->upper)) {
    s->precision = 0.003;
    b->converged = false;
  }
  if (result == BRANCH_PROVED && s->upper == INT64_MAX)
    b->infeasible = true;
}

bool bound_improve(struct bound *b, int64_t upper, long work,
                   struct stop *stop) {
  struct bound_state *s = b->state;
  int64_t before = b->value;
  if (s && s->maker.stop.yes)
    return false;
  if (!b->infeasible && upper < s->upper && (s->tree || b->converged)) {
    if (bound_reduce(b, upper))
      s->precision = 0.003;
    else if (s->tree)
      branch_limit(s->tree, s->upper);
    b->converged = false;
  }
  long start = effort(b), left = work;
  while (!b->converged && b->value < upper && !s->maker.stop.yes &&
         !stop_now(stop) && (!work || left > 0)) {
    advance(b, upper, work ? left : 0, stop);
    left = work - (effort(b) - start);
  }
  return b->value > before;
}

int bound_report(const struct bound *b, struct memory *m,
                 struct bound_cut **list) {
  struct bound_state *s = b->state;
  *list = MEMORY_ARRAY(m, struct bound_cut, s->closure_count);
  if (!s->closure_count)
    return 0;
  if (!s->maker.stop.yes)
    bound_restore(s);
  double unit = ldexp((double)s->scale.factor, -s->scale.shift);
  for (int k = 0; k < s->closure_count; k++) {
    const struct closure *c = s->closure[k];
    (*list)[k] = (struct bound_cut){.node = c->cut,
                                    .excess = c->excess,
                                    .contribution = (double)c->value / unit,
                                    .multiplier = c->multiplier / unit,
                                    .candidates = c->count};
  }
  return s->closure_count;
}
