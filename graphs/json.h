/* A pull parser for JSON (RFC 8259) over bytes in memory.
 *
 *     struct json j;
 *     json_open(&j, m, "file.json", bytes, length, error);
 *     if (json_next(&j) == JSON_OBJECT)
 *       while (json_next(&j) == JSON_KEY)
 *         if (json_is(&j, "nodes")) ... json_next(&j) ...
 *         else json_skip_value(&j);
 *
 * Every call of json_next yields the next token of the whole document; the
 * parser checks the grammar.  It never recurses: nesting costs one bit a level.
 * Texts are decoded (escapes, surrogate pairs, UTF-8 checked) into a buffer
 * that the next text overwrites.  Numbers stay as they are written until asked
 * for, and are then exact or refused, never rounded.
 *
 * Errors: the first one is noted in `error` as STATUS_INPUT with
 * "NAME:LINE:COLUMN: ..."; from then on every token is JSON_ERROR.
 * Time O(length) for one pass over the document.
 */
#ifndef MOCCASIN_JSON_H
#define MOCCASIN_JSON_H

#include "solver/base/error.h"
#include "solver/base/memory.h"

#include <stdbool.h>
#include <stdint.h>

enum json_token {
  JSON_ERROR,
  JSON_END, /* behind the document's only value */
  JSON_OBJECT,
  JSON_OBJECT_END,
  JSON_ARRAY,
  JSON_ARRAY_END,
  JSON_KEY,    /* text, length */
  JSON_TEXT,   /* text, length */
  JSON_NUMBER, /* start .. at */
  JSON_TRUE,
  JSON_FALSE,
  JSON_NULL
};

struct json {
  struct memory *memory;
  struct error *error;
  const char *name; /* of the file, for messages */
  const char *bytes;
  size_t size;  /* of the document, bytes */
  size_t at;    /* next byte to read */
  size_t start; /* first byte of the token last read */
  enum json_token token;
  char *text;    /* decoded text of a key or text, with a NUL behind it */
  size_t length; /* of the text, bytes; it may contain NUL (\u0000) */
  size_t text_capacity;
  unsigned char *nest; /* a bit per level: 1 object, 0 array */
  size_t depth, nest_capacity;
  int expect; /* private: where the grammar stands */
  bool failed;
};

/* `bytes` and `name` must outlive the parser. */
void json_open(struct json *j, struct memory *m, const char *name,
               const char *bytes, size_t size, struct error *error);

/* Parses just the value that starts at byte `at` of the same document. */
void json_open_at(struct json *j, const struct json *whole, size_t at);

/* Releases buffers. */
void json_close(struct json *j);

enum json_token json_next(struct json *j);

/* Passes over the value that starts with the token last read (the whole of it
 * when that is JSON_OBJECT or JSON_ARRAY). False on error. */
bool json_skip(struct json *j);

/* Reads and passes over the next value. */
bool json_skip_value(struct json *j);

/* Is the key or text last read equal to `text`? */
bool json_is(const struct json *j, const char *text);

enum json_exact { JSON_INTEGER, JSON_FRACTION, JSON_TOO_LARGE };

/* The number last read as int64, exact for 12, 12.0, 1.2e1, -0, 1e18; else
 * says why not. */
enum json_exact json_int64(const struct json *j, int64_t *value);

/* Line and column (from 1, bytes) of a byte. O(at). */
void json_place(const struct json *j, size_t at, int64_t *line,
                int64_t *column);

/* Notes an error at the token last read: "NAME:LINE:COLUMN: " + message. */
bool json_fail(struct json *j, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* The token last read, shortened, for "found ..." in messages. */
const char *json_found(const struct json *j, char *buffer, int capacity);

#endif
