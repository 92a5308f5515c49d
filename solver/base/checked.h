/* int64 arithmetic that tells when it overflows (all sums of bytes and of
 * cost units in this project are checked, see graphs/graph.h). */
#ifndef MOCCASIN_CHECKED_H
#define MOCCASIN_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

/* *sum += x; false, and *sum unchanged, if that leaves int64. */
static inline bool checked_add(int64_t *sum, int64_t x) {
  if (x > 0 ? *sum > INT64_MAX - x : *sum < INT64_MIN - x)
    return false;
  *sum += x;
  return true;
}

/* *product = a * b for a, b >= 0; false if that leaves int64. */
static inline bool checked_multiply(int64_t a, int64_t b, int64_t *product) {
  if (a && b > INT64_MAX / a)
    return false;
  *product = a * b;
  return true;
}

#endif
