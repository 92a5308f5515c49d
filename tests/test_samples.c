/* Every row of graphs/samples/optima.csv: counts, verdict, least duration. */
#include "solver/moccasin.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
  char file[60], status[20];
  int nodes, edges, computes;
  int64_t budget, duration;
};

static void check(const struct row *row, const char *folder) {
  char path[300], message[MOCCASIN_MESSAGE];
  struct moccasin_graph *g;
  snprintf(path, sizeof path, "%s/%s", folder, row->file);
  cr_assert_eq(moccasin_read(path, &g, message), MOCCASIN_OK, "%s", message);
  cr_assert(moccasin_nodes(g) == row->nodes && moccasin_edges(g) == row->edges,
            "%s: %d nodes, %d edges", row->file, moccasin_nodes(g),
            moccasin_edges(g));
  struct moccasin_options options;
  moccasin_options_default(&options);
  options.budget = row->budget;
  options.max_computes = row->computes;
  options.threads = 1;
  struct moccasin_result *result;
  int status = moccasin_solve(g, &options, &result, message);
  bool optimal = !strcmp(row->status, "optimal");
  cr_assert(status == (optimal ? MOCCASIN_OK : MOCCASIN_INFEASIBLE) &&
                (!optimal || (result->optimal && result->peak <= row->budget &&
                              result->duration == row->duration)),
            "%s, budget %" PRId64 ", C %d: status %d, duration %" PRId64,
            row->file, row->budget, row->computes, status,
            result ? result->duration : -1);
  moccasin_result_free(result);
  moccasin_graph_free(g);
}

Test(samples, optima) {
  const char *folder = getenv("MOCCASIN_SAMPLES");
  char path[300], line[200];
  folder = folder ? folder : "graphs/samples";
  snprintf(path, sizeof path, "%s/optima.csv", folder);
  FILE *list = fopen(path, "r");
  cr_assert_not_null(list, "%s is missing", path);
  cr_assert_not_null(fgets(line, sizeof line, list));
  int rows = 0;
  while (fgets(line, sizeof line, list)) {
    struct row row = {.duration = -1};
    int fields = sscanf(line, "%59[^,],%d,%d,%" SCNd64 ",%d,%19[^,\n],%" SCNd64,
                        row.file, &row.nodes, &row.edges, &row.budget,
                        &row.computes, row.status, &row.duration);
    cr_assert_geq(fields, 6, "%s", line);
    check(&row, folder);
    rows++;
  }
  fclose(list);
  cr_assert_gt(rows, 20);
}
