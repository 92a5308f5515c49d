/* Replays every fuzz target on its cases (tests/cases/NAME) and on random
 * bytes. */
#define _XOPEN_SOURCE 700
#include "tests/fuzz.h"

#include "solver/base/random.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_bytes = 20000 };

static size_t load(const char *path, uint8_t *bytes) {
  FILE *in = fopen(path, "rb");
  size_t size = in ? fread(bytes, 1, most_bytes, in) : 0;
  if (in)
    fclose(in);
  return size;
}

/* Every file of a folder and of its folders, whole, cut short, and with one
 * byte changed. */
static void replay(fuzz_target *target, const char *folder, int depth) {
  static uint8_t bytes[most_bytes];
  struct random r;
  random_seed(&r, 1);
  DIR *list = opendir(folder);
  for (struct dirent *e; list && (e = readdir(list));) {
    char path[600];
    if (e->d_name[0] == '.')
      continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    if (depth)
      replay(target, path, depth - 1);
    size_t size = load(path, bytes);
    target(bytes, size);
    for (int i = 0; size && i < 20; i++) {
      size_t at = (size_t)random_below(&r, (int)size);
      target(bytes, at);
      uint8_t old = bytes[at];
      bytes[at] = (uint8_t)random_below(&r, 256);
      target(bytes, size);
      bytes[at] = old;
    }
  }
  if (list)
    closedir(list);
}

/* A file that is accepted whole, cut after each of its bytes. */
static void cut_everywhere(fuzz_target *target, const char *path) {
  static uint8_t bytes[most_bytes];
  size_t size = load(path, bytes);
  cr_assert(size, "%s", path);
  for (size_t at = 0; at <= size; at++) {
    /* Of the right length, so that a sanitizer sees what lies beyond. */
    uint8_t *cut = malloc(at ? at : 1);
    cr_assert_not_null(cut);
    memcpy(cut, bytes, at);
    target(cut, at);
    free(cut);
  }
}

Test(fuzz, every_cut) {
  static const char *const graph[] = {
      "graphs/samples/diamond.json",      "graphs/samples/order.json",
      "graphs/samples/fixed-memory.json", "graphs/samples/keep.txt",
      "graphs/samples/max-computes.txt",  "graphs/samples/chain-training.txt"};
  for (size_t i = 0; i < sizeof graph / sizeof *graph; i++)
    cut_everywhere(fuzz_graphs, graph[i]);
  cut_everywhere(fuzz_onnx, "tests/cases/onnx/matmul.onnx");
  cut_everywhere(fuzz_schedule, "tests/cases/schedule/document.json");
}

/* Random words of an alphabet that reaches beyond the first byte. */
static void random_words(fuzz_target *target, const char *const *word,
                         int words, int runs) {
  uint8_t bytes[600];
  struct random r;
  random_seed(&r, 2);
  for (int i = 0; i < runs; i++) {
    size_t size = 0;
    int count = random_below(&r, 30);
    for (int k = 0; k < count && size < 500; k++) {
      const char *next = word[random_below(&r, words)];
      size_t length = strlen(next);
      memcpy(bytes + size, next, length);
      size += length;
      if (!random_below(&r, 20))
        bytes[size++] = (uint8_t)random_below(&r, 256);
    }
    target(bytes, size);
  }
}

#define WORDS(list) list, (int)(sizeof(list) / sizeof *(list))

Test(fuzz, graphs) {
  static const char *const word[] = {
      "{",          "}",          "[",         "]",
      ",",          ":",          "\"id\"",    "1",
      "-1",         "1e400",      "\"nodes\"", "\"links\"",
      "\"size\"",   "0.5",        "null",      "true",
      "\"source\"", "\"target\"", "\"\\u12\"", "node ",
      "edge ",      "order ",     "\n",        "9223372036854775807 ",
      "a ",         "#",          "keep=1 "};
  replay(fuzz_graphs, "tests/cases/graphs", 2);
  replay(fuzz_graphs, "graphs/samples", 0);
  random_words(fuzz_graphs, WORDS(word), 20000);
}

Test(fuzz, onnx) {
  static const char *const word[] = {
      "\x08\x08",  "\x3a\x20",     "\x0a\x08",         "\x0a\x01x",
      "\x12\x01y", "\x22\x04Relu", "\x5a\x10",         "\x62\x10",
      "\x08\x01",  "\x12\x04",     "\x0a\x02\x08\x03", "\xff\xff\xff\xff\x7f",
      "\x0b",      "\x01"};
  replay(fuzz_onnx, "tests/cases/onnx", 0);
  random_words(fuzz_onnx, WORDS(word), 20000);
}

Test(fuzz, schedule) {
  static const char *const word[] = {"{\"sequence\":",
                                     "[",
                                     "]",
                                     ",",
                                     "5",
                                     "\"a\"",
                                     "7",
                                     "\"7\"",
                                     "}",
                                     "\n",
                                     "\"5\"",
                                     "null",
                                     "\"budget\":",
                                     "\"scope\":{",
                                     "5\na\n7\n\"7\"\n"};
  replay(fuzz_schedule, "tests/cases/schedule", 0);
  random_words(fuzz_schedule, WORDS(word), 20000);
}

Test(fuzz, options) {
  static const char *const word[] = {
      "--number",  "-n",       "=",     "\n",  "5",    "99999999999999999999",
      "--bytes",   "-b",       "12GiB", "9e9", "90%",  "--choice",
      "one",       "--",       "-f",    "-",   "--no", "8388608TiB",
      "0.0000001", "--real\n", "nan",   "inf", "-r1",  "512K"};
  replay(fuzz_options, "tests/cases/options", 0);
  random_words(fuzz_options, WORDS(word), 50000);
}

/* The tail of a random case solves what its head has built. */
Test(fuzz, engine) {
  uint8_t bytes[300];
  struct random r;
  random_seed(&r, 4);
  replay(fuzz_engine, "tests/cases/engine", 0);
  for (int i = 0; i < 3000; i++) {
    for (size_t k = 0; k < sizeof bytes; k++)
      bytes[k] = (uint8_t)random_below(&r, 256);
    fuzz_engine(bytes, sizeof bytes);
  }
}

Test(fuzz, solve, .timeout = 600) {
  uint8_t bytes[80];
  struct random r;
  random_seed(&r, 3);
  replay(fuzz_solve, "tests/cases/solve", 0);
  for (int i = 0; i < 300; i++) {
    for (size_t k = 0; k < sizeof bytes; k++)
      bytes[k] = (uint8_t)random_below(&r, 256);
    fuzz_solve(bytes, sizeof bytes);
  }
}
