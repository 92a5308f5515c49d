/* The upper part of the plot: memory over steps. */
#include "graphs/write.h"
#include "solver/plot_private.h"

/* What is drawn: bytes to pixels, and one column a step or a pixel. */
struct scale {
  const struct frame *f;
  int columns, length;
  double most; /* bytes at the top of the frame */
};

static double scale_y(const struct scale *c, double bytes) {
  return c->f->top + c->f->height * (1 - bytes / c->most);
}

static double scale_x(const struct scale *c, int column) {
  return c->f->left + c->f->width * column / (c->columns ? c->columns : 1);
}

static int first_step(const struct scale *c, int column) {
  return (int)((int64_t)column * c->length / c->columns);
}

/* The highest value among a column's steps, and its step. */
static int64_t highest(const struct scale *c, const int64_t *value, int column,
                       int *step) {
  *step = first_step(c, column);
  for (int k = *step + 1; k < first_step(c, column + 1); k++)
    if (value[k] > value[*step])
      *step = k;
  return value[*step];
}

static void profile(struct svg *s, const struct scale *c, const int64_t *value,
                    const char *class_name, bool area) {
  int step;
  svg_path_start(s, class_name);
  if (area)
    svg_move(s, scale_x(c, 0), scale_y(c, 0));
  for (int i = 0; i < c->columns; i++) {
    double y = scale_y(c, (double)highest(c, value, i, &step));
    if (i || area)
      svg_line_to(s, scale_x(c, i), y);
    else
      svg_move(s, scale_x(c, i), y);
    svg_line_to(s, scale_x(c, i + 1), y);
  }
  if (area)
    svg_line_to(s, scale_x(c, c->columns), scale_y(c, 0));
  svg_path_end(s);
}

static void byte_axis(struct svg *s, const struct scale *c) {
  double unit;
  const char *name = plot_unit((int64_t)c->most, &unit);
  double top = c->most / unit, step = 1;
  if (top < 5) /* fractions of the unit */
    step = (double)plot_tick(top * 100, 8) / 100;
  else
    step = (double)plot_tick(top, 8);
  int decimals = step >= 1 ? 0 : step >= 0.1 ? 1 : 2;
  for (int i = 0; i * step <= top; i++) {
    double y = scale_y(c, i * step * unit);
    svg_line(s, "grid", c->f->left, y, c->f->left + c->f->width, y);
    svg_text(s, "tick", "end", c->f->left - 8, y + 4, "%.*f", decimals,
             i * step);
  }
  svg_text(s, "axis", "end", c->f->left - 8, c->f->top - 8, "%s", name);
}

static void budget_line(struct svg *s, const struct scale *c,
                        const struct picture *p) {
  char bytes[16];
  double y = scale_y(c, (double)p->request.budget), x = c->f->left;
  if (!p->request.limited || y < c->f->top)
    return;
  svg_line(s, "budget", x, y, x + c->f->width, y);
  svg_text(s, "budget-text", "start", x + 6, y - 5, "budget %s",
           graph_bytes_text(p->request.budget, bytes));
}

static void peak_mark(struct svg *s, const struct scale *c,
                      const struct picture *p) {
  char bytes[16], title[200];
  double x = frame_x(c->f, p->peak_step, c->length) +
             c->f->width / c->length / 2,
         y = scale_y(c, (double)p->peak);
  graph_bytes_text(p->peak, bytes);
  snprintf(title, sizeof title, "peak %lld bytes (%s) at step %d",
           (long long)p->peak, bytes, p->peak_step);
  svg_circle(s, "peak", x, y, 4, title);
  double room = 100, right = c->f->left + c->f->width - room;
  double middle = x < c->f->left + room ? c->f->left + room
                  : x > right           ? right
                                        : x;
  svg_text(s, "peak-text", "middle", middle, y + 22, "peak %s at step %d",
           bytes, p->peak_step);
}

/* Small triangles below the frame where something is recomputed. */
static void recompute_marks(struct svg *s, const struct scale *c,
                            const struct picture *p) {
  double y = c->f->top + c->f->height;
  if (!p->recomputes)
    return;
  svg_path_start(s, "mark");
  for (int i = 0; i < p->recomputes; i++) {
    double x =
        frame_x(c->f, p->recompute[i], c->length) + c->f->width / c->length / 2;
    svg_move(s, x, y + 2);
    svg_line_to(s, x + 3, y + 8);
    svg_line_to(s, x - 3, y + 8);
  }
  svg_path_end(s);
}

/* Invisible columns that carry what a pointer is told. */
static void hover_columns(struct svg *s, const struct scale *c,
                          const struct picture *p) {
  const struct graph *g = p->request.graph;
  char title[400], now[16], then[16], id[80];
  svg_group(s, "hit");
  for (int i = 0; i < c->columns; i++) {
    int k;
    highest(c, p->memory, i, &k);
    int v = p->request.sequence[k];
    snprintf(title, sizeof title,
             "step %d computes %.120s%s\n%s held (%lld bytes)\n"
             "input order %s: %s",
             k, picture_label(g, v, id, sizeof id),
             p->number[k] > 1 ? " again" : "",
             graph_bytes_text(p->memory[k], now), (long long)p->memory[k],
             p->in_order ? "at this stage" : "here",
             graph_bytes_text(p->behind[k], then));
    svg_rect(s, NULL, scale_x(c, i), c->f->top,
             scale_x(c, i + 1) - scale_x(c, i), c->f->height, title);
  }
  svg_group_end(s);
}

void plot_memory(struct svg *s, const struct frame *f, const struct picture *p,
                 struct memory *scratch) {
  int length = p->request.length;
  (void)scratch;
  struct scale c = {.f = f, .length = length};
  c.columns = length < (int)f->width ? length : (int)f->width;
  double most = (double)(p->peak > p->base_peak ? p->peak : p->base_peak);
  if (p->request.limited && (double)p->request.budget < 1.4 * most &&
      (double)p->request.budget > most)
    most = (double)p->request.budget;
  c.most = most > 0 ? most * 1.1 : 1;
  byte_axis(s, &c);
  plot_step_axis(s, f, length, false);
  if (length) {
    profile(s, &c, p->behind, "behind", true);
    profile(s, &c, p->memory, "memory", true);
    profile(s, &c, p->behind, "behind-line", false);
    profile(s, &c, p->memory, "memory-line", false);
  }
  if (p->request.graph->fixed_memory > 0) {
    double y = scale_y(&c, (double)p->request.graph->fixed_memory);
    svg_rect(s, "fixed", f->left, y, f->width, f->top + f->height - y,
             "held throughout");
    svg_text(s, "fixed-text", "start", f->left + 6, f->top + f->height - 6,
             "fixed memory");
  }
  svg_line(s, "rim", f->left, f->top + f->height, f->left + f->width,
           f->top + f->height);
  budget_line(s, &c, p);
  if (!length)
    return;
  recompute_marks(s, &c, p);
  hover_columns(s, &c, p);
  peak_mark(s, &c, p);
}
