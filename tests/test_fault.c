/* Faults of the solver itself, injected into a second program (tests/faulty):
 * never a wrong schedule, but exit 5, a message, and a file to see it again. */
#include "tests/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void expect_caught(struct workshop *w, const char *fault,
                          const char *says) {
  char line[5000];
  int head = (int)(strrchr(w->program, '/') - w->program);
  snprintf(line, sizeof line,
           "rm -f moccasin-fault.txt; FAULT=%s "
           "%.*s/tests/faulty-moccasin solve net.json -b 90%% -q -o s",
           fault, head, w->program);
  int status = workshop_run(w, line);
  cr_assert_eq(status, 5, "%s: exit %d: %.300s", fault, status, w->output);
  cr_assert(strstr(w->output, "internal fault") && strstr(w->output, says),
            "%s: %.300s", fault, w->output);
  cr_assert_eq(workshop_run(w, "test ! -e s && grep -q '^# moccasin .*fault' "
                               "moccasin-fault.txt && moccasin solve "
                               "moccasin-fault.txt -b 90% -q -o /dev/null"),
               0, "%s: %.300s", fault, w->output);
}

Test(fault, wrong_answers_never_leave) {
  struct workshop *w = workshop_open();
  char path[5000];
  snprintf(path, sizeof path, "%.*s/tests/faulty-moccasin",
           (int)(strrchr(w->program, '/') - w->program), w->program);
  if (access(path, X_OK)) {
    workshop_close(w);
    cr_skip("the faulty program is not built; run by `make test`");
  }
  expect_caught(w, "schedule", "baseline made a wrong schedule");
  expect_caught(w, "bound", "exceeds the verified schedule");
  expect_caught(w, "final", "does not verify");
  workshop_close(w);
}
