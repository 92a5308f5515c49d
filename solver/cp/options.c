/* Options and statistics from their tables. */
#include "solver/cp/options.h"
#include "solver/cp/cp.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct cp_options cp_options_default(void) {
  return (struct cp_options){
#define DEFAULT(name, def, low, high, help) .name = (def),
      CP_OPTIONS(DEFAULT)
#undef DEFAULT
  };
}

bool cp_options_set(struct cp_options *o, const char *name, const char *value) {
  char *end;
  errno = 0;
  long x = strtol(value, &end, 10);
  if (errno || end == value || *end)
    return false;
#define SET(field, def, low, high, help)                                       \
  if (!strcmp(name, #field)) {                                                 \
    if (x < (low) || x > (high))                                               \
      return false;                                                            \
    o->field = (int)x;                                                         \
    return true;                                                               \
  }
  CP_OPTIONS(SET)
#undef SET
  return false;
}

void cp_options_help(FILE *out) {
#define HELP(name, def, low, high, help)                                       \
  fprintf(out, "  %-16s %10d  %d..%d  %s\n", #name, def, low, high, help);
  CP_OPTIONS(HELP)
#undef HELP
}

void cp_statistics_print(const struct cp_statistics *s, FILE *out) {
#define PRINT(name, help)                                                      \
  fprintf(out, "  %-16s %14lld  %s\n", #name, (long long)s->name, help);
  CP_STATISTICS(PRINT)
#undef PRINT
}
