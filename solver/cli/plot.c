/* moccasin plot GRAPH [SCHEDULE] [-o out.svg] [--report out.html] */
#include "solver/plot.h"
#include "solver/cli/load.h"
#include "solver/cli/output.h"

#include <string.h>

struct wish {
  const char *input[2]; /* graph, schedule */
  const char *output, *report, *budget, *part;
  bool quiet;
  struct load_onnx onnx;
};

static bool parse(struct session *s, int argc, char **argv, struct wish *w) {
  const struct option table[] = {
      {"output", 'o', OPTION_TEXT, &w->output, "FILE",
       "where the SVG goes (default: standard output)", 0, 0, NULL},
      {"report", '\0', OPTION_TEXT, &w->report, "FILE",
       "also, or only, one HTML file with plots, figures and lists", 0, 0,
       NULL},
      {"budget", 'b', OPTION_TEXT, &w->budget, "B",
       "the line to draw: bytes, 12GiB or 90% (default: the schedule's)", 0, 0,
       NULL},
      {"part", '\0', OPTION_CHOICE, &w->part, NULL,
       "draw only this (default all)", 0, 0, "all|memory|intervals"},
      {"quiet", 'q', OPTION_FLAG, &w->quiet, NULL,
       "nothing on standard error but errors", 0, 0, NULL},
      LOAD_ONNX_OPTIONS(&w->onnx),
      {.name = NULL}};
  int count;
  return !command_options(s, argc, argv, table, w->input, 1, 2, &count);
}

static bool draw_svg(struct session *s, const struct wish *w,
                     const struct picture *p) {
  enum plot_parts parts = !w->part || !strcmp(w->part, "all") ? PLOT_ALL
                          : !strcmp(w->part, "memory")        ? PLOT_MEMORY
                                                              : PLOT_INTERVALS;
  struct output o;
  if (!output_open(&o, s->memory, w->output, &s->error))
    return false;
  if (plot_write(p, parts, o.file, s->memory, &s->error))
    return output_commit(&o, &s->error);
  output_discard(&o);
  return false;
}

static bool draw_report(struct session *s, const struct wish *w,
                        const struct picture *p) {
  struct output o;
  if (!output_open(&o, s->memory, w->report, &s->error))
    return false;
  if (report_write(p, o.file, s->memory, &s->error))
    return output_commit(&o, &s->error);
  output_discard(&o);
  return false;
}

static bool draw(struct session *s, const struct wish *w,
                 const struct moccasin_graph *g) {
  struct document_input in;
  struct picture p;
  if (!load_schedule(s, g->graph, w->input[1], &in))
    return false;
  struct picture_request request = {.graph = g->graph,
                                    .sequence = in.sequence,
                                    .length = in.length,
                                    .limited = in.budget_given,
                                    .budget = in.budget,
                                    .lower_bound = in.duration_lower_bound,
                                    .optimal = in.optimal};
  if (w->budget) {
    request.limited = true;
    if (!load_budget(w->budget, g, &request.budget, &s->error))
      return false;
  }
  if (!picture_make(s->memory, &request, &p, &s->error))
    return false;
  if ((w->output || !w->report) && !draw_svg(s, w, &p))
    return false;
  return !w->report || draw_report(s, w, &p);
}

int command_plot(struct session *s, int argc, char **argv) {
  struct wish w = {.output = NULL};
  if (!parse(s, argc, argv, &w))
    return (int)s->error.status;
  struct moccasin_graph *g = load_graph(s, w.input[0], &w.onnx, w.quiet);
  if (g)
    draw(s, &w, g);
  moccasin_graph_free(g);
  return (int)s->error.status;
}
