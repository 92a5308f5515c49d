#include "solver/plot.h"

#include "graphs/write.h"
#include "solver/plot_private.h"

#include <math.h>
#include <string.h>

/* Light by default, dark where the reader prefers it. */
static const char style[] =
    "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,"
    "'DejaVu Sans',sans-serif;fill:#1f2933}\n"
    ".page{fill:#fff}\n"
    ".title{font-size:20px;font-weight:600}\n"
    ".figures{font-size:13px}\n"
    ".tick,.axis,.key{font-size:11px;fill:#5b6773}\n"
    ".grid{stroke:#e6eaee;stroke-width:1}\n"
    ".rim{stroke:#9aa5b1;stroke-width:1}\n"
    ".behind{fill:#cdd4db}\n"
    ".behind-line{fill:none;stroke:#8894a0;stroke-width:1}\n"
    ".memory{fill:#3b7dd8;fill-opacity:.72}\n"
    ".memory-line{fill:none;stroke:#1f5fb8;stroke-width:1.2}\n"
    ".fixed{fill:#12345c;fill-opacity:.35}\n"
    ".fixed-text{font-size:11px;fill:#fff}\n"
    ".budget{stroke:#cf222e;stroke-width:1.5;stroke-dasharray:7 4}\n"
    ".budget-text{font-size:12px;font-weight:600;fill:#cf222e}\n"
    ".peak{fill:#fff;stroke:#1f2933;stroke-width:1.5}\n"
    ".peak-text{font-size:12px;font-weight:600;stroke:#fff;stroke-width:3px;"
    "stroke-opacity:.75;paint-order:stroke}\n"
    ".mark{fill:#e8590c}\n"
    ".gap{stroke:#e8590c;stroke-width:1;stroke-dasharray:2 3;"
    "stroke-opacity:.55}\n"
    ".b1{fill:#3b7dd8;fill-opacity:.32}\n.b2{fill:#3b7dd8;fill-opacity:.52}\n"
    ".b3{fill:#3b7dd8;fill-opacity:.76}\n.b4{fill:#1f5fb8}\n"
    ".r1{fill:#f08c3c;fill-opacity:.7}\n.r2{fill:#f08c3c;fill-opacity:.85}\n"
    ".r3{fill:#ef7d22}\n.r4{fill:#e8590c}\n"
    ".hit rect{fill:#000;fill-opacity:0}\n"
    ".hit rect:hover{fill-opacity:.12}\n"
    "@media (prefers-color-scheme:dark){\n"
    "text{fill:#e4e7eb}\n.page{fill:#15181d}\n"
    ".tick,.axis,.key{fill:#9aa5b1}\n"
    ".grid{stroke:#2a3038}\n.rim{stroke:#5b6773}\n"
    ".behind{fill:#39424d}\n.behind-line{stroke:#7b8794}\n"
    ".memory{fill:#5b9bf0;fill-opacity:.66}\n.memory-line{stroke:#8fbcf7}\n"
    ".fixed{fill:#bcd6f7;fill-opacity:.3}\n"
    ".budget{stroke:#ff6b6b}\n.budget-text{fill:#ff6b6b}\n"
    ".peak{fill:#15181d;stroke:#e4e7eb}\n.peak-text{stroke:#15181d}\n"
    ".b1,.b2,.b3{fill:#5b9bf0}\n.b4{fill:#a3cbff}\n"
    ".mark{fill:#ff9d45}\n.gap{stroke:#ff9d45}\n"
    ".r1,.r2{fill:#ff9d45}\n.r3{fill:#ffab5e}\n.r4{fill:#ffc78f}\n"
    ".hit rect{fill:#fff}\n"
    "}\n";

int64_t plot_tick(double most, int wanted) {
  double step = 1;
  static const double grow[] = {2, 2.5, 2}; /* 1, 2, 5, 10 */
  for (int i = 0; most / step > wanted && step < 1e17; i++)
    step *= grow[i % 3];
  return (int64_t)step;
}

const char *plot_unit(int64_t most, double *bytes) {
  static const char *const name[] = {"bytes", "KiB", "MiB", "GiB",
                                     "TiB",   "PiB", "EiB"};
  int u = 0;
  *bytes = 1;
  for (; u < 6 && (double)most / *bytes >= 2048; u++)
    *bytes *= 1024;
  return name[u];
}

void plot_step_axis(struct svg *s, const struct frame *f, int length,
                    bool numbers) {
  int64_t step = plot_tick(length, 12);
  double bottom = f->top + f->height;
  for (int64_t k = 0; k < length; k += step) {
    double x = frame_x(f, (int)k, length);
    svg_line(s, "grid", x, f->top, x, bottom);
    if (numbers)
      svg_text(s, "tick", "middle", x, bottom + 16, "%lld", (long long)k);
  }
  if (numbers)
    svg_text(s, "axis", "end", f->left + f->width, bottom + 32, "step");
}

/* ---- title and legend --------------------------------------------------- */

static double percent(int64_t value, int64_t base) {
  return base ? 100.0 * (double)value / (double)base : 100.0;
}

static void write_figures(struct svg *s, const struct picture *p) {
  const struct picture_request *r = &p->request;
  char peak[16], base[16], line[400];
  int used = snprintf(line, sizeof line,
                      "Peak %s (%lld bytes), %.2f %% of the input order's %s",
                      graph_bytes_text(p->peak, peak), (long long)p->peak,
                      percent(p->peak, p->base_peak),
                      graph_bytes_text(p->base_peak, base));
  if (r->limited)
    snprintf(line + used, sizeof line - (size_t)used,
             "; budget %s (%lld bytes)", graph_bytes_text(r->budget, peak),
             (long long)r->budget);
  svg_text(s, "figures", "start", 24, 60, "%s", line);
  used = snprintf(line, sizeof line,
                  "Duration %lld, %+.4f %% over computing every node once "
                  "(%lld more)",
                  (long long)p->duration, picture_increase(p),
                  (long long)(p->duration - p->base_duration));
  if (r->optimal)
    snprintf(line + used, sizeof line - (size_t)used, "; proven optimal");
  else if (r->lower_bound > p->base_duration)
    snprintf(line + used, sizeof line - (size_t)used,
             "; at least %lld is proven needed", (long long)r->lower_bound);
  svg_text(s, "figures", "start", 24, 80, "%s", line);
}

static void write_header(struct svg *s, const struct picture *p,
                         const char *name) {
  svg_text(s, "title", "start", 24, 36,
           "%.60s: %d nodes, %d edges, %d recompute%s", name, p->rows,
           p->request.graph->edge_count, p->recomputes,
           p->recomputes == 1 ? "" : "s");
  write_figures(s, p);
}

/* Rows of samples that end near the right margin. */
static void memory_legend(struct svg *s, double y, bool fits) {
  double x = PLOT_WIDTH - PLOT_RIGHT - 420;
  svg_rect(s, "memory", x, y - 9, 14, 10, NULL);
  svg_text(s, "key", "start", x + 19, y, "this schedule");
  svg_rect(s, "behind", x + 108, y - 9, 14, 10, NULL);
  svg_text(s, "key", "start", x + 127, y,
           fits ? "input order, at the same first compute"
                : "input order, stretched");
  svg_path_start(s, "mark");
  svg_move(s, x + 355, y - 8);
  svg_line_to(s, x + 358, y - 2);
  svg_line_to(s, x + 352, y - 2);
  svg_path_end(s);
  svg_text(s, "key", "start", x + 362, y, "recompute");
}

static void interval_legend(struct svg *s, double y, const struct picture *p) {
  static const char *const text[] = {"to 5 %", "to 20 %", "to 50 %",
                                     "over 50 %"};
  static const char *const share[] = {"to 25 %", "to 50 %", "to 75 %",
                                      "over 75 %"};
  bool banded = p->rows > PLOT_MOST_ROWS;
  double x = PLOT_WIDTH - PLOT_RIGHT - 410;
  char class_name[4] = "b1", size[16];
  if (banded)
    svg_text(s, "key", "end", x - 8, y, "held share of each band of %d rows:",
             (p->rows + PLOT_BAND_PIXELS - 1) / PLOT_BAND_PIXELS);
  else
    svg_text(s, "key", "end", x - 8, y,
             "size relative to the largest tensor (%s):",
             graph_bytes_text(p->largest, size));
  for (int i = 0; i < 4; i++) {
    class_name[1] = (char)('1' + i);
    svg_rect(s, class_name, x + 76 * i, y - 9, 14, 10, NULL);
    svg_text(s, "key", "start", x + 76 * i + 19, y, "%s",
             banded ? share[i] : text[i]);
  }
  svg_rect(s, banded ? "mark" : "r3", x + 322, y - 9, 14, 10, NULL);
  svg_text(s, "key", "start", x + 341, y, "recomputed");
}

/* The costliest recomputes, in the corner that the diagonal leaves empty. */
static void list_recomputes(struct svg *s, const struct frame *f,
                            const struct picture *p) {
  enum { SHOWN = 8, LINE = 18 };
  const struct graph *g = p->request.graph;
  int count = p->recomputes < SHOWN ? p->recomputes : SHOWN;
  double y = f->top + f->height - LINE * count - 14, x = f->left + 16;
  char id[80], size[16];
  if (!count || f->height < 360)
    return;
  svg_text(s, "figures", "start", x, y, "%s",
           count < p->recomputes ? "Costliest recomputes" : "Recomputes");
  for (int i = 0; i < count; i++) {
    int k = p->recompute[i], v = p->request.sequence[k];
    svg_text(s, "key", "start", x, y + LINE * (i + 1),
             "%.40s at step %d: duration %lld (%.4f %%), %s",
             picture_label(g, v, id, sizeof id), k,
             (long long)g->node[v].duration,
             p->base_duration ? 100.0 * (double)g->node[v].duration /
                                    (double)p->base_duration
                              : 0.0,
             graph_bytes_text(g->node[v].size, size));
  }
}

/* ---- layout ------------------------------------------------------------- */

/* Room for the names of rows, where they are shown. */
static double left_margin(const struct picture *p) {
  size_t longest = 0;
  char id[80];
  if (!p->rows || plot_intervals_height(p) / p->rows < 10)
    return 76;
  for (int v = 0; v < p->rows; v++) {
    size_t length = strlen(picture_label(p->request.graph, v, id, sizeof id));
    longest = length > longest ? length : longest;
  }
  longest = longest > 24 ? 24 : longest;
  double wanted = 24 + 6.6 * (double)longest;
  return wanted < 76 ? 76 : wanted;
}

bool plot_write(const struct picture *p, enum plot_parts parts, FILE *out,
                struct memory *scratch, struct error *error) {
  const char *name =
      p->request.graph->name[0] ? p->request.graph->name : "graph";
  struct frame memory = {.left = left_margin(p), .top = 128, .height = 280};
  memory.width = PLOT_WIDTH - PLOT_RIGHT - memory.left;
  struct frame intervals = memory;
  intervals.top = parts == PLOT_INTERVALS ? 128 : memory.top + 280 + 56;
  intervals.height = plot_intervals_height(p);
  double bottom = parts == PLOT_MEMORY ? memory.top + memory.height + 24
                                       : intervals.top + intervals.height + 44;
  struct svg s = svg_open(out, PLOT_WIDTH, bottom, name, style);
  write_header(&s, p, name);
  if (parts != PLOT_INTERVALS) {
    memory_legend(&s, memory.top - 8, p->in_order);
    plot_memory(&s, &memory, p, scratch);
  }
  if (parts != PLOT_MEMORY) {
    interval_legend(&s, intervals.top - 10, p);
    plot_intervals(&s, &intervals, p, scratch);
    list_recomputes(&s, &intervals, p);
  }
  return svg_close(&s) ||
         error_set(error, STATUS_RESOURCES, "the plot cannot be written");
}
