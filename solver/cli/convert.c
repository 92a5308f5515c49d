/* moccasin convert IN [OUT]: graphs between formats, schedules to CSV. */
#include "graphs/write.h"
#include "model/document.h"
#include "model/verify.h"
#include "solver/cli/load.h"
#include "solver/cli/output.h"

#include <string.h>

struct conversion {
  const char *input[2];
  const char *to, *schedule, *output;
  bool quiet;
  struct load_onnx onnx;
};

static bool parse(struct session *s, int argc, char **argv,
                  struct conversion *c) {
  const struct option table[] = {
      {"to", '\0', OPTION_CHOICE, &c->to, NULL,
       "format (default: by the name of OUT, else json)", 0, 0,
       "json|text|dot|minimalloc"},
      {"schedule", 's', OPTION_TEXT, &c->schedule, "FILE",
       "write this schedule of the graph instead: json, text or minimalloc", 0,
       0, NULL},
      {"output", 'o', OPTION_TEXT, &c->output, "FILE", "the same as OUT", 0, 0,
       NULL},
      {"quiet", 'q', OPTION_FLAG, &c->quiet, NULL,
       "nothing on standard error but errors", 0, 0, NULL},
      LOAD_ONNX_OPTIONS(&c->onnx),
      {.name = NULL}};
  int count;
  if (command_options(s, argc, argv, table, c->input, 1, 2, &count))
    return false;
  if (c->input[1] && c->output)
    return error_set(&s->error, STATUS_USAGE,
                     "OUT and --output say twice where it goes");
  if (!c->output)
    c->output = c->input[1];
  return true;
}

/* Asked for, or told by the name; schedules go to minimalloc unless said. */
static const char *format_of(const struct conversion *c) {
  const char *told = c->to ? c->to : load_format(c->output);
  return told ? told : c->schedule ? "minimalloc" : "json";
}

static bool write_schedule(struct session *s, const struct conversion *c,
                           const struct moccasin_graph *g, FILE *out) {
  struct document_input in;
  const char *format = format_of(c);
  struct verify_result v;
  if (!load_schedule(s, g->graph, c->schedule, &in))
    return false;
  struct verify_request r = {.sequence = in.sequence, .length = in.length};
  verify(g->graph, &r, s->memory, NULL, NULL, &v);
  struct document d = {.graph = g->graph,
                       .status = in.optimal ? "optimal" : "feasible",
                       .free_order = in.free_order,
                       .max_computes = in.max_computes,
                       .objective = "duration",
                       .budget_given = in.budget_given,
                       .budget = in.budget,
                       .sequence = in.sequence,
                       .length = in.length,
                       .peak = v.peak,
                       .duration = v.duration,
                       .baseline_peak = moccasin_baseline_peak(g),
                       .baseline_duration = moccasin_baseline_duration(g),
                       .reason = "",
                       .least_known_budget = v.peak,
                       .version = moccasin_version(),
                       .found_by = "",
                       .bound_by = ""};
  d.duration_lower_bound = in.duration_lower_bound >= 0
                               ? in.duration_lower_bound
                               : d.baseline_duration;
  d.peak_lower_bound = moccasin_working_set(g, NULL);
  if (!strcmp(format, "minimalloc"))
    document_write_minimalloc(&d, out, s->memory);
  else if (!strcmp(format, "text"))
    document_write_text(&d, out);
  else if (!strcmp(format, "json"))
    document_write_json(&d, out, s->memory);
  else
    return error_set(&s->error, STATUS_USAGE,
                     "a schedule can be written as json, text or minimalloc");
  return true;
}

static bool write_graph(struct session *s, const struct conversion *c,
                        const struct moccasin_graph *g, FILE *out) {
  enum graph_format format;
  if (!graph_format_by_name(format_of(c), &format))
    return error_set(&s->error, STATUS_USAGE,
                     "minimalloc describes a schedule: give one by "
                     "--schedule FILE");
  return graph_write(g->graph, format, out, &s->error);
}

int command_convert(struct session *s, int argc, char **argv) {
  struct conversion c = {.to = NULL};
  struct output o;
  if (!parse(s, argc, argv, &c))
    return (int)s->error.status;
  struct moccasin_graph *g = load_graph(s, c.input[0], &c.onnx, c.quiet);
  if (g && output_open(&o, s->memory, c.output, &s->error)) {
    if ((c.schedule ? write_schedule : write_graph)(s, &c, g, o.file))
      output_commit(&o, &s->error);
    else
      output_discard(&o);
  }
  moccasin_graph_free(g);
  return (int)s->error.status;
}
