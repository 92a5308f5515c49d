/* How a failure travels: by value, with a message for the user.
 *
 * The statuses are the program's exit statuses (README, "Exit status").
 */
#ifndef MOCCASIN_ERROR_H
#define MOCCASIN_ERROR_H

#include <stdbool.h>

enum status {
  STATUS_OK = 0,
  STATUS_USAGE = 1,      /* wrong use of the command line or the library */
  STATUS_INPUT = 2,      /* input unreadable or invalid */
  STATUS_INFEASIBLE = 3, /* proven: no schedule within the budget */
  STATUS_UNKNOWN = 4,    /* nothing found within the limits, nothing proven */
  STATUS_RESOURCES = 5   /* memory, disk, a failed write, an internal fault */
};

struct error {
  enum status status;
  char text[600]; /* one line, no newline; says where and what was expected */
};

/* Records a failure (the first one stays) and returns false, so that callers
 * can write `return error_set(...)`.  `e` may be NULL. */
bool error_set(struct error *e, enum status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

#endif
