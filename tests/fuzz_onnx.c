/* Any bytes as an ONNX model, with sizes for some symbolic dimensions; what is
 * accepted is a graph like any other.  The first byte, which every model
 * begins with, is supplied. */
#include "tests/fuzz.h"
#include "tests/round_trip.h"

#include <stdlib.h>
#include <string.h>

int fuzz_onnx(const uint8_t *bytes, size_t size) {
  static const char *const dim[] = {"batch=3", "n=4611686018427387904"};
  struct onnx_options options = {.dim = dim, .dims = 2};
  struct memory *m = memory_new(NULL);
  if (!m || setjmp(*memory_recover(m)))
    return memory_free(m), 0;
  char *copy = memory_get(m, size + 1, 1);
  if (size)
    memcpy(copy, bytes, size);
  copy[0] = 0x08;
  options.no_weights = size > 1 && bytes[0] & 1;
  struct graph *g = round_trip_read(m, copy, size, &options);
  if (g)
    round_trip(m, g);
  memory_free(m);
  return 0;
}
