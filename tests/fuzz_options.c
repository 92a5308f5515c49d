/* Any bytes as the words of a command line, split at newlines: parsing never
 * reads beyond a word, and a number that is accepted keeps its range. */
#include "tests/fuzz.h"

#include "solver/cli/option.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { most_words = 16, most_bytes = 400 };

static int split(char *text, char **word) {
  int count = 0;
  for (char *c = text; c && count < most_words;) {
    char *end = strchr(c, '\n');
    if (end)
      *end++ = '\0';
    word[count++] = c;
    c = end;
  }
  return count;
}

int fuzz_options(const uint8_t *bytes, size_t size) {
  char text[most_bytes + 1], *word[most_words];
  const char *positional[2], *name = NULL, *choice = NULL;
  int64_t number = 5, bytes_read = 0, percent = 0;
  double real = 0.5;
  bool flag = false;
  struct error error = {STATUS_OK, ""};
  size = size < most_bytes ? size : most_bytes;
  memcpy(text, bytes, size);
  text[size] = '\0';
  const struct option table[] = {
      {"number", 'n', OPTION_INTEGER, &number, "N", "", 0, 10, NULL},
      {"real", 'r', OPTION_REAL, &real, "X", "", 0, 1, NULL},
      {"flag", 'f', OPTION_FLAG, &flag, NULL, "", 0, 0, NULL},
      {"name", '\0', OPTION_TEXT, &name, "T", "", 0, 0, NULL},
      {"bytes", 'b', OPTION_BYTES, &bytes_read, "B", "", 0, 0, NULL},
      {"choice", 'c', OPTION_CHOICE, &choice, NULL, "", 0, 0, "one|two"},
      {.name = NULL}};
  int words = split(text, word);
  int count = option_parse(words, word, table, positional, 0, 2, &error);
  if (count < 0 ? error.status != STATUS_USAGE : count > 2)
    abort();
  if (number < 0 || number > 10 || !(real >= 0 && real <= 1) || bytes_read < 0)
    abort();
  if (option_percent(word[0], &percent) && percent < 0)
    abort();
  return 0;
}
