/* Files from anywhere: whatever they hold, the program answers with a schedule
 * or with one clear message and the right status, and soon. */
#define _XOPEN_SOURCE 700
#include "tests/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef NDEBUG
enum { LARGE = 1000000, STAR = 100000 };
#else
enum { LARGE = 100000, STAR = 10000 }; /* sanitizers take ten times as long */
#endif

static FILE *open_file(const struct workshop *w, const char *name) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", w->directory, name);
  FILE *out = fopen(path, "wb");
  cr_assert_not_null(out);
  return out;
}

static void put(const struct workshop *w, const char *name, const char *bytes,
                size_t length) {
  FILE *out = open_file(w, name);
  fwrite(bytes, 1, length, out);
  fclose(out);
}

/* A refusal is one line that begins with the program's name. */
static void expect(struct workshop *w, const char *what, const char *line,
                   int status, const char *says) {
  int found = workshop_run(w, line);
  cr_assert_eq(found, status, "%s: exit %d: %.300s", what, found, w->output);
  cr_assert(strstr(w->output, says), "%s: says %.300s, expected %s", what,
            w->output, says);
  if (status != 2)
    return;
  const char *end = strchr(w->output, '\n');
  cr_assert(!strncmp(w->output, "moccasin: ", 10) && end && !end[1],
            "%s: more than one message: %.600s", what, w->output);
}

#define SOLVE "moccasin solve x -b 100% -q --threads 1 --time-limit 2 -o s"

/* ---- small files ----------------------------------------------------------
 */

/* Fields of a node, its duration and size aside. */
Test(hostile, nodes_of_every_kind) {
  static const struct {
    const char *node;
    int status;
    const char *says;
  } cases[] = {
      {"\"id\":null", 2, "nodes[0].id: found null"},
      {"\"id\":true", 2, "nodes[0].id: found true"},
      {"\"id\":1.5", 2, "nodes[0].id: 1.5 is no integer"},
      {"\"id\":[]", 2, "nodes[0].id: found an array"},
      {"\"id\":{}", 2, "nodes[0].id: found an object"},
      {"\"id\":99999999999999999999", 2, "beyond int64"},
      {"\"id\":\"a\\u0000b\"", 2, "NUL"},
      {"\"id\":\"a\xff\"", 2, "byte 0xff, expected UTF-8"},
      {"\"id\":\"\xed\xa0\x80\"", 2, "expected UTF-8"},
      {"\"id\":1,\"id\":2", 2, "\"id\" is given twice"},
      {"\"id\":\"\"", 0, ""},
      {"\"id\":-7", 0, ""},
      {"\"id\":1e3", 0, ""},
      {"\"id\":1,\"workspace\":1e400", 2, "nodes[0].workspace: 1e400"},
      {"\"id\":1,\"workspace\":-1", 2, "found -1, expected at least 0"},
      {"\"id\":1,\"workspace\":NaN", 2, "found NaN"},
      {"\"id\":1,\"workspace\":Infinity", 2, "found Infinity"},
      {"\"id\":1,\"workspace\":9223372036854775807", 2, "beyond int64"},
      {"\"id\":1,\"max_computes\":99999999999", 2, "max_computes"},
      {"\"id\":1,\"keep\":2", 2, "keep"},
  };
  struct workshop *w = workshop_open();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[300];
    int length =
        snprintf(text, sizeof text,
                 "{\"nodes\":[{%s,\"duration\":1,\"size\":1}]}", cases[i].node);
    put(w, "x", text, (size_t)length);
    expect(w, cases[i].node, SOLVE, cases[i].status, cases[i].says);
  }
  workshop_close(w);
}

Test(hostile, whole_files) {
#define BYTES(text) text, sizeof(text) - 1
  static const struct {
    const char *bytes;
    size_t length;
    int status;
    const char *says;
  } cases[] = {
      {BYTES(""), 2, "the file is empty"},
      {BYTES("\0"), 2, "0x00"},
      {BYTES("\x08"), 2, "x: "},
      {BYTES("{\"nodes\":[]}"), 2, "no nodes"},
      {BYTES("{\"nodes\":[]}\0"), 2, "found byte 0x00"},
      {BYTES("node 1 1 1\0\n"), 2, "byte 0x00"},
      {BYTES("node a 1 9223372036854775807\nnode b 1 1\n"), 2,
       "node \"b\": the bytes of all nodes up to it sum beyond int64"},
      {BYTES("node a 9223372036854775807 1\nnode b 1 1\n"), 2,
       "node \"b\": the durations of all nodes up to it sum beyond int64"},
      {BYTES("node a 4611686018427387904 1\nnode b 1 1\nedge a b\n"), 2,
       "node \"a\": the durations of all allowed computes"},
      {BYTES("node a 9223372036854775807 9223372036854775807\n"), 0, ""},
      {BYTES("node a 1 1\n"), 0, ""},
      {BYTES("node a 0 0\nnode b 0 0\nnode c 0 0\nedge a b\nedge a c\n"), 0,
       ""},
  };
  struct workshop *w = workshop_open();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    put(w, "x", cases[i].bytes, cases[i].length);
    expect(w, cases[i].bytes, SOLVE, cases[i].status, cases[i].says);
  }
  workshop_close(w);
}

/* ---- large files ----------------------------------------------------------
 */

static void fill(FILE *out, const char *bytes, size_t length, int times) {
  for (int i = 0; i < times; i++)
    fwrite(bytes, 1, length, out);
}

Test(hostile, nesting_and_digits, .timeout = 120) {
  static const struct {
    const char *before, *unit;
    int times, status;
    const char *says;
  } cases[] = {
      {"", "[[[[[[[[[[", 5000000, 2, "found an array"},
      {"{\"nodes\":", "[[[[[[[[[[", 5000000, 2, "found an array"},
      {"{\"else\":", "[[[[[[[[[[", 5000000, 2, "x:1:"},
      {"{\"else\":", "{\"a\":", 10000000, 2, "x:1:"},
      {"{\"nodes\":[{\"id\":1,\"size\":1,\"duration\":", "9999999999", 1000, 2,
       "beyond int64"},
      {"{\"nodes\":[{\"id\":1,\"size\":1,\"duration\":0.", "0000000000", 1000,
       2, "x:1:"},
      {"node a 1 ", "9999999999", 1000, 2, "x:1:"},
      {"graph ", "aaaaaaaaaa", 1000000, 2, "no nodes"},
      {"#", "aaaaaaaaaa", 1000000, 2, "no nodes"},
  };
  struct workshop *w = workshop_open();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    FILE *out = open_file(w, "x");
    fputs(cases[i].before, out);
    fill(out, cases[i].unit, strlen(cases[i].unit), cases[i].times);
    fclose(out);
    expect(w, cases[i].before, SOLVE, cases[i].status, cases[i].says);
  }
  workshop_close(w);
}

enum shape { ISOLATED, CHAIN, BENT, STAR_IN, STAR_OUT };

static void write_shape(FILE *out, enum shape shape, int n) {
  for (int v = 0; v < n; v++)
    fprintf(out, "node %d %d %d\n", v, 1 + v % 7, 1 + v % 5);
  for (int v = 1; v < n; v++) {
    if (shape == CHAIN || shape == BENT)
      fprintf(out, "edge %d %d\n", v - 1, v);
    if (shape == BENT && v < n / 2)
      fprintf(out, "edge %d %d\n", v, n - v);
    if (shape == STAR_IN)
      fprintf(out, "edge %d %d\n", v - 1, n - 1);
    if (shape == STAR_OUT)
      fprintf(out, "edge 0 %d\n", v);
  }
}

/* A limit of two seconds is kept however large the graph: what comes on top
 * is reading, checking and writing, a few processor seconds. */
Test(hostile, large_graphs_keep_the_time_limit, .timeout = 600) {
  static const struct {
    enum shape shape;
    int n;
    const char *name;
  } cases[] = {{ISOLATED, LARGE, "isolated"},
               {CHAIN, LARGE, "chain"},
               {BENT, LARGE, "bent"},
               {STAR_IN, STAR, "star in"},
               {STAR_OUT, STAR, "star out"}};
  struct workshop *w = workshop_open();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    FILE *out = open_file(w, "x");
    write_shape(out, cases[i].shape, cases[i].n);
    fclose(out);
    /* The shell's own limit on processor time ends what does not end. */
    int status = workshop_run(w, "(ulimit -t 30; moccasin solve x -b 90% "
                                 "-q --threads 1 --time-limit 2 -o s)");
    cr_assert(status == 0 || status == 3 || status == 4, "%s: exit %d: %.300s",
              cases[i].name, status, w->output);
    status = workshop_run(w, "(ulimit -t 30; moccasin solve x -b 90% -q "
                             "--order free --threads 2 --time-limit 2 -o s)");
    cr_assert(status == 0 || status == 3 || status == 4, "%s: exit %d: %.300s",
              cases[i].name, status, w->output);
  }
  workshop_close(w);
}

/* ---- every cut ------------------------------------------------------------
 */

/* Files that are complete up to their last line may be accepted. */
static void cut_everywhere(struct workshop *w, const char *file,
                           const char *line, size_t most) {
  char *text = workshop_source(w, file);
  cr_assert_not_null(text, "%s", file);
  size_t length = strlen(text), step = 1 + length / most;
  for (size_t at = 0; at < length; at += step) {
    put(w, "x", text, at);
    int status = workshop_run(w, line);
    cr_assert(status == 0 || status == 2 || status == 3, "%s cut at %zu: %d %s",
              file, at, status, w->output);
    cr_assert(status != 2 || !strncmp(w->output, "moccasin: ", 10),
              "%s cut at %zu: %.300s", file, at, w->output);
  }
  free(text);
}

Test(hostile, truncated_files, .timeout = 300) {
  static const char *const graphs[] = {
      "graphs/samples/diamond.json", "graphs/samples/keep.txt",
      "graphs/samples/order.json", "tests/cases/onnx/matmul.onnx"};
  struct workshop *w = workshop_open();
  for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++)
    cut_everywhere(w, graphs[i], "moccasin analyze x", 60);
  expect(w, "solve", "moccasin solve net.json -b 90% -q -o s", 0, "");
  char *document, path[300];
  snprintf(path, sizeof path, "%s/s", w->directory);
  strcpy(w->source, "");
  document = workshop_source(w, path);
  cr_assert_not_null(document);
  for (size_t at = 0, n = strlen(document); at + 2 < n; at += 1 + n / 100) {
    put(w, "x", document, at);
    expect(w, "cut document", "moccasin verify net.json x", 2, "x");
  }
  free(document);
  workshop_close(w);
}
