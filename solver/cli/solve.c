/* moccasin solve GRAPH --budget B [options] */
#include "graphs/write.h"
#include "model/document.h"
#include "solver/cli/color.h"
#include "solver/cli/command.h"
#include "solver/cli/output.h"
#include "solver/cli/progress.h"
#include "solver/cli/setup.h"
#include "solver/graph_handle.h"
#include "solver/moccasin.h"

#include <string.h>
#include <unistd.h>

struct request {
  struct setup setup;
  const char *graph, *output, *format, *log, *trace, *start;
  bool json, quiet, verbose, statistics;
};

static bool parse(struct session *s, int argc, char **argv, struct request *r) {
  const struct option table[] = {
      SETUP_BASE_OPTIONS(&r->setup),
      SETUP_SEARCH_OPTIONS(&r->setup),
      {"output", 'o', OPTION_TEXT, &r->output, "FILE",
       "where the schedule goes (default: standard output)", 0, 0, NULL},
      {"format", '\0', OPTION_CHOICE, &r->format, NULL,
       "of the schedule (default json)", 0, 0, "json|text|minimalloc"},
      {"json", '\0', OPTION_FLAG, &r->json, NULL,
       "the schedule document, also on a terminal", 0, 0, NULL},
      {"start", '\0', OPTION_TEXT, &r->start, "FILE",
       "a known schedule to start from", 0, 0, NULL},
      {"log", '\0', OPTION_TEXT, &r->log, "FILE",
       "CSV of incumbent and bound over time", 0, 0, NULL},
      {"trace", '\0', OPTION_TEXT, &r->trace, "FILE",
       "what the engine does, readable (one thread)", 0, 0, NULL},
      {"statistics", '\0', OPTION_FLAG, &r->statistics, NULL,
       "a table of counters at the end, on standard error", 0, 0, NULL},
      {"verbose", 'v', OPTION_FLAG, &r->verbose, NULL,
       "a line on standard error for each improvement", 0, 0, NULL},
      {"quiet", 'q', OPTION_FLAG, &r->quiet, NULL,
       "nothing on standard error but errors", 0, 0, NULL},
      {.name = NULL}};
  int count;
  return !command_options(s, argc, argv, table, &r->graph, 1, 1, &count);
}

static struct document describe(const struct request *r,
                                const struct moccasin_graph *g,
                                const struct moccasin_result *found) {
  const struct moccasin_options *o = &r->setup.options;
  static const char *const failed[] = {"infeasible", "unknown"};
  return (struct document){
      .graph = g->graph,
      .status = found->status == MOCCASIN_OK
                    ? found->optimal ? "optimal" : "feasible"
                    : failed[found->status == MOCCASIN_UNKNOWN],
      .free_order = o->order == MOCCASIN_FREE_ORDER,
      .max_computes = o->max_computes,
      .objective = o->objective == MOCCASIN_PEAK ? "peak" : "duration",
      .budget_given = found->budget != INT64_MAX,
      .budget = found->budget,
      .sequence = found->sequence,
      .length = found->length,
      .peak = found->peak,
      .duration = found->duration,
      .duration_lower_bound = found->duration_lower_bound,
      .peak_lower_bound = found->peak_lower_bound,
      .baseline_peak = moccasin_baseline_peak(g),
      .baseline_duration = moccasin_baseline_duration(g),
      .reason = found->reason,
      .least_known_budget = found->least_known_budget,
      .version = moccasin_version(),
      .found_by = found->found_by,
      .bound_by = found->bound_by,
      .seed = o->seed,
      .threads = found->threads,
      .seconds = found->seconds,
  };
}

static double percent(int64_t value, int64_t base) {
  return base ? 100.0 * (double)value / (double)base : 100.0;
}

/* The result in a few lines for people. */
static void summarise(const struct document *d, FILE *out) {
  if (!d->sequence) {
    color_print(out, COLOR_BAD, d->status);
    fprintf(out, ": %s\n", d->reason);
    if (d->least_known_budget != INT64_MAX)
      fprintf(out,
              "least budget known to work: %lld bytes (%.2f %% of the "
              "input order's peak)\n",
              (long long)d->least_known_budget,
              percent(d->least_known_budget, d->baseline_peak));
    return;
  }
  int64_t extra = d->duration - d->baseline_duration;
  int64_t least = d->duration_lower_bound - d->baseline_duration;
  color_print(out, strcmp(d->status, "optimal") ? COLOR_DOUBT : COLOR_GOOD,
              d->status);
  fprintf(out, " in %.2f s (order %s, ", d->seconds,
          d->free_order ? "free" : "input");
  if (d->max_computes)
    fprintf(out, "at most %d computes a node)\n", d->max_computes);
  else
    fprintf(out, "any number of computes a node)\n");
  fprintf(out, "  duration  %lld  %+.4f %% (%lld more), %d recomputes\n",
          (long long)d->duration,
          percent(d->duration, d->baseline_duration) - 100.0, (long long)extra,
          d->length - d->graph->node_count);
  fprintf(out, "  bound     %lld  gap %.4f %% of the duration",
          (long long)d->duration_lower_bound,
          percent(d->duration, d->duration_lower_bound) - 100.0);
  if (extra > least && least > 0)
    fprintf(out, ", %.2f %% of what it adds", percent(extra, least) - 100.0);
  fprintf(out, "\n  peak      %lld bytes, %.2f %% of the input order's",
          (long long)d->peak, percent(d->peak, d->baseline_peak));
  if (d->budget_given)
    fprintf(out, "; budget %lld", (long long)d->budget);
  fprintf(out, "\n");
}

static bool write_document(struct session *s, const struct request *r,
                           const struct document *d) {
  struct output o;
  if (!output_open(&o, s->memory, r->output, &s->error))
    return false;
  if (r->format && !strcmp(r->format, "text"))
    document_write_text(d, o.file);
  else if (r->format && !strcmp(r->format, "minimalloc"))
    document_write_minimalloc(d, o.file, s->memory);
  else
    document_write_json(d, o.file, s->memory);
  return output_commit(&o, &s->error);
}

static int report(struct session *s, const struct request *r,
                  const struct moccasin_graph *g,
                  const struct moccasin_result *found) {
  struct document d = describe(r, g, found);
  bool show = !r->output && !r->json && !r->format && isatty(STDOUT_FILENO);
  if (show || !r->quiet)
    summarise(&d, show ? stdout : stderr);
  if (r->statistics)
    for (const struct moccasin_statistic *x = found->statistics; x->name; x++)
      fprintf(stderr, "  %-34s %15lld\n", x->name, (long long)x->value);
  if (!show && !write_document(s, r, &d))
    return (int)s->error.status;
  return found->status;
}

/* An internal fault leaves behind what it takes to see it again. */
static void write_reproducer(const struct request *r,
                             const struct moccasin_graph *g,
                             const char *message) {
  static const char path[] = "moccasin-fault.txt";
  const struct moccasin_options *o = &r->setup.options;
  FILE *out = fopen(path, "w");
  if (!out)
    return;
  fprintf(out,
          "# moccasin %s: %s\n"
          "# solve FILE --budget %lld -c %d --order %s --objective %s "
          "--seed %llu --threads %d --time-limit %g%s%s\n",
          moccasin_version(), message, (long long)o->budget, o->max_computes,
          r->setup.order, r->setup.objective, (unsigned long long)o->seed,
          o->threads, o->time_limit, o->engine ? " --engine " : "",
          o->engine ? o->engine : "");
  graph_write(g->graph, GRAPH_TEXT, out, NULL);
  if (!fclose(out))
    fprintf(stderr, "moccasin: input and options were written to %s\n", path);
}

/* Opens the side files, solves, reports. */
static int solve(struct session *s, struct request *r,
                 struct moccasin_graph *g) {
  struct moccasin_options *o = &r->setup.options;
  struct output log = {0};
  struct progress progress;
  struct moccasin_result *found = NULL;
  char message[MOCCASIN_MESSAGE] = "";
  FILE *trace = NULL;
  if (r->log && !output_open(&log, s->memory, r->log, &s->error))
    return (int)s->error.status;
  if (r->trace) {
    o->trace = trace = fopen(r->trace, "w");
    o->threads = 1;
    if (!trace)
      error_set(&s->error, STATUS_RESOURCES, "%.300s: cannot be written",
                r->trace);
  }
  int status = (int)s->error.status;
  if (status == STATUS_OK) {
    progress_open(&progress, g, o, r->verbose, r->quiet, log.file);
    progress_attach(&progress, o);
    status = moccasin_solve(g, o, &found, message);
    progress_close(&progress);
    if (found)
      status = report(s, r, g, found);
    else
      error_set(&s->error, (enum status)status, "%s", message);
    if (!strncmp(message, "internal fault", 14))
      write_reproducer(r, g, message);
  }
  if (trace && fclose(trace))
    error_set(&s->error, STATUS_RESOURCES, "%.300s: cannot be written",
              r->trace);
  if (r->log)
    output_commit(&log, &s->error);
  moccasin_result_free(found);
  return s->error.status != STATUS_OK ? (int)s->error.status : status;
}

static bool read_start(struct session *s, struct request *r,
                       const struct moccasin_graph *g) {
  struct document_input in;
  if (!r->start)
    return true;
  if (!document_read(s->memory, r->start, g->graph, &in, &s->error))
    return false;
  r->setup.options.start = in.sequence;
  r->setup.options.start_length = in.length;
  return true;
}

int command_solve(struct session *s, int argc, char **argv) {
  struct request r = {.graph = NULL};
  setup_default(&r.setup);
  if (!parse(s, argc, argv, &r))
    return (int)s->error.status;
  progress_catch_signals();
  struct moccasin_graph *g;
  g = load_graph(s, r.graph, &r.setup.onnx, r.quiet);
  if (!g)
    return (int)s->error.status;
  int status;
  if (setup_finish(&r.setup, g, &s->error) && read_start(s, &r, g))
    status = solve(s, &r, g);
  else
    status = (int)s->error.status;
  moccasin_graph_free(g);
  return status;
}
