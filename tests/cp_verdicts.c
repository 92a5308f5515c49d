#include "solver/cp/probe.h"
#include "tests/cp_model.h"

#include <string.h>

/* The engine's variables beside the model's: only the objective. */
static void tell_known(struct state *s) {
  struct answer a = model_enumerate(s, NULL, 0);
  if (!a.count || !s->known) {
    cp_set_known(s->cp, NULL);
    return;
  }
  int32_t value[VARIABLES + 1] = {0};
  if (s->objective)
    for (int z = 0; z < cp_variables(s->cp); z++)
      value[z] = cp_objective_step(s->cp, a.cost);
  for (int v = 0; v < s->variables; v++)
    value[s->number[v]] = a.best[v];
  cp_set_known(s->cp, value);
}

void verdict_root(struct state *s) {
  struct answer a = model_enumerate(s, NULL, 0);
  tell_known(s);
  if (!cp_propagate_root(s->cp)) {
    if (a.count)
      s->fault = "root propagation fails a model with solutions";
    return;
  }
  for (int v = 0; v < s->variables && a.count; v++)
    if (cp_min(s->cp, s->number[v]) > a.least[v] ||
        cp_max(s->cp, s->number[v]) < a.most[v])
      s->fault = "root bounds exclude a solution";
  if (a.count && s->objective && cp_objective_min(s->cp) > a.cost)
    s->fault = "lower bound above the optimum";
}

static void check_solution(struct state *s, const struct cp_literal *assumed,
                           int count) {
  int32_t value[VARIABLES];
  for (int v = 0; v < s->variables; v++)
    value[v] = cp_value(s->cp, s->number[v]);
  if (!model_allows(s, value))
    s->fault = "solution violates the model";
  for (int k = 0; k < count; k++)
    if (!model_literal_holds(assumed[k], value))
      s->fault = "solution violates an assumption";
  if (!s->objective)
    return;
  s->limit = model_sum(s->term, s->objective, value);
  if (cp_objective(s->cp) != s->limit--)
    s->fault = "objective is not that of the solution";
}

static void check_core(struct state *s, const struct cp_literal *assumed,
                       int count) {
  int size;
  const struct cp_literal *core = cp_core(s->cp, &size);
  struct cp_literal mine[4];
  int n = 0;
  for (int k = 0; k < count; k++)
    for (int j = 0; j < size; j++) {
      struct cp_literal l = model_to_engine(s, assumed[k]);
      if (!memcmp(&l, &core[j], sizeof l)) {
        mine[n++] = assumed[k];
        break;
      }
    }
  if (model_enumerate(s, mine, n).count)
    s->fault = "core can hold";
}

void verdict_solve(struct state *s, const int *a) {
  struct cp_literal assumed[3], engine[3];
  int count = s->variables ? a[0] % 4 : 0;
  for (int k = 0; k < count; k++) {
    assumed[k] = model_literal(s, a[2 * k + 1], a[2 * k + 2]);
    engine[k] = model_to_engine(s, assumed[k]);
  }
  struct cp_limits limits = {.conflicts = a[7] % 3 ? 0 : 1 + a[8] % 5,
                             .propagations = a[9] % 5 ? 0 : 1 + a[10] % 50};
  tell_known(s);
  enum cp_result result;
  do { /* once, or down to the optimum */
    result = cp_solve(s->cp, engine, count, &limits);
    if (result == CP_SOLUTION)
      check_solution(s, assumed, count);
  } while (result == CP_SOLUTION && s->objective && a[11] % 4 && !s->fault);
  struct answer expected = model_enumerate(s, assumed, count);
  switch (result) {
  case CP_SOLUTION:
    break;
  case CP_INFEASIBLE:
    if (model_enumerate(s, NULL, 0).count)
      s->fault = "infeasible though there are solutions";
    break;
  case CP_INFEASIBLE_ASSUMED:
    if (expected.count)
      s->fault = "infeasible under assumptions though there are solutions";
    check_core(s, assumed, count);
    break;
  case CP_LIMIT:
    if (!limits.conflicts && !limits.propagations)
      s->fault = "gave up without a limit";
    break;
  case CP_FAULT:
    s->fault = "check";
  }
}

void verdict_least(struct state *s, const int *a) {
  if (!s->variables)
    return;
  int v = a[0] % s->variables;
  struct cp_probe probe = cp_probe_new(s->number[v], (enum cp_way)(a[1] % 3));
  probe.conflicts = probe.left = 1 + a[2] % 5;
  tell_known(s);
  for (int slice = 0; slice < 1 + a[3] % 9 && !s->fault; slice++) {
    struct cp_limits limits = {.conflicts = 1 + a[4] % 5};
    enum cp_result result = cp_solve_least(s->cp, &probe, &limits);
    if (result == CP_SOLUTION)
      check_solution(s, NULL, 0);
    struct answer left = model_enumerate(s, NULL, 0);
    if (result == CP_FAULT)
      s->fault = "check";
    else if (result == CP_INFEASIBLE_ASSUMED)
      s->fault = "an assumption of a probe is told";
    else if (result == CP_INFEASIBLE && left.count)
      s->fault = "probes refute a model with solutions";
    else if (result != CP_INFEASIBLE && left.count &&
             cp_min(s->cp, s->number[v]) > left.least[v])
      s->fault = "probes exclude a solution";
  }
}
