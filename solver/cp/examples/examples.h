/* Two textbook problems on the engine, which know nothing of graphs.
 *
 *     make examples && build/release/examples queens 8
 *                      build/release/examples projects
 */
#ifndef MOCCASIN_CP_EXAMPLES_H
#define MOCCASIN_CP_EXAMPLES_H

#include "solver/cp/cp.h"

/* n queens that do not attack each other: the row of the queen of each column
 * into row[0 .. n-1]; false if there is no such placement (proven). */
bool example_queens(struct memory *m, const struct cp_options *o, int n,
                    int *row);

/* Resource-constrained project scheduling: activities of fixed duration with
 * demands on renewable resources, precedences, least makespan. */
enum { EXAMPLE_ACTIVITIES = 16, EXAMPLE_RESOURCES = 3 };

struct example_project {
  int activities, resources;
  int capacity[EXAMPLE_RESOURCES];
  int duration[EXAMPLE_ACTIVITIES];
  int demand[EXAMPLE_ACTIVITIES][EXAMPLE_RESOURCES];
  bool before[EXAMPLE_ACTIVITIES][EXAMPLE_ACTIVITIES]; /* i ends before j */
};

/* Least makespan, with the start times that reach it; -1 if none (a demand
 * beyond its capacity, a cycle).  `statistics` may be NULL. */
int example_project(struct memory *m, const struct cp_options *o,
                    const struct example_project *p, int *start,
                    struct cp_statistics *statistics);

/* Twelve activities on two resources: building a house.  Least makespan 31. */
struct example_project example_house(void);

#endif
