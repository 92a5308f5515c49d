#define _XOPEN_SOURCE 700
/* The schedule document: what is written is read back; other tools' forms are
 * understood; what is wrong is refused with its place. */
#include "model/document.h"

#include "graphs/json.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* 7 -> "b\"\n" -> -3, 7 -> -3; sizes 3, 4, 5 */
static struct graph *small_graph(struct memory *m) {
  struct graph *g = graph_new(m);
  const struct graph_id id[] = {{NULL, 7}, {"b\"\n", 0}, {NULL, -3}};
  for (int v = 0; v < 3; v++)
    graph_add_node(g,
                   &(struct graph_node){
                       .id = id[v], .name = "", .duration = 2, .size = 3 + v});
  graph_add_edge(g, 0, 1);
  graph_add_edge(g, 1, 2);
  graph_add_edge(g, 0, 2);
  struct error error = {0};
  cr_assert(graph_finish(g, NULL, 0, &error), "%s", error.text);
  return g;
}

static const int steps[] = {0, 1, 0, 2};

static struct document sample(const struct graph *g) {
  return (struct document){.graph = g,
                           .status = "feasible",
                           .max_computes = 2,
                           .objective = "duration",
                           .budget_given = true,
                           .budget = INT64_MAX - 1,
                           .sequence = steps,
                           .length = 4,
                           .peak = 12,
                           .duration = 8,
                           .duration_lower_bound = 7,
                           .peak_lower_bound = 12,
                           .baseline_peak = 12,
                           .baseline_duration = 6,
                           .reason = "",
                           .least_known_budget = 12,
                           .version = "1",
                           .found_by = "somebody",
                           .bound_by = "somebody else",
                           .seed = 5,
                           .threads = 2,
                           .seconds = 0.25};
}

enum { text_size = 4000 };

static void written(const struct document *d, const char *form, char *text,
                    struct memory *m) {
  FILE *f = tmpfile();
  cr_assert(f);
  if (!strcmp(form, "json"))
    document_write_json(d, f, m);
  else if (!strcmp(form, "text"))
    document_write_text(d, f);
  else
    document_write_minimalloc(d, f, m);
  rewind(f);
  text[fread(text, 1, text_size - 1, f)] = '\0';
  fclose(f);
}

static bool read_back(const char *text, size_t size, const struct graph *g,
                      struct memory *m, struct document_input *in,
                      struct error *error) {
  char path[] = "/tmp/moccasin-test-XXXXXX";
  int file = mkstemp(path);
  cr_assert(file >= 0);
  cr_assert(write(file, text, size) == (ssize_t)size);
  close(file);
  bool ok = document_read(m, path, g, in, error);
  unlink(path);
  return ok;
}

static void expect_steps(const struct document_input *in, const char *what) {
  cr_assert(in->length == 4 && !memcmp(in->sequence, steps, sizeof steps), "%s",
            what);
}

Test(document, json_comes_back) {
  struct memory *m = memory_new(NULL);
  struct graph *g = small_graph(m);
  struct document d = sample(g);
  struct document_input in;
  struct error error = {0};
  char text[text_size];
  written(&d, "json", text, m);
  cr_assert(read_back(text, strlen(text), g, m, &in, &error), "%s", error.text);
  expect_steps(&in, text);
  cr_assert(in.budget_given && in.budget == INT64_MAX - 1 && in.order_given &&
            !in.free_order && in.computes_given && in.max_computes == 2 &&
            in.peak == 12 && in.duration == 8);
  static const char *const part[] = {
      "\"format\": \"moccasin-schedule/1\"",
      "\"status\": \"feasible\"",
      "\"scope\": {\"order\": \"input\", \"max_computes\": 2, "
      "\"stage_order\": \"input\"}",
      "\"budget\": 9223372036854775806",
      "\"tdi_percent\": 33.333333",
      "\"duration_lower_bound\": 7",
      "\"gap_percent\": 14.285714",
      "\"gap_extra_percent\": 100.000000",
      "\"baseline_peak_memory\": 12",
      "\"sequence\": [7, \"b\\\"\\n\", 7, -3]",
      "{\"node\": 7, \"compute\": 1, \"start\": 0, \"end\": 1}",
      "{\"node\": \"b\\\"\\n\", \"compute\": 1, \"start\": 1, \"end\": 3}",
      "{\"node\": 7, \"compute\": 2, \"start\": 2, \"end\": 3}",
      "\"found_by\": \"somebody\""};
  for (size_t i = 0; i < sizeof part / sizeof *part; i++)
    cr_assert(strstr(text, part[i]), "%s is missing in\n%s", part[i], text);
  memory_free(m);
}

Test(document, text_comes_back) {
  struct memory *m = memory_new(NULL);
  struct graph *g = small_graph(m);
  struct document d = sample(g);
  struct document_input in;
  struct error error = {0};
  char text[text_size];
  written(&d, "text", text, m);
  cr_assert(read_back(text, strlen(text), g, m, &in, &error), "%s", error.text);
  expect_steps(&in, text);
  written(&d, "minimalloc", text, m);
  cr_assert_str_eq(text, "id,lower,upper,size\n0,0,2,3\n1,1,4,4\n2,2,4,3\n"
                         "3,3,4,5\n");
  memory_free(m);
}

Test(document, without_a_schedule) {
  struct memory *m = memory_new(NULL);
  struct document d = sample(small_graph(m));
  char text[text_size];
  d.sequence = NULL;
  d.length = 0;
  d.status = "infeasible";
  d.reason = "because";
  written(&d, "json", text, m);
  cr_assert(strstr(text, "\"status\": \"infeasible\"") &&
                strstr(text, "\"reason\": \"because\"") &&
                strstr(text, "\"least_known_budget\": 12") &&
                !strstr(text, "\"sequence\""),
            "%s", text);
  memory_free(m);
}

Test(document, other_tools) {
  static const char *const form[] = {
      "[7, \"b\\\"\\n\", 7, -3]", "[\"7\", \"b\\\"\\n\", \"7\", \"-3\"]",
      "# steps\n 7\n\"b\\\"\\n\"\r\n7\n\n-3",
      "{\"sequence\": [7, \"b\\\"\\n\", 7"
      ", -3], \"peak_memory\": null, \"x\": {\"sequence\": [1]}}"};
  for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
    struct memory *m = memory_new(NULL);
    struct document_input in;
    struct error error = {0};
    cr_assert(
        read_back(form[i], strlen(form[i]), small_graph(m), m, &in, &error),
        "%s: %s", form[i], error.text);
    expect_steps(&in, form[i]);
    memory_free(m);
  }
}

Test(document, refusals) {
  static const char *const wrong[][2] = {
      {"[7, 8]", "no node 8"},
      {"7\n8\n", ":2: the graph has no node \"8\""},
      {"[7, 1.5]", "expected"},
      {"[7", ""},
      {"[7] 8", ""},
      {"{\"sequence\": 7}", "list of node ids"},
      {"{\"steps\": []}", "no key \"sequence\""},
      {"{\"sequence\": [], \"budget\": \"much\"}", "budget"},
      {"", "no steps"},
      {"[]", "no steps"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct memory *m = memory_new(NULL);
    struct document_input in;
    struct error error = {0};
    bool ok = read_back(wrong[i][0], strlen(wrong[i][0]), small_graph(m), m,
                        &in, &error);
    cr_assert(!ok && error.status == STATUS_INPUT &&
                  strstr(error.text, wrong[i][1]),
              "%s: %s", wrong[i][0], ok ? "accepted" : error.text);
    memory_free(m);
  }
}
