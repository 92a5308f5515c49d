#include "tests/sample.h"

#include <stdio.h>
#include <stdlib.h>

double sample_number(const char *name, double otherwise) {
  const char *text = getenv(name);
  return text ? atof(text) : otherwise;
}

void sample_words(struct random *r, const char *const *word, int words,
                  int count, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (; count > 0 && used < size; count--)
    used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "," : "",
                             word[random_below(r, words)]);
}
