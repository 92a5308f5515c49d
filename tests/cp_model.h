/* What the engine's fuzzer knows: the operations of a case, and the plain list
 * of constraints that they build beside the engine, small enough to enumerate.
 *
 *     cp_model.c              the list, enumeration, literals from numbers
 *     cp_model_propagators.c  two propagators of the tests' own
 *     cp_operations.c         one operation, to the engine and to the list
 *     cp_verdicts.c           what the engine answers, against enumeration
 *     test_cp_fuzz.c          random cases, shrinking, kept cases
 */
#ifndef MOCCASIN_TESTS_CP_MODEL_H
#define MOCCASIN_TESTS_CP_MODEL_H

#include "solver/base/random.h"
#include "solver/cp/cp.h"

enum { VARIABLES = 10, CONSTRAINTS = 70, ARGUMENTS = 12, OPERATIONS = 100 };

/* Operations, and the constraints among them. */
enum kind {
  OP_VARIABLE,
  OP_CLAUSE,
  OP_LINEAR,
  OP_APART,
  OP_SPY,
  OP_REQUIRE,
  OP_MINIMISE,
  OP_LIMIT,
  OP_PREFER,
  OP_OPTION,
  OP_KNOWN,
  OP_DECIDE,
  OP_ROOT,
  OP_SOLVE,
  OP_LEAST,
  OP_KINDS
};

struct op {
  int kind;
  int argument[ARGUMENTS];
};

struct constraint {
  enum kind kind;
  int count, x, y, distance;
  struct cp_term term[4];
  struct cp_literal literal[4];
  int64_t most;
};

struct state {
  struct memory *memory;
  struct cp *cp;
  struct random random;
  int variables; /* the engine's numbers differ after an objective: */
  int number[VARIABLES];
  int32_t low[VARIABLES], high[VARIABLES], plant[VARIABLES];
  int constraints;
  struct constraint constraint[CONSTRAINTS];
  int objective; /* terms in it, 0: none */
  struct cp_term term[4];
  int64_t limit;
  bool wide;  /* some domain has more than two values */
  bool known; /* the engine is told a best solution before it searches */
  bool lie;   /* the test propagator leaves a literal out of explanations */
  bool spied; /* a wake was lost or repeated */
  const char *fault;
};

/* ---- cp_model.c ------------------------------------------------------------
 */

/* In the model's numbering of variables; `a` and `b` are any numbers >= 0. */
struct cp_literal model_literal(const struct state *s, int a, int b);
struct cp_term model_term(const struct state *s, int a, int b);
bool model_literal_holds(struct cp_literal l, const int32_t *value);
int64_t model_sum(const struct cp_term *t, int count, const int32_t *value);
bool model_constraint_holds(const struct constraint *c, const int32_t *value);
bool model_allows(const struct state *s, const int32_t *value);

/* From the model's numbering to the engine's. */
struct cp_literal model_to_engine(const struct state *s, struct cp_literal l);

/* All that satisfies the model and the assumptions: how many there are, a
 * cheapest one, the range of each variable. */
struct answer {
  int count;
  int32_t best[VARIABLES], least[VARIABLES], most[VARIABLES];
  int64_t cost;
};
struct answer model_enumerate(const struct state *s,
                              const struct cp_literal *assumed, int count);

/* ---- cp_model_propagators.c
 * --------------------------------------------------
 */

/* |x - y| >= distance (engine's numbers). */
void model_post_apart(struct state *s, int x, int y, int distance);
/* Sets s->spied if a wake is lost or repeated. */
void model_post_spy(struct state *s);

/* ---- cp_operations.c -------------------------------------------------------
 */

void operation_apply(struct state *s, const struct op *op);
/* A cp_decide: any open literal, or none.  `data` is a struct random. */
bool operation_decide(struct cp *cp, void *data, struct cp_literal *l);

/* ---- cp_verdicts.c: s->fault says what is wrong
 * ---------------------------------
 */

void verdict_root(struct state *s);
/* Solves, under assumptions and limits that `argument` says. */
void verdict_solve(struct state *s, const int *argument);
/* Probes for the least value of a variable, in slices, in any of the ways. */
void verdict_least(struct state *s, const int *argument);

#endif
