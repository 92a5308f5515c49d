/* The picture of a schedule as SVG: memory over steps above, retention
 * intervals below, one axis of steps for both.
 *
 *     title, figures, legend
 *     bytes |   ....__....      - - - - - - budget
 *           | __/##########\__             ## schedule
 *           |/##############  \_           .. input order behind it
 *           +---^---^-------------         ^ a recompute
 *     rows  | ==
 *           |  ====      ##
 *           |    ========
 *           +---------------------- steps
 *
 * Legible from 10 to 1000 nodes as they are; with more rows than fit, rows
 * are drawn in bands whose shade tells the share of the band's bytes that is
 * held, and with more steps than pixels a pixel shows the highest memory of
 * its steps (so peaks are never lost).  Colours follow the reader's preference
 * for light or dark.  Shapes carry titles: rest the pointer on one.
 */
#ifndef MOCCASIN_PLOT_H
#define MOCCASIN_PLOT_H

#include "solver/picture.h"

#include <stdio.h>

enum plot_parts { PLOT_ALL, PLOT_MEMORY, PLOT_INTERVALS };

/* STATUS_RESOURCES if the stream fails. O(rows + steps) shapes, bounded by
 * pixels beyond 1500 rows; temporary arrays are from `scratch`. */
bool plot_write(const struct picture *p, enum plot_parts parts, FILE *out,
                struct memory *scratch, struct error *error);

/* One self-contained HTML file: figures, both plots, what is held at the peak
 * and the recomputes by cost. */
bool report_write(const struct picture *p, FILE *out, struct memory *scratch,
                  struct error *error);

#endif
