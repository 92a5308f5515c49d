/* Sweeps: monotone by construction, verified, the same after writing and
 * reading back, and continued where they were left. */
#define _POSIX_C_SOURCE 200809L
#include "model/verify.h"
#include "solver/sweep.h"
#include "tests/xml.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A chain with long skip edges, where recomputing pays. */
static struct moccasin_graph *network(int length) {
  int64_t *duration = calloc((size_t)(2 * length), sizeof *duration);
  int64_t *size = calloc((size_t)(2 * length), sizeof *size);
  int *edge = calloc((size_t)(8 * length), sizeof *edge), edges = 0;
  for (int v = 0; v < 2 * length; v++) {
    duration[v] = 3 + v * 7 % 11;
    size[v] = 100 + v * 37 % 90;
    if (v) {
      edge[2 * edges] = v - 1;
      edge[2 * edges++ + 1] = v;
    }
    if (v >= length && 2 * length - 1 - v < v - 1) {
      edge[2 * edges] = 2 * length - 1 - v;
      edge[2 * edges++ + 1] = v;
    }
  }
  struct moccasin_graph *g;
  char message[MOCCASIN_MESSAGE];
  cr_assert_eq(moccasin_build(2 * length, duration, size, edges, edge, NULL, &g,
                              message),
               MOCCASIN_OK, "%s", message);
  free(edge);
  free(size);
  free(duration);
  return g;
}

static struct moccasin_options options(double seconds) {
  struct moccasin_options o;
  moccasin_options_default(&o);
  o.threads = 1;
  o.time_limit = seconds;
  return o;
}

static void add_percents(struct sweep *s, bool free_order, int from) {
  for (int percent = from; percent <= 100; percent += 10)
    sweep_add(s, free_order,
              moccasin_percent_budget(s->graph, percent * INT64_C(1000000)));
}

static void solve_all(struct sweep *s) {
  struct error error = {0};
  while (sweep_next(s, &error))
    ;
  cr_assert_eq(error.status, STATUS_OK, "%s", error.text);
}

static void check_monotone(const struct sweep *s) {
  for (int i = 0; i < s->count; i++)
    for (int k = 0; k < s->count; k++) {
      const struct sweep_point *a = &s->point[i], *b = &s->point[k];
      if (a->budget > b->budget || a->free_order > b->free_order)
        continue; /* a's schedule serves b */
      if (a->length)
        cr_assert(b->length && b->duration <= a->duration,
                  "budget %lld is worse than %lld", (long long)b->budget,
                  (long long)a->budget);
      cr_assert_geq(a->lower_bound, b->lower_bound);
    }
}

static void check_verified(const struct sweep *s, struct memory *m) {
  for (int i = 0; i < s->count; i++) {
    const struct sweep_point *p = &s->point[i];
    struct verify_request request = {.sequence = p->sequence,
                                     .length = p->length,
                                     .limited = true,
                                     .budget = p->budget,
                                     .max_computes = 2,
                                     .input_order = !p->free_order};
    struct verify_result v;
    if (!p->length)
      continue;
    cr_assert(verify(s->graph->graph, &request, m, NULL, NULL, &v), "point %d",
              i);
    cr_assert_eq(v.peak, p->peak);
    cr_assert_eq(v.duration, p->duration);
    cr_assert_leq(p->lower_bound, p->duration);
  }
}

Test(sweep, is_monotone_in_budget_and_mode) {
  struct memory *m = memory_new(NULL);
  struct moccasin_graph *g = network(8);
  struct moccasin_options o = options(0.3);
  struct sweep *s = sweep_new(m, g, &o);
  add_percents(s, false, 30);
  add_percents(s, true, 30);
  solve_all(s);
  cr_assert_eq(sweep_left(s), 0);
  check_monotone(s);
  check_verified(s, m);
  const struct sweep_point *last = &s->point[s->count - 1];
  cr_assert(sweep_optimal(last));
  cr_assert_eq(last->duration, moccasin_baseline_duration(g));
  moccasin_graph_free(g);
  memory_free(m);
}

/* Points that were found in a bad order are brought into line. */
Test(sweep, settles_what_points_know) {
  struct memory *m = memory_new(NULL);
  struct moccasin_graph *g = network(8);
  struct moccasin_options o = options(1);
  struct sweep *s = sweep_new(m, g, &o);
  int64_t base = moccasin_baseline_duration(g);
  int sequence[1] = {0};
  int64_t large = moccasin_baseline_peak(g);
  for (int i = 0; i < 6; i++)
    sweep_add(s, i % 2, large - i / 2);
  for (int i = 0; i < 6; i++) { /* worse for larger budgets */
    s->point[i].length = 1;
    s->point[i].sequence = sequence;
    s->point[i].duration = base + 10 + i;
    s->point[i].lower_bound = base + i % 3;
  }
  sweep_settle(s);
  check_monotone(s);
  for (int i = 0; i < 6; i++)
    cr_assert_eq(s->point[i].duration, base + 10, "point %d", i);
  cr_assert_eq(s->point[0].lower_bound, base + 2);
  moccasin_graph_free(g);
  memory_free(m);
}

static void write_file(const char *path, const struct sweep *s, bool json) {
  FILE *out = fopen(path, "w");
  cr_assert_not_null(out);
  (json ? sweep_write_json : sweep_write_csv)(s, out);
  fclose(out);
}

static void temporary(char *path) {
  int file = mkstemp(strcpy(path, "/tmp/moccasin-sweep-XXXXXX"));
  cr_assert_geq(file, 0);
  close(file);
}

Test(sweep, is_continued_from_either_format) {
  char path[40];
  temporary(path);
  for (int json = 0; json < 2; json++) {
    struct memory *m = memory_new(NULL);
    struct moccasin_graph *g = network(8);
    struct moccasin_options o = options(0.2);
    struct error error = {0};
    struct sweep *s = sweep_new(m, g, &o), *t = sweep_new(m, g, &o);
    add_percents(s, false, 40);
    add_percents(s, true, 40);
    for (int i = 0; i < 4; i++)
      sweep_next(s, &error); /* and then it is killed */
    write_file(path, s, json);
    cr_assert(sweep_read(t, path, &error), "%s", error.text);
    int known = 0;
    for (int i = 0; i < s->count; i++)
      if (s->point[i].done || s->point[i].length) {
        const struct sweep_point *a = &s->point[i], *b = &t->point[known++];
        cr_assert_eq(a->budget, b->budget);
        cr_assert_eq(a->done, b->done);
        cr_assert_eq(a->free_order, b->free_order);
        cr_assert_eq(a->infeasible, b->infeasible);
        cr_assert_eq(a->length, b->length);
        cr_assert_eq(a->duration, b->duration);
        cr_assert_eq(a->peak, b->peak);
        cr_assert_eq(a->lower_bound, b->lower_bound);
      }
    cr_assert_eq(known, t->count);
    add_percents(t, false, 40);
    add_percents(t, true, 40);
    cr_assert_eq(t->count, s->count);
    cr_assert_lt(sweep_left(t), t->count);
    solve_all(t);
    check_monotone(t);
    check_verified(t, m);
    moccasin_graph_free(g);
    memory_free(m);
  }
  unlink(path);
}

Test(sweep, refuses_what_it_cannot_trust) {
  static const char *const head =
      "# moccasin-sweep/1 nodes=16 edges=22 max_computes=2\n";
  static const struct {
    bool head;
    const char *text, *message;
  } cases[] = {
      {false, "", "moccasin-sweep/1"},
      {false, "input,1000,1,feasible,1,1,1,1,1,1,1,0", "moccasin-sweep/1"},
      {false, "# moccasin-sweep/1 nodes=17\n", "nodes 17, here 16"},
      {true, "input,1000,1,feasible\n", "12 fields"},
      {true, "nput,1000,1,feasible,1,1,1,1,1,1,1,0\n", "input or free"},
      {true, "input,x,1,feasible,1,1,1,1,1,1,1,0\n", "a budget"},
      {true, "input,1000,1,feasible,1,1,1,1,1,1,1,0 99\n", "positions"},
      {true, "input,100000,1,feasible,1,1,1,1,1,1,1,1 0\n", "not valid"},
      {true, "input,100000,1,feasible,1,1,1,1,1,1,1,0\n", "not valid"},
      {false, "{\"points\": []}", ""},
      {false, "{\"graph\": {\"nodes\": 3}}", "nodes 3, here 16"},
      {false, "{\"graph\": {}, \"points\": [{\"sequence\": [77]}]}",
       "no node 77"},
      {false, "{\"graph\": {}, \"points\": [3]}", "expected a point"},
  };
  char path[40];
  temporary(path);
  struct moccasin_graph *g = network(8);
  cr_assert_eq(moccasin_edges(g), 22);
  struct moccasin_options o = options(0.2);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct memory *m = memory_new(NULL);
    struct error error = {0};
    FILE *out = fopen(path, "w");
    fprintf(out, "%s%s", cases[i].head ? head : "", cases[i].text);
    fclose(out);
    struct sweep *s = sweep_new(m, g, &o);
    bool ok = sweep_read(s, path, &error);
    if (cases[i].message[0]) {
      cr_assert_not(ok, "case %zu was accepted", i);
      cr_assert_eq(error.status, STATUS_INPUT);
      cr_assert(strstr(error.text, cases[i].message), "case %zu: %s", i,
                error.text);
    }
    memory_free(m);
  }
  moccasin_graph_free(g);
  unlink(path);
}

Test(sweep, picture_is_xml_with_a_dot_a_point) {
  struct memory *m = memory_new(NULL);
  struct moccasin_graph *g = network(6);
  struct moccasin_options o = options(0.2);
  struct sweep *s = sweep_new(m, g, &o);
  add_percents(s, false, 50);
  solve_all(s);
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  sweep_write_svg(s, out);
  fclose(out);
  struct xml x = xml_parse(m, text);
  cr_assert_str_empty(x.error, "%s", x.error);
  int dots = 0, points = 0;
  for (int i = 0; i < x.count; i++)
    dots += !strcmp(x.element[i].name, "circle") && xml_title(&x, i) != NULL;
  for (int i = 0; i < s->count; i++)
    points += s->point[i].length > 0;
  cr_assert_eq(dots, points);
  free(text);
  moccasin_graph_free(g);
  memory_free(m);
}

Test(sweep, budgets_are_even_and_do_not_overflow) {
  cr_assert_eq(sweep_between(10, 20, 0, 11), 10);
  cr_assert_eq(sweep_between(10, 20, 5, 11), 15);
  cr_assert_eq(sweep_between(10, 20, 10, 11), 20);
  cr_assert_eq(sweep_between(10, 20, 0, 1), 20);
  cr_assert_eq(sweep_between(0, INT64_MAX, 99999, 100000), INT64_MAX);
}
