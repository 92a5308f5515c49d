/* Runs an example by name. */
#include "solver/cp/examples/examples.h"
#include <stdlib.h>
#include <string.h>

static void queens(struct memory *m, int n) {
  int *row = memory_get(m, (size_t)n + 1, sizeof *row);
  if (!example_queens(m, NULL, n, row)) {
    printf("%d queens: no placement\n", n);
    return;
  }
  for (int r = 0; r < n; r++)
    for (int c = 0; c < n; c++)
      printf("%c%c", row[c] == r ? 'Q' : '.', c + 1 < n ? ' ' : '\n');
}

static void projects(struct memory *m) {
  struct example_project p = example_house();
  struct cp_statistics s;
  int start[EXAMPLE_ACTIVITIES];
  printf("makespan %d\n", example_project(m, NULL, &p, start, &s));
  for (int i = 0; i < p.activities; i++)
    printf("activity %2d: %2d to %2d\n", i, start[i], start[i] + p.duration[i]);
  cp_statistics_print(&s, stdout);
}

int main(int count, char **argument) {
  int n = count > 2 ? atoi(argument[2]) : 8;
  bool is_queens = count > 1 && !strcmp(argument[1], "queens");
  if (n < 1 || n > 100 ||
      (!is_queens && (count < 2 || strcmp(argument[1], "projects")))) {
    fputs("usage: examples queens [1..100] | examples projects\n", stderr);
    return 1;
  }
  struct memory *m = memory_new(NULL);
  if (!m || setjmp(*memory_recover(m))) {
    memory_free(m);
    fputs("out of memory\n", stderr);
    return 5;
  }
  if (is_queens)
    queens(m, n);
  else
    projects(m);
  memory_free(m);
  return 0;
}
