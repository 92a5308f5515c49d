/* Runs the program that was built, as a user would, in a directory with a
 * small graph `net.json`. */
#ifndef MOCCASIN_TESTS_COMMAND_H
#define MOCCASIN_TESTS_COMMAND_H

#include <stddef.h>

struct workshop {
  char directory[64];  /* made by workshop_open, removed by workshop_close */
  char program[4096];  /* absolute path */
  char source[4096];   /* the project's root, absolute */
  char output[200000]; /* of the last command: both streams, ended by NUL */
};

/* Skips the test if the environment does not say where the program is
 * (MOCCASIN, set by `make test`). */
struct workshop *workshop_open(void);
void workshop_close(struct workshop *w);

/* Runs a line of shell in the directory, in which `moccasin` is the program;
 * returns its exit status, -1 if it was killed. */
int workshop_run(struct workshop *w, const char *line);

/* Reads a file of the project's; the caller frees it.  NULL: not there. */
char *workshop_source(struct workshop *w, const char *path);

#endif
