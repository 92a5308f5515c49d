/* open_memstream */
#define _POSIX_C_SOURCE 200809L
/* Plots are parsed as XML and their shapes turned back into bytes and steps. */
#include "solver/plot.h"
#include "solver/svg.h"
#include "tests/layered.h"
#include "tests/xml.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A valid sequence with recomputes: the input order, and before some steps
 * once more a node whose inputs have all been computed. */
static int with_recomputes(const struct graph *g, int every, int *sequence) {
  int length = 0;
  for (int k = 0; k < g->node_count; k++) {
    if (k && every && k % every == 0)
      sequence[length++] = g->order[k / 2];
    sequence[length++] = g->order[k];
  }
  return length;
}

/* The last step that holds the instance of step k, by definition. */
static int naive_end(const struct graph *g, const int *sequence, int length,
                     int k) {
  int v = sequence[k], end = k;
  for (int i = k + 1; i < length; i++) {
    if (sequence[i] == v)
      return end;
    for (int e = 0; e < g->edge_count; e++)
      if (g->edge[2 * e] == v && g->edge[2 * e + 1] == sequence[i])
        end = i;
  }
  return g->node[v].keep ? length - 1 : end;
}

static void naive_memory(const struct graph *g, const int *sequence, int length,
                         int64_t *memory) {
  for (int k = 0; k < length; k++)
    memory[k] = g->fixed_memory + g->node[sequence[k]].workspace;
  for (int k = 0; k < length; k++) {
    int end = naive_end(g, sequence, length, k);
    for (int i = k; i <= end; i++)
      memory[i] += g->node[sequence[k]].size;
  }
}

struct sheet {
  struct memory *m;
  struct graph *g;
  int *sequence, length;
  int64_t budget;
  struct picture picture;
  struct xml xml;
};

static char *draw(struct memory *m, const struct picture *p, bool report) {
  char *text = NULL;
  size_t size = 0;
  struct error error = {0};
  FILE *out = open_memstream(&text, &size);
  bool ok = report ? report_write(p, out, m, &error)
                   : plot_write(p, PLOT_ALL, out, m, &error);
  fclose(out);
  cr_assert(ok, "%s", error.text);
  char *copy = memory_text(m, text, size);
  free(text);
  return copy;
}

static void make(struct sheet *s, int nodes, int every) {
  struct layered shape = {.nodes = nodes,
                          .width = 4,
                          .inputs = 2,
                          .percent_far = 20,
                          .percent_keep = 5,
                          .percent_workspace = 10,
                          .seed = (uint64_t)nodes};
  struct error error = {0};
  s->m = memory_new(NULL);
  s->g = layered_graph(s->m, &shape);
  s->sequence = MEMORY_ARRAY(s->m, int, 2 * s->g->node_count);
  s->length = with_recomputes(s->g, every, s->sequence);
  s->budget = 1;
  for (int v = 0; v < s->g->node_count; v++)
    s->budget += s->g->node[v].size / 3;
  struct picture_request request = {.graph = s->g,
                                    .sequence = s->sequence,
                                    .length = s->length,
                                    .limited = true,
                                    .budget = s->budget,
                                    .lower_bound = -1};
  cr_assert(picture_make(s->m, &request, &s->picture, &error), "%s",
            error.text);
}

static const struct xml_element *find(const struct xml *x, const char *name,
                                      const char *class_name) {
  for (int i = 0; i < x->count; i++)
    if (xml_is(&x->element[i], name, class_name))
      return &x->element[i];
  return NULL;
}

/* Bytes from pixels: zero is the rim, the axis' largest tick tells the rest. */
struct ruler {
  double zero, bytes_a_pixel, left, width;
};

static struct ruler measure(const struct xml *x) {
  struct ruler r = {0};
  const struct xml_element *rim = find(x, "line", "rim");
  r.zero = xml_number(rim, "y1");
  r.left = xml_number(rim, "x1");
  r.width = xml_number(rim, "x2") - r.left;
  static const char *const unit[] = {"bytes", "KiB", "MiB", "GiB"};
  double scale = 1, top = 0;
  for (int i = 0; i < x->count; i++)
    for (int u = 0; u < 4; u++)
      if (xml_is(&x->element[i], "text", "axis") &&
          !strcmp(x->element[i].text, unit[u]))
        scale = pow(1024, u);
  for (int i = 0; i < x->count; i++) {
    const struct xml_element *e = &x->element[i];
    double y = xml_number(e, "y") - 4; /* the text's base line */
    if (xml_is(e, "text", "tick") && y < r.zero - 1 &&
        xml_number(e, "x") < r.left && strtod(e->text, NULL) > top) {
      top = strtod(e->text, NULL);
      r.bytes_a_pixel = top * scale / (r.zero - y);
    }
  }
  return r;
}

/* The heights of a step profile that was drawn as a line, in bytes. */
static int heights(const struct xml *x, const struct ruler *r,
                   const char *class_name, double *bytes) {
  const char *c = xml_get(find(x, "path", class_name), "d");
  int points = 0;
  while (*c == 'M' || *c == 'L') {
    char *end;
    strtod(c + 1, &end);
    double y = strtod(end, &end);
    if (points++ % 2 == 0)
      bytes[points / 2] = (r->zero - y) * r->bytes_a_pixel;
    c = end;
  }
  cr_assert_eq(*c, '\0', "path of %s: %s", class_name, c);
  return points / 2;
}

static void check_profiles(const struct sheet *s) {
  struct ruler r = measure(&s->xml);
  int64_t *memory = MEMORY_ARRAY(s->m, int64_t, s->length);
  double *drawn = MEMORY_ARRAY(s->m, double, s->length + 1);
  double slack = 0.02 * r.bytes_a_pixel + 1;
  naive_memory(s->g, s->sequence, s->length, memory);
  int count = heights(&s->xml, &r, "memory-line", drawn);
  cr_assert_eq(count, s->length);
  for (int k = 0; k < count; k++)
    cr_assert_float_eq(drawn[k], (double)memory[k], slack,
                       "step %d: drawn %.0f, is %lld", k, drawn[k],
                       (long long)memory[k]);

  int n = s->g->node_count, first = 0;
  naive_memory(s->g, s->g->order, n, memory);
  heights(&s->xml, &r, "behind-line", drawn);
  for (int k = 0; k < count; k++) {
    cr_assert_float_eq(drawn[k], (double)memory[first < n ? first : n - 1],
                       slack, "input order beside step %d", k);
    first += s->picture.number[k] == 1;
  }
  const struct xml_element *budget = find(&s->xml, "line", "budget");
  if (budget)
    cr_assert_float_eq((r.zero - xml_number(budget, "y1")) * r.bytes_a_pixel,
                       (double)s->budget, slack);
  else /* far above everything */
    cr_assert_gt((double)s->budget, 1.1 * (double)s->picture.peak);
}

static void check_bars(const struct sheet *s) {
  struct ruler r = measure(&s->xml);
  int k = 0, again = 0;
  for (int i = 0; i < s->xml.count; i++) {
    const struct xml_element *e = &s->xml.element[i];
    const char *class_name = xml_get(e, "class"),
               *title = xml_title(&s->xml, i);
    if (strcmp(e->name, "rect") != 0 || !class_name || !title ||
        !strchr("br", class_name[0]) || strlen(class_name) != 2)
      continue;
    int end = naive_end(s->g, s->sequence, s->length, k);
    double step = r.width / s->length;
    char held[60];
    cr_assert_float_eq(xml_number(e, "x"), r.left + k * step, 0.01, "bar %d",
                       k);
    if ((end - k + 1) * step >= 1.5)
      cr_assert_float_eq(xml_number(e, "width"), (end - k + 1) * step, 0.02,
                         "bar %d", k);
    snprintf(held, sizeof held, "held in steps %d to %d\n", k, end);
    cr_assert(strstr(title, held), "bar %d: %s", k, title);
    again += class_name[0] == 'r';
    k++;
  }
  cr_assert_eq(k, s->length, "%d bars for %d steps", k, s->length);
  cr_assert_eq(again, s->length - s->g->node_count);
}

Test(plot, shapes_are_the_figures) {
  static const int nodes[] = {2, 10, 40, 150, 400};
  for (int i = 0; i < 5; i++) {
    struct sheet s;
    make(&s, nodes[i], i == 1 ? 0 : 4);
    s.xml = xml_parse(s.m, draw(s.m, &s.picture, false));
    cr_assert_str_empty(s.xml.error, "%d nodes: %s", nodes[i], s.xml.error);
    check_profiles(&s);
    check_bars(&s);
    memory_free(s.m);
  }
}

/* More steps than pixels and more rows than fit: no peak may be lost. */
Test(plot, large_graphs_keep_their_peak) {
  struct sheet s;
  make(&s, 4000, 3);
  char *text = draw(s.m, &s.picture, false);
  cr_assert_lt(strlen(text), (size_t)2000000, "%zu bytes", strlen(text));
  s.xml = xml_parse(s.m, text);
  cr_assert_str_empty(s.xml.error, "%s", s.xml.error);
  struct ruler r = measure(&s.xml);
  double *drawn = MEMORY_ARRAY(s.m, double, s.length + 1), highest = 0;
  int count = heights(&s.xml, &r, "memory-line", drawn);
  for (int i = 0; i < count; i++)
    highest = fmax(highest, drawn[i]);
  cr_assert_float_eq(highest, (double)s.picture.peak,
                     0.02 * r.bytes_a_pixel + 1);
  memory_free(s.m);
}

Test(plot, report_lists_every_recompute) {
  struct sheet s;
  make(&s, 60, 5);
  const char *text = draw(s.m, &s.picture, true);
  cr_assert(strstr(text, "<!DOCTYPE html>") == text);
  cr_assert_null(strstr(text, "http-equiv"));
  cr_assert_null(strstr(text, "src="), "not self-contained");
  const char *list = strstr(text, "<h2>Recomputes"), *row;
  int rows = -1; /* the heading */
  cr_assert_not_null(list);
  const char *end = strstr(list, "</table>");
  for (row = list; (row = strstr(row, "<tr>")) && row < end; row++)
    rows++;
  cr_assert_eq(rows, s.picture.recomputes);
  for (int i = 1; i < s.picture.recomputes; i++)
    cr_assert_leq(s.g->node[s.sequence[s.picture.recompute[i]]].duration,
                  s.g->node[s.sequence[s.picture.recompute[i - 1]]].duration);
  memory_free(s.m);
}

Test(plot, names_are_escaped) {
  struct memory *m = memory_new(NULL);
  struct graph *g = graph_new(m);
  struct error error = {0};
  struct picture p;
  int sequence[] = {0};
  struct graph_node node = {.id = {.text = "<a&\"b\x01\xff>"},
                            .name = "]]><script>",
                            .duration = 1,
                            .size = 1};
  g->name = "a < b & \"c\"";
  graph_add_node(g, &node);
  cr_assert(graph_finish(g, NULL, 0, &error));
  struct picture_request request = {
      .graph = g, .sequence = sequence, .length = 1, .lower_bound = -1};
  cr_assert(picture_make(m, &request, &p, &error));
  struct xml x = xml_parse(m, draw(m, &p, false));
  cr_assert_str_empty(x.error, "%s", x.error);
  cr_assert_str_eq(x.element[1].text, g->name);
  memory_free(m);
}

Test(plot, numbers_have_two_decimals_at_most) {
  static const struct {
    double value;
    const char *text;
  } cases[] = {{0, "0"},        {1, "1"},           {-1.5, "-1.5"},
               {0.126, "0.13"}, {1234.5, "1234.5"}, {-0.001, "0"},
               {2.05, "2.05"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    svg_number(out, cases[i].value);
    fclose(out);
    cr_assert_str_eq(text, cases[i].text, "%g", cases[i].value);
    free(text);
  }
}

Test(plot, empty_graph) {
  struct memory *m = memory_new(NULL);
  struct graph *g = graph_new(m);
  struct error error = {0};
  struct picture p;
  cr_assert(graph_finish(g, NULL, 0, &error));
  struct picture_request request = {.graph = g, .lower_bound = -1};
  cr_assert(picture_make(m, &request, &p, &error));
  struct xml x = xml_parse(m, draw(m, &p, false));
  cr_assert_str_empty(x.error, "%s", x.error);
  memory_free(m);
}
