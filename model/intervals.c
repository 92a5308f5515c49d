#include "model/intervals.h"

void intervals_find(const struct graph *g, const int *sequence, int length,
                    int *end, int *number, struct memory *scratch) {
  int *latest = MEMORY_ARRAY(scratch, int, g->node_count);
  for (int k = 0; k < length; k++) { /* latest holds step + 1, 0: none yet */
    int v = sequence[k];
    for (int e = g->pred_start[v]; e < g->pred_start[v + 1]; e++)
      if (latest[g->pred[e]])
        end[latest[g->pred[e]] - 1] = k;
    number[k] = latest[v] ? number[latest[v] - 1] + 1 : 1;
    latest[v] = k + 1;
    end[k] = k;
  }
  for (int v = 0; v < g->node_count; v++)
    if (g->node[v].keep && latest[v])
      end[latest[v] - 1] = length - 1;
  memory_put(scratch, latest);
}
