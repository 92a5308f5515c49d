/* The JSON reader and writer and exact numbers, by themselves. */
#include "graphs/json.h"
#include "graphs/json_write.h"
#include "graphs/number.h"
#include "graphs/utf8.h"
#include "solver/base/random.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* An integer in a random decimal spelling: point moved, zeros added. */
static void spell(struct random *r, int64_t value, char *out) {
  char digits[32];
  snprintf(digits, sizeof digits, "%" PRId64, value);
  const char *sign = digits[0] == '-' ? "-" : "";
  const char *body = digits + strlen(sign);
  int length = (int)strlen(body), zeros = random_below(r, 4);
  int split = random_below(r, length + 1);
  switch (value ? random_below(r, 4) : random_below(r, 3)) {
  case 0:
    strcpy(out, digits);
    break;
  case 1: /* 12.00 */
    sprintf(out, "%s.0%.*s", digits, zeros, "000");
    break;
  case 2: /* 1.234e3, 0.1234e4 */
    sprintf(out, "%s%.*s%.*s.%s%.*se%d", sign, split ? 0 : 1, "0", split, body,
            body + split, 1 + zeros, "0000", length - split);
    break;
  default: /* 1234000e-3 */
    sprintf(out, "%s%.*se-%s%d", digits, zeros, "000",
            random_below(r, 2) ? "00" : "", zeros);
  }
}

Test(number, every_spelling_is_exact) {
  struct random r;
  random_seed(&r, 1);
  char text[80];
  for (int i = 0; i < 200000; i++) {
    int64_t value = (int64_t)random_next(&r) >> random_below(&r, 64), got = 1;
    spell(&r, value, text);
    enum number_result result = number_int64(text, strlen(text), &got);
    cr_assert(result == NUMBER_OK && got == value,
              "%s: result %d, value %" PRId64 " for %" PRId64, text, result,
              got, value);
  }
}

Test(number, borders) {
  static const struct {
    const char *text;
    enum number_result result;
    int64_t value;
  } known[] = {
      {"0", NUMBER_OK, 0},
      {"-0", NUMBER_OK, 0},
      {"-0.000e999999999999999999999", NUMBER_OK, 0},
      {"0e-5", NUMBER_OK, 0},
      {"9223372036854775807", NUMBER_OK, INT64_MAX},
      {"9223372036854775808", NUMBER_RANGE, 0},
      {"-9223372036854775808", NUMBER_OK, INT64_MIN},
      {"-9223372036854775809", NUMBER_RANGE, 0},
      {"9223372036854775807.0", NUMBER_OK, INT64_MAX},
      {"922337203685477580.7e1", NUMBER_OK, INT64_MAX},
      {"9223372036854775.807e3", NUMBER_OK, INT64_MAX},
      {"9999999999999999999", NUMBER_RANGE, 0},
      {"99999999999999999999", NUMBER_RANGE, 0},
      {"1e18", NUMBER_OK, 1000000000000000000},
      {"1e19", NUMBER_RANGE, 0},
      {"1e400", NUMBER_RANGE, 0},
      {"1e-400", NUMBER_FRACTION, 0},
      {"1000e-3", NUMBER_OK, 1},
      {"1000e-4", NUMBER_FRACTION, 0},
      {"12.5", NUMBER_FRACTION, 0},
      {"1e99999999999999999999", NUMBER_RANGE, 0},
      {"1e-99999999999999999999", NUMBER_FRACTION, 0},
      {"", NUMBER_MALFORMED, 0},
      {"-", NUMBER_MALFORMED, 0},
      {"01", NUMBER_MALFORMED, 0},
      {"1.", NUMBER_MALFORMED, 0},
      {".5", NUMBER_MALFORMED, 0},
      {"+1", NUMBER_MALFORMED, 0},
      {"1e", NUMBER_MALFORMED, 0},
      {"1e+", NUMBER_MALFORMED, 0},
      {"1 ", NUMBER_MALFORMED, 0},
      {"0x1", NUMBER_MALFORMED, 0},
      {"NaN", NUMBER_MALFORMED, 0},
  };
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    int64_t got = 0;
    enum number_result result =
        number_int64(known[i].text, strlen(known[i].text), &got);
    cr_assert(result == known[i].result &&
                  (result != NUMBER_OK || got == known[i].value),
              "%s: result %d, value %" PRId64, known[i].text, result, got);
  }
}

Test(number, ten_thousand_digits) {
  char *text = malloc(10010);
  int64_t value;
  memset(text, '0', 10010);
  memcpy(text, "7.", 2);
  cr_assert_eq(number_int64(text, 10000, &value), NUMBER_OK);
  cr_assert_eq(value, 7);
  text[9999] = '1';
  cr_assert_eq(number_int64(text, 10000, &value), NUMBER_FRACTION);
  text[1] = '0';
  cr_assert_eq(number_int64(text, 10000, &value), NUMBER_RANGE);
  text[9999] = '0';
  memcpy(text + 10000, "e-9998", 6);
  cr_assert_eq(number_int64(text, 10006, &value), NUMBER_OK);
  cr_assert_eq(value, 70);
  free(text);
}

/* Every code point, decoded by its definition. */
Test(utf8, all_characters) {
  for (uint32_t code = 0; code < 0x110000; code++) {
    char out[4];
    if (code >= 0xd800 && code < 0xe000)
      continue;
    size_t bytes = utf8_encode(code, out);
    unsigned char *c = (unsigned char *)out;
    uint32_t back = bytes == 1   ? c[0]
                    : bytes == 2 ? (c[0] & 31U) << 6 | (c[1] & 63U)
                    : bytes == 3
                        ? (c[0] & 15U) << 12 | (c[1] & 63U) << 6 | (c[2] & 63U)
                        : (c[0] & 7U) << 18 | (c[1] & 63U) << 12 |
                              (c[2] & 63U) << 6 | (c[3] & 63U);
    cr_assert(back == code && utf8_length(out, bytes) == bytes &&
                  (bytes == 1 || !utf8_length(out, bytes - 1)),
              "U+%04" PRIX32, code);
  }
}

Test(json, events_in_order) {
  static const char text[] =
      " {\"a\": [1, \"x\\n\", {}, []], \"\\u0062\":\ttrue,\r\n\"c\":null} ";
  static const enum json_kind kind[] = {
      JSON_OBJECT, JSON_KEY,        JSON_ARRAY, JSON_NUMBER,    JSON_STRING,
      JSON_OBJECT, JSON_OBJECT_END, JSON_ARRAY, JSON_ARRAY_END, JSON_ARRAY_END,
      JSON_KEY,    JSON_TRUE,       JSON_KEY,   JSON_NULL,      JSON_OBJECT_END,
      JSON_END,    JSON_END};
  struct memory *m = memory_new(NULL);
  struct error e = {STATUS_OK, ""};
  struct json j;
  struct json_buffer b = {NULL, 0, 0};
  json_open(&j, m, "t", text, strlen(text), &e);
  for (size_t i = 0; i < sizeof kind / sizeof kind[0]; i++) {
    cr_assert_eq(json_next(&j), kind[i], "event %zu: %s", i, e.text);
    if (i == 10)
      cr_assert(json_key_is(&j, "b") && !json_key_is(&j, "") &&
                !json_key_is(&j, "bb"));
    if (i == 4)
      cr_assert(json_text(&j, &b) && b.length == 2 && !strcmp(b.text, "x\n"));
  }
  cr_assert(json_close(&j));
  memory_free(m);
}

Test(json, escapes) {
  static const char text[] = "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20AC"
                             "\\uD83D\\uDE00\xc3\xa9\"";
  struct memory *m = memory_new(NULL);
  struct error e = {STATUS_OK, ""};
  struct json j;
  struct json_buffer b = {NULL, 0, 0};
  json_open(&j, m, "t", text, strlen(text), &e);
  cr_assert_eq(json_next(&j), JSON_STRING, "%s", e.text);
  cr_assert(json_text(&j, &b));
  cr_assert_str_eq(b.text, "\"\\/\b\f\n\r\tA\xc3\xa9\xe2\x82\xac"
                           "\xf0\x9f\x98\x80\xc3\xa9");
  cr_assert(json_close(&j));
  memory_free(m);
}

/* Deep nesting: one bit a level, linear time. */
Test(json, ten_million_levels) {
  size_t half = 10000000;
  char *text = malloc(2 * half);
  memset(text, '[', half);
  memset(text + half, ']', half);
  struct memory_limit limit = {.most = 8 << 20};
  struct memory *m = memory_new(&limit);
  struct error e = {STATUS_OK, ""};
  struct json j;
  if (!setjmp(*memory_recover(m))) {
    json_open(&j, m, "t", text, 2 * half, &e);
    json_next(&j);
    cr_assert(json_skip(&j));
    cr_assert(json_close(&j), "%s", e.text);
    json_open(&j, m, "t", text, 2 * half - 1, &e);
    json_next(&j);
    cr_assert(!json_skip(&j));
    cr_assert_str_eq(e.text, "t:1:20000000: found the end of the file, "
                             "expected ',' or ']'");
    cr_assert(!json_close(&j));
  } else {
    cr_assert(false, "more than 8 MiB for 10 million levels");
  }
  memory_free(m);
  free(text);
}

/* What the writer writes, the reader reads back. */
Test(json, texts_survive) {
  struct random r;
  random_seed(&r, 3);
  for (int i = 0; i < 20000; i++) {
    char text[80];
    size_t length = 0;
    while (length < 60 && random_below(&r, 12)) {
      uint32_t code = 1 + (uint32_t)random_below(&r, 0x10ffff) %
                              (random_below(&r, 2) ? 0x80 : 0x10ffff);
      if (code < 0xd800 || code > 0xdfff)
        length += utf8_encode(code, text + length);
    }
    text[length] = 0;
    FILE *file = tmpfile();
    json_write_quoted(file, text);
    size_t size = (size_t)ftell(file);
    char *bytes = malloc(size);
    rewind(file);
    cr_assert_eq(fread(bytes, 1, size, file), size);
    fclose(file);
    struct memory *m = memory_new(NULL);
    struct error e = {STATUS_OK, ""};
    struct json j;
    struct json_buffer b = {NULL, 0, 0};
    json_open(&j, m, "t", bytes, size, &e);
    cr_assert_eq(json_next(&j), JSON_STRING, "%s", e.text);
    cr_assert(json_text(&j, &b) && json_close(&j) && b.length == length &&
                  !memcmp(b.text, text, length),
              "case %d", i);
    memory_free(m);
    free(bytes);
  }
}

Test(json, writer_layout) {
  FILE *file = tmpfile();
  struct json_writer w = json_writer_new(file);
  json_write_open(&w, '{', true);
  json_write_key(&w, "a\"");
  json_write_open(&w, '[', false);
  json_write_int64(&w, INT64_MIN);
  json_write_real(&w, 0.78921, 4);
  json_write_real(&w, 1.0 / 0.0, 4);
  json_write_close(&w);
  json_write_key(&w, "b");
  json_write_open(&w, '[', true);
  json_write_close(&w);
  json_write_key(&w, "c");
  json_write_open(&w, '[', true);
  json_write_bool(&w, true);
  json_write_text(&w, "\xff\x01");
  json_write_close(&w);
  json_write_close(&w);
  cr_assert(json_writer_finish(&w));
  char text[300] = "";
  rewind(file);
  cr_assert_gt(fread(text, 1, sizeof text - 1, file), 0);
  fclose(file);
  cr_assert_str_eq(text,
                   "{\n  \"a\\\"\": [-9223372036854775808, 0.7892, null],\n"
                   "  \"b\": [],\n  \"c\": [\n    true,\n"
                   "    \"\xef\xbf\xbd\\u0001\"\n  ]\n}\n");
}

Test(json, a_failing_stream_is_told) {
  FILE *file = fopen("/dev/full", "w");
  if (!file)
    cr_skip("no /dev/full here");
  struct json_writer w = json_writer_new(file);
  json_write_int64(&w, 1);
  cr_assert(!json_writer_finish(&w));
  fclose(file);
}
