/* Sequence and profile: after any number of random transactions the state
 * equals what simulate finds for the same steps. */
#include "heuristics/sequence.h"

#include "solver/base/random.h"
#include "tests/layered.h"

#include <criterion/criterion.h>
#include <stdio.h>

/* Everything the sequence claims, against simulate. */
static void check(struct memory *m, const struct sequence *s, int64_t budget,
                  const char *when) {
  const struct problem *p = s->p;
  int *step = MEMORY_ARRAY(m, int, s->length);
  int *end = MEMORY_ARRAY(m, int, s->length);
  int *place = MEMORY_ARRAY(m, int, s->at_used);
  int64_t *memory = MEMORY_ARRAY(m, int64_t, s->length);
  sequence_store(s, step);
  struct simulation truth = {.end = end, .memory = memory};
  cr_assert(simulate(p, step, s->length, m, &truth), "%s", when);
  cr_assert(s->duration == truth.duration, "%s: duration", when);
  cr_assert(sequence_peak(s) == truth.peak, "%s: peak %lld, not %lld", when,
            (long long)sequence_peak(s), (long long)truth.peak);
  int64_t over = 0;
  int k = 0;
  for (int q = s->head; q >= 0; q = s->at[q].next)
    place[q] = k++;
  cr_assert(k == s->length, "%s: length", when);
  k = 0;
  for (int q = s->head; q >= 0; q = s->at[q].next, k++) {
    cr_assert(place[s->at[q].end] == end[k], "%s: end of step %d", when, k);
    cr_assert(profile_get(&s->profile, s->when[q].slot) == memory[k] - budget,
              "%s: memory of step %d", when, k);
    over += memory[k] > budget ? memory[k] - budget : 0;
  }
  cr_assert(sequence_over(s) == over, "%s: over", when);
  int64_t surplus = 0;
  int repeated = 0;
  for (int v = 0; v < p->n; v++) {
    surplus += s->count[v] > p->limit[v] ? s->count[v] - p->limit[v] : 0;
    repeated += s->count[v] > 1;
  }
  cr_assert(surplus == s->surplus && repeated == s->repeated_count, "%s", when);
  memory_put(m, step);
  memory_put(m, end);
  memory_put(m, place);
  memory_put(m, memory);
}

/* A random live instance; fresh ones too, which must not be deleted. */
static int random_instance(const struct sequence *s, struct random *r) {
  for (;;) {
    int q = s->occupant[random_below(r, s->profile.slots)];
    if (q >= 0 && s->at[q].state != INSTANCE_DEAD)
      return q;
  }
}

static void random_changes(struct sequence *s, struct random *r) {
  int changes = 1 + random_below(r, random_below(r, 20) ? 4 : 40);
  for (int i = 0; i < changes; i++) {
    int q = random_instance(s, r);
    int grow = s->length < 2 * s->p->n ? 2 : 1;
    bool fresh = s->at[q].state == INSTANCE_FRESH;
    if (random_below(r, 4) >= grow)
      cr_assert(!sequence_delete(s, q) || !fresh);
    else
      sequence_insert(s, random_below(r, s->p->n), q);
  }
}

static void exercise(const struct layered *shape, int moves, int every) {
  struct memory *m = memory_new(NULL);
  struct problem *p = layered_problem(m, shape, 2, true, 80);
  struct schedule *start = schedule_baseline(m, p);
  struct sequence *s = sequence_new(m, p);
  sequence_load(s, start->step, start->length, p->budget);
  cr_assert(sequence_exact(s));
  struct random r;
  random_seed(&r, shape->seed);
  int64_t budget = p->budget;
  check(m, s, budget, "loaded");
  for (int i = 0; i < moves; i++) {
    int64_t over = sequence_over(s), duration = s->duration;
    random_changes(s, &r);
    int64_t most = random_below(&r, 20000) - 10000;
    int64_t bounded = sequence_change(s, most);
    int64_t change = sequence_change(s, INT64_MAX);
    cr_assert(bounded <= change && (bounded == change || bounded > most));
    if (random_below(&r, 3) == 0) {
      sequence_commit(s);
      cr_assert(sequence_over(s) == over + change, "move %d", i);
    } else {
      sequence_rollback(s);
      cr_assert(sequence_over(s) == over && s->duration == duration);
    }
    if (random_below(&r, every) == 0) {
      char when[60];
      snprintf(when, sizeof when, "seed %d move %d", (int)shape->seed, i);
      check(m, s, budget, when);
      if (random_below(&r, 8) == 0) {
        budget = p->budget + random_below(&r, 2000) - 1000;
        sequence_set_budget(s, budget);
        check(m, s, budget, "new budget");
      }
    }
  }
  memory_free(m);
}

Test(sequence, equals_simulate_on_small_graphs) {
  for (uint64_t seed = 1; seed <= 400; seed++)
    exercise(&(struct layered){.nodes = 2 + (int)(seed % 30),
                               .width = 4,
                               .inputs = 3,
                               .percent_far = 20,
                               .percent_keep = seed % 3 ? 0 : 20,
                               .percent_workspace = seed % 2 ? 0 : 30,
                               .seed = seed},
             1500, 10);
}

Test(sequence, equals_simulate_after_millions_of_moves) {
  exercise(&(struct layered){.nodes = 300,
                             .width = 20,
                             .inputs = 8,
                             .percent_far = 20,
                             .percent_workspace = 10,
                             .seed = 7},
           2000000, 20000);
}

/* Slots run out again and again when all insertions are at one place. */
Test(sequence, insertions_at_one_place) {
  struct memory *m = memory_new(NULL);
  struct layered shape = {.nodes = 200, .width = 5, .inputs = 3, .seed = 3};
  struct problem *p = layered_problem(m, &shape, 0, true, 80);
  struct schedule *start = schedule_baseline(m, p);
  struct sequence *s = sequence_new(m, p);
  sequence_load(s, start->step, start->length, p->budget);
  struct random r;
  random_seed(&r, 5);
  int before = s->first[150];
  for (int i = 0; i < 1000; i++) {
    for (int k = random_below(&r, 20); k >= 0; k--)
      cr_assert(sequence_insert(s, random_below(&r, 150), before) >= 0);
    if (random_below(&r, 4) == 0) {
      sequence_rollback(s);
    } else {
      sequence_change(s, INT64_MAX);
      sequence_commit(s);
    }
    if (i % 50 == 0)
      check(m, s, p->budget, "at one place");
  }
  memory_free(m);
}

/* The profile alone, against an array. */
Test(profile, equals_a_plain_array) {
  enum { slots = 5 * PROFILE_BLOCK };
  static int64_t naive[slots];
  struct memory *m = memory_new(NULL);
  struct profile f = {0};
  profile_reset(&f, m, slots - 3);
  cr_assert(f.slots == slots);
  struct random r;
  random_seed(&r, 1);
  for (int i = 0; i < slots; i++)
    profile_put(&f, i, naive[i] = random_below(&r, 100) - 50);
  profile_refresh(&f, 0, slots - 1);
  for (int round = 0; round < 20000; round++) {
    int from = random_below(&r, slots), to = random_below(&r, slots);
    if (from > to)
      continue;
    int64_t delta = random_below(&r, 40) - 20, before = 0, after = 0, high;
    for (int i = 0; i < slots; i++)
      before += naive[i] > 0 ? naive[i] : 0;
    for (int i = from; i <= to; i++)
      naive[i] += delta;
    high = naive[0];
    for (int i = 0; i < slots; i++) {
      after += naive[i] > 0 ? naive[i] : 0;
      high = naive[i] > high ? naive[i] : high;
    }
    cr_assert(f.total == before, "round %d: total", round);
    cr_assert(profile_change(&f, from, to, delta) == after - before,
              "round %d: change", round);
    cr_assert(profile_least_change(&f, from, to, delta) <= after - before,
              "round %d: least change", round);
    profile_add(&f, from, to, delta);
    cr_assert(profile_highest(&f) == high, "round %d: highest", round);
    if (after == 0)
      continue;
    int64_t amount = random_below(&r, (int)after), sum = 0;
    int slot = profile_find_over(&f, amount);
    for (int i = 0; i < slot; i++)
      sum += naive[i] > 0 ? naive[i] : 0;
    cr_assert(sum <= amount && amount < sum + naive[slot], "round %d", round);
  }
  memory_free(m);
}
