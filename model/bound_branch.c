#include "model/bound_reduce.h"
#include "model/bound_separate.h"
#include "model/bound_tree.h"

#include <limits.h>
#include <string.h>

enum { CANDIDATES = 8, NODE_WORK = 4000000 };
enum { MOST_STUCK = 4000, MOST_LISTED = 8000 };

struct candidate {
  int window;
  double score;
};

/* How much a free window promises: its largest fractional share, or else what
 * its recompute costs beyond what the cuts that drop it are charged. */
static double promise(const struct branch *t, int slot) {
  const struct bound_state *s = t->s;
  double fraction = 0, charged = 0, most = 0;
  double full = (double)tree_weight(t, s->used_node[slot]);
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
  tree_decide(t, window, status);
  int64_t bound = tree_evaluate(t);
  tree_undo(t, length);
  return bound;
}

enum step { PRUNED, FORCED, BRANCHED, LEAF, INTERRUPTED };

/* A node is not left before NODE_WORK, lest it begin anew for ever. */
static bool is_over(const struct branch *t, long patience) {
  return (t->most && tree_effort(t) >= t->most + patience) || stop_now(t->stop);
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
  tree_go(t, *node);
  for (;;) {
    int64_t here = tree_evaluate(t);
    if (here < t->limit)
      here = tree_pass_leftovers(t);
    if (here >= t->limit)
      return PRUNED;
    if (here < t->node[*node].bound)
      here = t->node[*node].bound;
    t->node[*node].bound = here;
    struct choice choice;
    enum step step = choose(t, here, &choice);
    if (step == FORCED) {
      int status = choice.bar >= t->limit ? PAID : BARRED;
      tree_decide(t, choice.window, status);
      *node = tree_add(t, *node, choice.window, status, here);
      continue;
    }
    if (step == BRANCHED) {
      tree_push(t, tree_add(t, *node, choice.window, BARRED,
                            choice.bar > here ? choice.bar : here));
      tree_push(t, tree_add(t, *node, choice.window, PAID,
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
  s->trees++;
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
  tree_push(t, tree_add(t, -1, -1, FREE, s->best));
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
  if (upper >= t->upper)
    return;
  t->upper = upper;
  t->limit = bound_limit(t->bound, upper);
}

void branch_suspend(struct branch *t) {
  tree_undo(t, 0);
  t->moved = true;
  tree_reset(t);
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

/* New cuts may refute leaves that were stuck. */
static void retry_stuck(struct branch *t) {
  while (t->stuck_count)
    tree_push(t, t->stuck[--t->stuck_count]);
}

static bool is_refuted(const struct branch *t, int node) {
  while (node >= 0 && !t->node[node].refuted)
    node = t->node[node].parent;
  return node >= 0;
}

static void drop_pruned(struct branch *t) {
  int kept = 0;
  for (int i = 0; i < t->stuck_count; i++)
    if (t->node[t->stuck[i]].bound < t->limit && !is_refuted(t, t->stuck[i]))
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
  tree_push(t, node);
}

enum branch_result branch_run(struct branch *t, long work, struct stop *stop) {
  t->most = work ? tree_effort(t) + work : 0;
  t->stop = stop;
  drop_pruned(t);
  while (t->heap_length && t->node[t->heap[0]].bound < t->limit) {
    bound_raise(t->bound, tree_least_bound(t));
    if (t->stuck_count >= (t->upper == INT64_MAX ? 1 : MOST_STUCK))
      return BRANCH_STUCK;
    if (is_over(t, 0))
      return BRANCH_OPEN;
    int node = tree_pop(t);
    if (is_refuted(t, node))
      continue;
    t->nodes++;
    enum step step = process(t, &node);
    if (step == INTERRUPTED)
      tree_push(t, node);
    else if (step == LEAF)
      handle_leaf(t, node);
  }
  t->heap_length = 0;
  bound_raise(t->bound, tree_least_bound(t));
  if (t->stuck_count)
    return BRANCH_STUCK;
  if (t->upper > t->bound->value)
    t->bound->value = t->upper;
  return BRANCH_PROVED;
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
    tree_go(t, i < t->heap_length ? t->heap[i] : t->stuck[i - t->heap_length]);
    int64_t here = tree_evaluate(t);
    if (here < t->limit)
      here = tree_pass_leftovers(t);
    if (here >= t->limit)
      continue;
    for (int w = 0; w < windows; w++) {
      int open = tree_open_from(t, w, here);
      first[w] = open < first[w] ? open : first[w];
    }
  }
  branch_suspend(t);
  return true;
}

/* Proves what is left after leaves were refuted. */
static void settle(struct branch *t) {
  drop_pruned(t);
  bool open = t->heap_length && t->node[t->heap[0]].bound < t->limit;
  bound_raise(t->bound, tree_least_bound(t));
  if (!open && !t->stuck_count && t->upper > t->bound->value)
    t->bound->value = t->upper;
}

/* Of the leaves tried least often the one with the least bound. */
static int choose_leaf(struct branch *t) {
  int best = -1;
  drop_pruned(t);
  for (int i = 0; i < t->stuck_count; i++) {
    const struct tree_node *leaf = &t->node[t->stuck[i]];
    const struct tree_node *other = best < 0 ? leaf : &t->node[best];
    if (best < 0 || leaf->tries < other->tries ||
        (leaf->tries == other->tries && leaf->bound < other->bound))
      best = t->stuck[i];
  }
  return best;
}

static void list_open(struct branch *t, int64_t here, struct memory *m,
                      struct bound_leaf *leaf) {
  const struct bound_state *s = t->s;
  int n = t->bound->problem->n;
  int windows = t->bound->problem->succ_start[n] + n;
  leaf->window = MEMORY_ARRAY(m, struct bound_window, windows);
  for (int w = 0; w < windows; w++) {
    int first = tree_open_from(t, w, here);
    if (first == INT_MAX)
      continue;
    int last = s->maker.open_last[w] < n ? s->maker.open_last[w] : n - 1;
    leaf->window[leaf->windows++] =
        (struct bound_window){t->node_of[w], first, last, t->status[w] == PAID};
  }
}

struct bound_leaf *bound_leaf(struct bound *b, struct memory *m) {
  struct branch *t = b->state->tree;
  int node = t ? choose_leaf(t) : -1;
  if (node < 0)
    return NULL;
  struct bound_leaf *leaf = MEMORY_NEW(m, struct bound_leaf);
  leaf->tree = b->state->trees;
  leaf->node = node;
  leaf->tries = t->node[node].tries++;
  tree_go(t, node);
  tree_evaluate(t);
  int64_t here = tree_pass_leftovers(t);
  if (here < t->limit) {
    list_open(t, here, m, leaf);
    leaf->regrets = branch_regrets(t, here, m);
  }
  branch_suspend(t);
  return leaf;
}

bool bound_leaf_gone(const struct bound *b, const struct bound_leaf *leaf) {
  const struct branch *t = b->state->tree;
  return !t || leaf->tree != b->state->trees ||
         t->node[leaf->node].bound >= t->limit;
}

void bound_leaf_refute(struct bound *b, const struct bound_leaf *leaf,
                       int64_t upper) {
  struct branch *t = b->state->tree;
  if (!t || leaf->tree != b->state->trees)
    return;
  /* Neither the tree nor what is closed by it may promise more than was
   * refuted. */
  branch_limit(t, upper);
  if (upper < b->state->upper)
    b->state->upper = upper;
  t->node[leaf->node].refuted = true;
  settle(t);
  if (t->heap_length && t->node[t->heap[0]].bound < t->limit)
    b->converged = false;
}

void bound_leaf_free(struct memory *m, struct bound_leaf *leaf) {
  if (!leaf)
    return;
  bound_regrets_free(m, leaf->regrets);
  memory_put(m, leaf->window);
  memory_put(m, leaf);
}

long branch_nodes(const struct branch *t) {
  return t->nodes;
}
