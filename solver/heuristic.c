#include "solver/heuristic.h"

#include <string.h>

typedef struct schedule *heuristic_function(const struct problem *p,
                                            struct memory *m,
                                            struct error *error);

static struct schedule *keep_all(const struct problem *p, struct memory *m,
                                 struct error *error) {
  (void)error;
  return schedule_baseline(m, p);
}

static const struct {
  const char *name;
  heuristic_function *run;
} table[] = {{"keep-all", keep_all}};

enum { count = sizeof table / sizeof *table };

const char *heuristic_names(void) {
  return "keep-all";
}

static int find(const char *name) {
  for (int i = 0; i < count; i++)
    if (!strcmp(table[i].name, name))
      return i;
  return -1;
}

bool heuristic_known(const char *name) {
  return find(name) >= 0;
}

struct schedule *heuristic_run(const char *name, const struct problem *p,
                               struct memory *m, struct error *error) {
  return table[find(name)].run(p, m, error);
}
