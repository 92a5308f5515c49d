/* The subcommands of the program.
 *
 * A command is a row of the table in command.c: its name, a line for the
 * overview, its usage, its options (built on the command's stack, so that
 * they point at its own variables), and examples.  To add one: write
 * solver/cli/NAME.c with `int command_NAME(struct session *, int, char **)`,
 * declare it here and add the row.
 */
#ifndef MOCCASIN_CLI_COMMAND_H
#define MOCCASIN_CLI_COMMAND_H

#include "solver/base/memory.h"
#include "solver/cli/option.h"

/* What a command runs with.  Its memory context recovers to main, which then
 * says so and exits with STATUS_RESOURCES. */
struct session {
  struct memory *memory;
  struct error error; /* set it and return its status */
  const struct command *command;
  bool help; /* only print the options: see command_options */
};

struct command {
  const char *name, *summary, *usage;
  int (*run)(struct session *s, int argc, char **argv);
  const char *examples; /* lines of `moccasin ...` */
  const char *notes;    /* a paragraph, may be "" */
};

/* The table, ended by a NULL name. */
const struct command *command_table(void);
const struct command *command_find(const char *name);

/* To be called first by every command: prints the help and returns true if
 * the session asks for help only; otherwise parses.  On a usage error it
 * returns true as well, with the error set.  *count: positional arguments. */
bool command_options(struct session *s, int argc, char **argv,
                     const struct option *table, const char **positional,
                     int least, int most, int *count);

int command_solve(struct session *s, int argc, char **argv);
int command_help(struct session *s, int argc, char **argv);
int command_analyze(struct session *s, int argc, char **argv);
int command_verify(struct session *s, int argc, char **argv);
int command_convert(struct session *s, int argc, char **argv);
int command_sweep(struct session *s, int argc, char **argv);
int command_generate(struct session *s, int argc, char **argv);
int command_plot(struct session *s, int argc, char **argv);
int command_bound(struct session *s, int argc, char **argv);

#endif
