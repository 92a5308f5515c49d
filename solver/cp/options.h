/* The engine's options and statistics: one table each.
 *
 * A line of CP_OPTIONS declares an option: X(name, default, low, high, help).
 * It yields the field, its default, its parser and its line in the help.  A
 * line of CP_STATISTICS yields a counter and its line in the statistics.
 */
#ifndef MOCCASIN_CP_OPTIONS_H
#define MOCCASIN_CP_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define CP_OPTIONS(X)                                                          \
  X(seed, 0, 0, INT32_MAX, "seed of the random numbers")                       \
  X(learn, 1, 0, 1, "learn clauses (0: plain branch and bound)")               \
  X(lift, 1, 0, 1, "weaken explanations to what is needed")                    \
  X(minimise, 1, 0, 1, "drop implied literals from learned clauses")           \
  X(mode, 0, 0, 2, "search: 0 alternating, 1 focused, 2 stable")               \
  X(restart, 1, 0, 1, "restarts")                                              \
  X(phase, 1, 0, 1, "values of the best schedule are tried first")             \
  X(luby, 256, 1, INT32_MAX, "conflicts in the unit of stable restarts")       \
  X(reduce, 1, 0, 1, "forget learned clauses")                                 \
  X(reduce_interval, 300, 1, INT32_MAX, "conflicts to the first reduction")    \
  X(decay, 95, 50, 99, "activity decay per conflict, percent")                 \
  X(focused_decay, 80, 50, 99, "activity decay in focused mode, percent")      \
  X(weighted_degree, 1, 0, 3,                                                  \
    "decisions by weighted degree, not activity: 0 never, 1 in focused "       \
    "mode, 2 in stable, 3 in both")                                            \
  X(tier1, 2, 0, 100, "glue up to which clauses stay for ever")                \
  X(tier2, 6, 0, 100, "glue up to which clauses stay when used lately")        \
  X(objective, 0, 0, 2,                                                        \
    "least objective: 0 from above, 1 raising the lower bound in turn, "       \
    "2 dichotomy")                                                             \
  X(capacity, 2, 0, 2, "least capacity: the same ways")                        \
  X(check, 0, 0, 2,                                                            \
    "1: test explanations against the known solution, 2: "                     \
    "also derive them again naively")                                          \
  X(chain, 1, 0, 1, "propagator: order of a node's intervals")                 \
  X(cover, 1, 0, 2, "propagator: uses are covered (2: clauses in its place)")  \
  X(cumulative, 1, 0, 1, "propagator: time-table of the memory")               \
  X(linear, 1, 0, 1, "propagator: linear sums (the objective always is)")      \
  X(cost, 1, 0, 1, "propagator: sums of costs that depend on values")          \
  X(precedence, 1, 0, 1, "propagator: plain precedence")                       \
  X(different, 1, 0, 1, "propagator: all different")

struct cp_options {
#define CP_OPTION_FIELD(name, def, low, high, help) int name;
  CP_OPTIONS(CP_OPTION_FIELD)
#undef CP_OPTION_FIELD
};

struct cp_options cp_options_default(void);

/* Sets one option by name from text; false when the name is unknown or the
 * value is no integer in its range. */
bool cp_options_set(struct cp_options *o, const char *name, const char *value);

/* A line per option: name, default, range, help. */
void cp_options_help(FILE *out);

#define CP_STATISTICS(X)                                                       \
  X(decisions, "decisions")                                                    \
  X(propagations, "bound changes processed")                                   \
  X(runs, "propagator runs")                                                   \
  X(conflicts, "conflicts")                                                    \
  X(explanations, "explanations asked of propagators")                         \
  X(learned, "clauses learned")                                                \
  X(learned_literals, "literals in them")                                      \
  X(minimised, "literals removed by minimisation")                             \
  X(units, "learned clauses of one literal")                                   \
  X(glue, "sum of their glue")                                                 \
  X(restarts, "restarts")                                                      \
  X(switches, "changes between focused and stable mode")                       \
  X(reductions, "clause reductions")                                           \
  X(forgotten, "clauses forgotten")                                            \
  X(solutions, "solutions")                                                    \
  X(checks, "explanations checked")

struct cp_statistics {
#define CP_STATISTIC_FIELD(name, help) int64_t name;
  CP_STATISTICS(CP_STATISTIC_FIELD)
#undef CP_STATISTIC_FIELD
};

#endif
