/* The worked conflict in solver/cp/README.md is a real trace: the graph and the
 * trace are taken from there, the graph is solved, the beginning compared. */
#include "graphs/read.h"
#include "model/formulation.h"
#include <criterion/criterion.h>
#include <string.h>

/* The fenced block of the given kind; it ends up in place, cut off by NULs. */
static char *block(char *text, const char *fence) {
  char *from = strstr(text, fence);
  cr_assert(from, "no %s", fence);
  from = strchr(from, '\n') + 1;
  *strstr(from, "```") = 0;
  return from;
}

static void drop_trailing_spaces(char *line) {
  size_t n = strcspn(line, "\n");
  while (n && line[n - 1] == ' ')
    n--;
  line[n] = 0;
}

Test(cp_readme, the_trace_is_real) {
  struct memory *m = memory_new(NULL);
  char *text;
  size_t length;
  struct error error = {0};
  if (!read_file(m, "solver/cp/README.md", &text, &length, &error))
    cr_skip("run from the project's root: %s", error.text);
  text = memory_text(m, text, length);
  char *expected = block(strstr(text, "```trace"), "```trace");
  char *source = block(text, "```graph");
  struct graph *g;
  cr_assert(
      graph_read_bytes(m, "README", source, strlen(source), &g, NULL, &error),
      "%s", error.text);
  struct problem *p = problem_new(m, g, 2, false, &error);
  p->budget = 11;
  struct formulation_options o = formulation_options_default();
  struct formulation *f = formulation_new(m, p, &o);
  FILE *out = tmpfile();
  cp_set_trace(formulation_cp(f), out);
  cr_assert_eq(formulation_run(f, NULL), FORMULATION_SCHEDULE);
  cr_assert_eq(formulation_schedule(f)->duration, 16);
  cr_assert_eq(formulation_run(f, NULL), FORMULATION_DONE);
  cr_assert_eq(cp_statistics(formulation_cp(f))->conflicts, 3);
  rewind(out);
  char line[300];
  for (int n = 1; *expected; n++) {
    char *end = strchr(expected, '\n');
    *end = 0;
    cr_assert(fgets(line, sizeof line, out));
    drop_trailing_spaces(line);
    cr_assert_str_eq(line, expected, "line %d", n);
    expected = end + 1;
  }
  fclose(out);
  formulation_free(f);
  memory_free(m);
}
