/* Output files that are there whole or not at all.
 *
 * A regular file is written under a temporary name beside it, flushed to the
 * disk and renamed; until then the old file stays as it was.  Standard output
 * and things like /dev/null or pipes are written directly.
 */
#ifndef MOCCASIN_CLI_OUTPUT_H
#define MOCCASIN_CLI_OUTPUT_H

#include "solver/base/error.h"
#include "solver/base/memory.h"

#include <stdio.h>

struct output {
  FILE *file;
  const char *path;
  char *target, *temporary; /* NULL where written directly */
};

/* `path` NULL or "-": standard output.  STATUS_RESOURCES if it cannot be
 * created. */
bool output_open(struct output *o, struct memory *m, const char *path,
                 struct error *error);

/* Makes the new content the file's; false (STATUS_RESOURCES, the old file
 * untouched) if any write failed. */
bool output_commit(struct output *o, struct error *error);

/* Drops what was written. */
void output_discard(struct output *o);

#endif
