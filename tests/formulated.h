/* Solving a formulation to the end, as the tests do. */
#ifndef MOCCASIN_TESTS_FORMULATED_H
#define MOCCASIN_TESTS_FORMULATED_H

#include "model/formulation.h"

/* Least duration found; INT64_MAX: none; -1: a fault, told in `text`. */
int64_t formulated_duration(struct memory *m, const struct problem *p,
                            const struct formulation_options *o,
                            char text[200]);

#endif
