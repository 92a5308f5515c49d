/* Memory contexts: ownership, limits, injected faults, accounting. */
#include "solver/base/memory.h"

#include "solver/base/random.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

Test(memory, a_context_owns_its_blocks) {
  struct memory_limit limit = {0};
  struct memory *m = memory_new(&limit);
  int *a = MEMORY_ARRAY(m, int, 100);
  for (int i = 0; i < 100; i++)
    cr_assert_eq(a[i], 0);
  a[99] = 7;
  a = memory_resize(m, a, 1000, sizeof *a);
  cr_assert_eq(a[99], 7);
  char *text = memory_text(m, "hello world", 5);
  cr_assert_str_eq(text, "hello");
  memory_put(m, a);
  cr_assert_gt(memory_used(m), 0);
  cr_assert_eq(memory_used(m), atomic_load(&limit.used));
  cr_assert_geq(atomic_load(&limit.highest), 1000 * sizeof(int));
  memory_free(m);
  cr_assert_eq(atomic_load(&limit.used), 0);
}

Test(memory, the_limit_holds_over_all_contexts) {
  struct memory_limit limit = {.most = 10000};
  struct memory *a = memory_new(&limit), *b = memory_new(&limit);
  volatile int reached = 0;
  if (!setjmp(*memory_recover(a)))
    memory_get(a, 6000, 1);
  else
    reached = 100;
  if (!setjmp(*memory_recover(b)))
    memory_get(b, 6000, 1);
  else
    reached++;
  cr_assert_eq(reached, 1);
  memory_free(a);
  if (!setjmp(*memory_recover(b)))
    memory_get(b, 6000, 1);
  else
    reached++;
  cr_assert_eq(reached, 1);
  memory_free(b);
}

Test(memory, sizes_beyond_the_address_space_fail) {
  struct memory *m = memory_new(NULL);
  volatile int failed = 0;
  if (!setjmp(*memory_recover(m)))
    memory_get(m, SIZE_MAX / 2, 4);
  else
    failed++;
  void *volatile block = memory_get(m, 8, 1);
  if (!setjmp(*memory_recover(m)))
    memory_resize(m, block, SIZE_MAX, 1);
  else
    failed++;
  cr_assert_eq(failed, 2);
  memory_free(m);
}

/* Allocates, resizes and releases at random; fault n strikes somewhere. */
static void wander(struct memory *m, uint64_t seed) {
  struct random r;
  random_seed(&r, seed);
  unsigned char *block[20] = {0};
  for (int i = 0; i < 300; i++) {
    int k = random_below(&r, 20), size = random_below(&r, 200);
    if (random_below(&r, 3) == 0) {
      memory_put(m, block[k]);
      block[k] = NULL;
    } else {
      block[k] = memory_resize(m, block[k], (size_t)size, 1);
      memset(block[k], k, (size_t)size);
    }
  }
}

static void wander_with_fault(long n) {
  struct memory_limit limit = {.fail_after = n};
  struct memory *m = memory_new(&limit);
  if (!setjmp(*memory_recover(m)))
    wander(m, 5);
  memory_free(m);
  cr_assert_eq(atomic_load(&limit.used), 0, "fault %ld", n);
}

Test(memory, a_fault_at_any_allocation_leaks_nothing) {
  for (long n = 1; n < 250; n++)
    wander_with_fault(n);
}

/* ---- threads under one limit ---------------------------------------------
 */

static void *crowd(void *data) {
  struct memory *m = memory_new(data);
  for (int i = 0; i < 20000; i++)
    if (!setjmp(*memory_recover(m)))
      memory_put(m, memory_get(m, 600, 1));
  memory_free(m);
  return NULL;
}

Test(memory, threads_at_once_do_not_pass_the_limit_together) {
  struct memory_limit limit = {.most = 1000};
  pthread_t thread[4];
  for (int t = 0; t < 4; t++)
    cr_assert_eq(pthread_create(&thread[t], NULL, crowd, &limit), 0);
  for (int t = 0; t < 4; t++)
    pthread_join(thread[t], NULL);
  cr_assert_leq(atomic_load(&limit.highest), 1000);
  cr_assert_eq(atomic_load(&limit.used), 0);
}
