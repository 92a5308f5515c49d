/* The options that solve, sweep and bound share: what is asked for and within
 * which limits. */
#ifndef MOCCASIN_CLI_SETUP_H
#define MOCCASIN_CLI_SETUP_H

#include "solver/cli/load.h"
#include "solver/moccasin.h"

struct setup {
  struct moccasin_options options; /* the result: see setup_finish */
  const char *budget, *objective, *order, *duration_limit;
  int64_t max_computes, seed, threads, check, memory_limit;
  struct load_onnx onnx;
};

/* Rows for a command's table of options: what every solving command has... */
/* clang-format off */
#define SETUP_BASE_OPTIONS(s)                                                 \
  {"budget", 'b', OPTION_TEXT, &(s)->budget, "B",                             \
   "bytes, 12GiB, or 90% of the input order's peak", 0, 0, NULL},             \
  {"order", '\0', OPTION_CHOICE, &(s)->order, NULL,                           \
   "of first computes (default input)", 0, 0, "input|free"},                  \
  {"max-computes", 'c', OPTION_INTEGER, &(s)->max_computes, "C",              \
   "computes a node, 0: unlimited (default 2)", 0, 1000000000, NULL},         \
  {"time-limit", 't', OPTION_REAL, &(s)->options.time_limit, "S",             \
   "seconds, 0: none (default 60)", 0, 1000000000, NULL},                     \
  LOAD_ONNX_OPTIONS(&(s)->onnx)

/* ... and what only those that search have. */
#define SETUP_SEARCH_OPTIONS(s)                                               \
  {"objective", '\0', OPTION_CHOICE, &(s)->objective, NULL,                   \
   "what to minimise (default duration)", 0, 0, "duration|peak"},             \
  {"duration-limit", '\0', OPTION_TEXT, &(s)->duration_limit, "D",            \
   "with --objective peak: cost units, or 105%", 0, 0, NULL},                 \
  {"seed", '\0', OPTION_INTEGER, &(s)->seed, "N",                             \
   "of the random numbers (default 0)", 0, INT64_MAX, NULL},                  \
  {"threads", '\0', OPTION_INTEGER, &(s)->threads, "N",                       \
   "0: one a core (default 0)", 0, 1024, NULL},                               \
  {"heuristic", '\0', OPTION_TEXT, &(s)->options.heuristic, "NAME",           \
   "run this one alone: greedy, chen-sqrt, revolve...", 0, 0, NULL},          \
  {"memory-limit", '\0', OPTION_BYTES, &(s)->memory_limit, "B",               \
   "for the solver itself", 0, 0, NULL},                                      \
  {"check", '\0', OPTION_INTEGER, &(s)->check, "0|1|2",                       \
   "check level of the engine (slow)", 0, 2, NULL},                           \
  {"engine", '\0', OPTION_TEXT, &(s)->options.engine, "NAME=VALUE,...",       \
   "engine options, see solver/cp/options.h", 0, 0, NULL},                    \
  {"paranoid", '\0', OPTION_FLAG, &(s)->options.paranoid, NULL,               \
   "verify every claim again at run time", 0, 0, NULL}
/* clang-format on */

void setup_default(struct setup *s);

/* Turns the texts into options.  A budget is required unless the objective is
 * the peak.  STATUS_USAGE. */
bool setup_finish(struct setup *s, const struct moccasin_graph *g,
                  struct error *error);

#endif
