#define _XOPEN_SOURCE 700
#include "tests/command.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A U-shaped chain: the second half reads the first half backwards. */
static void write_net(const char *directory) {
  enum { HALF = 6 };
  char path[200];
  snprintf(path, sizeof path, "%s/net.json", directory);
  FILE *out = fopen(path, "w");
  cr_assert_not_null(out);
  fprintf(out, "{\"graph\": {\"name\": \"net\"}, \"nodes\": [\n");
  for (int v = 0; v < 2 * HALF; v++)
    fprintf(out,
            "  {\"id\": %d, \"name\": \"layer %d\", \"duration\": %d, "
            "\"size\": %d}%s\n",
            v, v, 3 + v % 4, (64 + 8 * (v % 5)) << 20,
            v + 1 < 2 * HALF ? "," : "");
  fprintf(out, "], \"links\": [\n");
  for (int v = 1; v < 2 * HALF; v++) {
    fprintf(out, "  {\"source\": %d, \"target\": %d},\n", v - 1, v);
    if (v > HALF)
      fprintf(out, "  {\"source\": %d, \"target\": %d},\n", 2 * HALF - 1 - v,
              v);
  }
  fprintf(out, "  {\"source\": 0, \"target\": 1}\n]}\n");
  fclose(out);
}

struct workshop *workshop_open(void) {
  const char *program = getenv("MOCCASIN");
  if (!program || !program[0])
    cr_skip("MOCCASIN does not name the program; run by `make test`");
  struct workshop *w = calloc(1, sizeof *w);
  cr_assert_not_null(realpath(program, w->program), "%s is not there", program);
  cr_assert_not_null(getcwd(w->source, sizeof w->source));
  strcpy(w->directory, "/tmp/moccasin-test-XXXXXX");
  cr_assert_not_null(mkdtemp(w->directory));
  write_net(w->directory);
  return w;
}

int workshop_run(struct workshop *w, const char *line) {
  char command[12000];
  int length =
      snprintf(command, sizeof command,
               "exec 2>&1; cd %s && PATH=%.*s:$PATH && %s", w->directory,
               (int)(strrchr(w->program, '/') - w->program), w->program, line);
  cr_assert_lt(length, (int)sizeof command);
  FILE *pipe = popen(command, "r");
  cr_assert_not_null(pipe);
  size_t used = fread(w->output, 1, sizeof w->output - 1, pipe);
  w->output[used] = '\0';
  char rest[4096];
  while (fread(rest, 1, sizeof rest, pipe))
    ;
  int status = pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

char *workshop_source(struct workshop *w, const char *path) {
  char name[4200];
  snprintf(name, sizeof name, "%s/%s", w->source, path);
  FILE *in = fopen(name, "r");
  if (!in)
    return NULL;
  fseek(in, 0, SEEK_END);
  long size = ftell(in);
  rewind(in);
  char *text = calloc((size_t)size + 1, 1);
  size = (long)fread(text, 1, (size_t)size, in);
  fclose(in);
  return text;
}

void workshop_close(struct workshop *w) {
  char command[100];
  snprintf(command, sizeof command, "rm -rf %s", w->directory);
  cr_assert_eq(system(command), 0);
  free(w);
}
