/* Why a stream could not be written. */
#ifndef MOCCASIN_STREAM_H
#define MOCCASIN_STREAM_H

#include <stdio.h>

/* Flushes; 0 if all that was ever written has left, else an errno.  A stream
 * remembers that an earlier write failed but not why: then one more byte is
 * written to be told again, so what it holds afterwards is not to be used. */
int stream_failure(FILE *file);

#endif
