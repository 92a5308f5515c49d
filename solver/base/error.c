#include "solver/base/error.h"

#include <stdarg.h>
#include <stdio.h>

bool error_set(struct error *e, enum status status, const char *format, ...) {
  if (!e || e->status != STATUS_OK)
    return false;
  e->status = status;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(e->text, sizeof e->text, format, arguments);
  va_end(arguments);
  for (char *c = e->text; *c;
       c++) /* a message is one line whatever the input */
    if ((unsigned char)*c < ' ')
      *c = '?';
  return false;
}
