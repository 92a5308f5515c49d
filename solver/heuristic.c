#include "solver/heuristic.h"

#include "heuristics/classics.h"

const char *heuristic_names(void) {
  return "keep-all, recompute-all, chen-sqrt, chen-sqrt-ap, chen-greedy, "
         "chen-greedy-ap, revolve, greedy";
}

bool heuristic_known(const char *name) {
  return classic_find(name) != NULL;
}

struct schedule *heuristic_run(const char *name, const struct problem *p,
                               struct memory *m, struct stop *stop,
                               struct error *error) {
  return classic_find(name)->run(p, m, stop, error);
}
