#include "graphs/onnx_wire.h"

#include <string.h>

struct wire wire_enter(struct span message) {
  return (struct wire){.start = message.text,
                       .at = message.text,
                       .end = message.text + message.length};
}

/* At most ten bytes; false if there are too few, or too many. */
static bool read_varint(const char **at, const char *end, uint64_t *value) {
  *value = 0;
  for (int shift = 0; *at < end && shift < 70; shift += 7) {
    unsigned char byte = (unsigned char)*(*at)++;
    if (shift < 64)
      *value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80)
      return shift < 63 || byte < 2;
  }
  return false;
}

static bool read_fixed(struct wire *w, size_t bytes) {
  if ((size_t)(w->end - w->at) < bytes)
    return false;
  w->value = 0;
  for (size_t i = bytes; i-- > 0;)
    w->value = w->value << 8 | (unsigned char)w->at[i];
  w->at += bytes;
  return true;
}

static bool read_bytes(struct wire *w) {
  uint64_t length;
  if (!read_varint(&w->at, w->end, &length) ||
      length > (uint64_t)(w->end - w->at))
    return false;
  w->bytes = (struct span){w->at, (size_t)length};
  w->at += length;
  return true;
}

bool wire_next(struct wire *w) {
  uint64_t key;
  if (w->broken || w->at == w->end)
    return false;
  w->broken = true;
  if (!read_varint(&w->at, w->end, &key) || key >> 3 == 0 ||
      key >> 3 > 536870911)
    return false;
  w->number = (uint32_t)(key >> 3);
  w->type = (enum wire_type)(key & 7);
  w->bytes = (struct span){NULL, 0};
  switch (w->type) {
  case WIRE_VARINT:
    w->broken = !read_varint(&w->at, w->end, &w->value);
    break;
  case WIRE_64:
    w->broken = !read_fixed(w, 8);
    break;
  case WIRE_BYTES:
    w->broken = !read_bytes(w);
    break;
  case WIRE_32:
    w->broken = !read_fixed(w, 4);
    break;
  default: /* groups are long gone */
    break;
  }
  return !w->broken;
}

bool wire_integer(struct wire *w, size_t *at, int64_t *value) {
  uint64_t bits = w->value;
  if (w->type == WIRE_BYTES) {
    const char *next = w->bytes.text + *at;
    const char *end = w->bytes.text + w->bytes.length;
    if (next == end)
      return false;
    if (!read_varint(&next, end, &bits)) {
      w->broken = true;
      return false;
    }
    *at = (size_t)(next - w->bytes.text);
  } else if (w->type != WIRE_VARINT || (*at)++) {
    return false;
  }
  memcpy(value, &bits, sizeof bits);
  return true;
}

bool span_is(struct span s, const char *text) {
  return s.length == strlen(text) && !memcmp(s.text, text, s.length);
}

bool span_same(struct span a, struct span b) {
  return a.length == b.length &&
         (!a.length || !memcmp(a.text, b.text, a.length));
}
