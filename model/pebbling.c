#include "model/pebbling.h"
#include "model/schedule.h"

#include <limits.h>
#include <string.h>

/* A state has a byte a node: how often it has been computed, counted up to
 * `most`, and whether it is in memory. */
enum { HELD = 0x80, COUNT = 0x7f, MOST_LIMIT = 100 };

/* All states together take at most so many bytes; a move tries so many sets
 * to drop; a stop is told so much (stop.h) of a node or an edge. */
enum { MOST_BYTES = 1 << 26, MOST_SETS = 1 << 16, UNITS_OF_WORK = 4 };

/* Rule D. */
struct merit {
  bool alive, useful;
};

struct pebbling_search {
  struct memory *memory;
  const struct problem *problem;
  int n;
  unsigned char *most; /* computes that matter: the limit, or 1 without one */
  bool *limited;
  int64_t budget; /* asked for now */
  bool running;
  struct stop *stop; /* of pebbling_run */
  long told;         /* what it knows of the work */

  /* States seen, in the order of their discovery, and a table of them. */
  unsigned char *state;
  int *parent, *move; /* where it comes from, by computing what */
  int count, room;
  int *table, table_size; /* numbers + 1; 0: free */
  int *open, open_count;  /* states not expanded yet: a stack */
  int open_room;

  /* Of the state that is being expanded, n entries each. */
  unsigned char *now, *next;
  struct merit *merit, *scratch; /* of now, of next */
  bool *input;
  int *spare, *chosen; /* what may be dropped, by size; a set of places */
  int64_t *rest;       /* bytes of spare[i] and after */
};

static bool may_repeat(const struct pebbling_search *s, int v, int byte) {
  return !s->limited[v] || (byte & COUNT) < s->most[v];
}

/* Rule D.  Nodes are in topological order, so consumers come first. */
static void settle(const struct pebbling_search *s, unsigned char *x,
                   struct merit *merit) {
  const struct problem *p = s->problem;
  for (int v = s->n - 1; v >= 0; v--) {
    bool useful = false;
    for (int e = p->succ_start[v]; e < p->succ_start[v + 1] && !useful; e++)
      useful = merit[p->succ[e]].alive;
    merit[v].useful = useful;
    merit[v].alive = !(x[v] & COUNT) || (useful && may_repeat(s, v, x[v]));
    if (!useful)
      x[v] &= COUNT;
    if (!merit[v].alive)
      x[v] = (unsigned char)(s->most[v] | (x[v] & HELD));
  }
}

/* ---- states seen --------------------------------------------------------- */

static unsigned char *state_at(const struct pebbling_search *s, int i) {
  return s->state + (size_t)i * (size_t)s->n;
}

static int *find(const struct pebbling_search *s, const unsigned char *x) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (int v = 0; v < s->n; v++)
    hash = (hash ^ x[v]) * UINT64_C(0x100000001b3);
  size_t mask = (size_t)s->table_size - 1, i = (size_t)(hash >> 20) & mask;
  while (s->table[i] &&
         memcmp(state_at(s, s->table[i] - 1), x, (size_t)s->n) != 0)
    i = (i + 1) & mask;
  return &s->table[i];
}

static void widen(struct pebbling_search *s) {
  struct memory *m = s->memory;
  size_t room = s->room ? 2 * (size_t)s->room : 256;
  s->state = memory_resize(m, s->state, room * (size_t)s->n, 1);
  s->parent = memory_resize(m, s->parent, room, sizeof *s->parent);
  s->move = memory_resize(m, s->move, room, sizeof *s->move);
  s->room = (int)room;
  memory_put(m, s->table);
  s->table_size = 2 * s->room;
  s->table = MEMORY_ARRAY(m, int, s->table_size);
  for (int i = 0; i < s->count; i++)
    *find(s, state_at(s, i)) = i + 1;
}

/* Takes s->next, settled, as a state to be expanded unless it is known. */
static void reach(struct pebbling *b, int parent, int move) {
  struct pebbling_search *s = b->search;
  if (s->count == s->room)
    widen(s);
  int *place = find(s, s->next);
  if (*place)
    return;
  memcpy(state_at(s, s->count), s->next, (size_t)s->n);
  s->parent[s->count] = parent;
  s->move[s->count] = move;
  MEMORY_GROW(s->memory, s->open, s->open_count, s->open_room);
  s->open[s->open_count++] = s->count;
  *place = ++s->count;
  b->states++;
  b->gave_up |= (int64_t)s->count * s->n > MOST_BYTES;
}

/* ---- moves ----------------------------------------------------------------*/

/* v is computed after the first `dropped` of s->chosen have gone. */
static void compute(struct pebbling *b, int from, int v, int dropped) {
  struct pebbling_search *s = b->search;
  memcpy(s->next, s->now, (size_t)s->n);
  for (int i = 0; i < dropped; i++)
    s->next[s->spare[s->chosen[i]]] &= COUNT;
  if ((s->next[v] & COUNT) < s->most[v])
    s->next[v]++;
  s->next[v] |= HELD;
  settle(s, s->next, s->scratch);
  reach(b, from, v);
  b->work += s->n + s->problem->succ_start[s->n];
}

/* A state may have more than 10 000 moves, so this is asked between them. */
static bool is_stopped(struct pebbling *b) {
  struct pebbling_search *s = b->search;
  int64_t more = b->work - s->told;
  s->told = b->work;
  return stop_after(s->stop, UNITS_OF_WORK * more);
}

static bool has_undone_consumer(const struct pebbling_search *s, int u) {
  const struct problem *p = s->problem;
  for (int e = p->succ_start[u]; e < p->succ_start[u + 1]; e++)
    if (!(s->now[p->succ[e]] & COUNT))
      return true;
  return false;
}

/* Lists what may be dropped for v (rule H), the largest first. */
static void list_spare(struct pebbling_search *s, int v) {
  const struct problem *p = s->problem;
  int count = 0;
  memset(s->input, 0, (size_t)s->n * sizeof *s->input);
  for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++)
    s->input[p->pred[e]] = true;
  for (int u = 0; u < s->n; u++) {
    if (!(s->now[u] & HELD) || s->input[u] || !p->size[u] ||
        (!may_repeat(s, u, s->now[u]) && has_undone_consumer(s, u)))
      continue;
    int i = count++;
    for (; i && p->size[s->spare[i - 1]] < p->size[u]; i--)
      s->spare[i] = s->spare[i - 1];
    s->spare[i] = u;
  }
  s->rest[count] = 0;
  for (int i = count - 1; i >= 0; i--)
    s->rest[i] = s->rest[i + 1] + p->size[s->spare[i]];
}

/* Rule L: computes v after each least set that frees `over` bytes.  Sets are
 * built from large to small, so each is least when it is enough. */
static void drop_and_compute(struct pebbling *b, int from, int v,
                             int64_t over) {
  struct pebbling_search *s = b->search;
  const int64_t *size = s->problem->size;
  int depth = 0, sets = 0;
  list_spare(s, v);
  for (int i = 0; !b->gave_up && !is_stopped(b);) {
    if (s->rest[i] >= over) {
      s->chosen[depth++] = i;
      over -= size[s->spare[i++]];
      if (over > 0)
        continue;
      compute(b, from, v, depth);
      b->gave_up |= ++sets > MOST_SETS;
    } else if (!depth) {
      return;
    }
    i = s->chosen[--depth];
    over += size[s->spare[i++]];
  }
}

static bool is_ready(const struct pebbling_search *s, int v, int undone) {
  const struct problem *p = s->problem;
  if (s->now[v] & HELD || !s->merit[v].alive || (v == p->sink && undone > 1))
    return false;
  for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++)
    if (!(s->now[p->pred[e]] & HELD))
      return false;
  return true;
}

/* Rule E, but for the room that v needs at its own step. */
static bool is_eager(const struct pebbling_search *s, int v) {
  const struct problem *p = s->problem;
  if (s->now[v] & COUNT)
    return false;
  if (!s->merit[v].useful || !p->size[v])
    return true;
  if (may_repeat(s, v, 1))
    return false; /* then its inputs stay useful */
  int64_t freed = 0;
  for (int e = p->pred_start[v]; e < p->pred_start[v + 1]; e++) {
    int u = p->pred[e];
    bool last = !may_repeat(s, u, s->now[u]);
    for (int f = p->succ_start[u]; f < p->succ_start[u + 1] && last; f++)
      last = p->succ[f] == v || !s->merit[p->succ[f]].alive;
    freed += last ? p->size[u] : 0;
  }
  return freed >= p->size[v];
}

/* All moves from the state; recomputes are tried last.  True if it is a goal.
 */
static bool expand(struct pebbling *b, int at) {
  struct pebbling_search *s = b->search;
  const struct problem *p = s->problem;
  int undone = 0;
  int64_t held = p->fixed;
  memcpy(s->now, state_at(s, at), (size_t)s->n);
  settle(s, s->now, s->merit);
  for (int v = 0; v < s->n; v++) {
    undone += !(s->now[v] & COUNT);
    held += s->now[v] & HELD ? p->size[v] : 0;
  }
  b->work += s->n + p->succ_start[s->n];
  for (int v = 0; v < s->n; v++)
    if (is_ready(s, v, undone) && is_eager(s, v) &&
        held + p->workspace[v] + p->size[v] <= s->budget) {
      compute(b, at, v, 0);
      return false;
    }
  for (int turn = 0; turn < 2 && undone; turn++)
    for (int v = s->n - 1; v >= 0 && !b->gave_up && !is_stopped(b); v--) {
      bool again = s->now[v] & COUNT;
      if (again != (turn == 0) || !is_ready(s, v, undone))
        continue;
      int64_t over = held + p->workspace[v] + p->size[v] - s->budget;
      if (over <= 0)
        compute(b, at, v, 0);
      else
        drop_and_compute(b, at, v, over);
    }
  return !undone;
}

/* ---- questions ------------------------------------------------------------*/

static void ask(struct pebbling *b, int64_t budget) {
  struct pebbling_search *s = b->search;
  s->budget = budget;
  s->running = true;
  s->count = s->open_count = 0;
  if (s->table)
    memset(s->table, 0, (size_t)s->table_size * sizeof *s->table);
  memset(s->next, 0, (size_t)s->n);
  reach(b, -1, -1);
}

/* The moves that led to the goal are the schedule. */
static void keep(struct pebbling *b, int goal) {
  struct pebbling_search *s = b->search;
  struct simulation found = {0};
  int length = 0;
  for (int i = goal; s->parent[i] >= 0; i = s->parent[i])
    length++;
  memory_put(s->memory, b->step);
  b->step = MEMORY_ARRAY(s->memory, int, length);
  b->length = length;
  for (int i = goal; s->parent[i] >= 0; i = s->parent[i])
    b->step[--length] = s->move[i];
  b->high = s->budget;
  if (simulate(s->problem, b->step, b->length, s->memory, &found) &&
      found.peak < b->high)
    b->high = found.peak;
  s->running = false;
}

struct pebbling *pebbling_new(struct memory *m, const struct problem *p,
                              int64_t low, int64_t high) {
  struct pebbling *b = MEMORY_NEW(m, struct pebbling);
  struct pebbling_search *s = MEMORY_NEW(m, struct pebbling_search);
  b->low = low;
  b->high = high;
  b->search = s;
  s->memory = m;
  s->problem = p;
  s->n = p->n;
  s->most = MEMORY_ARRAY(m, unsigned char, p->n);
  s->limited = MEMORY_ARRAY(m, bool, p->n);
  for (int v = 0; v < p->n; v++) {
    s->limited[v] = p->limit[v] <= MOST_LIMIT;
    s->most[v] = s->limited[v] ? (unsigned char)p->limit[v] : 1;
  }
  s->now = MEMORY_ARRAY(m, unsigned char, p->n);
  s->next = MEMORY_ARRAY(m, unsigned char, p->n);
  s->merit = MEMORY_ARRAY(m, struct merit, p->n);
  s->scratch = MEMORY_ARRAY(m, struct merit, p->n);
  s->input = MEMORY_ARRAY(m, bool, p->n);
  s->spare = MEMORY_ARRAY(m, int, p->n);
  s->chosen = MEMORY_ARRAY(m, int, p->n);
  s->rest = MEMORY_ARRAY(m, int64_t, p->n + 1);
  return b;
}

/* States that are of no use any more may take all the memory there is. */
static void release(struct pebbling_search *s) {
  void *block[] = {s->state, s->parent, s->move, s->table, s->open};
  for (unsigned i = 0; i < sizeof block / sizeof *block; i++)
    memory_put(s->memory, block[i]);
  s->state = NULL;
  s->parent = s->move = s->table = s->open = NULL;
  s->count = s->room = s->table_size = s->open_count = s->open_room = 0;
}

/* The lowest peak first: often it can be had. */
static void ask_next(struct pebbling *b) {
  bool first = !b->states;
  ask(b, first ? b->low : b->low + (b->high - 1 - b->low) / 2);
}

bool pebbling_run(struct pebbling *b, long work, struct stop *stop) {
  struct pebbling_search *s = b->search;
  long end = b->work + work;
  bool found = false;
  s->stop = stop;
  while (!pebbling_done(b) && b->work < end && !is_stopped(b)) {
    if (!s->running)
      ask_next(b);
    if (!s->open_count) {
      b->low = s->budget + 1;
      s->running = false;
      continue;
    }
    int at = s->open[--s->open_count];
    if (expand(b, at)) {
      keep(b, at);
      found = true;
    }
    if (is_stopped(b)) { /* some of its moves may be missing */
      MEMORY_GROW(s->memory, s->open, s->open_count, s->open_room);
      s->open[s->open_count++] = at;
    }
  }
  s->stop = NULL;
  if (pebbling_done(b))
    release(s);
  return found;
}

void pebbling_limit(struct pebbling *b, int64_t high) {
  if (high >= b->high)
    return;
  b->high = high;
  if (b->search->running && b->search->budget >= high)
    b->search->running = false;
}
