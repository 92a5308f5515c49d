/* Colours for people at a terminal. */
#ifndef MOCCASIN_CLI_COLOR_H
#define MOCCASIN_CLI_COLOR_H

#include <stdio.h>

enum color { COLOR_GOOD, COLOR_DOUBT, COLOR_BAD };

/* Prints `text` in a colour if the stream is a terminal that has them and the
 * environment does not say NO_COLOR (no-color.org). */
void color_print(FILE *out, enum color color, const char *text);

#endif
