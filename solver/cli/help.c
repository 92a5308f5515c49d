/* moccasin help [COMMAND] */
#include "model/presolve.h"
#include "solver/cli/command.h"
#include "solver/cp/options.h"
#include "solver/engine_options.h"

#include <stdio.h>
#include <string.h>

static void overview(void) {
  puts("moccasin: schedules of compute graphs within a memory budget.\n\n"
       "usage: moccasin COMMAND [arguments]\n\ncommands:");
  for (const struct command *c = command_table(); c->name; c++)
    printf("  %-10s%s\n", c->name, c->summary);
  puts("\n`moccasin help COMMAND` tells a command's options; "
       "`moccasin --version` the version.\n"
       "exit status: 0 done, 1 wrong usage, 2 bad input, 3 proven infeasible "
       "(verify: invalid),\n"
       "             4 nothing found within the limits, 5 memory, disk or an "
       "internal fault");
}

/* What --engine NAME=VALUE,... understands. */
static void engine(void) {
  puts("engine options, --engine NAME=VALUE,... (default, range, meaning):\n");
  cp_options_help(stdout);
  presolve_rules_help(stdout);
  task_switches_help(stdout);
}

int command_help(struct session *s, int argc, char **argv) {
  const struct option none[] = {{.name = NULL}};
  const char *name[1];
  int count;
  if (command_options(s, argc, argv, none, name, 0, 1, &count))
    return (int)s->error.status;
  if (!count) {
    overview();
    return STATUS_OK;
  }
  if (!strcmp(name[0], "engine")) {
    engine();
    return STATUS_OK;
  }
  const struct command *c = command_find(name[0]);
  if (!c) {
    error_set(&s->error, STATUS_USAGE, "no command '%s'; see 'moccasin help'",
              name[0]);
    return STATUS_USAGE;
  }
  s->command = c;
  s->help = true;
  return c->run(s, 0, argv);
}
