#include "solver/svg.h"

#include "graphs/utf8.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

void svg_escape(FILE *out, const char *text) {
  size_t length = strlen(text);
  for (size_t i = 0; i < length;) {
    unsigned char c = (unsigned char)text[i];
    size_t bytes = utf8_length(text + i, length - i);
    if (c == '<')
      fputs("&lt;", out);
    else if (c == '>')
      fputs("&gt;", out);
    else if (c == '&')
      fputs("&amp;", out);
    else if (c == '"')
      fputs("&quot;", out);
    else if (!bytes || (c < 32 && c != '\t' && c != '\n'))
      fputs("\xef\xbf\xbd", out);
    else
      fwrite(text + i, 1, bytes, out);
    i += bytes ? bytes : 1;
  }
}

void svg_number(FILE *out, double value) {
  long long hundredths = llround(value * 100);
  unsigned long long size = hundredths < 0
                                ? 0ULL - (unsigned long long)hundredths
                                : (unsigned long long)hundredths;
  fprintf(out, "%s%llu", hundredths < 0 ? "-" : "", size / 100);
  if (size % 100)
    fprintf(out, size % 10 ? ".%02llu" : ".%llu",
            size % 10 ? size % 100 : size % 100 / 10);
}

static void attribute(struct svg *s, const char *name, double value) {
  fprintf(s->out, " %s=\"", name);
  svg_number(s->out, value);
  fputc('"', s->out);
}

static void start(struct svg *s, const char *element, const char *class_name) {
  fprintf(s->out, "<%s", element);
  if (class_name)
    fprintf(s->out, " class=\"%s\"", class_name);
}

static void finish(struct svg *s, const char *element, const char *title) {
  if (!title) {
    fputs("/>\n", s->out);
    return;
  }
  fputs("><title>", s->out);
  svg_escape(s->out, title);
  fprintf(s->out, "</title></%s>\n", element);
}

struct svg svg_open(FILE *out, double width, double height, const char *name,
                    const char *css) {
  struct svg s = {.out = out, .width = width, .height = height};
  fputs("<svg xmlns=\"http://www.w3.org/2000/svg\"", out);
  attribute(&s, "width", width);
  attribute(&s, "height", height);
  fputs(" viewBox=\"0 0 ", out);
  svg_number(out, width);
  fputc(' ', out);
  svg_number(out, height);
  fputs("\" role=\"img\">\n<title>", out);
  svg_escape(out, name);
  fprintf(out, "</title>\n<style>\n%s</style>\n", css);
  svg_rect(&s, "page", 0, 0, width, height, NULL);
  return s;
}

bool svg_close(struct svg *s) {
  fputs("</svg>\n", s->out);
  return !ferror(s->out);
}

void svg_group(struct svg *s, const char *class_name) {
  start(s, "g", class_name);
  fputs(">\n", s->out);
}

void svg_group_end(struct svg *s) {
  fputs("</g>\n", s->out);
}

void svg_rect(struct svg *s, const char *class_name, double x, double y,
              double width, double height, const char *title) {
  start(s, "rect", class_name);
  attribute(s, "x", x);
  attribute(s, "y", y);
  attribute(s, "width", width);
  attribute(s, "height", height);
  finish(s, "rect", title);
}

void svg_circle(struct svg *s, const char *class_name, double x, double y,
                double radius, const char *title) {
  start(s, "circle", class_name);
  attribute(s, "cx", x);
  attribute(s, "cy", y);
  attribute(s, "r", radius);
  finish(s, "circle", title);
}

void svg_line(struct svg *s, const char *class_name, double x1, double y1,
              double x2, double y2) {
  start(s, "line", class_name);
  attribute(s, "x1", x1);
  attribute(s, "y1", y1);
  attribute(s, "x2", x2);
  attribute(s, "y2", y2);
  finish(s, "line", NULL);
}

void svg_text(struct svg *s, const char *class_name, const char *anchor,
              double x, double y, const char *format, ...) {
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  start(s, "text", class_name);
  if (strcmp(anchor, "start") != 0)
    fprintf(s->out, " text-anchor=\"%s\"", anchor);
  attribute(s, "x", x);
  attribute(s, "y", y);
  fputc('>', s->out);
  svg_escape(s->out, text);
  fputs("</text>\n", s->out);
}

void svg_path_start(struct svg *s, const char *class_name) {
  start(s, "path", class_name);
  fputs(" d=\"", s->out);
}

static void point(struct svg *s, char command, double x, double y) {
  fputc(command, s->out);
  svg_number(s->out, x);
  fputc(' ', s->out);
  svg_number(s->out, y);
}

void svg_move(struct svg *s, double x, double y) {
  point(s, 'M', x, y);
}

void svg_line_to(struct svg *s, double x, double y) {
  point(s, 'L', x, y);
}

void svg_box(struct svg *s, double x, double y, double width, double height) {
  point(s, 'M', x, y);
  fputc('h', s->out);
  svg_number(s->out, width);
  fputc('v', s->out);
  svg_number(s->out, height);
  fputc('h', s->out);
  svg_number(s->out, -width);
  fputc('z', s->out);
}

void svg_path_end(struct svg *s) {
  fputs("\"/>\n", s->out);
}
