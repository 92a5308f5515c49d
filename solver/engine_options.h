/* The engine options of a solve: seed, check level, trace, and what the user
 * sets by name ("restart=0,luby=100"), with the switches of presolve and
 * portfolio. */
#ifndef MOCCASIN_ENGINE_OPTIONS_H
#define MOCCASIN_ENGINE_OPTIONS_H

#include "model/presolve.h"
#include "solver/base/error.h"
#include "solver/cp/options.h"
#include "solver/moccasin.h"

/* A line of TASK_SWITCHES declares a part of the portfolio that can be left
 * out, to see what it is worth: X(name, default, help). */
#define TASK_SWITCHES(X)                                                       \
  X(local, 1, "portfolio: local search")                                       \
  X(neighbourhood, 1, "portfolio: large neighbourhoods on the engine")         \
  X(prove, 1, "portfolio: bound and complete search")                          \
  X(bound, 1, "the complete search has a lower bound by cuts, and its fixing") \
  X(leaves, 1, "leaves of the bound's tree are searched one by one")

struct task_switches {
#define TASK_FIELD(name, on, help) bool name;
  TASK_SWITCHES(TASK_FIELD)
#undef TASK_FIELD
};

/* A line per switch, in the format of cp_options_help. */
void task_switches_help(FILE *out);

/* What o->engine says, defaults elsewhere. */
struct engine_options {
  struct cp_options cp;
  struct presolve_rules rules;
  struct task_switches tasks;
};

/* STATUS_USAGE if o->engine names what there is not. `error` may be NULL. */
bool engine_options(const struct moccasin_options *o,
                    struct engine_options *out, struct error *error);

#endif
