#include "heuristics/articulation.h"

/* Depth-first search with its own stack. low[v]: the earliest visit reachable
 * from v's subtree by one edge. */
struct search {
  const struct problem *p;
  int *visit, *low, *parent, *next; /* next: edges of v that were looked at */
  int clock;
};

static int degree(const struct problem *p, int v) {
  return p->pred_start[v + 1] - p->pred_start[v] + p->succ_start[v + 1] -
         p->succ_start[v];
}

static int neighbour(const struct problem *p, int v, int i) {
  int inputs = p->pred_start[v + 1] - p->pred_start[v];
  return i < inputs ? p->pred[p->pred_start[v] + i]
                    : p->succ[p->succ_start[v] + i - inputs];
}

static void enter(struct search *s, int v, int parent) {
  s->visit[v] = s->low[v] = ++s->clock;
  s->parent[v] = parent;
}

static void visit_from(struct search *s, int root, bool *point) {
  int v = root, children = 0;
  enter(s, root, -1);
  while (v >= 0) {
    if (s->next[v] < degree(s->p, v)) {
      int x = neighbour(s->p, v, s->next[v]++);
      if (!s->visit[x]) {
        enter(s, x, v);
        v = x;
      } else if (x != s->parent[v] && s->visit[x] < s->low[v]) {
        s->low[v] = s->visit[x];
      }
      continue;
    }
    int up = s->parent[v];
    if (up == root)
      children++;
    else if (up >= 0 && s->low[v] >= s->visit[up])
      point[up] = true;
    if (up >= 0 && s->low[v] < s->low[up])
      s->low[up] = s->low[v];
    v = up;
  }
  point[root] = children > 1;
}

bool *articulation_points(const struct problem *p, struct memory *m) {
  bool *point = MEMORY_ARRAY(m, bool, p->n);
  int *arrays = MEMORY_ARRAY(m, int, 4 * (size_t)p->n);
  struct search s = {.p = p,
                     .visit = arrays,
                     .low = arrays + p->n,
                     .parent = arrays + 2 * (size_t)p->n,
                     .next = arrays + 3 * (size_t)p->n};
  for (int v = 0; v < p->n; v++)
    if (!s.visit[v])
      visit_from(&s, v, point);
  memory_put(m, arrays);
  return point;
}
