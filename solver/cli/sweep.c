/* moccasin sweep GRAPH: the memory/time curve. */
#include "solver/sweep.h"
#include "solver/cli/color.h"
#include "solver/cli/load.h"
#include "solver/cli/output.h"
#include "solver/cli/progress.h"

#include <string.h>
#include <unistd.h>

struct tour {
  const char *graph, *from, *to, *order, *output, *format, *picture;
  int64_t steps, max_computes, seed, threads;
  double seconds;
  bool quiet, again, json;
  const struct moccasin_graph *g;
  struct sweep *sweep;
  struct load_onnx onnx;
};

static bool parse(struct session *s, int argc, char **argv, struct tour *t) {
  const struct option table[] = {
      {"from", '\0', OPTION_TEXT, &t->from, "B",
       "smallest budget, bytes or 50% (default: the least that is found)", 0, 0,
       NULL},
      {"to", '\0', OPTION_TEXT, &t->to, "B", "largest budget (default 100%)", 0,
       0, NULL},
      {"steps", 'n', OPTION_INTEGER, &t->steps, "N",
       "budgets, evenly spaced (default 11)", 1, 100000, NULL},
      {"order", '\0', OPTION_CHOICE, &t->order, NULL,
       "of first computes (default input)", 0, 0, "input|free|both"},
      {"max-computes", 'c', OPTION_INTEGER, &t->max_computes, "C",
       "computes a node, 0: unlimited (default 2)", 0, 1000000000, NULL},
      {"time-limit", 't', OPTION_REAL, &t->seconds, "S",
       "seconds a budget, 0: none (default 10)", 0, 1000000000, NULL},
      {"seed", '\0', OPTION_INTEGER, &t->seed, "N",
       "of the random numbers (default 0)", 0, INT64_MAX, NULL},
      {"threads", '\0', OPTION_INTEGER, &t->threads, "N",
       "0: one a core (default 0)", 0, 1024, NULL},
      {"output", 'o', OPTION_TEXT, &t->output, "FILE",
       "the curve; a file that is there is read and continued", 0, 0, NULL},
      {"format", '\0', OPTION_CHOICE, &t->format, NULL,
       "(default: by the name of FILE, else csv)", 0, 0, "csv|json|svg"},
      {"json", '\0', OPTION_FLAG, &t->json, NULL, "the same as --format json",
       0, 0, NULL},
      {"svg", '\0', OPTION_TEXT, &t->picture, "FILE", "also a picture of it", 0,
       0, NULL},
      {"again", '\0', OPTION_FLAG, &t->again, NULL,
       "work once more on budgets that are not proven optimal", 0, 0, NULL},
      {"quiet", 'q', OPTION_FLAG, &t->quiet, NULL, "no progress", 0, 0, NULL},
      LOAD_ONNX_OPTIONS(&t->onnx),
      {.name = NULL}};
  int count;
  return !command_options(s, argc, argv, table, &t->graph, 1, 1, &count);
}

static const char *format_of(const struct tour *t) {
  const char *dot = t->output ? strrchr(t->output, '.') : NULL;
  if (t->format || t->json)
    return t->json ? "json" : t->format;
  return dot && !strcmp(dot, ".json")  ? "json"
         : dot && !strcmp(dot, ".svg") ? "svg"
                                       : "csv";
}

static bool write_curve(struct session *s, const struct tour *t,
                        const char *path, const char *format) {
  struct output o;
  if (!output_open(&o, s->memory, path, &s->error))
    return false;
  if (!strcmp(format, "svg"))
    sweep_write_svg(t->sweep, o.file);
  else if (!strcmp(format, "json"))
    sweep_write_json(t->sweep, o.file);
  else
    sweep_write_csv(t->sweep, o.file);
  return output_commit(&o, &s->error);
}

/* Both files; at the end standard output, if that is where it goes. */
static bool save(struct session *s, const struct tour *t, bool last) {
  if (t->picture && !write_curve(s, t, t->picture, "svg"))
    return false;
  return (!t->output && !last) || write_curve(s, t, t->output, format_of(t));
}

/* ---- which budgets ------------------------------------------------------ */

/* The smallest budget of a mode when the user names none: that of the file
 * which is continued, else what minimising the peak finds. */
static bool least_budget(struct session *s, struct tour *t, bool free_order,
                         int64_t *budget) {
  *budget = INT64_MAX;
  for (int i = t->sweep->count - 1; i >= 0; i--)
    if (t->sweep->point[i].free_order == free_order)
      *budget = t->sweep->point[i].budget;
  if (*budget != INT64_MAX)
    return true;
  if (!t->quiet)
    fprintf(stderr, "%s order: looking for the least budget\n",
            free_order ? "free" : "input");
  *budget = sweep_least_budget(t->sweep, free_order, &s->error);
  return *budget != INT64_MAX && save(s, t, false);
}

/* Evenly in percent if both ends are, which gives the budgets that `solve`
 * takes for them; else evenly in bytes. */
static bool add_budgets(struct session *s, struct tour *t, bool free_order) {
  int64_t from, to, low, high;
  bool percents =
      t->from && option_percent(t->from, &low) && option_percent(t->to, &high);
  if (!load_budget(t->to, t->g, &to, &s->error))
    return false;
  if (t->from ? !load_budget(t->from, t->g, &from, &s->error)
              : !least_budget(s, t, free_order, &from))
    return false;
  if (from > to)
    return error_set(&s->error, STATUS_USAGE,
                     "the smallest budget (%lld) is over the largest (%lld)",
                     (long long)from, (long long)to);
  for (int i = 0; i < t->steps; i++)
    sweep_add(t->sweep, free_order,
              percents ? moccasin_percent_budget(
                             t->g, sweep_between(low, high, i, (int)t->steps))
                       : sweep_between(from, to, i, (int)t->steps));
  return true;
}

/* ---- the run ------------------------------------------------------------ */

static void show(const struct tour *t, const struct sweep_point *p) {
  const struct moccasin_graph *g = t->g;
  int64_t peak = moccasin_baseline_peak(g),
          base = moccasin_baseline_duration(g);
  int left = sweep_left(t->sweep), count = t->sweep->count;
  fprintf(stderr, "%3d/%d  %s %7.2f %%  ", count - left, count,
          p->free_order ? "free " : "input",
          peak ? 100.0 * (double)p->budget / (double)peak : 100.0);
  if (p->length)
    fprintf(stderr, "%+9.4f %%  bound %+9.4f %%  ",
            base ? 100.0 * (double)(p->duration - base) / (double)base : 0.0,
            base ? 100.0 * (double)(p->lower_bound - base) / (double)base
                 : 0.0);
  color_print(stderr,
              !p->length         ? COLOR_BAD
              : sweep_optimal(p) ? COLOR_GOOD
                                 : COLOR_DOUBT,
              sweep_optimal(p) ? "optimal"
              : p->length      ? "feasible"
              : p->infeasible  ? "infeasible"
                               : "nothing found");
  fprintf(stderr, "  %.1f s", p->seconds);
  if (left && t->seconds > 0)
    fprintf(stderr, "; at most %.0f s left", left * t->seconds);
  fputc('\n', stderr);
}

static bool run(struct session *s, struct tour *t) {
  const struct sweep_point *p;
  while ((p = sweep_next(t->sweep, &s->error))) {
    if (!t->quiet)
      show(t, p);
    if (p->done && !save(s, t, false))
      return false;
  }
  return s->error.status == STATUS_OK;
}

/* Is there a file to be continued?  An SVG is not read back. */
static bool continued(const struct tour *t) {
  return t->output && strcmp(t->output, "-") != 0 &&
         strcmp(format_of(t), "svg") != 0 && !access(t->output, F_OK);
}

static bool stop(void *data) {
  (void)data;
  return progress_interrupted();
}

static int tour(struct session *s, struct tour *t) {
  struct moccasin_options o;
  moccasin_options_default(&o);
  o.max_computes = (int)t->max_computes;
  o.seed = (uint64_t)t->seed;
  o.threads = (int)t->threads;
  o.time_limit = t->seconds;
  o.stop = stop;
  progress_catch_signals();
  t->sweep = sweep_new(s->memory, t->g, &o);
  if (continued(t) && !sweep_read(t->sweep, t->output, &s->error))
    return (int)s->error.status;
  if (t->again)
    for (int i = 0; i < t->sweep->count; i++)
      t->sweep->point[i].done = false;
  for (int mode = 0; mode < 2; mode++)
    if (!strcmp(t->order, "both") || !strcmp(t->order, mode ? "free" : "input"))
      if (!add_budgets(s, t, mode))
        return (int)s->error.status;
  if (!run(s, t) || !save(s, t, true))
    return (int)s->error.status;
  return sweep_left(t->sweep) ? STATUS_UNKNOWN : STATUS_OK;
}

int command_sweep(struct session *s, int argc, char **argv) {
  struct tour t = {.to = "100%",
                   .order = "input",
                   .steps = 11,
                   .max_computes = 2,
                   .seconds = 10};
  if (!parse(s, argc, argv, &t))
    return (int)s->error.status;
  struct moccasin_graph *g = load_graph(s, t.graph, &t.onnx, t.quiet);
  t.g = g;
  int status = g ? tour(s, &t) : (int)s->error.status;
  moccasin_graph_free(g);
  return status;
}
