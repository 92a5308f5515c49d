#include "solver/base/stream.h"

#include <errno.h>

int stream_failure(FILE *file) {
  errno = 0;
  if (!fflush(file) && !ferror(file))
    return 0;
  if (!errno && fputc('\n', file) != EOF)
    fflush(file);
  return errno ? errno : EIO;
}
