#include "graphs/json.h"

#include "graphs/number.h"
#include "graphs/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What may come next. */
enum state { VALUE, ELEMENT_OR_END, KEY_OR_END, KEY_AFTER_COMMA, AFTER_VALUE };

static const char *const expected[] = {
    "a value", "a value or ']'", "a key in quotes or '}'", "a key in quotes",
    "" /* depends on the container */};

void json_open(struct json *j, struct memory *m, const char *name,
               const char *text, size_t length, struct error *error) {
  *j = (struct json){.name = name,
                     .text = text,
                     .length = length,
                     .memory = m,
                     .error = error,
                     .kind = JSON_NULL};
  if (length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
    j->at = 3;
}

bool json_close(struct json *j) {
  bool ok = j->kind != JSON_ERROR && json_next(j) == JSON_END;
  json_leave(j);
  return ok;
}

void json_open_value(struct json *part, const struct json *j, size_t start) {
  json_open(part, j->memory, j->name, j->text, j->length, j->error);
  part->at = start;
}

void json_leave(struct json *part) {
  memory_put(part->memory, part->level);
  part->level = NULL;
}

const char *json_kind_name(enum json_kind kind) {
  static const char *const name[] = {"an error",
                                     "an object",
                                     "the end of an object",
                                     "an array",
                                     "the end of an array",
                                     "a key",
                                     "a text in quotes",
                                     "a number",
                                     "true",
                                     "false",
                                     "null",
                                     "the end of the file"};
  return name[kind];
}

bool json_fail(struct json *j, size_t at, const char *format, ...) {
  if (j->kind == JSON_ERROR)
    return false;
  size_t line = 1, column = 1;
  for (size_t i = 0; i < at && i < j->length; i++)
    if (j->text[i] == '\n')
      line++, column = 1;
    else
      column += ((unsigned char)j->text[i] & 0xc0) != 0x80;
  char message[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  j->kind = JSON_ERROR;
  return error_set(j->error, STATUS_INPUT, "%.150s:%zu:%zu: %s", j->name, line,
                   column, message);
}

/* What stands at a place, for messages. */
static const char *found(const struct json *j, size_t at, char buffer[40]) {
  unsigned char c = at < j->length ? (unsigned char)j->text[at] : 0;
  size_t word = 0;
  while (at + word < j->length && word < 20 &&
         ((j->text[at + word] | 32) >= 'a' && (j->text[at + word] | 32) <= 'z'))
    word++;
  if (at >= j->length)
    strcpy(buffer, "the end of the file");
  else if (word > 1)
    snprintf(buffer, 40, "%.*s", (int)word, j->text + at);
  else if (c > ' ' && c < 0x7f)
    snprintf(buffer, 40, "'%c'", c);
  else
    snprintf(buffer, 40, "byte 0x%02x", c);
  return buffer;
}

static enum json_kind unexpected(struct json *j, const char *what) {
  char buffer[40];
  json_fail(j, j->at, "found %s, expected %s", found(j, j->at, buffer), what);
  return JSON_ERROR;
}

static bool in_object(const struct json *j) {
  size_t top = j->depth - 1;
  return j->level[top / 64] >> (top % 64) & 1;
}

static enum json_kind enter(struct json *j, bool object) {
  size_t word = j->depth / 64;
  MEMORY_GROW(j->memory, j->level, word, j->level_words);
  uint64_t bit = UINT64_C(1) << (j->depth % 64);
  j->level[word] = object ? j->level[word] | bit : j->level[word] & ~bit;
  j->depth++;
  j->state = object ? KEY_OR_END : ELEMENT_OR_END;
  j->end = ++j->at;
  return j->kind = object ? JSON_OBJECT : JSON_ARRAY;
}

static enum json_kind leave(struct json *j) {
  bool object = in_object(j);
  j->depth--;
  j->state = AFTER_VALUE;
  j->end = ++j->at;
  return j->kind = object ? JSON_OBJECT_END : JSON_ARRAY_END;
}

static int hex_digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/* The four digits of \uXXXX, or -1. */
static int32_t hex_unit(const struct json *j, size_t at) {
  int32_t code = 0;
  for (size_t i = at; i < at + 4; i++) {
    int digit = i < j->length ? hex_digit(j->text[i]) : -1;
    if (digit < 0)
      return -1;
    code = code * 16 + digit;
  }
  return code;
}

/* Checks the escape whose backslash is at `at`; returns its length, 0 after an
 * error. */
static size_t check_escape(struct json *j, size_t at) {
  char c = at + 1 < j->length ? j->text[at + 1] : 0;
  if (c && strchr("\"\\/bfnrt", c))
    return 2;
  if (c != 'u') {
    json_fail(j, at,
              "unknown escape, expected one of \\\" \\\\ \\/ \\b \\f "
              "\\n \\r \\t \\uXXXX");
    return 0;
  }
  int32_t unit = hex_unit(j, at + 2);
  if (unit < 0) {
    json_fail(j, at, "expected four hexadecimal digits after \\u");
    return 0;
  }
  if (unit < 0xd800 || unit > 0xdfff)
    return 6;
  int32_t low = unit < 0xdc00 && at + 7 < j->length &&
                        j->text[at + 6] == '\\' && j->text[at + 7] == 'u'
                    ? hex_unit(j, at + 8)
                    : -1;
  if (low >= 0xdc00 && low <= 0xdfff)
    return 12;
  json_fail(j, at, "half of a surrogate pair, expected both halves");
  return 0;
}

/* At the opening quote. */
static bool scan_string(struct json *j) {
  size_t i = j->at + 1;
  j->start = i;
  j->escaped = false;
  while (i < j->length && j->text[i] != '"') {
    unsigned char c = (unsigned char)j->text[i];
    if (c == '\\') {
      size_t length = check_escape(j, i);
      if (!length)
        return false;
      j->escaped = true;
      i += length;
    } else if (c >= 0x80) {
      size_t length = utf8_length(j->text + i, j->length - i);
      if (!length)
        return json_fail(j, i, "byte 0x%02x, expected UTF-8", c);
      i += length;
    } else if (c < ' ') {
      return json_fail(j, i, "byte 0x%02x within a text, expected an escape",
                       c);
    } else {
      i++;
    }
  }
  if (i >= j->length)
    return json_fail(j, j->at, "this text has no closing quote");
  j->end = i;
  j->at = i + 1;
  return true;
}

static enum json_kind scan_word(struct json *j, const char *word,
                                enum json_kind kind) {
  size_t length = strlen(word);
  if (j->length - j->at < length || memcmp(j->text + j->at, word, length) != 0)
    return unexpected(j, expected[j->state]);
  j->end = j->at += length;
  j->state = AFTER_VALUE;
  return j->kind = kind;
}

static enum json_kind scan_value(struct json *j) {
  char c = j->text[j->at];
  switch (c) {
  case '{':
  case '[':
    return enter(j, c == '{');
  case '"':
    if (!scan_string(j))
      return JSON_ERROR;
    j->state = AFTER_VALUE;
    return j->kind = JSON_STRING;
  case 't':
    return scan_word(j, "true", JSON_TRUE);
  case 'f':
    return scan_word(j, "false", JSON_FALSE);
  case 'n':
    return scan_word(j, "null", JSON_NULL);
  default:
    break;
  }
  size_t length = number_length(j->text + j->at, j->length - j->at);
  if (!length)
    return unexpected(j, expected[j->state]);
  j->end = j->at += length;
  j->state = AFTER_VALUE;
  return j->kind = JSON_NUMBER;
}

static void skip_blanks(struct json *j) {
  while (j->at < j->length &&
         (j->text[j->at] == ' ' || j->text[j->at] == '\n' ||
          j->text[j->at] == '\r' || j->text[j->at] == '\t'))
    j->at++;
}

static enum json_kind scan_key(struct json *j) {
  if (j->at >= j->length || j->text[j->at] != '"')
    return unexpected(j, expected[j->state]);
  if (!scan_string(j))
    return JSON_ERROR;
  skip_blanks(j);
  if (j->at >= j->length || j->text[j->at] != ':')
    return unexpected(j, "':' after the key");
  j->at++;
  j->state = VALUE;
  return j->kind = JSON_KEY;
}

enum json_kind json_next(struct json *j) {
  if (j->kind == JSON_ERROR)
    return JSON_ERROR;
  skip_blanks(j);
  j->start = j->at;
  char c = j->at < j->length ? j->text[j->at] : 0;
  if (j->state == AFTER_VALUE) {
    if (!j->depth) {
      if (j->at < j->length)
        return unexpected(j, "the end of the file");
      j->end = j->at;
      return j->kind = JSON_END;
    }
    bool object = in_object(j);
    if (c == (object ? '}' : ']'))
      return leave(j);
    if (c != ',')
      return unexpected(j, object ? "',' or '}'" : "',' or ']'");
    j->at++;
    j->state = object ? KEY_AFTER_COMMA : VALUE;
    skip_blanks(j);
    j->start = j->at;
    c = j->at < j->length ? j->text[j->at] : 0;
  }
  if ((j->state == KEY_OR_END && c == '}') ||
      (j->state == ELEMENT_OR_END && c == ']'))
    return leave(j);
  if (j->state == KEY_OR_END || j->state == KEY_AFTER_COMMA)
    return scan_key(j);
  if (j->at >= j->length)
    return unexpected(j, expected[j->state]);
  return scan_value(j);
}

bool json_expect(struct json *j, enum json_kind kind, const char *what) {
  enum json_kind got = json_next(j);
  if (got == kind)
    return true;
  return json_fail(j, j->start, "%s: found %s, expected %s", what,
                   json_kind_name(got), json_kind_name(kind));
}

bool json_skip(struct json *j) {
  if (j->kind == JSON_KEY)
    json_next(j);
  if (j->kind == JSON_OBJECT || j->kind == JSON_ARRAY) {
    size_t outside = j->depth - 1;
    while (j->kind != JSON_ERROR && j->depth > outside)
      json_next(j);
  }
  return j->kind != JSON_ERROR;
}

bool json_member(struct json *j) {
  return json_next(j) == JSON_KEY;
}

bool json_element(struct json *j) {
  enum json_kind kind = json_next(j);
  return kind != JSON_ERROR && kind != JSON_ARRAY_END;
}
