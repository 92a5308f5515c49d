/* Model-based fuzzing of the engine's interface.
 *
 * A case is a list of operations, each a few numbers that are read modulo what
 * exists at that moment, so that every sublist of a case is a case too.  The
 * same operations go to the engine and to a plain list of constraints, which
 * is enumerated: verdicts, solutions, cores, root bounds and lower bounds must
 * agree.  A failing case is shrunk by leaving operations out and printed; such
 * cases are kept in tests/cases/cp_fuzz and replayed by every run.
 *
 * More seeds: MOCCASIN_FUZZ=100000.
 */
#include "solver/base/random.h"
#include "solver/cp/cp.h"
#include "tests/cp_model.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* NULL, or what went wrong. */
static const char *run(const struct op *op, int count, bool lie) {
  struct state *s = calloc(1, sizeof *s);
  struct cp_options o = cp_options_default();
  o.check = 2;
  s->memory = memory_new(NULL);
  s->cp = cp_new(s->memory, &o);
  s->lie = lie;
  random_seed(&s->random, 1);
  cp_set_decide(s->cp, operation_decide, &s->random);
  for (int i = 0; i < count && !s->fault; i++) {
    operation_apply(s, &op[i]);
    if (s->spied)
      s->fault = "a wake was lost or repeated";
  }
  const char *fault = s->fault;
  if (fault && !lie && *cp_fault(s->cp))
    cr_log_error("%s", cp_fault(s->cp));
  cp_free(s->cp);
  if (!fault && memory_used(s->memory))
    fault = "leak";
  memory_free(s->memory);
  free(s);
  return fault;
}

/* ---- cases: random, shrunk, kept */

static int random_case(uint64_t seed, struct op *op) {
  static const int mostly[] = {OP_CLAUSE, OP_CLAUSE, OP_CLAUSE,
                               OP_CLAUSE, OP_CLAUSE, OP_CLAUSE,
                               OP_APART,  OP_LINEAR, OP_LINEAR};
  struct random r;
  random_seed(&r, seed);
  int first = 4 + random_below(&r, 7);
  int count = 12 + random_below(&r, OPERATIONS - 12);
  for (int i = 0; i < count; i++) {
    op[i].kind =
        random_below(&r, i < first                              ? 1
                         : i < count - 8 && random_below(&r, 8) ? OP_MINIMISE
                                                                : OP_KINDS);
    if (i >= first && random_below(&r, 4) > 0)
      op[i].kind = i < count - 8         ? mostly[random_below(&r, 9)]
                   : random_below(&r, 4) ? OP_SOLVE
                                         : OP_LEAST;
    for (int k = 0; k < ARGUMENTS; k++)
      op[i].argument[k] = random_below(&r, 1000);
  }
  return count;
}

/* Leaves out blocks of operations, smaller and smaller, while it fails. */
static int shrink(struct op *op, int count, bool lie) {
  struct op less[OPERATIONS];
  for (int block = count / 2; block >= 1; block /= 2)
    for (int at = 0; at + block <= count;) {
      memcpy(less, op, (size_t)at * sizeof *op);
      memcpy(less + at, op + at + block,
             (size_t)(count - at - block) * sizeof *op);
      if (run(less, count - block, lie)) {
        count -= block;
        memcpy(op, less, (size_t)count * sizeof *op);
      } else
        at += block;
    }
  return count;
}

static void print_case(const struct op *op, int count) {
  for (int i = 0; i < count; i++) {
    char line[200];
    int used = snprintf(line, sizeof line, "%d", op[i].kind);
    for (int k = 0; k < ARGUMENTS; k++)
      used += snprintf(line + used, sizeof line - (size_t)used, " %d",
                       op[i].argument[k]);
    cr_log_error("%s", line);
  }
}

Test(cp_fuzz, random_cases, .timeout = 600) {
  const char *text = getenv("MOCCASIN_FUZZ");
  long seeds = text ? strtol(text, NULL, 10) : 4000;
  for (long seed = 1; seed <= seeds; seed++) {
    struct op op[OPERATIONS];
    int count = random_case((uint64_t)seed, op);
    const char *fault = run(op, count, false);
    if (!fault)
      continue;
    count = shrink(op, count, false);
    print_case(op, count);
    cr_assert_fail("seed %ld: %s, shrunk to %d operations: %s", seed, fault,
                   count, run(op, count, false));
  }
}

/* Explanations that lack a literal must be caught, and shrink well. */
Test(cp_fuzz, lies_are_caught_and_shrunk) {
  int caught = 0, shortest = OPERATIONS;
  for (uint64_t seed = 1; seed <= 1000; seed++) {
    struct op op[OPERATIONS];
    int count = random_case(seed, op);
    if (!run(op, count, true))
      continue;
    caught++;
    count = shrink(op, count, true);
    shortest = count < shortest ? count : shortest;
  }
  cr_assert_gt(caught, 5, "%d of 1000", caught);
  cr_assert_leq(shortest, 8, "%d operations", shortest);
}

/* tests/cases/cp_fuzz/1.txt, 2.txt, ...: a line per operation.  The first four
 * are what remained of cases in which explanations lied. */
Test(cp_fuzz, kept_cases) {
  int number = 1;
  for (;; number++) {
    char name[64];
    snprintf(name, sizeof name, "tests/cases/cp_fuzz/%d.txt", number);
    FILE *f = fopen(name, "r");
    if (!f)
      break;
    struct op op[OPERATIONS];
    int count = 0;
    while (count < OPERATIONS && fscanf(f, "%d", &op[count].kind) == 1) {
      for (int k = 0; k < ARGUMENTS; k++)
        if (fscanf(f, "%d", &op[count].argument[k]) != 1)
          op[count].argument[k] = 0;
      count++;
    }
    fclose(f);
    const char *fault = run(op, count, false);
    cr_assert(!fault, "%s: %s", name, fault);
  }
  if (number == 1)
    cr_skip("run from the project's root");
}
