/* The runner of the tests.  Criterion runs every test in a process of its own
 * and has a main for that; this one differs in its end: the runner leaves
 * without the leak check at exit, because now and then Criterion itself has not
 * released a few bytes there (seen under ASan: 48 bytes, every test passed).
 * The tests' own processes are checked as ever. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char *argv[]) {
  struct criterion_test_set *tests = criterion_initialize();
  int failed = 0;
  if (criterion_handle_args(argc, argv, true))
    failed = !criterion_run_all_tests(tests);
  criterion_finalize(tests);
  fflush(NULL);
  _Exit(failed);
}
