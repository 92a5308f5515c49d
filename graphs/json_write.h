/* Writes JSON to a stream: commas, line breaks and escapes are its work.
 *
 *     struct json_writer w = json_writer_new(file);
 *     json_write_open(&w, '{', true);              {
 *     json_write_key(&w, "name");                    "name": "a",
 *     json_write_text(&w, "a");                      "sequence": [0, 1]
 *     json_write_key(&w, "sequence");              }
 *     json_write_open(&w, '[', false);
 *     json_write_int64(&w, 0);
 *     json_write_int64(&w, 1);
 *     json_write_close(&w);
 *     json_write_close(&w);
 *     ok = json_writer_finish(&w);
 *
 * Misuse (a key within an array, more than 64 levels) is caught by assert.
 */
#ifndef MOCCASIN_JSON_WRITE_H
#define MOCCASIN_JSON_WRITE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json_writer {
  FILE *out;
  int depth;
  uint64_t filled; /* bit d: the container at depth d has an element */
  uint64_t lines;  /* bit d: its elements stand on lines of their own */
  uint64_t object; /* bit d: it is an object */
  bool after_key;
};

struct json_writer json_writer_new(FILE *out);

/* `bracket` is '{' or '['; `lines`: one element a line, else all on one. */
void json_write_open(struct json_writer *w, char bracket, bool lines);
void json_write_close(struct json_writer *w);

void json_write_key(struct json_writer *w, const char *key);
/* What is not UTF-8 is replaced by U+FFFD. */
void json_write_text(struct json_writer *w, const char *text);
void json_write_int64(struct json_writer *w, int64_t value);
/* With so many decimals; NaN and infinities become null. */
void json_write_real(struct json_writer *w, double value, int decimals);
void json_write_bool(struct json_writer *w, bool value);
void json_write_null(struct json_writer *w);

/* A text with quotes and escapes, outside of any document. */
void json_write_quoted(FILE *out, const char *text);

/* Ends the document with a newline; false if the stream failed anywhere. */
bool json_writer_finish(struct json_writer *w);

#endif
