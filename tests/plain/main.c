/* Runs the tests one after the other in this process.  Ends with status 1 at
 * the first failure.  usage: plain [PATTERN...]   (of "suite/name", fnmatch) */
#include <criterion/criterion.h>
#include <fnmatch.h>
#include <stdarg.h>

static struct plain_test *first, **last = &first;
static const struct plain_test *running;
static jmp_buf skipped;

void plain_register(struct plain_test *test) {
  *last = test;
  last = &test->next;
}

void plain_fail(const char *file, int line, const char *what,
                const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s:%d: %s/%s: %s\n", file, line, running->suite,
          running->name, what);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(1);
}

void plain_skip(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "skipped: ");
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  longjmp(skipped, 1);
}

void plain_say(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}

static bool wanted(const struct plain_test *test, int count, char **pattern) {
  char name[200];
  snprintf(name, sizeof name, "%s/%s", test->suite, test->name);
  for (int i = 0; i < count; i++)
    if (!fnmatch(pattern[i], name, 0))
      return true;
  return !count;
}

/* On its own, so that nothing changes between setjmp and longjmp. */
static bool run(void) {
  if (setjmp(skipped))
    return false;
  running->run();
  return true;
}

int main(int argc, char **argv) {
  int passed = 0, skips = 0;
  for (running = first; running; running = running->next) {
    if (!wanted(running, argc - 1, argv + 1))
      continue;
    fprintf(stderr, "%s/%s\n", running->suite, running->name);
    if (run())
      passed++;
    else
      skips++;
  }
  printf("%d passed, 0 failed, %d skipped\n", passed, skips);
  return 0;
}
