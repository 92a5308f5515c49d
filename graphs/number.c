#include "graphs/number.h"

#include <stdbool.h>

static size_t digits(const char *text, size_t length, size_t from) {
  size_t i = from;
  while (i < length && text[i] >= '0' && text[i] <= '9')
    i++;
  return i - from;
}

/* The integer part, its sign included; 0 when there is none. */
static size_t integer_length(const char *text, size_t length) {
  size_t sign = length && text[0] == '-' ? 1 : 0;
  size_t count = digits(text, length, sign);
  if (!count)
    return 0;
  return sign + (text[sign] == '0' ? 1 : count);
}

size_t number_length(const char *text, size_t length) {
  size_t at = integer_length(text, length);
  if (!at)
    return 0;
  if (at < length && text[at] == '.') {
    size_t count = digits(text, length, at + 1);
    if (!count)
      return at;
    at += 1 + count;
  }
  if (at < length && (text[at] == 'e' || text[at] == 'E')) {
    size_t e = at + 1;
    if (e < length && (text[e] == '+' || text[e] == '-'))
      e++;
    size_t count = digits(text, length, e);
    if (count)
      at = e + count;
  }
  return at;
}

/* The exponent behind `e`; one beyond any text's length stays there. */
static int64_t read_exponent(const char *text, size_t length) {
  const int64_t most = INT64_MAX / 100;
  bool negative = length && text[0] == '-';
  int64_t value = 0;
  for (size_t i = 0; i < length; i++)
    if (text[i] >= '0' && text[i] <= '9' && value < most)
      value = value * 10 + (text[i] - '0');
  return negative ? -value : value;
}

/* The digits d and the power p with value = d * 10^p, where d neither begins
 * nor ends with 0: integral exactly if p >= 0, within int64 only if digits and
 * zeros together are at most 19. */
enum number_result number_int64(const char *text, size_t length,
                                int64_t *value) {
  if (!length || number_length(text, length) != length)
    return NUMBER_MALFORMED;
  bool negative = text[0] == '-';
  int64_t power = 0, behind_point = 0, zeros = 0, count = 0;
  uint64_t sum = 0;
  bool point = false;
  for (size_t i = negative ? 1 : 0; i < length; i++) {
    if (text[i] == '.') {
      point = true;
      continue;
    }
    if (text[i] == 'e' || text[i] == 'E') {
      power = read_exponent(text + i + 1, length - i - 1);
      break;
    }
    behind_point += point;
    if (text[i] == '0') {
      zeros += count > 0; /* decided when a further digit comes */
      continue;
    }
    for (; zeros; zeros--, count++)
      if (count < 20)
        sum *= 10;
    if (count++ < 19)
      sum = sum * 10 + (uint64_t)(text[i] - '0');
  }
  power += zeros - behind_point;
  *value = 0;
  if (!count)
    return NUMBER_OK;
  if (power < 0)
    return NUMBER_FRACTION;
  if (power > 19 || count + power > 19)
    return NUMBER_RANGE;
  for (; power; power--)
    sum *= 10;
  if (sum > (uint64_t)INT64_MAX + (negative ? 1 : 0))
    return NUMBER_RANGE;
  *value = negative ? (int64_t)(0 - sum) : (int64_t)sum;
  return NUMBER_OK;
}
