/* Shared by the parts of the plot: where things are, in pixels. */
#ifndef MOCCASIN_PLOT_PRIVATE_H
#define MOCCASIN_PLOT_PRIVATE_H

#include "solver/picture.h"
#include "solver/svg.h"

enum {
  PLOT_WIDTH = 1200,
  PLOT_RIGHT = 24,       /* margin */
  PLOT_MOST_ROWS = 1500, /* a row of its own up to here */
  PLOT_BAND_PIXELS = 720
};

/* A frame for data: pixels of its left, top, width and height. */
struct frame {
  double left, top, width, height;
};

/* The left edge of a step; step `length` is the right edge of the frame. */
static inline double frame_x(const struct frame *f, int step, int length) {
  return f->left + f->width * step / (length ? length : 1);
}

/* A step between ticks, 1, 2 or 5 times a power of ten and at least 1, that
 * divides 0..most into about `wanted` parts. */
int64_t plot_tick(double most, int wanted);

/* The unit for an axis of bytes up to `most`: its name and size. */
const char *plot_unit(int64_t most, double *bytes);

/* Numbers of steps below a frame, with grid lines across it. */
void plot_step_axis(struct svg *s, const struct frame *f, int length,
                    bool numbers);

/* Memory over steps (plot_memory.c). */
void plot_memory(struct svg *s, const struct frame *f, const struct picture *p,
                 struct memory *scratch);

/* Retention intervals (plot_intervals.c), and how high they want to be. */
void plot_intervals(struct svg *s, const struct frame *f,
                    const struct picture *p, struct memory *scratch);
double plot_intervals_height(const struct picture *p);

/* Shade 1..4 of a tensor of this size (plot_intervals.c). */
int plot_shade(int64_t size, int64_t largest);

#endif
