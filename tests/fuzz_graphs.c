/* Any bytes as a graph file; what is accepted must come back from both
 * writers as it was. */
#include "tests/fuzz.h"
#include "tests/round_trip.h"

int fuzz_graphs(const uint8_t *bytes, size_t size) {
  struct memory *m = memory_new(NULL);
  if (!m || setjmp(*memory_recover(m)))
    return memory_free(m), 0;
  struct graph *g = round_trip_read(m, (const char *)bytes, size, NULL);
  if (g)
    round_trip(m, g);
  memory_free(m);
  return 0;
}
