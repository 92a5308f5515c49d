#include "model/flow.h"

/* What a stop is told (stop.h) of an arc that was looked at. */
enum { UNITS_AN_ARC = 30 };

struct flow *flow_new(struct memory *m, int node_count, int arc_count,
                      const int *from, const int *to) {
  struct flow *f = MEMORY_NEW(m, struct flow);
  f->memory = m;
  f->node_count = node_count;
  f->arc_count = arc_count;
  f->row = MEMORY_ARRAY(m, int, node_count + 1);
  f->row_arc = MEMORY_ARRAY(m, int, 2 * arc_count);
  f->head = MEMORY_ARRAY(m, int, 2 * arc_count);
  f->residual = MEMORY_ARRAY(m, int64_t, 2 * arc_count);
  f->capacity = MEMORY_ARRAY(m, int64_t, arc_count);
  f->supply = MEMORY_ARRAY(m, int64_t, node_count);
  f->excess = MEMORY_ARRAY(m, int64_t, node_count);
  f->level = MEMORY_ARRAY(m, int, node_count);
  f->next_arc = MEMORY_ARRAY(m, int, node_count);
  f->queue = MEMORY_ARRAY(m, int, node_count);
  f->path = MEMORY_ARRAY(m, int, node_count);
  for (int k = 0; k < arc_count; k++) {
    f->head[2 * k] = to[k];
    f->head[2 * k + 1] = from[k];
    f->row[from[k]]++;
    f->row[to[k]]++;
  }
  int sum = 0;
  for (int v = 0; v <= node_count; v++) {
    int degree = v < node_count ? f->row[v] : 0;
    f->row[v] = sum;
    sum += degree;
  }
  for (int v = 0; v < node_count; v++)
    f->next_arc[v] = f->row[v];
  for (int a = 0; a < 2 * arc_count; a++)
    f->row_arc[f->next_arc[f->head[a ^ 1]]++] = a;
  return f;
}

void flow_free(struct flow *f) {
  struct memory *m = f->memory;
  void *block[] = {f->row,    f->row_arc,  f->head,  f->residual,
                   f->excess, f->capacity, f->level, f->next_arc,
                   f->supply, f->queue,    f->path,  f};
  for (unsigned i = 0; i < sizeof block / sizeof *block; i++)
    memory_put(m, block[i]);
}

void flow_set_supply(struct flow *f, int node, int64_t supply) {
  f->excess[node] += supply - f->supply[node];
  f->supply[node] = supply;
}

void flow_set_capacity(struct flow *f, int arc, int64_t capacity) {
  int forward = 2 * arc, back = forward + 1;
  int64_t surplus = f->residual[back] - capacity;
  f->capacity[arc] = capacity;
  if (surplus > 0) {
    f->residual[back] = capacity;
    f->excess[f->head[back]] += surplus;
    f->excess[f->head[forward]] -= surplus;
  }
  f->residual[forward] = capacity - f->residual[back];
}

/* Levels by distance from positive excess, up to the first level with
 * negative excess.  Returns that level, or 0 if no negative excess is in
 * reach; then exactly the reached nodes have a level. */
static int find_levels(struct flow *f, int *roots) {
  for (int i = 0; i < f->queue_length; i++)
    f->level[f->queue[i]] = 0;
  int length = 0, target = 0;
  for (int v = 0; v < f->node_count; v++)
    if (f->excess[v] > 0) {
      f->level[v] = 1;
      f->queue[length++] = v;
    }
  *roots = length;
  for (int i = 0; i < length; i++) {
    int v = f->queue[i];
    if (target && f->level[v] == target)
      break;
    f->next_arc[v] = f->row[v];
    f->work += f->row[v + 1] - f->row[v];
    for (int k = f->row[v]; k < f->row[v + 1]; k++) {
      int a = f->row_arc[k], to = f->head[a];
      if (f->residual[a] && !f->level[to]) {
        f->level[to] = f->level[v] + 1;
        f->queue[length++] = to;
        if (f->excess[to] < 0)
          target = f->level[to];
      }
    }
  }
  f->queue_length = length;
  return target;
}

/* Sends what the path (arcs of f->path, `depth` of them) can carry from the
 * root to the node at its end, and returns the depth that stays open: that of
 * the first arc which is full now. */
static int augment(struct flow *f, int root, int end, int depth) {
  int64_t amount = -f->excess[end];
  if (f->excess[root] < amount)
    amount = f->excess[root];
  for (int i = 0; i < depth; i++)
    if (f->residual[f->path[i]] < amount)
      amount = f->residual[f->path[i]];
  int open = depth;
  for (int i = depth - 1; i >= 0; i--) {
    int a = f->path[i];
    f->residual[a] -= amount;
    f->residual[a ^ 1] += amount;
    if (!f->residual[a])
      open = i;
  }
  f->excess[root] -= amount;
  f->excess[end] += amount;
  f->work += depth;
  return open;
}

/* Blocking flow from one root along arcs that climb one level each. */
static void drain(struct flow *f, int root, int target) {
  int depth = 0, v = root;
  while (f->excess[root] > 0) {
    if (f->level[v] == target) {
      if (f->excess[v] < 0) {
        depth = augment(f, root, v, depth);
        v = depth ? f->head[f->path[depth - 1]] : root;
        continue;
      }
    } else {
      bool moved = false;
      for (int end = f->row[v + 1]; f->next_arc[v] < end; f->next_arc[v]++) {
        int a = f->row_arc[f->next_arc[v]];
        f->work++;
        if (f->residual[a] && f->level[f->head[a]] == f->level[v] + 1) {
          f->path[depth++] = a;
          v = f->head[a];
          moved = true;
          break;
        }
      }
      if (moved)
        continue;
    }
    if (!depth)
      return;
    v = f->head[f->path[--depth] ^ 1];
    f->next_arc[v]++;
  }
}

static bool is_stopped(struct flow *f) {
  int64_t more = f->work - f->told;
  f->told = f->work;
  return stop_after(f->stop, UNITS_AN_ARC * more);
}

void flow_solve(struct flow *f) {
  int roots;
  f->unfinished = false;
  for (int target; (target = find_levels(f, &roots));)
    for (int i = 0; i < roots; i++) {
      if (is_stopped(f)) {
        f->unfinished = true;
        return;
      }
      drain(f, f->queue[i], target);
    }
}
