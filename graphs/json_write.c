#include "graphs/json_write.h"

#include "graphs/utf8.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

struct json_writer json_writer_new(FILE *out) {
  return (struct json_writer){.out = out};
}

static bool bit(uint64_t bits, int depth) {
  return bits >> depth & 1;
}

static void break_line(struct json_writer *w) {
  fputc('\n', w->out);
  for (int i = 0; i < w->depth; i++)
    fputs("  ", w->out);
}

/* What stands before a value or a key: a comma, a line break. */
static void begin_item(struct json_writer *w) {
  if (w->after_key) {
    w->after_key = false;
    return;
  }
  if (!w->depth)
    return;
  bool filled = bit(w->filled, w->depth - 1);
  w->filled |= UINT64_C(1) << (w->depth - 1);
  if (filled)
    fputc(',', w->out);
  if (bit(w->lines, w->depth - 1))
    break_line(w);
  else if (filled)
    fputc(' ', w->out);
}

static void begin_value(struct json_writer *w) {
  assert(!w->depth || w->after_key || !bit(w->object, w->depth - 1));
  begin_item(w);
}

static uint64_t with_bit(uint64_t bits, int depth, bool value) {
  return value ? bits | UINT64_C(1) << depth : bits & ~(UINT64_C(1) << depth);
}

void json_write_open(struct json_writer *w, char bracket, bool lines) {
  assert(w->depth < 64);
  begin_value(w);
  fputc(bracket, w->out);
  w->filled = with_bit(w->filled, w->depth, false);
  w->lines = with_bit(w->lines, w->depth, lines);
  w->object = with_bit(w->object, w->depth, bracket == '{');
  w->depth++;
}

void json_write_close(struct json_writer *w) {
  assert(w->depth > 0 && !w->after_key);
  w->depth--;
  if (bit(w->lines, w->depth) && bit(w->filled, w->depth))
    break_line(w);
  fputc(bit(w->object, w->depth) ? '}' : ']', w->out);
}

void json_write_quoted(FILE *out, const char *text) {
  static const char plain[] = "\"\\\b\f\n\r\t", name[] = "\"\\bfnrt";
  size_t length = strlen(text);
  fputc('"', out);
  for (size_t i = 0, bytes; i < length; i += bytes) {
    unsigned char c = (unsigned char)text[i];
    const char *escape = strchr(plain, text[i]);
    bytes = utf8_length(text + i, length - i);
    if (escape)
      fprintf(out, "\\%c", name[escape - plain]);
    else if (c < ' ' || c == 0x7f)
      fprintf(out, "\\u%04x", c);
    else if (bytes)
      fwrite(text + i, 1, bytes, out);
    else
      fputs("\xef\xbf\xbd", out);
    bytes += !bytes;
  }
  fputc('"', out);
}

void json_write_key(struct json_writer *w, const char *key) {
  assert(w->depth && bit(w->object, w->depth - 1) && !w->after_key);
  begin_item(w);
  json_write_quoted(w->out, key);
  fputs(": ", w->out);
  w->after_key = true;
}

void json_write_text(struct json_writer *w, const char *text) {
  begin_value(w);
  json_write_quoted(w->out, text);
}

void json_write_int64(struct json_writer *w, int64_t value) {
  begin_value(w);
  fprintf(w->out, "%" PRId64, value);
}

void json_write_real(struct json_writer *w, double value, int decimals) {
  if (!isfinite(value)) {
    json_write_null(w);
    return;
  }
  begin_value(w);
  fprintf(w->out, "%.*f", decimals, value);
}

void json_write_bool(struct json_writer *w, bool value) {
  begin_value(w);
  fputs(value ? "true" : "false", w->out);
}

void json_write_null(struct json_writer *w) {
  begin_value(w);
  fputs("null", w->out);
}

bool json_writer_finish(struct json_writer *w) {
  assert(!w->depth);
  fputc('\n', w->out);
  return !fflush(w->out) && !ferror(w->out);
}
