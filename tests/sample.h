/* What tests over random samples share: how many, and with which switches. */
#ifndef MOCCASIN_TESTS_SAMPLE_H
#define MOCCASIN_TESTS_SAMPLE_H

#include "solver/base/random.h"

#include <stddef.h>

/* The environment's number of that name, or else the other one. */
double sample_number(const char *name, double otherwise);

/* `count` random words of a list of `words`, joined by commas. */
void sample_words(struct random *r, const char *const *word, int words,
                  int count, char *text, size_t size);

#endif
