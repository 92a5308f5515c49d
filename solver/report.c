/* The HTML report: figures, plots and lists in one file. */
#include "graphs/write.h"
#include "solver/plot.h"
#include "solver/svg.h"

#include <stdarg.h>
#include <stdlib.h>

static const char style[] =
    "body{font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;"
    "max-width:1200px;margin:24px auto;padding:0 16px;color:#1f2933;"
    "background:#fff}\n"
    "h1{font-size:22px}h2{font-size:17px;margin-top:32px}\n"
    "svg{max-width:100%;height:auto}\n"
    "table{border-collapse:collapse}td,th{padding:3px 14px 3px 0;"
    "text-align:left;border-bottom:1px solid #e6eaee}\n"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\n"
    ".note{color:#5b6773}\n"
    "@media (prefers-color-scheme:dark){body{color:#e4e7eb;"
    "background:#15181d}td,th{border-color:#2a3038}.note{color:#9aa5b1}}\n";

static void row(FILE *out, const char *name, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

static void row(FILE *out, const char *name, const char *format, ...) {
  char text[300];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fprintf(out, "<tr><th>%s</th><td class=\"n\">", name);
  svg_escape(out, text);
  fputs("</td></tr>\n", out);
}

static double percent(int64_t value, int64_t base) {
  return base ? 100.0 * (double)value / (double)base : 100.0;
}

static void figures(const struct picture *p, FILE *out) {
  const struct picture_request *r = &p->request;
  char size[16];
  fputs("<table>\n", out);
  row(out, "peak", "%lld bytes (%s) at step %d", (long long)p->peak,
      graph_bytes_text(p->peak, size), p->peak_step);
  if (r->limited)
    row(out, "budget", "%lld bytes (%s)", (long long)r->budget,
        graph_bytes_text(r->budget, size));
  row(out, "peak of the input order", "%lld bytes (%s); this schedule: %.2f %%",
      (long long)p->base_peak, graph_bytes_text(p->base_peak, size),
      percent(p->peak, p->base_peak));
  row(out, "duration", "%lld (%+.4f %%)", (long long)p->duration,
      picture_increase(p));
  row(out, "duration of computing every node once", "%lld",
      (long long)p->base_duration);
  if (r->optimal)
    row(out, "status", "proven optimal");
  else if (r->lower_bound >= 0)
    row(out, "least duration by proof", "%lld", (long long)r->lower_bound);
  row(out, "steps", "%d, of them %d recomputes", r->length, p->recomputes);
  row(out, "order of first computes", p->in_order ? "the input order" : "free");
  if (r->graph->fixed_memory)
    row(out, "fixed memory", "%lld bytes (%s)",
        (long long)r->graph->fixed_memory,
        graph_bytes_text(r->graph->fixed_memory, size));
  fputs("</table>\n", out);
}

static void name_cell(const struct graph *g, int node, FILE *out) {
  char id[80];
  fputs("<td>", out);
  svg_escape(out, picture_label(g, node, id, sizeof id));
  fputs("</td>", out);
}

static void list_recomputes(const struct picture *p, FILE *out) {
  const struct graph *g = p->request.graph;
  const int *sequence = p->request.sequence;
  char size[16];
  fprintf(out, "<h2>Recomputes, costliest first</h2>\n");
  if (!p->recomputes) {
    fputs("<p class=\"note\">Nothing is computed twice.</p>\n", out);
    return;
  }
  fputs("<table><tr><th>node</th><th class=\"n\">step</th><th class=\"n\">"
        "duration</th><th class=\"n\">of the duration</th><th class=\"n\">size"
        "</th><th class=\"n\">steps not held</th></tr>\n",
        out);
  for (int i = 0; i < p->recomputes; i++) {
    int k = p->recompute[i];
    const struct graph_node *node = &g->node[sequence[k]];
    fputs("<tr>", out);
    name_cell(g, sequence[k], out);
    fprintf(out,
            "<td class=\"n\">%d</td><td class=\"n\">%lld</td>"
            "<td class=\"n\">%.4f %%</td><td class=\"n\">%s</td>"
            "<td class=\"n\">%d</td></tr>\n",
            k, (long long)node->duration,
            percent(node->duration, p->base_duration),
            graph_bytes_text(node->size, size), k - p->end[p->previous[k]] - 1);
  }
  fputs("</table>\n", out);
}

struct held {
  int step;
  int64_t size;
};

static int by_size(const void *a, const void *b) {
  const struct held *x = a, *y = b;
  if (x->size != y->size)
    return x->size > y->size ? -1 : 1;
  return x->step < y->step ? -1 : x->step > y->step;
}

static void list_residents(const struct picture *p, FILE *out,
                           struct memory *scratch) {
  enum { SHOWN = 20 };
  const struct graph *g = p->request.graph;
  struct held *list = MEMORY_ARRAY(scratch, struct held, p->peak_step + 1);
  int count = 0;
  char size[16];
  for (int k = 0; k <= p->peak_step && k < p->request.length; k++)
    if (p->end[k] >= p->peak_step)
      list[count++] = (struct held){k, g->node[p->request.sequence[k]].size};
  if (count)
    qsort(list, (size_t)count, sizeof *list, by_size);
  fprintf(out,
          "<h2>Held at the peak (step %d): %d tensors</h2>\n<table><tr>"
          "<th>node</th><th class=\"n\">size</th><th class=\"n\">of the peak"
          "</th><th class=\"n\">computed at</th><th class=\"n\">held to</th>"
          "</tr>\n",
          p->peak_step, count);
  for (int i = 0; i < count && i < SHOWN; i++) {
    fputs("<tr>", out);
    name_cell(g, p->request.sequence[list[i].step], out);
    fprintf(out,
            "<td class=\"n\">%s</td><td class=\"n\">%.2f %%</td>"
            "<td class=\"n\">%d</td><td class=\"n\">%d</td></tr>\n",
            graph_bytes_text(list[i].size, size),
            percent(list[i].size, p->peak), list[i].step, p->end[list[i].step]);
  }
  fputs("</table>\n", out);
  if (count > SHOWN)
    fprintf(out, "<p class=\"note\">and %d smaller ones.</p>\n", count - SHOWN);
  memory_put(scratch, list);
}

bool report_write(const struct picture *p, FILE *out, struct memory *scratch,
                  struct error *error) {
  const struct graph *g = p->request.graph;
  const char *name = g->name[0] ? g->name : "graph";
  fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>",
        out);
  svg_escape(out, name);
  fprintf(out, "</title>\n<style>\n%s</style></head>\n<body>\n<h1>", style);
  svg_escape(out, name);
  fprintf(out, ": %d nodes, %d edges</h1>\n", g->node_count, g->edge_count);
  figures(p, out);
  fputs("<h2>Memory and retention</h2>\n<p class=\"note\">Rest the pointer on "
        "the plots for names and figures.</p>\n",
        out);
  if (!plot_write(p, PLOT_ALL, out, scratch, error))
    return false;
  list_recomputes(p, out);
  list_residents(p, out, scratch);
  fputs("</body></html>\n", out);
  return !ferror(out) ||
         error_set(error, STATUS_RESOURCES, "the report cannot be written");
}
