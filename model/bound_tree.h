/* The tree of bound_branch.h: its nodes, a heap of the open ones by bound, and
 * the decisions of the node that is being worked on. */
#ifndef MOCCASIN_BOUND_TREE_H
#define MOCCASIN_BOUND_TREE_H

#include "model/bound_branch.h"

enum { FREE, BARRED, PAID };

struct tree_node {
  int parent, window;
  unsigned char status; /* what was decided for the window */
  int leaf;             /* nothing to branch on with so many closures */
  int tries;            /* as a leaf, by bound_leaf */
  bool refuted;         /* by others: nothing below it counts */
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
  struct stop *stop;
};

/* Work so far, in the units of bound.h. */
long tree_effort(const struct branch *t);

/* What a window of the node costs when paid: scaled weight and price. */
int64_t tree_weight(const struct branch *t, int node);

/* Decides a window and what follows: a node that has used up its recomputes is
 * barred elsewhere. */
void tree_decide(struct branch *t, int window, int status);

/* Takes decisions back until `length` of them are left. */
void tree_undo(struct branch *t, int length);

/* The root's split for all free windows. */
void tree_reset(struct branch *t);

/* The bound of the present decisions with costs as they are. */
int64_t tree_evaluate(struct branch *t);

/* The same after cuts in turn took what they can use of what others leave. */
int64_t tree_pass_leftovers(struct branch *t);

void tree_push(struct branch *t, int node);
int tree_pop(struct branch *t);
int tree_add(struct branch *t, int parent, int window, int status,
             int64_t bound);

/* The least bound of what is left: of open nodes and stuck leaves; at most the
 * limit. */
int64_t tree_least_bound(const struct branch *t);

/* Undoes all decisions and takes those of the tree node. */
void tree_go(struct branch *t, int node);

/* The first stage of the window that the present decisions, whose bound is
 * `here`, leave open: rule F with their costs; INT_MAX: none.  A paid window is
 * open as a whole. */
int tree_open_from(const struct branch *t, int window, int64_t here);

/* Reduced costs at the present decisions, which have been evaluated. */
struct bound_regrets *branch_regrets(struct branch *t, int64_t value,
                                     struct memory *m);

#endif
