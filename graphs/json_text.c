/* What tokens of the JSON reader mean: texts and numbers. */
#include "graphs/json.h"

#include "graphs/number.h"
#include "graphs/utf8.h"

#include <string.h>

static uint32_t unit_at(const char *text) {
  uint32_t code = 0;
  for (int i = 0; i < 4; i++) {
    uint32_t c = (unsigned char)text[i];
    code = code * 16 + (c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
  }
  return code;
}

/* Decodes one character of a string that the scanner has checked: returns the
 * bytes read, and puts what they stand for into `out`. */
static size_t decode(const char *text, char out[4], size_t *bytes) {
  static const char plain[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  *bytes = 1;
  if (text[0] != '\\') {
    out[0] = text[0];
    return 1;
  }
  if (text[1] != 'u') {
    out[0] = meant[strchr(plain, text[1]) - plain];
    return 2;
  }
  uint32_t code = unit_at(text + 2);
  size_t read = 6;
  if (code >= 0xd800 && code <= 0xdfff) {
    code = 0x10000 + ((code - 0xd800) << 10) + (unit_at(text + 8) - 0xdc00);
    read = 12;
  }
  *bytes = utf8_encode(code, out);
  return read;
}

bool json_key_is(const struct json *j, const char *key) {
  size_t length = strlen(key), at = j->start, matched = 0, bytes;
  if (!j->escaped)
    return j->end - at == length && !memcmp(j->text + at, key, length);
  char out[4];
  while (at < j->end) {
    at += decode(j->text + at, out, &bytes);
    if (matched + bytes > length || memcmp(key + matched, out, bytes) != 0)
      return false;
    matched += bytes;
  }
  return matched == length;
}

bool json_text(struct json *j, struct json_buffer *out) {
  if (j->kind != JSON_STRING && j->kind != JSON_KEY)
    return json_fail(j, j->start, "found %s, expected a text in quotes",
                     json_kind_name(j->kind));
  size_t need = j->end - j->start + 1; /* decoding never lengthens */
  if (out->capacity < need + 4) {
    out->capacity = 2 * (need + 4);
    out->text = memory_resize(j->memory, out->text, out->capacity, 1);
  }
  out->length = 0;
  if (!j->escaped) {
    out->length = need - 1;
    memcpy(out->text, j->text + j->start, out->length);
  } else {
    for (size_t at = j->start, bytes; at < j->end; out->length += bytes) {
      at += decode(j->text + at, out->text + out->length, &bytes);
      if (!out->text[out->length])
        return json_fail(j, j->start, "this text has a NUL character");
    }
  }
  out->text[out->length] = 0;
  return true;
}

bool json_int64(struct json *j, const char *what, int64_t *value) {
  if (j->kind != JSON_NUMBER)
    return json_fail(j, j->start, "%s: found %s, expected an integer", what,
                     json_kind_name(j->kind));
  size_t length = j->end - j->start;
  enum number_result result = number_int64(j->text + j->start, length, value);
  if (result == NUMBER_OK)
    return true;
  return json_fail(j, j->start, "%s: %.*s%s is %s, expected an integer", what,
                   length > 40 ? 40 : (int)length, j->text + j->start,
                   length > 40 ? "..." : "",
                   result == NUMBER_RANGE ? "beyond int64" : "no integer");
}
