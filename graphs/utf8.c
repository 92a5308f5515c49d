#include "graphs/utf8.h"

#include <string.h>

size_t utf8_length(const char *text, size_t length) {
  const unsigned char *c = (const unsigned char *)text;
  if (c[0] < 0x80)
    return 1;
  size_t bytes = c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
  if (c[0] < 0xc2 || c[0] > 0xf4 || length < bytes)
    return 0;
  for (size_t i = 1; i < bytes; i++)
    if ((c[i] & 0xc0) != 0x80)
      return 0;
  if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) ||
      (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f))
    return 0;
  return bytes;
}

size_t utf8_encode(uint32_t code, char out[4]) {
  if (code < 0x80) {
    out[0] = (char)code;
    return 1;
  }
  size_t bytes = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (size_t i = bytes; i-- > 1; code >>= 6)
    out[i] = (char)(0x80 | (code & 0x3f));
  out[0] = (char)((0xf00 >> bytes) | code);
  return bytes;
}

char *utf8_repair(char *text) {
  size_t left = strlen(text);
  for (char *c = text; left;) {
    size_t bytes = utf8_length(c, left);
    if (!bytes) {
      *c = '?';
      bytes = 1;
    }
    c += bytes;
    left -= bytes;
  }
  return text;
}
