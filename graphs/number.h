/* Decimal numbers as JSON writes them, read exactly: no floating point.
 *
 *     -12   0   12.0   1.5e1   1e3   0.001e6        are integral
 *     0.5   1e-1                                    are not
 */
#ifndef MOCCASIN_NUMBER_H
#define MOCCASIN_NUMBER_H

#include <stddef.h>
#include <stdint.h>

enum number_result {
  NUMBER_OK,
  NUMBER_MALFORMED,
  NUMBER_FRACTION, /* a number, but no integer */
  NUMBER_RANGE     /* an integer beyond int64 */
};

/* Bytes of the longest number at the start of `text`, 0 if there is none.
 * The grammar is JSON's: no plus sign, no leading zero, digits on both sides
 * of a point. */
size_t number_length(const char *text, size_t length);

/* The value of a text that is one number from end to end.  O(length),
 * whatever the digits and the exponent. */
enum number_result number_int64(const char *text, size_t length,
                                int64_t *value);

#endif
