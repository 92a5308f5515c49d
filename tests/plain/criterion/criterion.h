/* The few macros of Criterion that the tests use, for one plain program: no
 * fork, no sandbox.  ThreadSanitizer cannot run under Criterion itself, which
 * starts each test as a process of its own in a way that it refuses. */
#ifndef MOCCASIN_TESTS_PLAIN_CRITERION_H
#define MOCCASIN_TESTS_PLAIN_CRITERION_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plain_test {
  const char *suite, *name;
  void (*run)(void);
  double timeout; /* accepted, not kept: there is no process to end */
  struct plain_test *next;
};

void plain_register(struct plain_test *test);
_Noreturn void plain_fail(const char *file, int line, const char *what,
                          const char *format, ...);
_Noreturn void plain_skip(const char *format, ...);
void plain_say(const char *format, ...);

#define Test(s, n, ...)                                                        \
  static void s##_##n##_run(void);                                             \
  __attribute__((constructor)) static void s##_##n##_register(void) {          \
    static struct plain_test test = {                                          \
        .suite = #s, .name = #n, .run = s##_##n##_run, __VA_ARGS__};           \
    plain_register(&test);                                                     \
  }                                                                            \
  static void s##_##n##_run(void)

#define cr_assert(condition, ...)                                              \
  ((condition) ? (void)0                                                       \
               : plain_fail(__FILE__, __LINE__, #condition, "" __VA_ARGS__))
#define cr_assert_not(condition, ...) cr_assert(!(condition), __VA_ARGS__)
#define cr_assert_eq(a, b, ...) cr_assert((a) == (b), __VA_ARGS__)
#define cr_assert_neq(a, b, ...) cr_assert((a) != (b), __VA_ARGS__)
#define cr_assert_lt(a, b, ...) cr_assert((a) < (b), __VA_ARGS__)
#define cr_assert_leq(a, b, ...) cr_assert((a) <= (b), __VA_ARGS__)
#define cr_assert_gt(a, b, ...) cr_assert((a) > (b), __VA_ARGS__)
#define cr_assert_geq(a, b, ...) cr_assert((a) >= (b), __VA_ARGS__)
#define cr_assert_null(a, ...) cr_assert((a) == NULL, __VA_ARGS__)
#define cr_assert_not_null(a, ...) cr_assert((a) != NULL, __VA_ARGS__)
#define cr_assert_str_eq(a, b, ...) cr_assert(!strcmp(a, b), __VA_ARGS__)
#define cr_assert_str_empty(a, ...) cr_assert(!*(a), __VA_ARGS__)
#define cr_assert_float_eq(a, b, epsilon, ...)                                 \
  cr_assert((a) - (b) <= (epsilon) && (b) - (a) <= (epsilon), __VA_ARGS__)
#define cr_assert_fail(...)                                                    \
  plain_fail(__FILE__, __LINE__, "fail", "" __VA_ARGS__)
#define cr_skip(...) plain_skip("" __VA_ARGS__)
#define cr_log_info(...) plain_say("" __VA_ARGS__)
#define cr_log_error(...) plain_say("" __VA_ARGS__)

#endif
