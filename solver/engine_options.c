#include "solver/engine_options.h"

#include <string.h>

bool engine_options(const struct moccasin_options *o, struct cp_options *out,
                    struct presolve_rules *rules, struct error *error) {
  *out = cp_options_default();
  *rules = presolve_rules_default();
  out->seed = (int)(o->seed % INT32_MAX);
  out->check = o->paranoid ? 2 : o->check;
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
    if (!value || !(cp_options_set(out, word, value) ||
                    presolve_rules_set(rules, word, value)))
      return error_set(error, STATUS_USAGE,
                       "engine options: '%.*s' is no option with a value in "
                       "its range; 'moccasin help engine' lists them",
                       (int)length, c);
    c += length + (c[length] == ',');
  }
  return true;
}
