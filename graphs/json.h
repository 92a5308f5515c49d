/* A pull reader for JSON (RFC 8259) that lies whole in memory.
 *
 *     {"a": [1, "x"]}    ->   OBJECT KEY ARRAY NUMBER STRING ARRAY_END
 *                             OBJECT_END END
 *
 * Nothing is built and nothing recurses: one bit a level remembers whether it
 * is an object, so a gigabyte of `[` costs 125 MB and linear time.  Strict: the
 * whole text must be one value, strings must be UTF-8 without lone surrogates,
 * numbers follow the grammar (no NaN, no leading zeros).  A byte order mark
 * before the value is skipped.
 *
 * Usual form:
 *
 *     json_open(&j, m, "file.json", bytes, length, error);
 *     if (json_expect(&j, JSON_OBJECT, "the document"))
 *       while (json_member(&j))              // at a key; reads its value
 *         if (json_key_is(&j, "steps"))
 *           ... json_next(&j) ...
 *         else
 *           json_skip(&j);
 *     json_close(&j);                        // false after any error
 *
 * Errors (STATUS_INPUT) read "file.json:3:17: what was found, what was
 * expected"; the column counts characters.  After the first error every call
 * gives JSON_ERROR or false.
 */
#ifndef MOCCASIN_JSON_H
#define MOCCASIN_JSON_H

#include "solver/base/error.h"
#include "solver/base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum json_kind {
  JSON_ERROR,
  JSON_OBJECT,
  JSON_OBJECT_END,
  JSON_ARRAY,
  JSON_ARRAY_END,
  JSON_KEY,
  JSON_STRING,
  JSON_NUMBER,
  JSON_TRUE,
  JSON_FALSE,
  JSON_NULL,
  JSON_END /* of the text */
};

struct json {
  enum json_kind kind; /* of the token just read */
  size_t start, end;   /* its bytes; of a string without its quotes */
  /* the rest is private */
  const char *name, *text;
  size_t length, at;
  size_t depth, level_words;
  uint64_t *level; /* a bit for each open container: 1 is an object */
  bool escaped;    /* the string has escapes */
  int state;
  struct memory *memory;
  struct error *error;
};

/* A text of the reader's own; zero-initialised to begin with. */
struct json_buffer {
  char *text; /* ends with NUL */
  size_t length, capacity;
};

/* `name` and `text` must outlive the reader.  Closing releases its memory and
 * is false after an error or when the text was not read to its end. */
void json_open(struct json *j, struct memory *m, const char *name,
               const char *text, size_t length, struct error *error);
bool json_close(struct json *j);

/* A second reader for one value of `j`'s text that begins at `start`, the
 * place where an earlier token began.  json_leave releases it. */
void json_open_value(struct json *part, const struct json *j, size_t start);
void json_leave(struct json *part);

/* The next token. */
enum json_kind json_next(struct json *j);

/* Reads the next token and demands its kind; `what` names the value in the
 * message. */
bool json_expect(struct json *j, enum json_kind kind, const char *what);

/* Passes over a value: after a key its value; after the first token of a
 * container the rest of it; after any other token nothing. */
bool json_skip(struct json *j);

/* In an object: reads the next key; false at the object's end.  In an array:
 * reads the first token of the next element; false at the array's end. */
bool json_member(struct json *j);
bool json_element(struct json *j);

/* Is the key, or string, just read this one? */
bool json_key_is(const struct json *j, const char *key);

/* Decodes the string or key just read.  A NUL character is an error. */
bool json_text(struct json *j, struct json_buffer *out);

/* The exact value of the number just read; an error, that names `what`, if
 * the token is no number, not integral or beyond int64. */
bool json_int64(struct json *j, const char *what, int64_t *value);

/* Fails at a byte of the text. */
bool json_fail(struct json *j, size_t at, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* "an object", "a number"... for messages. */
const char *json_kind_name(enum json_kind kind);

#endif
