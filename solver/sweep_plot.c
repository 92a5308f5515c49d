/* The curve of a sweep as SVG. */
#include "graphs/write.h"
#include "solver/plot_private.h"
#include "solver/sweep.h"

#include <math.h>
#include <string.h>

static const char style[] =
    "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,"
    "'DejaVu Sans',sans-serif;fill:#1f2933}\n"
    ".page{fill:#fff}\n"
    ".title{font-size:20px;font-weight:600}\n.figures{font-size:13px}\n"
    ".tick,.axis,.key{font-size:11px;fill:#5b6773}\n"
    ".grid{stroke:#e6eaee}\n.rim{stroke:#9aa5b1}\n"
    ".never{fill:#cf222e;fill-opacity:.1}\n"
    ".never-text{font-size:12px;fill:#cf222e}\n"
    ".line0{fill:none;stroke:#1f5fb8;stroke-width:2}\n"
    ".bound0{fill:none;stroke:#1f5fb8;stroke-width:1;"
    "stroke-dasharray:3 3}\n"
    ".gap0{fill:#3b7dd8;fill-opacity:.14}\n"
    ".dot0{fill:#fff;stroke:#1f5fb8;stroke-width:1.8}\n"
    ".best0{fill:#1f5fb8}\n"
    ".line1{fill:none;stroke:#1a7f37;stroke-width:2}\n"
    ".bound1{fill:none;stroke:#1a7f37;stroke-width:1;"
    "stroke-dasharray:3 3}\n"
    ".gap1{fill:#2da44e;fill-opacity:.14}\n"
    ".dot1{fill:#fff;stroke:#1a7f37;stroke-width:1.8}\n"
    ".best1{fill:#1a7f37}\n"
    "@media (prefers-color-scheme:dark){\n"
    "text{fill:#e4e7eb}\n.page{fill:#15181d}\n"
    ".tick,.axis,.key{fill:#9aa5b1}\n.grid{stroke:#2a3038}\n"
    ".never{fill:#ff6b6b}\n.never-text{fill:#ff6b6b}\n"
    ".line0,.bound0,.dot0{stroke:#5b9bf0}\n.best0{fill:#5b9bf0}\n"
    ".line1,.bound1,.dot1{stroke:#56d27a}\n.best1{fill:#56d27a}\n"
    ".dot0,.dot1{fill:#15181d}\n"
    "}\n";

/* Budgets in percent of the baseline peak across, duration increase up. */
struct chart {
  struct frame f;
  double low, high, most; /* percent */
  int64_t peak, duration; /* of the baseline */
};

static double budget_percent(const struct chart *c, int64_t bytes) {
  return c->peak ? 100.0 * (double)bytes / (double)c->peak : 100.0;
}

static double increase(const struct chart *c, int64_t duration) {
  return c->duration
             ? 100.0 * (double)(duration - c->duration) / (double)c->duration
             : 0.0;
}

static double at_x(const struct chart *c, int64_t budget) {
  return c->f.left +
         c->f.width * (budget_percent(c, budget) - c->low) / (c->high - c->low);
}

static double at_y(const struct chart *c, int64_t duration) {
  return c->f.top + c->f.height * (1 - increase(c, duration) / c->most);
}

/* 1, 2 or 5 times a power of ten that divides `span` into about `wanted`. */
static double nice(double span, int wanted) {
  double step = pow(10, floor(log10(span / wanted)));
  return span / step / 5 > wanted   ? 10 * step
         : span / step / 2 > wanted ? 5 * step
         : span / step > wanted     ? 2 * step
                                    : step;
}

static void axes(struct svg *s, const struct chart *c) {
  double step = nice(c->most, 7), bottom = c->f.top + c->f.height;
  int decimals = step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 4;
  char size[16];
  for (int i = 0; i * step <= c->most; i++) {
    double y = bottom - c->f.height * i * step / c->most;
    svg_line(s, "grid", c->f.left, y, c->f.left + c->f.width, y);
    svg_text(s, "tick", "end", c->f.left - 8, y + 4, "%.*f %%", decimals,
             i * step);
  }
  step = nice(c->high - c->low, 10);
  decimals = step >= 1 ? 0 : step >= 0.1 ? 1 : 2;
  for (double at = ceil(c->low / step) * step; at <= c->high + 1e-9;
       at += step) {
    double x = c->f.left + c->f.width * (at - c->low) / (c->high - c->low);
    svg_line(s, "grid", x, c->f.top, x, bottom);
    svg_text(s, "tick", "middle", x, bottom + 16, "%.*f %%", decimals, at);
    svg_text(s, "tick", "middle", x, bottom + 31, "%s",
             graph_bytes_text((int64_t)((double)c->peak * at / 100), size));
  }
  svg_line(s, "rim", c->f.left, bottom, c->f.left + c->f.width, bottom);
  svg_text(s, "axis", "start", c->f.left, c->f.top - 10,
           "duration over computing every node once");
  svg_text(s, "axis", "end", c->f.left + c->f.width, bottom + 48,
           "budget, percent of the input order's peak");
}

/* Steps to the right of each schedule: it serves up to the next one. */
static void duration_line(struct svg *s, const struct chart *c,
                          const struct sweep *w, bool free_order) {
  double x = 0, y = 0;
  bool begun = false;
  svg_path_start(s, free_order ? "line1" : "line0");
  for (int i = 0; i < w->count; i++) {
    const struct sweep_point *p = &w->point[i];
    if (p->free_order != free_order || !p->length)
      continue;
    x = at_x(c, p->budget);
    if (begun)
      svg_line_to(s, x, y);
    y = at_y(c, p->duration);
    if (begun)
      svg_line_to(s, x, y);
    else
      svg_move(s, x, y);
    begun = true;
  }
  svg_path_end(s);
}

/* Steps to the left of each bound: it holds down to the next smaller one.
 * With `area`, closed along the schedules: what is not known. */
static void bound_line(struct svg *s, const struct chart *c,
                       const struct sweep *w, bool free_order, bool area) {
  static const char *const name[] = {"bound0", "bound1", "gap0", "gap1"};
  double x = 0, y = 0;
  int first = -1;
  svg_path_start(s, name[free_order + 2 * area]);
  for (int i = 0; i < w->count; i++) {
    const struct sweep_point *p = &w->point[i];
    if (p->free_order != free_order || !p->length)
      continue;
    y = at_y(c, p->lower_bound);
    if (first < 0)
      svg_move(s, at_x(c, p->budget), y);
    else
      svg_line_to(s, x, y);
    x = at_x(c, p->budget);
    svg_line_to(s, x, y);
    first = first < 0 ? i : first;
  }
  for (int i = w->count - 1; area && i >= 0; i--) {
    const struct sweep_point *p = &w->point[i];
    if (p->free_order != free_order || !p->length)
      continue;
    svg_line_to(s, x, at_y(c, p->duration));
    x = at_x(c, p->budget);
    svg_line_to(s, x, at_y(c, p->duration));
  }
  svg_path_end(s);
}

static void dots(struct svg *s, const struct chart *c, const struct sweep *w) {
  static const char *const name[] = {"dot0", "dot1", "best0", "best1"};
  char title[400], budget[16], peak[16];
  for (int i = 0; i < w->count; i++) {
    const struct sweep_point *p = &w->point[i];
    if (!p->length)
      continue;
    bool optimal = sweep_optimal(p);
    snprintf(title, sizeof title,
             "%s order, budget %lld bytes (%s, %.2f %%)\nduration %lld "
             "(%+.4f %%)%s\nlower bound %lld (%+.4f %%)\npeak %s, %d "
             "recomputes",
             p->free_order ? "free" : "input", (long long)p->budget,
             graph_bytes_text(p->budget, budget), budget_percent(c, p->budget),
             (long long)p->duration, increase(c, p->duration),
             optimal ? ", optimal" : "", (long long)p->lower_bound,
             increase(c, p->lower_bound), graph_bytes_text(p->peak, peak),
             p->length - moccasin_nodes(w->graph));
    svg_circle(s, name[p->free_order + 2 * optimal], at_x(c, p->budget),
               at_y(c, p->duration), 4, title);
  }
}

/* Budgets that are proven infeasible for every mode in the picture. */
static void never(struct svg *s, const struct chart *c, const struct sweep *w) {
  int64_t least = moccasin_working_set(w->graph, NULL);
  double x = at_x(c, least);
  if (x <= c->f.left)
    return;
  svg_rect(s, "never", c->f.left, c->f.top, x - c->f.left, c->f.height,
           "below the working set of one node");
  if (x - c->f.left > 70)
    svg_text(s, "never-text", "middle", (x + c->f.left) / 2, c->f.top + 20,
             "infeasible");
}

static void legend(struct svg *s, const struct chart *c, bool free_order,
                   double y) {
  double x = c->f.left + c->f.width - 440;
  static const char *const dot[] = {"dot0", "dot1"};
  static const char *const best[] = {"best0", "best1"};
  static const char *const line[] = {"line0", "line1"};
  static const char *const bound[] = {"bound0", "bound1"};
  svg_line(s, line[free_order], x, y - 4, x + 22, y - 4);
  svg_text(s, "key", "start", x + 28, y, "%s order",
           free_order ? "free" : "input");
  svg_line(s, bound[free_order], x + 110, y - 4, x + 132, y - 4);
  svg_text(s, "key", "start", x + 138, y, "proven lower bound");
  svg_circle(s, best[free_order], x + 266, y - 4, 4, NULL);
  svg_text(s, "key", "start", x + 275, y, "optimal");
  svg_circle(s, dot[free_order], x + 340, y - 4, 4, NULL);
  svg_text(s, "key", "start", x + 349, y, "best found");
}

static struct chart scale(const struct sweep *w) {
  struct chart c = {.f = {.left = 84, .top = 120, .width = 1076, .height = 420},
                    .low = 100,
                    .high = 100,
                    .peak = moccasin_baseline_peak(w->graph),
                    .duration = moccasin_baseline_duration(w->graph)};
  for (int i = 0; i < w->count; i++) {
    const struct sweep_point *p = &w->point[i];
    double at = budget_percent(&c, p->budget);
    c.low = at < c.low ? at : c.low;
    c.high = at > c.high ? at : c.high;
    if (p->length && increase(&c, p->duration) > c.most)
      c.most = increase(&c, p->duration);
  }
  c.most = c.most > 0 ? c.most * 1.06 : 1;
  double pad = (c.high - c.low) * 0.02;
  c.low -= pad > 0 ? pad : 1;
  c.high += pad > 0 ? pad : 1;
  return c;
}

void sweep_write_svg(const struct sweep *w, FILE *out) {
  const struct graph *g = w->graph->graph;
  const char *name = g->name[0] ? g->name : "graph";
  struct chart c = scale(w);
  bool mode[2] = {false, false};
  char size[16];
  for (int i = 0; i < w->count; i++)
    mode[w->point[i].free_order] = true;
  struct svg s = svg_open(out, PLOT_WIDTH, 610, name, style);
  svg_text(&s, "title", "start", 24, 36, "%.60s: time for memory", name);
  svg_text(&s, "figures", "start", 24, 60,
           "%d nodes, %d edges; input order: peak %s (%lld bytes), duration "
           "%lld; at most %d computes a node%s",
           g->node_count, g->edge_count, graph_bytes_text(c.peak, size),
           (long long)c.peak, (long long)c.duration, w->options.max_computes,
           w->options.max_computes ? "" : " (unlimited)");
  never(&s, &c, w);
  axes(&s, &c);
  for (int free_order = 0; free_order < 2; free_order++)
    if (mode[free_order]) {
      bound_line(&s, &c, w, free_order, true);
      bound_line(&s, &c, w, free_order, false);
      duration_line(&s, &c, w, free_order);
      legend(&s, &c, free_order, c.f.top - 28 + 18 * free_order);
    }
  dots(&s, &c, w);
  svg_close(&s);
}
