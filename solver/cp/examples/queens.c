/* n queens: rows, rising and falling diagonals are all different. */
#include "solver/cp/different.h"
#include "solver/cp/examples/examples.h"

bool example_queens(struct memory *m, const struct cp_options *o, int n,
                    int *row) {
  struct cp *cp = cp_new(m, o);
  struct cp_view *rows = cp_get(cp, (size_t)n * sizeof *rows);
  struct cp_view *rising = cp_get(cp, (size_t)n * sizeof *rising);
  struct cp_view *falling = cp_get(cp, (size_t)n * sizeof *falling);
  for (int c = 0; c < n; c++) {
    char name[24];
    snprintf(name, sizeof name, "row%d", c);
    int x = cp_variable(cp, 0, n - 1, name);
    cp_prefer(cp, x, n / 2); /* the middle attacks most: decide it early */
    rows[c] = (struct cp_view){x, 0, NULL};
    rising[c] = (struct cp_view){x, -c, NULL};
    falling[c] = (struct cp_view){x, c, NULL};
  }
  bool found = cp_post_different(cp, rows, n) &&
               cp_post_different(cp, rising, n) &&
               cp_post_different(cp, falling, n) &&
               cp_solve(cp, NULL, 0, NULL) == CP_SOLUTION;
  for (int c = 0; found && c < n; c++)
    row[c] = cp_value(cp, c);
  cp_free(cp);
  return found;
}
