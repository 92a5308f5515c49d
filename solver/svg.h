/* A small SVG 1.1 writer: shapes with a class, styled by one style sheet.
 *
 *     struct svg s = svg_open(file, 300, 200, css);
 *     svg_rect(&s, "bar", 10, 10, 80, 12, "conv1: 3 MiB");
 *     svg_path_start(&s, "area");
 *     svg_move(&s, 0, 100);
 *     svg_line_to(&s, 50, 20);
 *     svg_path_end(&s);
 *     ok = svg_close(&s);
 *
 * Coordinates are pixels, y downwards, written with at most two decimals and
 * independent of the locale.  Texts are escaped; what XML cannot hold becomes
 * U+FFFD.  A title is what viewers show when the pointer rests on a shape.
 */
#ifndef MOCCASIN_SVG_H
#define MOCCASIN_SVG_H

#include <stdbool.h>
#include <stdio.h>

struct svg {
  FILE *out;
  double width, height;
};

/* `css` is trusted text without markup; `name` (may be "") is the picture's
 * title for screen readers. */
struct svg svg_open(FILE *out, double width, double height, const char *name,
                    const char *css);
/* False if the stream has failed. */
bool svg_close(struct svg *s);

void svg_group(struct svg *s, const char *class_name);
void svg_group_end(struct svg *s);

/* `title` may be NULL. */
void svg_rect(struct svg *s, const char *class_name, double x, double y,
              double width, double height, const char *title);
void svg_circle(struct svg *s, const char *class_name, double x, double y,
                double radius, const char *title);
void svg_line(struct svg *s, const char *class_name, double x1, double y1,
              double x2, double y2);

/* `anchor`: "start", "middle" or "end". */
void svg_text(struct svg *s, const char *class_name, const char *anchor,
              double x, double y, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 6, 7)))
#endif
    ;

void svg_path_start(struct svg *s, const char *class_name);
void svg_move(struct svg *s, double x, double y);
void svg_line_to(struct svg *s, double x, double y);
/* A closed rectangle as part of a path: far shorter than an element each. */
void svg_box(struct svg *s, double x, double y, double width, double height);
void svg_path_end(struct svg *s);

/* Texts for HTML and XML, escaped. */
void svg_escape(FILE *out, const char *text);

/* A coordinate: at most two decimals, no trailing zeros. */
void svg_number(FILE *out, double value);

#endif
