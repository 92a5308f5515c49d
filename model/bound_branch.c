#include "model/bound_branch.h"
#include "model/bound_reduce.h"
#include "model/bound_separate.h"
#include "solver/base/checked.h"

#include <limits.h>
#include <string.h>

enum { FREE, BARRED, PAID };
enum { CANDIDATES = 8, FLOWS = 10, NODE_WORK = 4000000 };
enum { MOST_STUCK = 4000, MOST_LISTED = 8000 };

struct tree_node {
  int parent, window;
  unsigned char status; /* what was decided for the window */
  int leaf;             /* nothing to branch on with so many closures */
  int64_t bound;        /* scaled units */
};

struct branch {
  struct bound *bound;
  struct bound_state *s;
  int64_t upper, limit;
  int64_t paid, prices;     /* scaled units: of paid windows, of all prices */
  unsigned char *status;    /* of a window */
  int *spent;               /* of a node: windows paid */
  int *slot;                /* of a window: its place among the used, or -1 */
  int *node_of;             /* of a window */
  int64_t *cost;            /* of an entry: at the root */
  int64_t *left;            /* of a used window: what no cut can use */
  bool *dirty;              /* of a closure */
  bool moved;               /* costs are not the root's */
  int *trail, trail_length; /* windows decided at the present node */
  struct tree_node *node;
  int node_count, node_room;
  int *heap, heap_length, heap_room;
  int *stuck, stuck_count, stuck_room; /* leaves that no cut refutes */
  int *path;
  long nodes;
  long most; /* effort at which this call ends, 0: never */
  const struct bound_stop *stop;
};

static long effort(const struct branch *t) {
  long sum = t->bound->work;
  for (int k = 0; k < t->s->closure_count; k++)
    sum += t->s->closure[k]->flow->work;
  return sum;
}

static int64_t weight(const struct branch *t, int node) {
  return t->s->weight[node] + (int64_t)t->s->price[node];
}

static void set_status(struct branch *t, int window, int status) {
  struct bound_state *s = t->s;
  int u = t->node_of[window], slot = t->slot[window];
  if (t->status[window] == PAID) {
    t->paid -= weight(t, u);
    t->spent[u]--;
  }
  if (status == PAID) {
    t->paid += weight(t, u);
    t->spent[u]++;
  }
  t->status[window] = (unsigned char)status;
  if (slot < 0)
    return;
  for (int k = s->row[slot]; k < s->row[slot + 1]; k++) {
    int e = s->row_entry[k], home = s->home[e], i = e - s->first[home];
    struct closure *c = s->closure[home];
    c->window[i] = status == BARRED ? -1 : window;
    c->cost[i] = status == FREE ? t->cost[e] : 0;
    t->dirty[home] = true;
  }
}

/* Decides a window and what follows: a node that has used up its recomputes is
 * barred elsewhere. */
static void decide(struct branch *t, int window, int status) {
  const struct problem *p = t->bound->problem;
  int u = t->node_of[window];
  set_status(t, window, status);
  t->trail[t->trail_length++] = window;
  if (status != PAID || t->s->spare[u] <= 0 || t->spent[u] < t->s->spare[u])
    return;
  for (int w = p->succ_start[u] + u; w <= p->succ_start[u + 1] + u; w++)
    if (t->status[w] == FREE) {
      set_status(t, w, BARRED);
      t->trail[t->trail_length++] = w;
    }
}

static void undo(struct branch *t, int length) {
  while (t->trail_length > length)
    set_status(t, t->trail[--t->trail_length], FREE);
}

/* The root's split for all free windows. */
static void reset_costs(struct branch *t) {
  struct bound_state *s = t->s;
  if (!t->moved)
    return;
  t->moved = false;
  for (int slot = 0; slot < s->used_count; slot++)
    if (t->status[s->used[slot]] == FREE)
      set_status(t, s->used[slot], FREE);
}

/* The bound of the present decisions with costs as they are. */
static int64_t evaluate(struct branch *t) {
  struct bound_state *s = t->s;
  int64_t sum = t->paid - t->prices;
  for (int k = 0; k < s->closure_count && sum < t->limit; k++) {
    if (t->dirty[k])
      closure_solve(s->closure[k], FLOWS);
    t->dirty[k] = false;
    checked_add(&sum, s->closure[k]->value);
  }
  return sum;
}

/* Does the cut's solution drop anything that more could be charged for? */
static bool wants_more(const struct branch *t, const struct closure *c) {
  for (int i = 0; i < c->count; i++)
    if (c->window[i] >= 0 && (c->low[i] || c->high[i]) &&
        t->status[c->window[i]] == FREE && t->left[t->slot[c->window[i]]] > 0)
      return true;
  return false;
}

/* Cuts in turn take what they can use of what the others leave. */
static int64_t pass_leftovers(struct branch *t) {
  struct bound_state *s = t->s;
  if (s->closure_count < 2)
    return evaluate(t);
  t->moved = true;
  for (int slot = 0; slot < s->used_count; slot++) {
    t->left[slot] = weight(t, s->used_node[slot]);
    if (t->status[s->used[slot]] != FREE)
      continue;
    for (int k = s->row[slot]; k < s->row[slot + 1]; k++) {
      int e = s->row_entry[k], home = s->home[e], i = e - s->first[home];
      closure_lower(s->closure[home], i);
      t->left[slot] -= s->closure[home]->cost[i];
    }
  }
  for (int k = 0; k < s->closure_count; k++) {
    struct closure *c = s->closure[k];
    if (!wants_more(t, c))
      continue;
    for (int i = 0; i < c->count; i++)
      if (c->window[i] >= 0 && t->status[c->window[i]] == FREE)
        c->cost[i] += t->left[t->slot[c->window[i]]];
    closure_solve(c, FLOWS);
    for (int i = 0; i < c->count; i++)
      if (c->window[i] >= 0 && t->status[c->window[i]] == FREE)
        t->left[t->slot[c->window[i]]] = closure_lower(c, i);
  }
  return evaluate(t);
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

static int add_node(struct branch *t, int parent, int window, int status,
                    int64_t bound) {
  MEMORY_GROW(t->s->memory, t->node, t->node_count, t->node_room);
  t->node[t->node_count] =
      (struct tree_node){parent, window, (unsigned char)status, -1, bound};
  return t->node_count++;
}

/* Undoes all decisions and takes those of the tree node. */
static void go_to(struct branch *t, int node) {
  int length = 0;
  undo(t, 0);
  reset_costs(t);
  for (; node > 0; node = t->node[node].parent)
    t->path[length++] = node;
  while (length) {
    const struct tree_node *n = &t->node[t->path[--length]];
    if (t->status[n->window] == FREE)
      decide(t, n->window, n->status);
  }
}

struct candidate {
  int window;
  double score;
};

/* How much a free window promises: its largest fractional share, or else what
 * its recompute costs beyond what the cuts that drop it are charged. */
static double promise(const struct branch *t, int slot) {
  const struct bound_state *s = t->s;
  double fraction = 0, charged = 0, most = 0;
  double full = (double)weight(t, s->used_node[slot]);
  for (int k = s->row[slot]; k < s->row[slot + 1]; k++) {
    int e = s->row_entry[k];
    const struct closure *c = s->closure[s->home[e]];
    double x = c->share[e - s->first[s->home[e]]];
    if (x < 1e-6 || c->value <= 0)
      continue;
    double here = x < 0.5 ? x : 1 - x;
    if (here > fraction)
      fraction = here;
    if (x > most)
      most = x;
    charged += x * (double)c->cost[e - s->first[s->home[e]]];
  }
  if (fraction > 1e-6)
    return (1 + fraction) * full;
  double rest = most * full - charged;
  return rest > 1e-6 * full + 1 ? rest / 4 : 0;
}

/* The free windows that promise most, best first; returns how many. */
static int list_candidates(const struct branch *t, struct candidate *list) {
  const struct bound_state *s = t->s;
  int count = 0;
  for (int slot = 0; slot < s->used_count; slot++) {
    if (t->status[s->used[slot]] != FREE)
      continue;
    double score = promise(t, slot);
    if (score <= 0)
      continue;
    int i = count < CANDIDATES ? count++ : CANDIDATES;
    for (; i && list[i - 1].score < score; i--)
      if (i < CANDIDATES)
        list[i] = list[i - 1];
    if (i < CANDIDATES)
      list[i] = (struct candidate){s->used[slot], score};
  }
  return count;
}

static int64_t try_decision(struct branch *t, int window, int status) {
  int length = t->trail_length;
  decide(t, window, status);
  int64_t bound = evaluate(t);
  undo(t, length);
  return bound;
}

enum step { PRUNED, FORCED, BRANCHED, LEAF, INTERRUPTED };

/* A node is not left before NODE_WORK, lest it begin anew for ever. */
static bool is_over(const struct branch *t, long patience) {
  return (t->most && effort(t) >= t->most + patience) ||
         (t->stop && t->stop->ask && t->stop->ask(t->stop->context));
}

struct choice {
  int window;
  int64_t bar, pay; /* bounds of the two sides */
};

/* Tries both sides of the candidates.  FORCED: one side of choice->window
 * reaches the limit. */
static enum step choose(struct branch *t, int64_t here, struct choice *choice) {
  struct candidate list[CANDIDATES];
  *choice = (struct choice){-1, 0, 0};
  int count = list_candidates(t, list);
  double best = -1;
  for (int i = 0; i < count; i++) {
    struct choice c = {.window = list[i].window};
    if (is_over(t, NODE_WORK))
      return i ? BRANCHED : INTERRUPTED;
    c.bar = try_decision(t, c.window, BARRED);
    c.pay = try_decision(t, c.window, PAID);
    if (c.bar >= t->limit && c.pay >= t->limit)
      return PRUNED;
    if (c.bar >= t->limit || c.pay >= t->limit) {
      *choice = c;
      return FORCED;
    }
    double bar = (double)(c.bar - here), pay = (double)(c.pay - here);
    double low = bar < pay ? bar : pay, high = bar < pay ? pay : bar;
    double score = (low > 0 ? low : 0) * 5 + (high > 0 ? high : 0);
    if (score > best) {
      best = score;
      *choice = c;
    }
  }
  return count ? BRANCHED : LEAF;
}

/* Works on one tree node until it is pruned, branched, or has nothing left to
 * branch on. */
static enum step process(struct branch *t, int *node) {
  go_to(t, *node);
  for (;;) {
    int64_t here = evaluate(t);
    if (here < t->limit)
      here = pass_leftovers(t);
    if (here >= t->limit)
      return PRUNED;
    if (here < t->node[*node].bound)
      here = t->node[*node].bound;
    t->node[*node].bound = here;
    struct choice choice;
    enum step step = choose(t, here, &choice);
    if (step == FORCED) {
      int status = choice.bar >= t->limit ? PAID : BARRED;
      decide(t, choice.window, status);
      *node = add_node(t, *node, choice.window, status, here);
      continue;
    }
    if (step == BRANCHED) {
      heap_push(t, add_node(t, *node, choice.window, BARRED,
                            choice.bar > here ? choice.bar : here));
      heap_push(t, add_node(t, *node, choice.window, PAID,
                            choice.pay > here ? choice.pay : here));
    }
    return step;
  }
}

/* Everything that hangs on the list of closures. */
static void index_tree(struct branch *t) {
  struct bound_state *s = t->s;
  struct memory *m = s->memory;
  const struct problem *p = t->bound->problem;
  memory_put(m, t->cost);
  memory_put(m, t->left);
  memory_put(m, t->dirty);
  t->cost = MEMORY_ARRAY(m, int64_t, s->entry_count);
  t->left = MEMORY_ARRAY(m, int64_t, s->used_count);
  t->dirty = MEMORY_ARRAY(m, bool, s->closure_count);
  for (int k = 0; k < s->closure_count; k++) {
    t->dirty[k] = true;
    for (int i = 0; i < s->closure[k]->count; i++)
      t->cost[s->first[k] + i] = s->closure[k]->cost[i];
  }
  for (int w = 0; w < p->succ_start[p->n] + p->n; w++)
    t->slot[w] = -1;
  for (int i = 0; i < s->used_count; i++)
    t->slot[s->used[i]] = i;
}

struct branch *branch_new(struct bound *b, int64_t upper) {
  struct bound_state *s = b->state;
  struct memory *m = s->memory;
  const struct problem *p = b->problem;
  int windows = p->succ_start[p->n] + p->n;
  struct branch *t = MEMORY_NEW(m, struct branch);
  t->bound = b;
  t->s = s;
  t->upper = upper;
  t->limit = bound_limit(b, upper);
  bound_restore(s);
  t->status = MEMORY_ARRAY(m, unsigned char, windows);
  t->node_of = MEMORY_ARRAY(m, int, windows);
  t->slot = MEMORY_ARRAY(m, int, windows);
  t->spent = MEMORY_ARRAY(m, int, p->n);
  t->trail = MEMORY_ARRAY(m, int, windows);
  t->path = MEMORY_ARRAY(m, int, windows);
  for (int u = 0; u < p->n; u++)
    for (int w = p->succ_start[u] + u; w <= p->succ_start[u + 1] + u; w++)
      t->node_of[w] = u;
  index_tree(t);
  t->prices = -bound_sum(s);
  for (int k = 0; k < s->closure_count; k++)
    t->prices += s->closure[k]->value;
  heap_push(t, add_node(t, -1, -1, FREE, s->best));
  return t;
}

void branch_free(struct branch *t) {
  struct memory *m = t->s->memory;
  branch_suspend(t);
  void *block[] = {t->stuck, t->status, t->node_of, t->slot, t->spent,
                   t->trail, t->path,   t->cost,    t->left, t->dirty,
                   t->node,  t->heap,   t};
  for (unsigned i = 0; i < sizeof block / sizeof *block; i++)
    memory_put(m, block[i]);
}

void branch_limit(struct branch *t, int64_t upper) {
  t->upper = upper;
  t->limit = bound_limit(t->bound, upper);
}

void branch_suspend(struct branch *t) {
  undo(t, 0);
  t->moved = true;
  reset_costs(t);
}

/* What the present node's solution recomputes, as parts of windows. */
static double *solution(const struct branch *t) {
  const struct bound_state *s = t->s;
  const struct problem *p = t->bound->problem;
  int windows = p->succ_start[p->n] + p->n;
  double *part = MEMORY_ARRAY(s->memory, double, windows);
  for (int w = 0; w < windows; w++)
    part[w] = t->status[w] == PAID;
  for (int k = 0; k < s->closure_count; k++) {
    const struct closure *c = s->closure[k];
    for (int i = 0; i < c->count; i++)
      if (c->value > 0 && c->window[i] >= 0 && c->share[i] > 0.5)
        part[c->window[i]] = 1;
  }
  return part;
}

/* Adds cuts that the present leaf's solution violates, if any. */
static bool extend(struct branch *t) {
  double *part = solution(t);
  branch_suspend(t);
  t->s->unseen = t->s->waiting_count;
  int taken =
      bound_separate_at(t->bound, part, 1e-6 * (double)t->limit, LONG_MAX);
  memory_put(t->s->memory, part);
  if (taken)
    index_tree(t);
  return taken;
}

/* The least bound of what is left: of open nodes and stuck leaves. */
static int64_t least_bound(const struct branch *t) {
  int64_t least = t->heap_length ? t->node[t->heap[0]].bound : t->limit;
  for (int i = 0; i < t->stuck_count; i++)
    if (t->node[t->stuck[i]].bound < least)
      least = t->node[t->stuck[i]].bound;
  return least;
}

/* New cuts may refute leaves that were stuck. */
static void retry_stuck(struct branch *t) {
  while (t->stuck_count)
    heap_push(t, t->stuck[--t->stuck_count]);
}

static void drop_pruned(struct branch *t) {
  int kept = 0;
  for (int i = 0; i < t->stuck_count; i++)
    if (t->node[t->stuck[i]].bound < t->limit)
      t->stuck[kept++] = t->stuck[i];
  t->stuck_count = kept;
}

static void handle_leaf(struct branch *t, int node) {
  bool again = t->node[node].leaf == t->s->closure_count;
  if (again && !extend(t)) {
    MEMORY_GROW(t->s->memory, t->stuck, t->stuck_count, t->stuck_room);
    t->stuck[t->stuck_count++] = node;
    return;
  }
  if (again)
    retry_stuck(t);
  t->node[node].leaf = t->s->closure_count;
  heap_push(t, node);
}

enum branch_result branch_run(struct branch *t, long work,
                              const struct bound_stop *stop) {
  t->most = work ? effort(t) + work : 0;
  t->stop = stop;
  drop_pruned(t);
  while (t->heap_length && t->node[t->heap[0]].bound < t->limit) {
    bound_raise(t->bound, least_bound(t));
    if (t->stuck_count >= (t->upper == INT64_MAX ? 1 : MOST_STUCK))
      return BRANCH_STUCK;
    if (is_over(t, 0))
      return BRANCH_OPEN;
    int node = heap_pop(t);
    t->nodes++;
    enum step step = process(t, &node);
    if (step == INTERRUPTED)
      heap_push(t, node);
    else if (step == LEAF)
      handle_leaf(t, node);
  }
  t->heap_length = 0;
  bound_raise(t->bound, least_bound(t));
  if (t->stuck_count)
    return BRANCH_STUCK;
  if (t->upper > t->bound->value)
    t->bound->value = t->upper;
  return BRANCH_PROVED;
}

/* Opens in `first` what the present node leaves open of a window: rule F with
 * its costs.  A paid window is open as a whole. */
static void open_window(const struct branch *t, int window, int64_t here,
                        int *first) {
  const struct bound_state *s = t->s;
  int from = s->maker.open_first[window], slot = t->slot[window];
  if (from > s->maker.open_last[window] || t->status[window] == BARRED ||
      first[window] <= from)
    return;
  int64_t cost = here + weight(t, t->node_of[window]);
  int open = INT_MAX;
  if (t->status[window] == PAID || cost < t->limit)
    open = from;
  for (int k = slot < 0 ? 0 : s->row[slot];
       open == INT_MAX && k < (slot < 0 ? 0 : s->row[slot + 1]); k++) {
    int e = s->row_entry[k], home = s->home[e];
    const struct closure *c = s->closure[home];
    int i = e - s->first[home];
    cost -= c->cost[i] - closure_slack(c, i);
    if (cost < t->limit)
      open = s->maker.scope == BOUND_FREE_ORDER || c->cut + 1 < from
                 ? from
                 : c->cut + 1;
  }
  if (open < first[window])
    first[window] = open;
}

bool branch_open(struct branch *t, int *first) {
  int windows = t->bound->problem->succ_start[t->bound->problem->n] +
                t->bound->problem->n;
  drop_pruned(t);
  if (t->heap_length + t->stuck_count > MOST_LISTED)
    return false;
  for (int w = 0; w < windows; w++)
    first[w] = INT_MAX;
  for (int i = 0; i < t->heap_length + t->stuck_count; i++) {
    go_to(t, i < t->heap_length ? t->heap[i] : t->stuck[i - t->heap_length]);
    int64_t here = evaluate(t);
    if (here < t->limit)
      here = pass_leftovers(t);
    if (here >= t->limit)
      continue;
    for (int w = 0; w < windows; w++)
      open_window(t, w, here, first);
  }
  branch_suspend(t);
  return true;
}

long branch_nodes(const struct branch *t) {
  return t->nodes;
}
