/* Command-line options from tables.
 *
 * A command lists its options once; the list yields parser, help and
 * completions.  Long options are --name VALUE or --name=VALUE, short ones -c 2
 * or -c2; "--" ends options; "-" alone is a positional argument.
 */
#ifndef MOCCASIN_CLI_OPTION_H
#define MOCCASIN_CLI_OPTION_H

#include "solver/base/error.h"

#include <stdint.h>
#include <stdio.h>

enum option_kind {
  OPTION_FLAG,    /* bool */
  OPTION_INTEGER, /* int64_t in low..high */
  OPTION_REAL,    /* double in low..high */
  OPTION_TEXT,    /* const char * */
  OPTION_BYTES,   /* int64_t: 41688, 12GiB, 10.5GB, 512K */
  OPTION_CHOICE   /* const char *, one of the words in `choices` */
};

struct option {
  const char *name; /* without the dashes */
  char letter;      /* '\0': none */
  enum option_kind kind;
  void *target;
  const char *argument; /* what the help calls the value */
  const char *help;     /* one line */
  int64_t low, high;    /* for numbers */
  const char *choices;  /* "input|free" */
};

/* Parses argv[0..argc-1] into the targets and the positional arguments.
 * Returns the number of positionals, at least `least` and at most `most`, or
 * -1 with STATUS_USAGE. The table ends with a NULL name. */
int option_parse(int argc, char **argv, const struct option *table,
                 const char **positional, int least, int most,
                 struct error *error);

/* The help's lines for the options. */
void option_help(const struct option *table, FILE *out);

/* Bytes with an optional unit: K, KB, M, MB, G, GB, T, TB are powers of 1000,
 * KiB, MiB, GiB, TiB of 1024 (K alone: 1024, as M, G, T alone), B one.  False
 * if malformed, fractional bytes are rounded up, negative or over int64. */
bool option_bytes(const char *text, int64_t *bytes);

/* A percentage "90%" or "87.5%" in millionths of a percent, exact; false if
 * `text` is none or over 1e6 percent. */
bool option_percent(const char *text, int64_t *millionths);

/* The name of `names` (NULL at the end) nearest to `word` by edit distance,
 * NULL when none is near. */
const char *option_nearest(const char *word, const char *const *names);

#endif
