#include "solver/cli/option.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Levenshtein distance, words cut at 31 letters. */
static int distance(const char *a, const char *b) {
  int row[33];
  int m = (int)strlen(a), n = (int)strlen(b);
  m = m < 31 ? m : 31;
  n = n < 31 ? n : 31;
  for (int j = 0; j <= n; j++)
    row[j] = j;
  for (int i = 1; i <= m; i++) {
    int corner = row[0];
    row[0] = i;
    for (int j = 1; j <= n; j++) {
      int change = corner + (a[i - 1] != b[j - 1]);
      corner = row[j];
      int shorter = row[j - 1] < row[j] ? row[j - 1] : row[j];
      row[j] = change < shorter + 1 ? change : shorter + 1;
    }
  }
  return row[n];
}

const char *option_nearest(const char *word, const char *const *names) {
  const char *best = NULL;
  int least = (int)strlen(word) / 2 + 1;
  for (; *names; names++) {
    int d = distance(word, *names);
    if (d < least) {
      least = d;
      best = *names;
    }
  }
  return best;
}

/* ---- values ------------------------------------------------------------- */

/* Digits with an optional point times `unit`, rounded up, exact: the whole
 * part is multiplied in integers, the fraction digit by digit. *end is set to
 * what follows. */
static bool scaled(const char *text, int64_t unit, int64_t *value,
                   const char **end) {
  uint64_t whole = 0, part = 0, scale = 1;
  int digits = 0;
  bool more = false; /* non-zero digits beyond what is kept */
  *end = text;
  for (; *text >= '0' && *text <= '9'; text++, digits++) {
    if (whole > (uint64_t)INT64_MAX / 10)
      return false;
    whole = 10 * whole + (uint64_t)(*text - '0');
  }
  if (*text == '.')
    for (text++; *text >= '0' && *text <= '9'; text++, digits++) {
      if (scale < 1000000) {
        scale *= 10;
        part = 10 * part + (uint64_t)(*text - '0');
      } else {
        more = more || *text != '0';
      }
    }
  *end = text;
  if (!digits || (whole && whole > (uint64_t)INT64_MAX / (uint64_t)unit))
    return false;
  uint64_t rest = part * (uint64_t)unit; /* below 1e6 * 2^40 */
  uint64_t sum = whole * (uint64_t)unit + rest / scale;
  sum += rest % scale || more;
  if (sum > (uint64_t)INT64_MAX)
    return false;
  *value = (int64_t)sum;
  return true;
}

bool option_bytes(const char *text, int64_t *bytes) {
  static const struct {
    const char *name;
    int64_t bytes;
  } unit[] = {{"", 1},
              {"B", 1},
              {"K", INT64_C(1) << 10},
              {"KiB", INT64_C(1) << 10},
              {"KB", 1000},
              {"kB", 1000},
              {"M", INT64_C(1) << 20},
              {"MiB", INT64_C(1) << 20},
              {"MB", 1000000},
              {"G", INT64_C(1) << 30},
              {"GiB", INT64_C(1) << 30},
              {"GB", 1000000000},
              {"T", INT64_C(1) << 40},
              {"TiB", INT64_C(1) << 40},
              {"TB", INT64_C(1000000000000)}};
  const char *end;
  if (!scaled(text, 1, bytes, &end) && *end == '\0')
    return false;
  for (size_t i = 0; i < sizeof unit / sizeof *unit; i++)
    if (!strcmp(end, unit[i].name))
      return scaled(text, unit[i].bytes, bytes, &end);
  return false;
}

bool option_percent(const char *text, int64_t *millionths) {
  const char *end;
  return scaled(text, 1000000, millionths, &end) && !strcmp(end, "%") &&
         *millionths <= INT64_C(1000000000000);
}

static bool parse_integer(const struct option *o, const char *value) {
  char *end;
  errno = 0;
  long long number = strtoll(value, &end, 10);
  if (errno || end == value || *end || number < o->low || number > o->high)
    return false;
  *(int64_t *)o->target = number;
  return true;
}

static bool parse_real(const struct option *o, const char *value) {
  char *end;
  double number = strtod(value, &end);
  if (end == value || *end || !isfinite(number) || number < (double)o->low ||
      number > (double)o->high)
    return false;
  *(double *)o->target = number;
  return true;
}

/* Is `value` one of the words between bars? */
static bool parse_choice(const struct option *o, const char *value) {
  size_t length = strlen(value);
  for (const char *word = o->choices; word;) {
    const char *bar = strchr(word, '|');
    size_t size = bar ? (size_t)(bar - word) : strlen(word);
    if (length && size == length && !memcmp(word, value, size)) {
      *(const char **)o->target = value;
      return true;
    }
    word = bar ? bar + 1 : NULL;
  }
  return false;
}

static bool set_value(const struct option *o, const char *value,
                      struct error *error) {
  switch (o->kind) {
  case OPTION_FLAG:
    *(bool *)o->target = true;
    return true;
  case OPTION_TEXT:
    *(const char **)o->target = value;
    return true;
  case OPTION_INTEGER:
    return parse_integer(o, value) ||
           error_set(error, STATUS_USAGE,
                     "--%s: expected an integer from %lld to %lld, found '%s'",
                     o->name, (long long)o->low, (long long)o->high, value);
  case OPTION_REAL:
    return parse_real(o, value) ||
           error_set(error, STATUS_USAGE,
                     "--%s: expected a number from %lld to %lld, found '%s'",
                     o->name, (long long)o->low, (long long)o->high, value);
  case OPTION_BYTES:
    return option_bytes(value, o->target) ||
           error_set(error, STATUS_USAGE,
                     "--%s: expected bytes such as 41688, 12GiB, 10.5GB or "
                     "512K, found '%s'",
                     o->name, value);
  case OPTION_CHOICE:
    break;
  }
  return parse_choice(o, value) ||
         error_set(error, STATUS_USAGE, "--%s: expected one of %s, found '%s'",
                   o->name, o->choices, value);
}

/* ---- the line ----------------------------------------------------------- */

static const struct option *find_long(const struct option *table,
                                      const char *name, size_t length) {
  for (; table->name; table++)
    if (strlen(table->name) == length && !memcmp(table->name, name, length))
      return table;
  return NULL;
}

static const struct option *find_letter(const struct option *table, char c) {
  for (; table->name; table++)
    if (table->letter && table->letter == c)
      return table;
  return NULL;
}

static bool unknown(const char *argument, const struct option *table,
                    struct error *error) {
  const char *names[64];
  int count = 0;
  for (const struct option *o = table; o->name && count < 63; o++)
    names[count++] = o->name;
  names[count] = NULL;
  char word[40];
  snprintf(word, sizeof word, "%.*s", (int)strcspn(argument, "="), argument);
  const char *near =
      word[0] == '-' && word[1] == '-' ? option_nearest(word + 2, names) : NULL;
  return near ? error_set(error, STATUS_USAGE,
                          "unknown option '%s'; did you mean '--%s'?", argument,
                          near)
              : error_set(error, STATUS_USAGE, "unknown option '%s'", argument);
}

/* Handles argv[*i], which begins with a dash; moves *i over a value. */
static bool parse_option(int argc, char **argv, int *i,
                         const struct option *table, struct error *error) {
  const char *argument = argv[*i], *value = NULL;
  const struct option *o;
  if (argument[1] == '-') {
    size_t length = strcspn(argument + 2, "=");
    o = find_long(table, argument + 2, length);
    if (argument[2 + length])
      value = argument + 2 + length + 1;
  } else {
    o = find_letter(table, argument[1]);
    if (argument[1] && argument[2])
      value = argument + 2;
  }
  if (!o)
    return unknown(argument, table, error);
  if (o->kind == OPTION_FLAG)
    return value ? error_set(error, STATUS_USAGE,
                             "option '%s': --%s takes no value", argument,
                             o->name)
                 : set_value(o, NULL, error);
  if (!value && *i + 1 >= argc)
    return error_set(error, STATUS_USAGE, "option '%s' needs a value (%s)",
                     argument, o->argument);
  return set_value(o, value ? value : argv[++*i], error);
}

int option_parse(int argc, char **argv, const struct option *table,
                 const char **positional, int least, int most,
                 struct error *error) {
  int count = 0;
  bool options = true;
  for (int i = 0; i < argc; i++) {
    if (options && !strcmp(argv[i], "--")) {
      options = false;
    } else if (options && argv[i][0] == '-' && argv[i][1]) {
      if (!parse_option(argc, argv, &i, table, error))
        return -1;
    } else if (count < most) {
      positional[count++] = argv[i];
    } else {
      error_set(error, STATUS_USAGE, "unexpected argument '%s'", argv[i]);
      return -1;
    }
  }
  if (count < least) {
    error_set(error, STATUS_USAGE, "%d more argument%s expected", least - count,
              least - count > 1 ? "s" : "");
    return -1;
  }
  return count;
}

/* Breaks a line of help between words, the text beginning in column 30. */
static void print_wrapped(const char *text, FILE *out) {
  enum { LEFT = 30, WIDTH = 80 - LEFT };
  while (strlen(text) > WIDTH) {
    int cut = WIDTH;
    while (cut > 0 && text[cut] != ' ')
      cut--;
    if (!cut)
      break;
    fprintf(out, "%.*s\n%*s", cut, text, LEFT, "");
    text += cut + 1;
  }
  fprintf(out, "%s\n", text);
}

void option_help(const struct option *table, FILE *out) {
  for (; table->name; table++) {
    char left[60], letter[8] = "    ";
    if (table->letter)
      snprintf(letter, sizeof letter, "-%c, ", table->letter);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, table->name,
             table->kind == OPTION_FLAG ? "" : " ",
             table->kind == OPTION_FLAG     ? ""
             : table->kind == OPTION_CHOICE ? table->choices
                                            : table->argument);
    if (strlen(left) >= 28)
      fprintf(out, "  %s\n%30s", left, "");
    else
      fprintf(out, "  %-28s", left);
    print_wrapped(table->help, out);
  }
}
