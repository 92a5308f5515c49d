/* Protocol buffers' wire format, every read checked against its bounds.
 *
 *     message = (key value)*, key = number << 3 | type, both varints
 *
 * A reader walks the fields of one message; a field that is a message is
 * walked by a reader of its own (wire_enter). Nothing is copied. */
#ifndef MOCCASIN_ONNX_WIRE_H
#define MOCCASIN_ONNX_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct span {
  const char *text; /* not NUL-terminated */
  size_t length;
};

enum wire_type { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

struct wire {
  const char *start, *at, *end;
  bool broken;     /* malformed; wire_next stays false */
  uint32_t number; /* of the field just read */
  enum wire_type type;
  uint64_t value;    /* WIRE_VARINT, WIRE_64, WIRE_32 */
  struct span bytes; /* WIRE_BYTES */
};

struct wire wire_enter(struct span message);

/* The next field; false at the end, or when the bytes are malformed. */
bool wire_next(struct wire *w);

/* The field just read, as the next of the integers of a repeated field: one,
 * or packed ones.  Call until it is false, with *at = 0 at first. */
bool wire_integer(struct wire *w, size_t *at, int64_t *value);

bool span_is(struct span s, const char *text);
bool span_same(struct span a, struct span b);

#endif
