#include "solver/engine_options.h"

#include <string.h>

static bool set_task(struct task_switches *t, const char *name,
                     const char *value) {
  bool on = !strcmp(value, "1");
  if (!on && strcmp(value, "0"))
    return false;
#define SET(task, by_default, help)                                            \
  if (!strcmp(name, #task))                                                    \
    return t->task = on, true;
  TASK_SWITCHES(SET)
#undef SET
  return false;
}

void task_switches_help(FILE *out) {
#define HELP(name, on, help)                                                   \
  fprintf(out, "  %-16s %10d  %d..%d  %s\n", #name, on, 0, 1, help);
  TASK_SWITCHES(HELP)
#undef HELP
}

bool engine_options(const struct moccasin_options *o,
                    struct engine_options *out, struct error *error) {
  out->cp = cp_options_default();
  out->rules = presolve_rules_default();
#define ON(task, by_default, help) out->tasks.task = by_default;
  TASK_SWITCHES(ON)
#undef ON
  out->cp.seed = (int)(o->seed % INT32_MAX);
  out->cp.check = o->paranoid ? 2 : o->check;
  for (const char *c = o->engine; c && *c;) {
    char word[80], *value;
    size_t length = strcspn(c, ",");
    if (length >= sizeof word)
      return error_set(error, STATUS_USAGE,
                       "engine options: '%.60s...' is too long", c);
    memcpy(word, c, length);
    word[length] = '\0';
    value = strchr(word, '=');
    if (value)
      *value++ = '\0';
    if (!value || !(cp_options_set(&out->cp, word, value) ||
                    presolve_rules_set(&out->rules, word, value) ||
                    set_task(&out->tasks, word, value)))
      return error_set(error, STATUS_USAGE,
                       "engine options: '%.*s' is no option with a value in "
                       "its range; 'moccasin help engine' lists them",
                       (int)length, c);
    c += length + (c[length] == ',');
  }
  return true;
}
