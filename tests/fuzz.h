/* Fuzz targets.  Each takes any bytes, must survive them without a sanitizer
 * report, and aborts on a wrong answer.  libFuzzer drives them (`make fuzz`);
 * test_fuzz.c replays tests/cases/NAME and random bytes in the tests. */
#ifndef MOCCASIN_TESTS_FUZZ_H
#define MOCCASIN_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

typedef int fuzz_target(const uint8_t *bytes, size_t size);

fuzz_target fuzz_graphs;   /* a graph file, JSON or text */
fuzz_target fuzz_onnx;     /* an ONNX model */
fuzz_target fuzz_schedule; /* a schedule document for a small graph */
fuzz_target fuzz_options;  /* a command line, budgets */
fuzz_target fuzz_engine;   /* calls of the constraint engine */
fuzz_target fuzz_solve;    /* a tiny problem, against exhaustive search */

#endif
