/* A graph written and read again: every format that holds all must give back
 * what there was.  For fuzz targets: what does not agree ends in abort. */
#ifndef MOCCASIN_TESTS_ROUND_TRIP_H
#define MOCCASIN_TESTS_ROUND_TRIP_H

#include "graphs/read.h"

/* Reads any bytes; NULL where they are refused, with a message, as input. */
struct graph *round_trip_read(struct memory *m, const char *bytes, size_t size,
                              const struct onnx_options *options);

/* `g` to JSON and to text and back. */
void round_trip(struct memory *m, const struct graph *g);

#endif
