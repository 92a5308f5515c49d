/* Readers and writers of graphs: bad files and their messages, good files in
 * every spelling, round trips, mutated files, the published instances. */
#include "graphs/json_write.h"
#include "graphs/read.h"
#include "graphs/write.h"
#include "model/problem.h"
#include "solver/base/random.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *cases(void) {
  const char *folder = getenv("MOCCASIN_CASES");
  return folder ? folder : "tests/cases";
}

/* Reads a text; `m` must outlive the graph. */
static struct graph *read_text(struct memory *m, const char *text,
                               struct graph_notes *notes, struct error *e) {
  size_t length = strlen(text);
  char *exact = malloc(length ? length : 1); /* no byte more: ASan watches */
  memcpy(exact, text, length);
  struct graph *g = NULL;
  *e = (struct error){STATUS_OK, ""};
  bool ok = graph_read_bytes(m, "t", exact, length, &g, notes, e);
  free(exact);
  return ok ? g : NULL;
}

Test(graph_read, bad_files_name_their_place) {
  char path[700], line[400];
  snprintf(path, sizeof path, "%s/graphs/bad/EXPECTED", cases());
  FILE *list = fopen(path, "r");
  cr_assert_not_null(list, "%s is missing", path);
  int files = 0;
  while (fgets(line, sizeof line, list)) {
    line[strcspn(line, "\n")] = 0;
    char *message = strchr(line, '\t');
    cr_assert_not_null(message, "EXPECTED: %s", line);
    *message++ = 0;
    snprintf(path, sizeof path, "%s/graphs/bad/%s", cases(), line);
    struct memory *m = memory_new(NULL);
    struct error e = {STATUS_OK, ""};
    struct graph *g;
    bool ok = graph_read(m, path, &g, NULL, &e);
    cr_assert(!ok && e.status == STATUS_INPUT && strstr(e.text, message) &&
                  strstr(e.text, line),
              "%s: got \"%s\", expected \"%s\"", line, ok ? "a graph" : e.text,
              message);
    memory_free(m);
    files++;
  }
  fclose(list);
  cr_assert_gt(files, 100);
}

Test(graph_read, missing_files_and_folders) {
  struct memory *m = memory_new(NULL);
  struct error e = {STATUS_OK, ""};
  struct graph *g;
  cr_assert(!graph_read(m, "/no/such/file", &g, NULL, &e));
  cr_assert(strstr(e.text, "/no/such/file: cannot be opened"), "%s", e.text);
  e = (struct error){STATUS_OK, ""};
  cr_assert(!graph_read(m, "/", &g, NULL, &e));
  cr_assert(strstr(e.text, "/: cannot be read"), "%s", e.text);
  memory_free(m);
}

/* All spellings of one diamond: 0 -> 1, 0 -> 2, 1 -> 3, 2 -> 3. */
Test(graph_read, spellings_of_one_graph) {
  static const char *const text[] = {
      "{\"nodes\":[{\"id\":0,\"duration\":1,\"size\":10},"
      "{\"id\":1,\"duration\":2,\"size\":20},"
      "{\"id\":2,\"duration\":3,\"size\":30},"
      "{\"id\":3,\"duration\":4,\"size\":40}],"
      "\"links\":[{\"source\":0,\"target\":1},{\"source\":0,\"target\":2},"
      "{\"source\":1,\"target\":3},{\"source\":2,\"target\":3}]}",
      /* byte order mark, edges first, other keys, floats, repeated edge */
      "\xef\xbb\xbf {\"edges\":[{\"0\":0,\"1\":1,\"weight\":[1,{\"a\":null}]},"
      "{\"0\":0,\"1\":2},{\"1\":3,\"0\":1},{\"0\":0,\"1\":1},"
      "{\"0\":2.0,\"1\":3}],\"directed\":true,"
      "\"nodes\":[{\"name\":0,\"cost_cpu\":1.0,\"out_cost\":1e1},"
      "{\"name\":1,\"cost_cpu\":2,\"out_cost\":2.0e1,\"x\":\"\\u00e9\"},"
      "{\"name\":2,\"cost_cpu\":0.03e2,\"out_cost\":3000e-2},"
      "{\"name\":3,\"cost_cpu\":4,\"out_cost\":40,\"param_cost\":0}]}",
      /* positions as ids, attributes as pairs, first spelling counts */
      "{\"graph\":[[\"order\",[0,1,2,3]],[\"node_default\",{}]],"
      "\"nodes\":[{\"cost_cpu\":9,\"duration\":1,\"cost_ram\":10},"
      "{\"duration\":2,\"cost_cpu\":9,\"cost_ram\":20,\"out_cost\":5},"
      "{\"duration\":3,\"out_cost\":5,\"size\":30},"
      "{\"duration\":4,\"cost_ram\":40,\"keep\":false}],"
      "\"links\":[{\"source\":0,\"target\":1},{\"source\":0,\"target\":2},"
      "{\"s\\u006furce\":1,\"target\":3},{\"source\":2,\"target\":3}]}",
      "node 0 1 10\nnode 1 2 20\nnode 2 3 30\nnode 3 4 40\n"
      "edge 0 1\nedge 0 2\nedge 1 3\nedge 2 3\n",
      "# a diamond\r\nedge 0 1 # first\r\n\r\n  edge 0 2\r\nnode 0 1.0 1e1\r\n"
      "node 1 2 20\tkeep=0 workspace=0\r\nnode 2 3 30\r\nnode 3 4 40\r\n"
      "edge 1 3\r\nedge 0 1\r\norder 0 1\r\nedge 2 3\r\norder 2 3"};
  for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
    struct memory *m = memory_new(NULL);
    struct error e;
    struct graph *g = read_text(m, text[i], NULL, &e);
    cr_assert(g, "spelling %zu: %s", i, e.text);
    static const int edge[] = {0, 1, 0, 2, 1, 3, 2, 3};
    cr_assert(g->node_count == 4 && g->edge_count == 4 &&
                  !memcmp(g->edge, edge, sizeof edge),
              "spelling %zu", i);
    for (int v = 0; v < 4; v++)
      cr_assert(!g->node[v].id.text && g->node[v].id.number == v &&
                    g->node[v].duration == v + 1 &&
                    g->node[v].size == 10 * (v + 1) && g->order[v] == v,
                "spelling %zu, node %d", i, v);
    memory_free(m);
  }
}

Test(graph_read, the_fields_of_a_node) {
  static const char *const text[] = {
      "{\"graph\":{\"name\":\"N \\\"q\\\" \\ud83d\\ude00\",\"fixed_memory\":7},"
      "\"nodes\":[{\"id\":\"a b\",\"name\":\"relu=1\",\"duration\":0,"
      "\"size\":9223372036854775000,\"workspace\":3,\"keep\":true,"
      "\"max_computes\":2,\"param_cost\":5},"
      "{\"id\":\"1\",\"duration\":0,\"size\":0},"
      "{\"id\":1,\"duration\":0,\"size\":0},"
      "{\"id\":-5,\"name\":\"\",\"duration\":0,\"size\":-0.0}]}",
      "graph \"N \\\"q\\\" \\ud83d\\ude00\"\nfixed 12\n"
      "node \"a b\" 0 9223372036854775000 \"relu=1\" workspace=3 keep=1 "
      "max_computes=2\nnode \"1\" 0 0\nnode 1 0 0\nnode -5 0 0\n"};
  for (int i = 0; i < 2; i++) {
    struct memory *m = memory_new(NULL);
    struct graph_notes notes;
    struct error e;
    struct graph *g = read_text(m, text[i], &notes, &e);
    cr_assert(g, "%d: %s", i, e.text);
    cr_assert_str_eq(g->name, "N \"q\" \xf0\x9f\x98\x80");
    const struct graph_node *a = &g->node[0];
    cr_assert(g->fixed_memory == 12 && !strcmp(a->id.text, "a b") &&
                  !strcmp(a->name, "relu=1") && a->workspace == 3 && a->keep &&
                  a->max_computes == 2 && a->size == 9223372036854775000,
              "%d", i);
    cr_assert(!strcmp(g->node[1].id.text, "1") && !g->node[2].id.text &&
                  g->node[3].id.number == -5 && !g->node[3].keep &&
                  !g->node[3].max_computes && !g->node[3].name[0],
              "%d", i);
    cr_assert(notes.count == 1 && strstr(notes.text[0], "has no edges"));
    memory_free(m);
  }
}

Test(graph_read, undirected_files_are_noted) {
  struct memory *m = memory_new(NULL);
  struct graph_notes notes;
  struct error e;
  cr_assert(read_text(m,
                      "{\"directed\":false,\"nodes\":[{\"duration\":1,"
                      "\"size\":1},{\"duration\":1,\"size\":1}],"
                      "\"links\":[{\"source\":0,\"target\":1}]}",
                      &notes, &e));
  cr_assert(notes.count == 1 && strstr(notes.text[0], "directed"));
  memory_free(m);
}

static void assert_same(const struct graph *a, const struct graph *b,
                        const char *what) {
  cr_assert(!strcmp(a->name, b->name) && a->node_count == b->node_count &&
                a->edge_count == b->edge_count &&
                a->fixed_memory == b->fixed_memory &&
                a->order_given == b->order_given,
            "%s", what);
  for (int v = 0; v < a->node_count; v++) {
    const struct graph_node *x = &a->node[v], *y = &b->node[v];
    bool text = x->id.text && y->id.text;
    cr_assert(
        (text ? !strcmp(x->id.text, y->id.text)
              : !x->id.text && !y->id.text && x->id.number == y->id.number) &&
            !strcmp(x->name, y->name) && x->duration == y->duration &&
            x->size == y->size && x->workspace == y->workspace &&
            x->max_computes == y->max_computes && x->keep == y->keep &&
            a->order[v] == b->order[v] &&
            a->pred_start[v] == b->pred_start[v] &&
            a->succ_start[v] == b->succ_start[v],
        "%s: node %d", what, v);
  }
  for (int e = 0; e < a->edge_count; e++)
    cr_assert(a->pred[e] == b->pred[e] && a->succ[e] == b->succ[e] &&
                  a->edge[2 * e] == b->edge[2 * e] &&
                  a->edge[2 * e + 1] == b->edge[2 * e + 1],
              "%s: edge %d", what, e);
}

/* Writes to a temporary file and reads it back. */
static struct graph *through(struct memory *m, const struct graph *g,
                             enum graph_format format) {
  FILE *file = tmpfile();
  struct error e = {STATUS_OK, ""};
  cr_assert(graph_write(g, format, file, &e), "%s", e.text);
  size_t length = (size_t)ftell(file);
  char *bytes = memory_get(m, length, 1);
  rewind(file);
  cr_assert_eq(fread(bytes, 1, length, file), length);
  fclose(file);
  struct graph *back = NULL;
  cr_assert(graph_read_bytes(m, "t", bytes, length, &back, NULL, &e), "%s\n%s",
            e.text, length < 4000 ? bytes : "");
  return back;
}

/* A text of odd characters, never with NUL. */
static const char *odd_text(struct random *r, struct memory *m) {
  static const char *const piece[] = {
      "a",      " ",    "\"", "\\",       "=",
      "#",      "\n",   "\t", "\x01",     "\x7f",
      "1",      "-3",   "/",  "\xc3\xa9", "\xf0\x9f\x98\x80",
      "keep=1", "edge", "e5"};
  char text[64] = "";
  for (int k = random_below(r, 5); k > 0; k--)
    strcat(text, piece[random_below(r, 18)]);
  return memory_text(m, text, strlen(text));
}

static struct graph *random_graph(struct random *r, struct memory *m) {
  struct graph *g = graph_new(m);
  int n = 1 + random_below(r, 12);
  int *place = MEMORY_ARRAY(m, int, n), *order = MEMORY_ARRAY(m, int, n);
  g->name = odd_text(r, m);
  g->fixed_memory = random_below(r, 2) * random_below(r, 1000);
  while (g->node_count < n) {
    struct graph_node node = {.name = odd_text(r, m),
                              .duration = random_below(r, 3),
                              .size = random_below(r, 1000000),
                              .workspace = random_below(r, 2),
                              .max_computes = random_below(r, 3),
                              .keep = random_below(r, 2)};
    node.id.number = random_below(r, 100) - 50;
    if (random_below(r, 2))
      node.id.text = odd_text(r, m);
    graph_add_node(g, &node);
  }
  for (int v = 0; v < n; v++) { /* a random permutation is the order */
    int k = random_below(r, v + 1);
    order[v] = order[k];
    order[k] = v;
  }
  for (int k = 0; k < n; k++)
    place[order[k]] = k;
  for (int e = random_below(r, 3 * n); e > 0; e--) {
    int u = random_below(r, n), v = random_below(r, n);
    if (u != v)
      graph_add_edge(g, place[u] < place[v] ? u : v,
                     place[u] < place[v] ? v : u);
  }
  cr_assert(graph_finish(g, random_below(r, 2) ? order : NULL, n, NULL));
  return g;
}

Test(graph_write, round_trips_keep_everything) {
  struct random r;
  for (uint64_t seed = 1; seed <= 1500; seed++) {
    random_seed(&r, seed);
    struct memory *m = memory_new(NULL);
    struct graph *g = random_graph(&r, m);
    char what[60];
    snprintf(what, sizeof what, "seed %d", (int)seed);
    struct graph *json = through(m, g, GRAPH_JSON);
    assert_same(g, json, what);
    assert_same(g, through(m, json, GRAPH_TEXT), what);
    memory_free(m);
  }
}

/* Byte mutations, cuts and splices of valid files never crash; what is
 * accepted is a graph that satisfies its invariants. */
Test(graph_read, mutated_files_are_refused_or_sound) {
  struct random r;
  int refused = 0;
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    random_seed(&r, seed);
    struct memory *m = memory_new(NULL);
    struct graph *g = random_graph(&r, m);
    FILE *file = tmpfile();
    cr_assert(graph_write(g, seed % 2 ? GRAPH_JSON : GRAPH_TEXT, file, NULL));
    int length = (int)ftell(file);
    char *bytes = malloc((size_t)length + 1);
    rewind(file);
    cr_assert_eq(fread(bytes, 1, (size_t)length, file), (size_t)length);
    fclose(file);
    for (int k = 1 + random_below(&r, 4); k > 0 && length > 1; k--) {
      int at = random_below(&r, length), from = random_below(&r, length);
      switch (random_below(&r, 4)) {
      case 0:
        bytes[at] = (char)random_below(&r, 256);
        break;
      case 1:
        bytes[at] = "{}[]\",:\\0-9e. \n#="[random_below(&r, 17)];
        break;
      case 2:
        memmove(bytes + at, bytes + from,
                (size_t)(length - (at > from ? at : from)));
        break;
      default:
        length = 1 + random_below(&r, length);
        bytes = realloc(bytes, (size_t)length);
      }
    }
    struct error e = {STATUS_OK, ""};
    struct graph *back = NULL;
    if (!graph_read_bytes(m, "t", bytes, (size_t)length, &back, NULL, &e)) {
      cr_assert(e.status == STATUS_INPUT && e.text[0] == 't', "%s", e.text);
      refused++;
    } else {
      for (int v = 0; v < back->edge_count; v++)
        cr_assert(back->pred[v] >= 0 && back->pred[v] < back->node_count);
    }
    free(bytes);
    memory_free(m);
  }
  cr_assert(refused > 1000 && refused < 3000, "%d refused", refused);
}

Test(graph_write, dot) {
  struct memory *m = memory_new(NULL);
  struct error e;
  struct graph *g = read_text(m,
                              "graph \"a \\\"b\\\"\"\nnode x 5 2048 "
                              "\"in\\\\ \\\"1\\\"\"\nnode 7 0 10 keep=1\n"
                              "edge x 7\n",
                              NULL, &e);
  cr_assert(g, "%s", e.text);
  FILE *file = tmpfile();
  cr_assert(graph_write(g, GRAPH_DOT, file, NULL));
  char text[400] = "";
  rewind(file);
  cr_assert_gt(fread(text, 1, sizeof text - 1, file), 0);
  fclose(file);
  cr_assert_str_eq(text, "digraph \"a \\\"b\\\"\" {\n  node [shape=box];\n"
                         "  n0 [label=\"in\\\\ \\\"1\\\"\\n5, 2.00 KiB\"];\n"
                         "  n1 [label=\"7\\n0, 10 B\", peripheries=2];\n"
                         "  n0 -> n1;\n}\n");
  memory_free(m);
}

/* The figures of the published instances (the folder's own README). */
Test(graph_read, published_instances) {
  static const struct {
    const char *file;
    int n, m;
    int64_t peak, working_set, duration;
  } known[] = {
      {"rl-n100", 100, 236, 46319, 20020, 47769},
      {"rl-n250", 250, 944, 146840, 87600, 125569},
      {"rl-n500", 500, 2461, 284439, 49399, 255302},
      {"rl-n1000", 1000, 5875, 608619, 48950, 497270},
      {"fcn8-train", 73, 149, 13484795520, 8287944704, 10275337746048},
      {"resnet50-train", 353, 751, 38059356160, 3699376128, 405670},
  };
  const char *folder = getenv("MOCCASIN_DATA");
  char path[300];
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    snprintf(path, sizeof path, "%s/%s.json",
             folder ? folder : "../shared/graphs", known[i].file);
    FILE *file = fopen(path, "rb");
    if (!file)
      cr_skip("%s is not here (set MOCCASIN_DATA)", path);
    fclose(file);
    struct memory *m = memory_new(NULL);
    struct error e = {STATUS_OK, ""};
    struct graph *g;
    cr_assert(graph_read(m, path, &g, NULL, &e), "%s", e.text);
    struct problem *p = problem_new(m, g, 2, false, &e);
    cr_assert(p && g->node_count == known[i].n && g->edge_count == known[i].m &&
                  p->base_peak == known[i].peak &&
                  p->working_set == known[i].working_set &&
                  p->base_duration == known[i].duration,
              "%s", known[i].file);
    assert_same(g, through(m, g, GRAPH_JSON), known[i].file);
    assert_same(g, through(m, g, GRAPH_TEXT), known[i].file);
    memory_free(m);
  }
}
