#include "model/bound_branch.h"
#include "model/bound_reduce.h"

#include <limits.h>
#include <string.h>

enum { FREE, BARRED, PAID };
enum { CANDIDATES = 8, FLOWS = 10 };

struct tree_node {
  int parent, slot;
  unsigned char status; /* what was decided for the slot */
  int64_t bound;        /* scaled units */
};

struct decision {
  int slot;
  unsigned char status;
};

struct branch {
  struct bound *bound;
  struct bound_state *s;
  int64_t upper, limit;
  int64_t paid, prices;     /* scaled units: of paid windows, of all prices */
  unsigned char *status;    /* of a used window */
  int *spent;               /* of a block: windows paid */
  int64_t *cost;            /* of an entry: at the root */
  bool *dirty;              /* of a closure */
  int *trail, trail_length; /* slots decided at the present node */
  struct tree_node *node;
  int node_count, node_room;
  int *heap, heap_length, heap_room;
  int *candidate;
  double *part; /* of a used window: largest share of an entry */
  int *path;
  long nodes;
};

static long effort(const struct branch *t) {
  long sum = 0;
  for (int k = 0; k < t->s->closure_count; k++)
    sum += t->s->closure[k]->flow->work + t->s->closure[k]->count;
  return sum;
}

static int64_t weight(const struct branch *t, int slot) {
  int node = t->s->used_node[slot];
  return t->s->weight[node] + (int64_t)t->s->price[node];
}

static void set_status(struct branch *t, int slot, int status) {
  struct bound_state *s = t->s;
  if (t->status[slot] == PAID) {
    t->paid -= weight(t, slot);
    t->spent[s->block_of[s->row_entry[s->row[slot]]]]--;
  }
  t->status[slot] = (unsigned char)status;
  if (status == PAID) {
    t->paid += weight(t, slot);
    t->spent[s->block_of[s->row_entry[s->row[slot]]]]++;
  }
  for (int k = s->row[slot]; k < s->row[slot + 1]; k++) {
    int e = s->row_entry[k], home = s->home[e], i = e - s->first[home];
    struct closure *c = s->closure[home];
    c->window[i] = status == BARRED ? -1 : s->used[slot];
    c->cost[i] = status == FREE ? t->cost[e] : 0;
    t->dirty[home] = true;
  }
}

/* Decides a slot and what follows: a node that has used up its recomputes is
 * barred elsewhere. */
static void decide(struct branch *t, int slot, int status) {
  struct bound_state *s = t->s;
  set_status(t, slot, status);
  t->trail[t->trail_length++] = slot;
  int block = s->block_of[s->row_entry[s->row[slot]]];
  double spare = s->spare[s->used_node[slot]];
  if (status != PAID || spare <= 0 || t->spent[block] < spare)
    return;
  for (int other = s->block[block]; other < s->block[block + 1]; other++)
    if (t->status[other] == FREE) {
      set_status(t, other, BARRED);
      t->trail[t->trail_length++] = other;
    }
}

static void undo(struct branch *t, int length) {
  while (t->trail_length > length)
    set_status(t, t->trail[--t->trail_length], FREE);
}

/* The bound of the present decisions. */
static int64_t evaluate(struct branch *t) {
  struct bound_state *s = t->s;
  int64_t sum = t->paid - t->prices;
  for (int k = 0; k < s->closure_count; k++) {
    if (t->dirty[k])
      closure_solve(s->closure[k], FLOWS);
    t->dirty[k] = false;
    if (sum > t->limit)
      continue;
    sum += s->closure[k]->value;
  }
  return sum;
}

static void heap_push(struct branch *t, int node) {
  MEMORY_GROW(t->s->memory, t->heap, t->heap_length, t->heap_room);
  int i = t->heap_length++;
  int64_t key = t->node[node].bound;
  for (; i && t->node[t->heap[(i - 1) / 2]].bound > key; i = (i - 1) / 2)
    t->heap[i] = t->heap[(i - 1) / 2];
  t->heap[i] = node;
}

static int heap_pop(struct branch *t) {
  int top = t->heap[0], last = t->heap[--t->heap_length], i = 0;
  int64_t key = t->node[last].bound;
  for (int child; (child = 2 * i + 1) < t->heap_length; i = child) {
    if (child + 1 < t->heap_length &&
        t->node[t->heap[child + 1]].bound < t->node[t->heap[child]].bound)
      child++;
    if (t->node[t->heap[child]].bound >= key)
      break;
    t->heap[i] = t->heap[child];
  }
  if (t->heap_length)
    t->heap[i] = last;
  return top;
}

static int add_node(struct branch *t, int parent, int slot, int status,
                    int64_t bound) {
  MEMORY_GROW(t->s->memory, t->node, t->node_count, t->node_room);
  t->node[t->node_count] =
      (struct tree_node){parent, slot, (unsigned char)status, bound};
  return t->node_count++;
}

/* Undoes all decisions and takes those of the tree node. */
static void go_to(struct branch *t, int node) {
  int length = 0;
  undo(t, 0);
  for (; node > 0; node = t->node[node].parent)
    t->path[length++] = node;
  while (length) {
    const struct tree_node *n = &t->node[t->path[--length]];
    if (t->status[n->slot] == FREE)
      decide(t, n->slot, n->status);
  }
}

/* Free windows with a fractional share, the most promising first; returns how
 * many (at most CANDIDATES). */
static int list_candidates(struct branch *t) {
  struct bound_state *s = t->s;
  int count = 0;
  double score[CANDIDATES];
  for (int slot = 0; slot < s->used_count; slot++) {
    if (t->status[slot] != FREE)
      continue;
    double value = 0;
    for (int k = s->row[slot]; k < s->row[slot + 1]; k++) {
      int e = s->row_entry[k];
      const struct closure *c = s->closure[s->home[e]];
      double x = c->share[e - s->first[s->home[e]]];
      if (x > 1e-6 && x < 1 - 1e-6 && c->value > 0) {
        double here = (x < 0.5 ? x : 1 - x) * (double)weight(t, slot);
        if (here > value)
          value = here;
      }
    }
    if (value <= 0)
      continue;
    int i = count < CANDIDATES ? count++ : CANDIDATES;
    for (; i && score[i - 1] < value; i--)
      if (i < CANDIDATES) {
        score[i] = score[i - 1];
        t->candidate[i] = t->candidate[i - 1];
      }
    if (i < CANDIDATES) {
      score[i] = value;
      t->candidate[i] = slot;
    }
  }
  return count;
}

static int64_t try_decision(struct branch *t, int slot, int status) {
  int length = t->trail_length;
  decide(t, slot, status);
  int64_t bound = evaluate(t);
  undo(t, length);
  return bound;
}

enum step { PRUNED, BRANCHED, LEAF };

/* Works on one tree node until it is pruned, branched, or has nothing left to
 * branch on. */
static enum step process(struct branch *t, int node) {
  go_to(t, node);
  for (;;) {
    int64_t here = evaluate(t);
    if (here >= t->limit)
      return PRUNED;
    int count = list_candidates(t), best = -1;
    if (!count)
      return LEAF;
    int64_t best_low = 0, best_bar = 0, best_pay = 0;
    bool forced = false;
    for (int i = 0; i < count && !forced; i++) {
      int slot = t->candidate[i];
      int64_t bar = try_decision(t, slot, BARRED);
      int64_t pay = try_decision(t, slot, PAID);
      if (bar >= t->limit || pay >= t->limit) {
        if (bar >= t->limit && pay >= t->limit)
          return PRUNED;
        int status = bar >= t->limit ? PAID : BARRED;
        decide(t, slot, status);
        node = add_node(t, node, slot, status, here);
        forced = true;
        break;
      }
      int64_t low = bar < pay ? bar : pay, high = bar < pay ? pay : bar;
      low -= here;
      low = (low > 0 ? low : 0) * 4 + (high - here) / 4;
      if (best < 0 || low > best_low) {
        best = slot;
        best_low = low;
        best_bar = bar;
        best_pay = pay;
      }
    }
    if (forced)
      continue;
    int bar =
        add_node(t, node, best, BARRED, best_bar > here ? best_bar : here);
    int pay = add_node(t, node, best, PAID, best_pay > here ? best_pay : here);
    heap_push(t, bar);
    heap_push(t, pay);
    return BRANCHED;
  }
}

struct branch *branch_new(struct bound *b, int64_t upper) {
  struct bound_state *s = b->state;
  struct memory *m = s->memory;
  struct branch *t = MEMORY_NEW(m, struct branch);
  t->bound = b;
  t->s = s;
  t->upper = upper;
  t->limit = bound_limit(b, upper);
  bound_restore(s);
  t->status = MEMORY_ARRAY(m, unsigned char, s->used_count);
  t->spent = MEMORY_ARRAY(m, int, s->block_count);
  t->cost = MEMORY_ARRAY(m, int64_t, s->entry_count);
  t->dirty = MEMORY_ARRAY(m, bool, s->closure_count);
  t->trail = MEMORY_ARRAY(m, int, s->used_count);
  t->path = MEMORY_ARRAY(m, int, s->used_count);
  t->candidate = MEMORY_ARRAY(m, int, CANDIDATES);
  for (int k = 0; k < s->closure_count; k++) {
    t->dirty[k] = true;
    for (int i = 0; i < s->closure[k]->count; i++)
      t->cost[s->first[k] + i] = s->closure[k]->cost[i];
  }
  t->prices = -bound_sum(s);
  for (int k = 0; k < s->closure_count; k++)
    t->prices += s->closure[k]->value;
  heap_push(t, add_node(t, -1, -1, FREE, s->best));
  return t;
}

void branch_free(struct branch *t) {
  struct memory *m = t->s->memory;
  undo(t, 0);
  void *block[] = {t->status, t->spent, t->cost, t->dirty,     t->trail,
                   t->path,   t->node,  t->heap, t->candidate, t};
  for (unsigned i = 0; i < sizeof block / sizeof *block; i++)
    memory_put(m, block[i]);
}

enum branch_result branch_run(struct branch *t, long work,
                              const struct bound_stop *stop) {
  long start = effort(t);
  while (t->heap_length) {
    int64_t low = t->node[t->heap[0]].bound;
    bound_raise(t->bound, low);
    if (low >= t->limit)
      break;
    if ((work && effort(t) - start >= work) ||
        (stop && stop->ask && stop->ask(stop->context)))
      return BRANCH_OPEN;
    int node = heap_pop(t);
    t->nodes++;
    if (process(t, node) == LEAF) {
      heap_push(t, node);
      return BRANCH_STUCK;
    }
  }
  if (t->upper > t->bound->value)
    t->bound->value = t->upper;
  return BRANCH_PROVED;
}

long branch_nodes(const struct branch *t) {
  return t->nodes;
}
