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

static void account(struct memory *m, size_t more, size_t less) {
  m->used = m->used + more - less;
  if (!m->limit)
    return;
  size_t now = atomic_fetch_add(&m->limit->used, more - less) + more - less;
  size_t high = atomic_load(&m->limit->highest);
  while (now > high &&
         !atomic_compare_exchange_weak(&m->limit->highest, &high, now))
    ;
}

/* May `more` bytes be added under the limit, and is no fault injected? */
static int may_grow(struct memory *m, size_t more) {
  struct memory_limit *limit = m->limit;
  if (!limit)
    return 1;
  if (atomic_load(&limit->fail_after) > 0 &&
      atomic_fetch_sub(&limit->fail_after, 1) == 1)
    return 0;
  return !limit->most || (more <= limit->most &&
                          atomic_load(&limit->used) <= limit->most - more);
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
  struct block *b = may_grow(m, bytes) ? calloc(1, bytes) : NULL;
  if (!b)
    longjmp(m->recover, 1);
  b->bytes = bytes;
  link_block(m, b);
  account(m, bytes, 0);
  return b + 1;
}

void *memory_resize(struct memory *m, void *block, size_t count, size_t size) {
  if (!block)
    return memory_get(m, count, size);
  struct block *old = (struct block *)block - 1;
  size_t bytes = block_bytes(m, count, size), before = old->bytes;
  size_t more = bytes > before ? bytes - before : 0;
  if (!may_grow(m, more))
    longjmp(m->recover, 1);
  unlink_block(old);
  struct block *b = realloc(old, bytes);
  if (!b) {
    link_block(m, old);
    longjmp(m->recover, 1);
  }
  b->bytes = bytes;
  link_block(m, b);
  account(m, bytes, before);
  return b + 1;
}

void memory_put(struct memory *m, void *block) {
  if (!block)
    return;
  struct block *b = (struct block *)block - 1;
  unlink_block(b);
  account(m, 0, b->bytes);
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
