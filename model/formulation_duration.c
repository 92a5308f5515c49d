/* The duration: the sum of w over present recomputes, minimised or limited.
 *
 * The time axis is split into parts where few recomputable nodes cross, and
 * the sum has a variable for each part:
 *
 *     crossing    3 5 4 1 6 7 5 2 4 3     nodes u <= i with a consumer > i
 *     parts       -------|-------|----
 *     objective   z0  +  z1  +  z2           z_k >= w of the part's recomputes
 *
 * Parts that share next to nothing are next to independent, but without these
 * variables a refutation of the whole has to combine every way of the one with
 * every way of the others: the conflicts needed multiply.  With them, clauses
 * about one part end in a bound on its z, and the conflicts add up.  Nothing is
 * assumed of the split, so it is sound wherever it is made; where nothing
 * crosses at all, the parts meet in the objective only.
 *
 * A layered graph of 60 nodes at 80 % takes 300 to 600 conflicts to proof,
 * without bound or schedule to start from; variants of it in series:
 *
 *     copies        2        3        4
 *     one sum  > 20000  > 20000  > 20000
 *     parts       2337     4804     8961
 */
#include "model/formulation_internal.h"

/* A cut needs at most so many crossing nodes, a part at least so many nodes
 * that may be recomputed, and this part of all such. */
enum { MOST_CROSSING = 2, FEWEST_NODES = 3, MOST_PARTS = 8 };

int64_t formulation_gcd(int64_t a, int64_t b) {
  while (b) {
    int64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

static bool is_open(const struct formulation *f, int v) {
  return formulation_stages(f, v) > 0;
}

/* crossing[i]: the recomputable nodes that are read across stages i, i + 1. */
static void count_crossing(const struct formulation *f, int *crossing) {
  const struct problem *p = f->problem;
  int n = p->n;
  for (int v = 0; v < n; v++)
    if (is_open(f, v)) {
      crossing[v]++;
      crossing[p->succ[p->succ_start[v + 1] - 1]]--;
    }
  for (int i = 1; i < n; i++)
    crossing[i] += crossing[i - 1];
}

/* Cuts at local minima; writes each node's part and returns how many there
 * are. */
static int split(const struct formulation *f, int *part) {
  int n = f->problem->n, parts = 0, here = 0, left = 0;
  int *crossing = MEMORY_ARRAY(f->memory, int, n);
  count_crossing(f, crossing);
  for (int v = 0; v < n; v++)
    left += is_open(f, v);
  int fewest = left / MOST_PARTS;
  if (fewest < FEWEST_NODES)
    fewest = FEWEST_NODES;
  for (int i = 0; i < n; i++) {
    part[i] = parts;
    here += is_open(f, i);
    left -= is_open(f, i);
    if (crossing[i] > MOST_CROSSING || here < fewest || left < fewest ||
        crossing[i + 1] <= crossing[i])
      continue;
    parts++;
    here = 0;
  }
  memory_put(f->memory, crossing);
  return parts + 1;
}

/* The terms of one part, as a sum that a variable of its own is at least.
 * False if it would be too large for a variable. */
static bool new_part(struct formulation *f, const struct cp_term *term,
                     int terms, struct cp_term *sum) {
  int64_t unit = 0, most = 0;
  struct cp_term *own = MEMORY_ARRAY(f->memory, struct cp_term, terms + 1);
  for (int i = 0; i < terms; i++)
    unit = formulation_gcd(unit, term[i].weight);
  for (int i = 0; i < terms; i++) {
    own[i] = term[i];
    own[i].weight /= unit;
    most += own[i].weight;
  }
  bool fits = most <= CP_LIMIT_BOUND;
  if (fits) {
    char name[40];
    snprintf(name, sizeof name, "part%d", f->size.parts);
    int z = cp_variable(f->cp, 0, (int32_t)most, name);
    cp_set_tier(f->cp, z, 2);
    own[terms] = cp_term(-1, z);
    cp_post_linear(f->cp, own, terms + 1, 0);
    *sum = cp_term(unit, z);
    f->part_sum[f->size.parts++] = z;
  }
  memory_put(f->memory, own);
  return fits;
}

/* Replaces the terms, in order of their nodes, by a term for each part. */
static int sum_parts(struct formulation *f, struct cp_term *term, int terms,
                     const int *node, const int *part, int parts) {
  int count = 0;
  f->part_sum = MEMORY_ARRAY(f->memory, int, parts);
  for (int from = 0, to; from < terms; from = to) {
    for (to = from; to < terms && part[node[to]] == part[node[from]];)
      to++;
    struct cp_term sum;
    if (new_part(f, term + from, to - from, &sum))
      term[count++] = sum;
    else
      for (int i = from; i < to; i++)
        term[count++] = term[i];
  }
  return count;
}

static int list_terms(const struct formulation *f, struct cp_term *term,
                      int *node) {
  const struct problem *p = f->problem;
  int terms = 0;
  for (int v = 0; v < p->n; v++)
    for (int i = f->interval_row[v] + 1; i < f->interval_row[v + 1]; i++)
      if (p->duration[v]) {
        node[terms] = v;
        term[terms++] =
            cp_term_if(p->duration[v], cp_interval_present(&f->interval[i]));
      }
  return terms;
}

void formulation_post_duration(struct formulation *f) {
  const struct problem *p = f->problem;
  struct memory *m = f->memory;
  struct cp_term *term = MEMORY_ARRAY(m, struct cp_term, f->size.intervals + 1);
  int *node = MEMORY_ARRAY(m, int, f->size.intervals + 1);
  int *part = MEMORY_ARRAY(m, int, p->n);
  int terms = list_terms(f, term, node);
  int64_t most = f->options.upper == INT64_MAX
                     ? INT64_MAX
                     : f->options.upper - 1 - p->base_duration;
  if (f->peak) {
    if (most != INT64_MAX)
      cp_post_linear(f->cp, term, terms, most);
  } else {
    int parts = f->options.rules.parts ? split(f, part) : 1;
    if (parts > 1)
      terms = sum_parts(f, term, terms, node, part, parts);
    f->objective = cp_minimise(f->cp, term, terms);
    if (most != INT64_MAX)
      cp_objective_limit(f->cp, most);
    if (f->options.regrets)
      formulation_post_regrets(f);
  }
  memory_put(m, part);
  memory_put(m, node);
  memory_put(m, term);
}
