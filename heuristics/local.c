#include "heuristics/local.h"

#include "heuristics/greedy.h"
#include "heuristics/local_state.h"

#include <math.h>
#include <string.h>

enum {
  STALE = 3,      /* rounds without gain before some start anew... */
  STALE_PEAK = 1, /* ...and with the peak as objective */
  CHECK = 256,    /* tries between adaptations */
};

/* What duration counts while only memory is looked for.  Twenty times as much
 * keeps the search from recomputing what it needs (bench/local-search.md). */
static const double MEMORY_FIRST = 0.0005;

/* While only memory is looked for, an insertion anywhere is nearly always one
 * that helps nothing and costs next to nothing: there all of them start at a
 * step over the budget. */
static const int weights_input[2][MOVE_COUNT] = {{25, 6, 12, 12, 35, 10, 0, 0},
                                                 {40, 0, 30, 20, 4, 10, 0, 0}};
static const int weights_free[2][MOVE_COUNT] = {{15, 4, 8, 8, 16, 5, 81, 9},
                                                {40, 0, 30, 20, 4, 10, 81, 9}};

/* How far below the best peak to aim, at most: far where most nodes may be
 * recomputed as often as they like (bench/local-search.md). */
static double aim_depth(const struct problem *p) {
  enum { MANY = 8 };
  int many = 0;
  for (int v = 0; v < p->n; v++)
    many += p->limit[v] >= MANY;
  return many > p->n / 2 ? 0.1 : 0.03;
}

struct local *local_new(struct memory *m, const struct problem *p,
                        const struct local_options *options) {
  struct local *l = MEMORY_NEW(m, struct local);
  l->memory = m;
  l->p = p;
  l->options = *options;
  l->s = sequence_new(m, p);
  l->list = MEMORY_ARRAY(m, int, p->n);
  l->in_chain = MEMORY_ARRAY(m, bool, p->n);
  l->held = MEMORY_ARRAY(m, struct held, p->n);
  random_seed(&l->random, options->seed);
  double nodes = p->n ? p->n : 1;
  l->mean_duration = (double)p->base_duration / nodes;
  if (l->mean_duration <= 0)
    l->mean_duration = 1;
  for (int k = 0; k < 2; k++) {
    struct move_mix *mix = &l->mix[k];
    memcpy(mix->weight, p->free_order ? weights_free[k] : weights_input[k],
           sizeof mix->weight);
    for (int i = 0; i < MOVE_COUNT; i++)
      mix->total += mix->weight[i];
  }
  l->hot_factor = 1;
  l->hot_spread = 1.5;
  l->warm_factor = 0.03;
  l->warm_spread = 3;
  l->cold_factor = p->free_order ? 0.005 : 0.02;
  l->store_gap = p->n < 5000 ? 0 : p->n / 4;
  l->round_unit = p->free_order ? 300000 + 600 * (int64_t)p->n
                                : 100000 + 400 * (int64_t)p->n;
  l->feasible_target = p->free_order ? 0.1 : 0.3;
  l->depth = aim_depth(p);
  return l;
}

void local_free(struct local *l) {
  struct memory *m = l->memory;
  sequence_free(l->s);
  schedule_free(m, l->best);
  schedule_free(m, l->base);
  memory_put(m, l->steps);
  memory_put(m, l->list);
  memory_put(m, l->in_chain);
  memory_put(m, l->held);
  memory_put(m, l);
}

static void replace(struct local *l, struct schedule **place, const int *step,
                    int length) {
  schedule_free(l->memory, *place);
  *place = schedule_new(l->memory, l->p, step, length);
}

/* The state becomes these steps. */
static void load(struct local *l, const struct schedule *from) {
  struct sequence *s = l->s;
  sequence_load(s, from->step, from->length, l->budget);
  sequence_label_stages(s);
}

/* 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ..., k >= 1 (Luby, Sinclair and Zuckerman). */
static int64_t luby(int64_t k) {
  while (k > 0) {
    int64_t power = 1;
    while (2 * power - 1 < k)
      power *= 2;
    if (2 * power - 1 == k)
      return power;
    k -= power - 1;
  }
  return 1;
}

/* The peak as objective: the budget to search for lies a little, or a little
 * more, below the best peak: below the problem's, too, when that is near, for
 * aiming at it alone reaches it later (bench/local-search.md). */
static void aim(struct local *l) {
  const struct problem *p = l->p;
  int64_t peak = l->best ? l->best->peak : l->base->peak;
  double share = l->depth * random_real(&l->random);
  int64_t budget = peak - 1 - (int64_t)(share * (double)peak);
  l->budget = budget > p->working_set ? budget : p->working_set;
  sequence_set_budget(l->s, l->budget);
}

/* One recompute of mean duration removes about mean size x an eighth of all
 * steps: the penalty starts where that is worth its duration. */
static double first_penalty(const struct local *l) {
  const struct problem *p = l->p;
  double total = 1;
  for (int v = 0; v < p->n; v++)
    total += (double)l->s->size[v];
  return 8 * l->mean_duration / total;
}

/* Rounds begin at the best schedule; when several brought nothing, every other
 * one at where it all began: deep valleys are left only by starting anew. */
static const struct schedule *round_start(struct local *l) {
  if (!l->best)
    return l->base;
  bool peak = l->options.objective == LOCAL_PEAK;
  int64_t value = peak ? l->best->peak : l->best->duration;
  l->stale = value < l->round_best ? 0 : l->stale + 1;
  l->round_best = value;
  return l->stale >= (peak ? STALE_PEAK : STALE) && l->stale % 2 ? l->base
                                                                 : l->best;
}

/* The first round is short: something good soon.  In input order rounds are
 * twice as long once there is a schedule: slower cooling ends in better basins
 * (bench/local-search.md). */
static int64_t round_length(const struct local *l) {
  if (!l->rounds)
    return l->round_unit / 8;
  if (l->rounds > 1 && l->best && !l->p->free_order &&
      l->options.objective == LOCAL_DURATION)
    return 2 * l->round_unit * luby(l->rounds - 1);
  return l->round_unit * luby(l->rounds);
}

static void start_round(struct local *l) {
  const struct schedule *start = round_start(l);
  load(l, start);
  if (l->options.objective == LOCAL_PEAK)
    aim(l);
  l->round_done = 0;
  l->stored_at = -l->store_gap;
  if (start == l->base)
    l->penalty = first_penalty(l);
  /* Every other round looks for less memory only, while there is need. */
  l->memory_first =
      l->options.objective == LOCAL_PEAK || (!l->best && l->rounds % 2 == 1);
  bool warm = l->options.warm && l->best;
  double spread = log(warm ? l->warm_spread : l->hot_spread);
  spread = exp(spread * (2 * random_real(&l->random) - 1));
  l->hot = (warm ? l->warm_factor : l->hot_factor) * spread * l->mean_duration;
  if (!l->rounds)
    l->hot *= 0.1;
  l->round_moves = round_length(l);
  l->rounds++;
  l->target = l->feasible_target;
  if (l->best && !l->p->free_order)
    l->target *= 0.2 + random_real(&l->random);
  l->cold = l->cold_factor * l->mean_duration;
  if (l->memory_first) {
    l->hot *= 0.3;
    l->cold = 0.001 * l->mean_duration;
  }
  l->temperature = l->hot;
}

/* Is the state, whose nodes are within their limits, better than the best? */
static bool better(const struct local *l) {
  const struct sequence *s = l->s;
  if (l->options.objective == LOCAL_DURATION)
    return sequence_over(s) == 0 &&
           (!l->best || s->duration < l->best->duration);
  int64_t limit = l->options.duration_limit;
  if (limit && s->duration > limit)
    return false;
  if (!l->best)
    return true;
  int64_t peak = sequence_peak(s);
  return peak < l->best->peak ||
         (peak == l->best->peak && s->duration < l->best->duration);
}

static struct stop stop_of(const struct local_hooks *hooks) {
  return hooks ? (struct stop){.asked = hooks->stop, .data = hooks->data}
               : (struct stop){.asked = NULL};
}

static struct schedule *start_schedule(const struct local *l,
                                       const struct local_hooks *hooks) {
  struct stop stop = stop_of(hooks);
  return l->options.objective == LOCAL_PEAK
             ? schedule_baseline(l->memory, l->p)
             : greedy_schedule(l->memory, l->p, &stop);
}

void local_start(struct local *l, const struct schedule *s,
                 const struct local_hooks *hooks) {
  schedule_free(l->memory, l->best);
  schedule_free(l->memory, l->base);
  l->best = NULL;
  l->base = s ? schedule_new(l->memory, l->p, s->step, s->length)
              : start_schedule(l, hooks);
  l->budget = l->p->budget;
  l->penalty = first_penalty(l);
  l->surplus_cost = l->mean_duration;
  l->rounds = l->stale = 0;
  l->round_best = INT64_MAX;
  start_round(l);
  l->unreported = false;
  if (l->s->surplus == 0 && better(l)) {
    replace(l, &l->best, l->base->step, l->base->length);
    l->unreported = !s;
  }
}

/* The state respects everything and beats the best: keep it. */
static void improve(struct local *l, const struct local_hooks *hooks) {
  struct sequence *s = l->s;
  if (s->length > l->steps_capacity) {
    l->steps_capacity = s->length + s->length / 8;
    l->steps = memory_resize(l->memory, l->steps, (size_t)l->steps_capacity,
                             sizeof *l->steps);
  }
  sequence_store(s, l->steps);
  int length = schedule_trim(l->p, l->steps, s->length, l->memory);
  replace(l, &l->best, l->steps, length);
  l->statistics.improved++;
  if (l->options.objective == LOCAL_PEAK)
    aim(l);
  else if (l->memory_first)
    l->round_done = l->round_moves - 1; /* now for the duration */
  if (hooks && hooks->report)
    hooks->report(hooks->data, l->best);
}

/* What a duration counts: little when memory is what matters, unless it
 * exceeds the limit. */
static double duration_cost(const struct local *l, int64_t duration) {
  if (!l->memory_first)
    return (double)duration;
  int64_t limit =
      l->options.objective == LOCAL_PEAK ? l->options.duration_limit : 0;
  return MEMORY_FIRST * (double)duration +
         (limit && duration > limit ? (double)(duration - limit) : 0);
}

/* The longest duration that can be accepted if all excess went away. */
static int64_t most_duration(const struct local *l, double bearable) {
  double most = bearable + l->penalty * (double)sequence_over(l->s);
  if (l->memory_first)
    most /= MEMORY_FIRST;
  return l->s->duration + (most < 0x1p61 ? (int64_t)most : INT64_C(1) << 61);
}

/* The most excess that can be accepted for a change of the rest. */
static int64_t most_excess(const struct local *l, double rest,
                           double bearable) {
  double most = (bearable - rest) / l->penalty;
  return most < -0x1p61  ? -(INT64_C(1) << 61)
         : most > 0x1p61 ? INT64_C(1) << 61
                         : (int64_t)floor(most);
}

/* One try: propose, evaluate, accept or not; true if accepted. */
static bool try_move(struct local *l) {
  struct sequence *s = l->s;
  enum move move = local_draw(l);
  int64_t duration = s->duration, surplus = s->surplus;
  double bearable = -l->temperature * log(1 - random_real(&l->random));
  l->most_duration = most_duration(l, bearable);
  if (!local_propose(l, move)) {
    sequence_rollback(s);
    return false;
  }
  double rest = duration_cost(l, s->duration) - duration_cost(l, duration) +
                l->surplus_cost * (double)(s->surplus - surplus);
  int64_t most = most_excess(l, rest, bearable);
  if (-sequence_over(s) > most) {
    sequence_rollback(s);
    return false;
  }
  l->statistics.moves++;
  if (sequence_change(s, most) > most) {
    sequence_rollback(s);
    return false;
  }
  sequence_commit(s);
  l->statistics.accepted++;
  return true;
}

/* On large problems some of the many nodes would always be above their limits:
 * what that costs grows while it is all that is wrong.  It stays finite: times
 * a surplus that does not change it must be nothing. */
static void adapt_surplus_cost(struct local *l) {
  double least = l->mean_duration, most = 1e9 * least;
  double cost = l->surplus_cost * (l->s->surplus ? 1.02 : 0.98);
  l->surplus_cost = cost < least ? least : cost > most ? most : cost;
}

/* Temperature by how much of the round is done; the penalty by how often the
 * state was within the budget.  When only memory is looked for it never is: a
 * penalty that grew would only freeze the search, so it stays.  For the same
 * reason start_round sets it back while no schedule is within the budget. */
static void adapt(struct local *l) {
  bool feasible = sequence_over(l->s) == 0;
  if (feasible && (!l->best || l->store_gap))
    adapt_surplus_cost(l);
  if (!l->memory_first)
    l->penalty *= feasible ? 1 - 0.02 * (1 - l->target) : 1 + 0.02 * l->target;
  double done = (double)l->round_done / (double)l->round_moves;
  l->temperature = l->hot * pow(l->cold / l->hot, done);
}

int64_t local_run(struct local *l, int64_t moves,
                  const struct local_hooks *hooks) {
  struct sequence *s = l->s;
  struct stop stop = stop_of(hooks);
  int64_t done = 0;
  if (l->unreported && hooks && hooks->report)
    hooks->report(hooks->data, l->best);
  l->unreported = false;
  while (done < moves) {
    if (l->round_done >= l->round_moves) {
      l->statistics.rounds++;
      start_round(l);
    }
    if (l->round_done % CHECK == 0)
      adapt(l);
    /* A move may look at every slot of the profile. */
    if (done && stop_after(&stop, 1000 + s->profile.slots))
      break;
    done++;
    l->round_done++;
    if (try_move(l) && s->surplus == 0 &&
        l->round_done >= l->stored_at + l->store_gap && better(l)) {
      improve(l, hooks);
      l->stored_at = l->round_done;
    }
  }
  return done;
}

const struct schedule *local_best(const struct local *l) {
  return l->best;
}

void local_offer(struct local *l, const struct schedule *s) {
  const struct schedule *b = l->best;
  bool peak = l->options.objective == LOCAL_PEAK;
  if (!b || (peak ? s->peak < b->peak : s->duration < b->duration))
    replace(l, &l->best, s->step, s->length);
}

struct local_statistics local_statistics(const struct local *l) {
  struct local_statistics statistics = l->statistics;
  statistics.stale = l->stale;
  return statistics;
}
