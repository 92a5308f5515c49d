#include "solver/base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Every block is preceded by a header and is on its context's ring. */
struct block {
  struct block *next, *previous;
  size_t bytes; /* of the payload and this header */
  size_t pad;   /* keeps the payload aligned to 16 bytes */
};

struct memory {
  struct block ring;
  struct memory_limit *limit;
  size_t used;
  jmp_buf recover;
};

static const size_t header = sizeof(struct block);

struct memory *memory_new(struct memory_limit *limit) {
  struct memory *m = malloc(sizeof *m);
  if (!m)
    return NULL;
  m->ring.next = m->ring.previous = &m->ring;
  m->limit = limit;
  m->used = 0;
  return m;
}

/* Takes `more` bytes from the limit, unless that exceeds it or a fault is
 * injected: one atomic step, so that threads at once cannot pass it together. */
static int reserve(struct memory *m, size_t more) {
  struct memory_limit *limit = m->limit;
  if (limit) {
    if (atomic_load(&limit->fail_after) > 0 &&
        atomic_fetch_sub(&limit->fail_after, 1) == 1)
      return 0;
    size_t now = atomic_load(&limit->used);
    do
      if (limit->most && (more > limit->most || now > limit->most - more))
        return 0;
    while (!atomic_compare_exchange_weak(&limit->used, &now, now + more));
    size_t high = atomic_load(&limit->highest);
    while (now + more > high &&
           !atomic_compare_exchange_weak(&limit->highest, &high, now + more))
      ;
  }
  m->used += more;
  return 1;
}

static void release(struct memory *m, size_t bytes) {
  m->used -= bytes;
  if (m->limit)
    atomic_fetch_sub(&m->limit->used, bytes);
}

static void link_block(struct memory *m, struct block *b) {
  b->next = m->ring.next;
  b->previous = &m->ring;
  b->next->previous = b;
  m->ring.next = b;
}

static void unlink_block(struct block *b) {
  b->previous->next = b->next;
  b->next->previous = b->previous;
}

void memory_free(struct memory *m) {
  if (!m)
    return;
  while (m->ring.next != &m->ring)
    memory_put(m, m->ring.next + 1);
  free(m);
}

jmp_buf *memory_recover(struct memory *m) {
  return &m->recover;
}

struct memory_limit *memory_shared_limit(struct memory *m) {
  return m->limit;
}

static size_t block_bytes(struct memory *m, size_t count, size_t size) {
  if (size && count > (PTRDIFF_MAX - header) / size)
    longjmp(m->recover, 1);
  return header + count * size;
}

void *memory_get(struct memory *m, size_t count, size_t size) {
  size_t bytes = block_bytes(m, count, size);
  if (!reserve(m, bytes))
    longjmp(m->recover, 1);
  struct block *b = calloc(1, bytes);
  if (!b) {
    release(m, bytes);
    longjmp(m->recover, 1);
  }
  b->bytes = bytes;
  link_block(m, b);
  return b + 1;
}

void *memory_resize(struct memory *m, void *block, size_t count, size_t size) {
  if (!block)
    return memory_get(m, count, size);
  struct block *old = (struct block *)block - 1;
  size_t bytes = block_bytes(m, count, size), before = old->bytes;
  size_t more = bytes > before ? bytes - before : 0;
  if (!reserve(m, more))
    longjmp(m->recover, 1);
  unlink_block(old);
  struct block *b = realloc(old, bytes);
  if (!b) {
    link_block(m, old);
    release(m, more);
    longjmp(m->recover, 1);
  }
  b->bytes = bytes;
  link_block(m, b);
  release(m, before + more - bytes);
  return b + 1;
}

void memory_put(struct memory *m, void *block) {
  if (!block)
    return;
  struct block *b = (struct block *)block - 1;
  unlink_block(b);
  release(m, b->bytes);
  free(b);
}

char *memory_text(struct memory *m, const char *text, size_t length) {
  char *copy = memory_get(m, length + 1, 1);
  memcpy(copy, text, length);
  return copy;
}

size_t memory_used(const struct memory *m) {
  return m->used;
}
