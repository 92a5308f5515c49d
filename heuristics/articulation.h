/* Articulation points: nodes without which the graph, taken as undirected,
 * falls into more parts.  Checkpointing at them cuts all paths, so that one
 * output is all that is held between two segments.
 *
 * Source: Hopcroft and Tarjan, "Efficient algorithms for graph manipulation",
 * 1973. */
#ifndef MOCCASIN_ARTICULATION_H
#define MOCCASIN_ARTICULATION_H

#include "model/problem.h"

/* n entries, from `m`.  O(n + m). */
bool *articulation_points(const struct problem *p, struct memory *m);

#endif
