#define _XOPEN_SOURCE 700
#include "solver/cli/output.h"

#include "solver/base/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool refuse(const struct output *o, int reason, struct error *error) {
  return error_set(error, STATUS_RESOURCES, "%.300s: cannot be written: %s",
                   o->path, strerror(reason));
}

/* The file behind symbolic links, so that the rename replaces it and not the
 * link; the path itself if there is no file yet. */
static char *resolve(struct memory *m, const char *path) {
  char *real = realpath(path, NULL);
  const char *found = real ? real : path;
  char *copy = memory_text(m, found, strlen(found));
  free(real);
  return copy;
}

/* mkstemp makes private files; the new one shall have the old one's mode, or
 * what the user's mask allows. */
static void set_mode(int file, const struct stat *old) {
  mode_t mask = umask(0);
  umask(mask);
  mode_t mode = old ? old->st_mode & 0777 : 0666 & ~mask;
  if (fchmod(file, mode)) {
    /* a file system without modes: what mkstemp gave has to do */
  }
}

bool output_open(struct output *o, struct memory *m, const char *path,
                 struct error *error) {
  struct stat old;
  *o = (struct output){.file = stdout, .path = "standard output"};
  if (!path || !strcmp(path, "-"))
    return true;
  o->path = path;
  bool exists = !stat(path, &old);
  if (exists && !S_ISREG(old.st_mode)) {
    o->file = fopen(path, "w");
    return o->file || refuse(o, errno, error);
  }
  if (exists && access(path, W_OK))
    return refuse(o, errno, error);
  o->target = resolve(m, path);
  size_t length = strlen(o->target);
  o->temporary = memory_get(m, length + sizeof ".XXXXXX", 1);
  memcpy(o->temporary, o->target, length);
  memcpy(o->temporary + length, ".XXXXXX", sizeof ".XXXXXX");
  int file = mkstemp(o->temporary);
  if (file < 0) {
    o->temporary = NULL;
    return refuse(o, errno, error);
  }
  set_mode(file, exists ? &old : NULL);
  o->file = fdopen(file, "w");
  if (o->file)
    return true;
  close(file);
  unlink(o->temporary);
  return refuse(o, errno, error);
}

bool output_commit(struct output *o, struct error *error) {
  int reason = stream_failure(o->file);
  bool ok = !reason;
  if (ok && o->temporary && fsync(fileno(o->file)) && errno != EINVAL) {
    ok = false;
    reason = errno;
  }
  if (o->file != stdout && fclose(o->file) && ok) {
    ok = false;
    reason = errno;
  }
  if (ok && o->temporary && rename(o->temporary, o->target)) {
    ok = false;
    reason = errno;
  }
  if (!ok && o->temporary)
    unlink(o->temporary);
  o->file = NULL;
  return ok || refuse(o, reason, error);
}

void output_discard(struct output *o) {
  if (o->file && o->file != stdout)
    fclose(o->file);
  if (o->file && o->temporary)
    unlink(o->temporary);
  o->file = NULL;
}
