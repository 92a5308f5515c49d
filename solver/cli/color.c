#define _POSIX_C_SOURCE 200809L
#include "solver/cli/color.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool wanted(FILE *out) {
  const char *never = getenv("NO_COLOR"), *terminal = getenv("TERM");
  return !(never && never[0]) && terminal && strcmp(terminal, "dumb") != 0 &&
         isatty(fileno(out));
}

void color_print(FILE *out, enum color color, const char *text) {
  static const char *const code[] = {"\033[32m", "\033[33m", "\033[31m"};
  if (wanted(out))
    fprintf(out, "%s%s\033[0m", code[color], text);
  else
    fputs(text, out);
}
