/* The lower part of the plot: retention intervals, a row a node. */
#include "graphs/write.h"
#include "solver/plot_private.h"

#include <math.h>

enum { SHADES = 4 };

int plot_shade(int64_t size, int64_t largest) {
  double share = largest > 0 ? (double)size / (double)largest : 0;
  return share > 0.5 ? 4 : share > 0.2 ? 3 : share > 0.05 ? 2 : 1;
}

static double row_height(const struct picture *p) {
  double height = floor(720.0 / (p->rows ? p->rows : 1));
  return height > 20 ? 20 : height < 1 ? 1 : height;
}

double plot_intervals_height(const struct picture *p) {
  return p->rows > PLOT_MOST_ROWS ? PLOT_BAND_PIXELS
         : p->rows                ? row_height(p) * p->rows
                                  : 20;
}

/* Names where rows are high enough, else numbers of rows. */
static void row_axis(struct svg *s, const struct frame *f,
                     const struct picture *p) {
  double height = f->height / (p->rows ? p->rows : 1);
  char id[80];
  if (height >= 10) {
    for (int r = 0; r < p->rows; r++)
      svg_text(s, "tick", "end", f->left - 8, f->top + height * (r + 0.5) + 4,
               "%.*s", 24,
               picture_label(p->request.graph, p->node_of[r], id, sizeof id));
    return;
  }
  int64_t step = plot_tick(p->rows, 8);
  for (int64_t r = 0; r < p->rows; r += step) {
    double y = f->top + height * (double)r;
    svg_line(s, "grid", f->left, y, f->left + f->width, y);
    svg_text(s, "tick", "end", f->left - 8, y + 4, "%lld", (long long)r);
  }
  svg_text(s, "axis", "end", f->left - 8, f->top - 8, "node");
}

static void describe(const struct picture *p, int k, char *text,
                     size_t capacity) {
  const struct graph *g = p->request.graph;
  const struct graph_node *node = &g->node[p->request.sequence[k]];
  char id[80], label[80], size[16];
  snprintf(text, capacity,
           "%.120s (node %.80s)%s\nheld in steps %d to %d\n%s (%lld bytes), "
           "duration %lld",
           picture_label(g, p->request.sequence[k], label, sizeof label),
           graph_id_text(node->id, id, sizeof id),
           p->number[k] > 1 ? ", recomputed" : "", k, p->end[k],
           graph_bytes_text(node->size, size), (long long)node->size,
           (long long)node->duration);
}

/* One bar an instance. */
static void bars(struct svg *s, const struct frame *f,
                 const struct picture *p) {
  static const char *const first[] = {"b1", "b2", "b3", "b4"};
  static const char *const again[] = {"r1", "r2", "r3", "r4"};
  const struct graph *g = p->request.graph;
  int length = p->request.length;
  double height = row_height(p), gap = height >= 6 ? 2 : height >= 3 ? 1 : 0;
  char title[500];
  for (int k = 0; k < length; k++) {
    int v = p->request.sequence[k];
    double y = f->top + height * p->row_of[v], x = frame_x(f, k, length);
    if (p->previous[k] >= 0) {
      double from = frame_x(f, p->end[p->previous[k]] + 1, length);
      svg_line(s, "gap", from, y + height / 2, x, y + height / 2);
    }
  }
  for (int k = 0; k < length; k++) {
    int v = p->request.sequence[k];
    int shade = plot_shade(g->node[v].size, p->largest) - 1;
    double x = frame_x(f, k, length),
           width = frame_x(f, p->end[k] + 1, length) - x;
    describe(p, k, title, sizeof title);
    svg_rect(s, p->number[k] > 1 ? again[shade] : first[shade], x,
             f->top + height * p->row_of[v] + gap / 2,
             width < 1.5 ? 1.5 : width, height - gap, title);
  }
  if (height < 5)
    for (int i = 0; i < p->recomputes; i++) {
      int k = p->recompute[i];
      describe(p, k, title, sizeof title);
      svg_circle(s, "mark", frame_x(f, k, length),
                 f->top + height * (p->row_of[p->request.sequence[k]] + 0.5),
                 2.5, title);
    }
}

/* ---- bands -------------------------------------------------------------- */

/* Many rows: cells of one pixel; a cell's bytes relative to its band's. */
struct bands {
  int count, columns;
  double *held;  /* per cell, as differences along the columns until summed */
  double *total; /* per band */
  bool *again;   /* per cell: a recompute begins there */
};

static int scaled(int64_t i, int parts, int whole) {
  return (int)(i * parts / (whole ? whole : 1));
}

static struct bands fill_bands(const struct frame *f, const struct picture *p,
                               struct memory *m) {
  const struct graph *g = p->request.graph;
  int length = p->request.length, width = (int)f->width;
  struct bands b = {.count = PLOT_BAND_PIXELS,
                    .columns = length < width ? length : width};
  size_t row = (size_t)b.columns + 1;
  b.held = MEMORY_ARRAY(m, double, (size_t)b.count *row);
  b.again = MEMORY_ARRAY(m, bool, (size_t)b.count *row);
  b.total = MEMORY_ARRAY(m, double, b.count);
  for (int v = 0; v < p->rows; v++)
    b.total[scaled(p->row_of[v], b.count, p->rows)] += (double)g->node[v].size;
  for (int k = 0; k < length; k++) {
    int v = p->request.sequence[k];
    size_t band = (size_t)scaled(p->row_of[v], b.count, p->rows);
    size_t from = (size_t)scaled(k, b.columns, length);
    size_t to = (size_t)scaled(p->end[k], b.columns, length);
    b.held[band * row + from] += (double)g->node[v].size;
    b.held[band * row + to + 1] -= (double)g->node[v].size;
    if (p->number[k] > 1)
      b.again[band * row + from] = true;
  }
  for (size_t band = 0; band < (size_t)b.count; band++)
    for (size_t c = 1; c < row; c++)
      b.held[band * row + c] += b.held[band * row + c - 1];
  return b;
}

static int cell_shade(const struct bands *b, int band, int column) {
  double share =
      b->total[band] > 0
          ? b->held[(size_t)band * ((size_t)b->columns + 1) + (size_t)column] /
                b->total[band]
          : 0;
  return share > 0.75 ? 4 : share > 0.5 ? 3 : share > 0.25 ? 2 : share > 1e-9;
}

/* Runs of cells of one shade as boxes of one path. */
static void band_shade(struct svg *s, const struct frame *f,
                       const struct bands *b, int shade) {
  static const char *const class_name[] = {"b1", "b2", "b3", "b4"};
  double width = f->width / b->columns, height = f->height / b->count;
  svg_path_start(s, class_name[shade - 1]);
  for (int band = 0; band < b->count; band++)
    for (int c = 0, end; c < b->columns; c = end) {
      bool inside = cell_shade(b, band, c) == shade;
      for (end = c + 1; end < b->columns; end++)
        if ((cell_shade(b, band, end) == shade) != inside)
          break;
      if (inside)
        svg_box(s, f->left + c * width, f->top + band * height,
                (end - c) * width, height);
    }
  svg_path_end(s);
}

/* Dots that overlap a little; a cell has at most one. */
static void band_recomputes(struct svg *s, const struct frame *f,
                            const struct bands *b) {
  double width = f->width / b->columns, height = f->height / b->count;
  svg_path_start(s, "mark");
  for (int band = 0; band < b->count; band++)
    for (int c = 0; c < b->columns; c++)
      if (b->again[(size_t)band * ((size_t)b->columns + 1) + (size_t)c])
        svg_box(s, f->left + c * width - 1.5, f->top + band * height - 1.5, 4,
                4);
  svg_path_end(s);
}

void plot_intervals(struct svg *s, const struct frame *f,
                    const struct picture *p, struct memory *scratch) {
  plot_step_axis(s, f, p->request.length, true);
  row_axis(s, f, p);
  if (p->rows <= PLOT_MOST_ROWS) {
    bars(s, f, p);
    return;
  }
  struct bands b = fill_bands(f, p, scratch);
  for (int shade = 1; shade <= SHADES; shade++)
    band_shade(s, f, &b, shade);
  band_recomputes(s, f, &b);
  memory_put(scratch, b.total);
  memory_put(scratch, b.again);
  memory_put(scratch, b.held);
}
