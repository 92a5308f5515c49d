/* moccasin COMMAND ...: finds the command, runs it, reports its failure. */
#include "solver/base/stream.h"
#include "solver/cli/color.h"
#include "solver/cli/command.h"
#include "solver/moccasin.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static int usage_error(const char *word) {
  const char *names[32];
  int count = 0;
  for (const struct command *c = command_table(); c->name && count < 31; c++)
    names[count++] = c->name;
  names[count] = NULL;
  const char *near = option_nearest(word, names);
  if (near)
    fprintf(stderr, "moccasin: no command '%s'; did you mean '%s'?\n", word,
            near);
  else
    fprintf(stderr, "moccasin: no command '%s'; see 'moccasin help'\n", word);
  return STATUS_USAGE;
}

static int run(const struct command *command, int argc, char **argv) {
  struct session s = {.memory = memory_new(NULL), .command = command};
  if (!s.memory || setjmp(*memory_recover(s.memory))) {
    memory_free(s.memory);
    fprintf(stderr, "moccasin: out of memory\n");
    return STATUS_RESOURCES;
  }
  int status = command->run(&s, argc, argv);
  memory_free(s.memory);
  if (s.error.status != STATUS_OK) {
    color_print(stderr, COLOR_BAD, "moccasin: ");
    fprintf(stderr, "%s\n", s.error.text);
    if (s.error.status == STATUS_USAGE)
      fprintf(stderr, "usage: moccasin %s   (more: moccasin help %s)\n",
              command->usage, command->name);
    status = (int)s.error.status;
  }
  int failure = stream_failure(stdout);
  if (failure && status != STATUS_RESOURCES) {
    fprintf(stderr, "moccasin: standard output cannot be written: %s\n",
            strerror(failure));
    return STATUS_RESOURCES;
  }
  return status;
}

/* A closed pipe shall be a failed write, not a silent death. */
int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN);
  if (argc < 2) {
    fprintf(stderr, "usage: moccasin COMMAND [arguments]; see 'moccasin "
                    "help'\n");
    return STATUS_USAGE;
  }
  const char *word = argv[1];
  if (!strcmp(word, "--version") || !strcmp(word, "-V")) {
    printf("moccasin %s\n", moccasin_version());
    return fflush(stdout) ? STATUS_RESOURCES : STATUS_OK;
  }
  if (!strcmp(word, "--help") || !strcmp(word, "-h"))
    word = "help";
  const struct command *command = command_find(word);
  if (!command)
    return usage_error(word);
  return run(command, argc - 2, argv + 2);
}
