/* Retention intervals of a sequence of graph nodes (`keep` included). */
#ifndef MOCCASIN_INTERVALS_H
#define MOCCASIN_INTERVALS_H

#include "graphs/graph.h"

/* For the instance made at each step: the last step that holds it, and which
 * compute of its node it is (from 1).  The sequence must be valid.
 * O(steps x degree). */
void intervals_find(const struct graph *g, const int *sequence, int length,
                    int *end, int *number, struct memory *scratch);

#endif
