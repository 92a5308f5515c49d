/* What a cut of the lower bound (bound.h) is made of: which nodes are held at
 * it, which are needed, and which others a recompute would need in turn.
 *
 * In free order whether a node is computed before or after [t] may be open:
 * then it is an entry like the needed ones, see bound_closure.h.
 */
#ifndef MOCCASIN_BOUND_CUT_H
#define MOCCASIN_BOUND_CUT_H

#include "model/bound.h"

/* Marks of nodes at a cut. */
enum { CUT_PLAIN, CUT_NEEDED, CUT_HELD, CUT_SUPPORT };

/* What the making of all closures of one problem shares. */
struct closure_maker {
  struct memory *memory;
  const struct problem *problem;
  enum bound_scope scope;
  int *mark, *place, *list; /* scratch, n entries each */
  bool *apart;              /* free order: scratch, of a node: open */
  uint64_t *ancestors;      /* free order: rows of bits, else NULL */
  int words;                /* of a row */
  int *open_first;  /* of a window: stages where its node may be recomputed; */
  int *open_last;   /* none if first > last */
  long work;        /* nodes walked, for effort */
  struct stop stop; /* heard by the flows of all closures */
};

/* Everything lives in `m`.  `stop`, which may be NULL, is heard from the start;
 * when it stops, rows of ancestors may be missing. */
struct closure_maker closure_maker(struct memory *m, const struct problem *p,
                                   enum bound_scope scope,
                                   const struct stop *stop);

/* From now on this stop is heard; NULL: none. */
void closure_maker_hear(struct closure_maker *maker, const struct stop *stop);

/* May the node be computed more than once? */
bool closure_repeatable(const struct closure_maker *maker, int node);

/* Is cut t met by dropping exactly the nodes whose window has part 1, their
 * other supports being held?  A quick test that may say no wrongly: O(n + m),
 * no network. */
bool closure_satisfied(struct closure_maker *maker, int t, const double *part);

/* A cut and what it is listed for. */
struct cut_place {
  int cut;
  int64_t amount;
};

/* Largest amounts first. */
void cut_sort(struct cut_place *list, int count);

/* The cuts where the input order is above the limit, sorted by how many bytes:
 * it holds what is read at t or later, no less than any cut needs.  From `m`,
 * n entries, *count in use. */
struct cut_place *cut_list(struct memory *m, const struct problem *p,
                           int64_t limit, int *count);

/* Marks the nodes at cut t and lists its entries, *count of them, downwards in
 * maker->list.  Returns the bytes left for entries; *excess: how far
 * those held exceed that if nothing is recomputed, in the input order.
 * O(n + m). */
int64_t cut_mark(struct closure_maker *maker, int t, int *count,
                 int64_t *excess);

/* The window of node u that cut t lies in; -1 if nothing can recompute u in
 * there after the cut. */
int cut_window(const struct closure_maker *maker, int u, int t);

/* Stages of window `index` (0 .. consumers) of node u. */
void cut_stages(const struct problem *p, enum bound_scope scope, int u,
                int index, int *first, int *last);

#endif
