/* Memory contexts: every allocation of the project goes through here.
 *
 * A context owns all blocks taken from it, so whoever opens a context can
 * drop everything at once, whatever happened in between:
 *
 *     struct memory *m = memory_new(NULL);
 *     if (!m || setjmp(*memory_recover(m)))      // out of memory lands here
 *         return memory_free(m), STATUS_RESOURCES;
 *     struct graph *g = graph_read(m, ...);      // never returns NULL for
 *     ...                                        // want of memory
 *     memory_free(m);
 *
 * Why longjmp: a solver allocates in hundreds of places, and a check after
 * each of them is code that no test can reach honestly.  One recovery point a
 * context, opened only at the library's borders, is short enough to test at
 * every single allocation (tests/test_solve.c lets the n-th one fail,
 * for all n).
 *
 * A context belongs to one thread.  Contexts may share a `memory_limit`, which
 * bounds their sum.  Blocks are aligned as malloc aligns them.
 */
#ifndef MOCCASIN_MEMORY_H
#define MOCCASIN_MEMORY_H

#include <setjmp.h>
#include <stdatomic.h>
#include <stddef.h>

struct memory;

/* Shared by contexts, also across threads.  Zero-initialised: no limit. */
struct memory_limit {
  size_t most;            /* bytes, 0: unlimited */
  atomic_size_t used;     /* bytes held by all contexts that share this */
  atomic_size_t highest;  /* the most that `used` ever was */
  atomic_long fail_after; /* tests: k > 0 lets the k-th allocation fail */
};

/* NULL when there is no memory even for the context. `limit` may be NULL. */
struct memory *memory_new(struct memory_limit *limit);

/* Releases the context and every block still held. NULL is allowed. */
void memory_free(struct memory *m);

/* Where an allocation that fails jumps to; set it by setjmp before use. */
jmp_buf *memory_recover(struct memory *m);

/* The limit that was given to memory_new, to open a sibling context. */
struct memory_limit *memory_shared_limit(struct memory *m);

/* A zeroed block of count * size bytes (never NULL, also for 0 bytes). */
void *memory_get(struct memory *m, size_t count, size_t size);

/* Changes a block's size and keeps its content; what is new is not zeroed.
 * `block` may be NULL. */
void *memory_resize(struct memory *m, void *block, size_t count, size_t size);

/* Releases one block before its context ends. NULL is allowed. */
void memory_put(struct memory *m, void *block);

/* Copies `length` bytes and adds a NUL. */
char *memory_text(struct memory *m, const char *text, size_t length);

/* Bytes now held by this context. */
size_t memory_used(const struct memory *m);

#define MEMORY_NEW(m, type) ((type *)memory_get((m), 1, sizeof(type)))
#define MEMORY_ARRAY(m, type, count)                                           \
  ((type *)memory_get((m), (size_t)(count), sizeof(type)))

/* Makes room for one more element behind `used` ones: doubles capacity. */
#define MEMORY_GROW(m, array, used, capacity)                                  \
  do {                                                                         \
    if ((used) >= (capacity)) {                                                \
      (capacity) = (capacity) ? 2 * (capacity) : 16;                           \
      (array) =                                                                \
          memory_resize((m), (array), (size_t)(capacity), sizeof *(array));    \
    }                                                                          \
  } while (0)

#endif
