#include "graphs/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Where the grammar stands. */
enum {
  EXPECT_VALUE,      /* a value */
  EXPECT_FIRST_ITEM, /* a value or ] */
  EXPECT_FIRST_KEY,  /* a key or } */
  EXPECT_AFTER,      /* , or the closing bracket, or the end */
  EXPECT_NOTHING     /* the document is over */
};

void json_open(struct json *j, struct memory *m, const char *name,
               const char *bytes, size_t size, struct error *error) {
  memset(j, 0, sizeof *j);
  j->memory = m;
  j->error = error;
  j->name = name;
  j->bytes = bytes;
  j->size = size;
  j->expect = EXPECT_VALUE;
  if (size >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3)) /* byte order mark */
    j->at = 3;
}

void json_open_at(struct json *j, const struct json *whole, size_t at) {
  json_open(j, whole->memory, whole->name, whole->bytes, whole->size,
            whole->error);
  j->at = at;
}

void json_close(struct json *j) {
  memory_put(j->memory, j->text);
  memory_put(j->memory, j->nest);
  j->text = NULL;
  j->nest = NULL;
}

void json_place(const struct json *j, size_t at, int64_t *line,
                int64_t *column) {
  size_t begin = 0;
  *line = 1;
  for (const char *c = j->bytes;
       at && (c = memchr(c, '\n', at - (size_t)(c - j->bytes))); c++) {
    ++*line;
    begin = (size_t)(c - j->bytes) + 1;
  }
  *column = (int64_t)(at - begin) + 1;
}

static bool fail_at(struct json *j, size_t at, const char *text) {
  if (!j->failed) {
    int64_t line, column;
    json_place(j, at, &line, &column);
    error_set(j->error, STATUS_INPUT, "%s:%lld:%lld: %s", j->name,
              (long long)line, (long long)column, text);
  }
  j->failed = true;
  j->token = JSON_ERROR;
  return false;
}

bool json_fail(struct json *j, const char *format, ...) {
  char text[500];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return fail_at(j, j->start, text);
}

const char *json_found(const struct json *j, char *buffer, int capacity) {
  int length = (int)(j->at - j->start), room = capacity - 4;
  switch (j->token) {
  case JSON_OBJECT:
    return "an object";
  case JSON_ARRAY:
    return "an array";
  case JSON_KEY:
  case JSON_TEXT:
  case JSON_NUMBER:
    if (length > room)
      for (length = room;
           length &&
           ((unsigned char)j->bytes[j->start + (size_t)length] & 0xc0) == 0x80;)
        length--; /* not inside a UTF-8 sequence */
    snprintf(buffer, (size_t)capacity, "%.*s%s", length, j->bytes + j->start,
             (size_t)length < j->at - j->start ? "..." : "");
    return buffer;
  case JSON_TRUE:
    return "true";
  case JSON_FALSE:
    return "false";
  case JSON_NULL:
    return "null";
  default:
    return "the end";
  }
}

/* ---- texts -------------------------------------------------------------- */

static void append(struct json *j, const char *bytes, size_t count) {
  if (j->length + count + 1 > j->text_capacity) {
    j->text_capacity = 2 * (j->length + count + 1) + 64;
    j->text = memory_resize(j->memory, j->text, j->text_capacity, 1);
  }
  memcpy(j->text + j->length, bytes, count);
  j->length += count;
}

static void append_code(struct json *j, uint32_t code) {
  char b[4];
  size_t count = 0;
  if (code < 0x80) {
    b[count++] = (char)code;
  } else {
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
    b[count++] = (char)(lead[more] | (code >> (6 * more)));
    while (more--)
      b[count++] = (char)(0x80 | ((code >> (6 * more)) & 0x3f));
  }
  append(j, b, count);
}

/* Four hexadecimal digits at `at`, or -1. */
static int32_t hex4(const struct json *j, size_t at) {
  int32_t value = 0;
  if (j->size - at < 4)
    return -1;
  for (size_t i = at; i < at + 4; i++) {
    char c = j->bytes[i];
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
    if (digit < 0)
      return -1;
    value = 16 * value + digit;
  }
  return value;
}

/* An escape at j->at, which is the backslash. */
static bool read_escape(struct json *j) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  char c = j->at + 1 < j->size ? j->bytes[j->at + 1] : '\0';
  const char *simple = c ? strchr(from, c) : NULL;
  if (simple) {
    append(j, to + (simple - from), 1);
    j->at += 2;
    return true;
  }
  if (c != 'u')
    return fail_at(j, j->at,
                   "unknown escape in a text, expected one of "
                   "\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
  int32_t code = hex4(j, j->at + 2);
  if (code < 0)
    return fail_at(j, j->at, "expected four hexadecimal digits behind \\u");
  size_t used = 6;
  if (code >= 0xd800 && code < 0xe000) {
    int32_t low = -1;
    if (code < 0xdc00 && j->size - j->at >= 12 &&
        !memcmp(j->bytes + j->at + 6, "\\u", 2))
      low = hex4(j, j->at + 8);
    if (low < 0xdc00 || low > 0xdfff)
      return fail_at(j, j->at, "a lone surrogate in \\u escapes");
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    used = 12;
  }
  append_code(j, (uint32_t)code);
  j->at += used;
  return true;
}

/* Length of the UTF-8 sequence at `at`, or 0 if it is none (overlong forms,
 * surrogates and codes beyond U+10FFFF are none). */
static size_t utf8_length(const struct json *j, size_t at) {
  const unsigned char *b = (const unsigned char *)j->bytes + at;
  size_t left = j->size - at;
  size_t length = b[0] < 0xc2   ? 0
                  : b[0] < 0xe0 ? 2
                  : b[0] < 0xf0 ? 3
                  : b[0] < 0xf5 ? 4
                                : 0;
  if (!length || left < length)
    return 0;
  for (size_t i = 1; i < length; i++)
    if ((b[i] & 0xc0) != 0x80)
      return 0;
  bool bad = (b[0] == 0xe0 && b[1] < 0xa0) || (b[0] == 0xed && b[1] > 0x9f) ||
             (b[0] == 0xf0 && b[1] < 0x90) || (b[0] == 0xf4 && b[1] > 0x8f);
  return bad ? 0 : length;
}

static bool read_text(struct json *j) {
  size_t from = ++j->at;
  j->length = 0;
  for (;;) {
    unsigned char c = j->at < j->size ? (unsigned char)j->bytes[j->at] : 0;
    if (c >= 0x80) {
      size_t length = utf8_length(j, j->at);
      if (!length)
        return fail_at(j, j->at, "invalid UTF-8 in a text");
      j->at += length;
    } else if (c == '"' || c == '\\' || c < 0x20) {
      append(j, j->bytes + from, j->at - from);
      if (j->at >= j->size)
        return fail_at(j, j->start, "a text that starts here never ends");
      if (c < 0x20)
        return fail_at(j, j->at,
                       "a control character in a text, expected "
                       "an escape");
      if (c == '"')
        break;
      if (!read_escape(j))
        return false;
      from = j->at;
    } else {
      j->at++;
    }
  }
  j->at++;
  j->text[j->length] = '\0';
  return true;
}

/* ---- numbers ------------------------------------------------------------ */

static size_t digits(struct json *j) {
  size_t from = j->at;
  while (j->at < j->size && j->bytes[j->at] >= '0' && j->bytes[j->at] <= '9')
    j->at++;
  return j->at - from;
}

static bool accept(struct json *j, const char *any) {
  if (j->at >= j->size || !j->bytes[j->at] || !strchr(any, j->bytes[j->at]))
    return false;
  j->at++;
  return true;
}

static bool read_number(struct json *j) {
  accept(j, "-");
  bool zero = j->at < j->size && j->bytes[j->at] == '0';
  size_t count = digits(j);
  bool ok = count && !(zero && count > 1);
  if (ok && accept(j, "."))
    ok = digits(j) > 0;
  if (ok && accept(j, "eE")) {
    accept(j, "+-");
    ok = digits(j) > 0;
  }
  return ok || fail_at(j, j->start, "malformed number");
}

/* value = digits * 10^shift, where the digits are those around the point.
 * Trailing zeros are moved into the shift first, so that only as many digits
 * are multiplied out as the value has. */
enum json_exact json_int64(const struct json *j, int64_t *value) {
  const char *c = j->bytes + j->start, *end = j->bytes + j->at;
  bool negative = *c == '-';
  uint64_t sum = 0;
  int64_t zeros = 0, shift = 0, exponent = 0;
  bool fraction = false, large = false;
  for (c += negative; c < end && *c != 'e' && *c != 'E'; c++) {
    if (*c == '.') {
      fraction = true;
      continue;
    }
    shift -= fraction;
    if (*c == '0') {
      zeros += sum > 0 || large;
      continue;
    }
    for (; zeros && !large; zeros--)
      large = sum > UINT64_MAX / 10 || (sum *= 10, false);
    zeros = 0;
    large = large || sum > (UINT64_MAX - 9) / 10;
    if (!large)
      sum = 10 * sum + (uint64_t)(*c - '0');
  }
  shift += zeros; /* digits = sum * 10^zeros, value = digits * 10^shift */
  if (c < end) {
    bool down = *++c == '-';
    for (c += *c == '-' || *c == '+'; c < end; c++)
      if (exponent < INT64_C(1000000000000))
        exponent = 10 * exponent + (*c - '0');
    shift += down ? -exponent : exponent;
  }
  *value = 0;
  if (!sum && !large)
    return JSON_INTEGER;
  if (shift < 0) /* no trailing zeros are left: not integral */
    return JSON_FRACTION;
  for (; shift && !large; shift--)
    large = sum > UINT64_MAX / 10 || (sum *= 10, false);
  if (large || sum > (uint64_t)INT64_MAX + negative)
    return JSON_TOO_LARGE;
  *value = negative ? -(int64_t)(sum - 1) - 1 : (int64_t)sum;
  return JSON_INTEGER;
}

/* ---- grammar ------------------------------------------------------------ */

static bool in_object(const struct json *j) {
  return j->depth && (j->nest[(j->depth - 1) / 8] >> ((j->depth - 1) % 8) & 1);
}

static void enter(struct json *j, bool object) {
  size_t byte = j->depth / 8, bit = j->depth % 8;
  MEMORY_GROW(j->memory, j->nest, byte, j->nest_capacity);
  j->nest[byte] = (unsigned char)((j->nest[byte] & ((1u << bit) - 1)) |
                                  ((unsigned)object << bit));
  j->depth++;
  j->expect = object ? EXPECT_FIRST_KEY : EXPECT_FIRST_ITEM;
}

static enum json_token leave(struct json *j, bool object) {
  j->at++;
  j->depth--;
  j->expect = j->depth ? EXPECT_AFTER : EXPECT_NOTHING;
  return object ? JSON_OBJECT_END : JSON_ARRAY_END;
}

static void skip_space(struct json *j) {
  while (j->at < j->size &&
         (j->bytes[j->at] == ' ' || j->bytes[j->at] == '\n' ||
          j->bytes[j->at] == '\r' || j->bytes[j->at] == '\t'))
    j->at++;
}

static bool read_word(struct json *j, const char *word) {
  size_t length = strlen(word);
  if (j->size - j->at < length || memcmp(j->bytes + j->at, word, length))
    return fail_at(j, j->at, "expected a JSON value");
  j->at += length;
  return true;
}

static enum json_token read_value(struct json *j) {
  char c = j->at < j->size ? j->bytes[j->at] : '\0';
  j->expect = j->depth ? EXPECT_AFTER : EXPECT_NOTHING;
  switch (c) {
  case '{':
  case '[':
    j->at++;
    enter(j, c == '{');
    return c == '{' ? JSON_OBJECT : JSON_ARRAY;
  case '"':
    return read_text(j) ? JSON_TEXT : JSON_ERROR;
  case 't':
    return read_word(j, "true") ? JSON_TRUE : JSON_ERROR;
  case 'f':
    return read_word(j, "false") ? JSON_FALSE : JSON_ERROR;
  case 'n':
    return read_word(j, "null") ? JSON_NULL : JSON_ERROR;
  default:
    if (c == '-' || (c >= '0' && c <= '9'))
      return read_number(j) ? JSON_NUMBER : JSON_ERROR;
    fail_at(j, j->at,
            j->at < j->size ? "expected a JSON value"
                            : "the file ends where a JSON value is expected");
    return JSON_ERROR;
  }
}

static enum json_token read_key(struct json *j) {
  if (j->at >= j->size || j->bytes[j->at] != '"') {
    fail_at(j, j->at, "expected a key (a text in double quotes)");
    return JSON_ERROR;
  }
  if (!read_text(j))
    return JSON_ERROR;
  skip_space(j);
  if (!accept(j, ":")) {
    fail_at(j, j->at, "expected ':' behind a key");
    return JSON_ERROR;
  }
  j->expect = EXPECT_VALUE;
  return JSON_KEY;
}

static enum json_token advance(struct json *j) {
  skip_space(j);
  char c = j->at < j->size ? j->bytes[j->at] : '\0';
  bool object = in_object(j);
  j->start = j->at;
  if (j->expect == EXPECT_NOTHING) {
    if (j->at >= j->size)
      return JSON_END;
    fail_at(j, j->at, "unexpected bytes behind the end of the document");
    return JSON_ERROR;
  }
  if (j->expect == EXPECT_VALUE)
    return read_value(j);
  if (c == (object ? '}' : ']'))
    return leave(j, object);
  if (j->expect == EXPECT_AFTER) {
    if (c != ',') {
      fail_at(j, j->at, object ? "expected ',' or '}'" : "expected ',' or ']'");
      return JSON_ERROR;
    }
    j->at++;
    skip_space(j);
    j->start = j->at;
  }
  return object ? read_key(j) : read_value(j);
}

enum json_token json_next(struct json *j) {
  j->token = j->failed ? JSON_ERROR : advance(j);
  return j->token;
}

bool json_skip(struct json *j) {
  if (j->token != JSON_OBJECT && j->token != JSON_ARRAY)
    return j->token != JSON_ERROR;
  for (size_t depth = j->depth - 1; j->depth > depth;)
    if (json_next(j) == JSON_ERROR)
      return false;
  return true;
}

bool json_skip_value(struct json *j) {
  json_next(j);
  return json_skip(j);
}

bool json_is(const struct json *j, const char *text) {
  return strlen(text) == j->length && !memcmp(text, j->text, j->length);
}
