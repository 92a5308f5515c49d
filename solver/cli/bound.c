/* moccasin bound GRAPH --budget B: the lower bound by cuts, looked into. */
#include "model/bound.h"
#include "graphs/json_write.h"
#include "solver/base/clock.h"
#include "solver/cli/command.h"
#include "solver/cli/output.h"
#include "solver/cli/progress.h"
#include "solver/cli/setup.h"
#include "solver/graph_handle.h"

struct request {
  struct setup setup;
  const char *graph, *output;
  int64_t upper;
  bool json, quiet;
};

/* What was found, for both ways of printing it. */
struct findings {
  const struct problem *problem;
  const struct bound *bound;
  struct bound_fixing *fixing; /* NULL without --upper */
  struct bound_cut *cut;
  int cut_count;
  double seconds;
};

static bool parse(struct session *s, int argc, char **argv, struct request *r) {
  const struct option table[] = {
      SETUP_BASE_OPTIONS(&r->setup),
      {"upper", '\0', OPTION_INTEGER, &r->upper, "D",
       "a known duration: what can still be recomputed in a shorter schedule?",
       0, INT64_MAX, NULL},
      {"output", 'o', OPTION_TEXT, &r->output, "FILE",
       "where the table goes (default: standard output)", 0, 0, NULL},
      {"json", '\0', OPTION_FLAG, &r->json, NULL, "JSON instead of a table", 0,
       0, NULL},
      {"quiet", 'q', OPTION_FLAG, &r->quiet, NULL,
       "nothing on standard error but errors", 0, 0, NULL},
      {.name = NULL}};
  int count;
  return !command_options(s, argc, argv, table, &r->graph, 1, 1, &count);
}

struct deadline {
  double end; /* clock_seconds; 0: none */
};

static bool over(void *data) {
  const struct deadline *d = data;
  return progress_interrupted() || (d->end > 0 && clock_seconds() >= d->end);
}

static void find(struct session *s, const struct request *r, struct problem *p,
                 struct findings *f) {
  double started = clock_seconds(), limit = r->setup.options.time_limit;
  struct deadline deadline = {limit > 0 ? started + limit : 0};
  struct stop stop = {.asked = over, .data = &deadline};
  enum bound_scope scope = p->free_order     ? BOUND_FREE_ORDER
                           : p->max_computes ? BOUND_LIMITED
                                             : BOUND_ANY;
  int64_t upper = r->upper ? r->upper : INT64_MAX;
  struct bound *b = bound_new(s->memory, p, scope, &stop);
  while (!b->converged && !b->infeasible && b->value < upper &&
         !over(&deadline))
    bound_improve(b, upper, 0, &stop);
  *f = (struct findings){.problem = p, .bound = b};
  if (!b->infeasible)
    f->cut_count = bound_report(b, s->memory, &f->cut);
  if (r->upper && !b->infeasible)
    f->fixing = bound_fix(b, upper, s->memory);
  f->seconds = clock_seconds() - started;
}

static const char *id_of(const struct problem *p, int v, char *text, int size) {
  if (v < 0 || p->node_of[v] < 0)
    return "-";
  return graph_id_text(p->graph->node[p->node_of[v]].id, text, size);
}

static double percent(int64_t value, int64_t base) {
  return base ? 100.0 * ((double)value - (double)base) / (double)base : 0.0;
}

static void print_table(const struct findings *f, FILE *out) {
  const struct problem *p = f->problem;
  const struct bound *b = f->bound;
  char id[80];
  if (b->infeasible) {
    fprintf(out, "infeasible: no schedule within %lld bytes (node %s)\n",
            (long long)p->budget, id_of(p, b->blame, id, sizeof id));
    return;
  }
  fprintf(out,
          "bound       %lld cost units, %+.4f %% (%lld over every node once)\n"
          "working set %lld bytes at node %s; budget %lld\n"
          "effort      %ld iterations, %ld arcs, %.2f s, %s\n",
          (long long)b->value, percent(b->value, p->base_duration),
          (long long)(b->value - p->base_duration), (long long)p->working_set,
          id_of(p, p->working_set_node, id, sizeof id), (long long)p->budget,
          b->iterations, b->work, f->seconds,
          b->converged ? "converged" : "not converged");
  if (f->fixing)
    fprintf(out,
            "shorter than %lld: %d of %d nodes never recomputed, %d at least "
            "once, %d windows open\n",
            (long long)f->fixing->upper, f->fixing->never_count, p->n,
            f->fixing->must_count, f->fixing->window_count);
  fprintf(out, "\n%-24s %6s %16s %16s %14s %10s\n", "cut at node", "place",
          "excess (bytes)", "adds (cost)", "cost a byte", "candidates");
  for (int i = 0; i < f->cut_count; i++)
    fprintf(out, "%-24s %6d %16lld %16.3f %14.6g %10d\n",
            id_of(p, f->cut[i].node, id, sizeof id), f->cut[i].node,
            (long long)f->cut[i].excess, f->cut[i].contribution,
            f->cut[i].multiplier, f->cut[i].candidates);
}

static void field(struct json_writer *w, const char *key, int64_t value) {
  json_write_key(w, key);
  json_write_int64(w, value);
}

static void write_id(struct json_writer *w, const struct problem *p, int v) {
  json_write_key(w, "node");
  if (v < 0 || p->node_of[v] < 0)
    json_write_null(w);
  else if (p->graph->node[p->node_of[v]].id.text)
    json_write_text(w, p->graph->node[p->node_of[v]].id.text);
  else
    json_write_int64(w, p->graph->node[p->node_of[v]].id.number);
}

static void write_cuts(const struct findings *f, struct json_writer *w) {
  json_write_key(w, "cuts");
  json_write_open(w, '[', true);
  for (int i = 0; i < f->cut_count; i++) {
    const struct bound_cut *c = &f->cut[i];
    json_write_open(w, '{', false);
    write_id(w, f->problem, c->node);
    field(w, "place", c->node);
    field(w, "excess", c->excess);
    json_write_key(w, "contribution");
    json_write_real(w, c->contribution, 6);
    json_write_key(w, "multiplier");
    json_write_real(w, c->multiplier, 12);
    field(w, "candidates", c->candidates);
    json_write_close(w);
  }
  json_write_close(w);
}

static void print_json(const struct findings *f, FILE *out) {
  static const char *const name[] = {"limited", "any", "free"};
  const struct problem *p = f->problem;
  struct json_writer w = json_writer_new(out);
  json_write_open(&w, '{', true);
  json_write_key(&w, "scope");
  json_write_text(&w, name[f->bound->scope]);
  field(&w, "max_computes", p->max_computes);
  field(&w, "budget", p->budget);
  json_write_key(&w, "infeasible");
  json_write_bool(&w, f->bound->infeasible);
  field(&w, "duration_lower_bound", f->bound->value);
  field(&w, "baseline_duration", p->base_duration);
  field(&w, "peak_lower_bound", p->working_set);
  json_write_key(&w, "converged");
  json_write_bool(&w, f->bound->converged);
  field(&w, "iterations", f->bound->iterations);
  field(&w, "arcs", f->bound->work);
  json_write_key(&w, "seconds");
  json_write_real(&w, f->seconds, 3);
  if (f->fixing) {
    field(&w, "upper", f->fixing->upper);
    field(&w, "never_recomputed", f->fixing->never_count);
    field(&w, "must_recompute", f->fixing->must_count);
    field(&w, "open_windows", f->fixing->window_count);
  }
  write_cuts(f, &w);
  json_write_close(&w);
  json_writer_finish(&w);
}

static int bound(struct session *s, const struct request *r,
                 const struct moccasin_graph *g) {
  struct findings f;
  struct output out;
  bool free_order = r->setup.options.order == MOCCASIN_FREE_ORDER;
  struct problem *p = problem_new(
      s->memory, g->graph, (int)r->setup.max_computes, free_order, &s->error);
  if (!p || !output_open(&out, s->memory, r->output, &s->error))
    return (int)s->error.status;
  p->budget = r->setup.options.budget;
  if (p->working_set > p->budget) {
    char id[80];
    output_discard(&out);
    error_set(&s->error, STATUS_INFEASIBLE,
              "infeasible: computing node %s takes %lld bytes, budget %lld",
              id_of(p, p->working_set_node, id, sizeof id),
              (long long)p->working_set, (long long)p->budget);
    return STATUS_INFEASIBLE;
  }
  find(s, r, p, &f);
  if (r->json)
    print_json(&f, out.file);
  else
    print_table(&f, out.file);
  if (!output_commit(&out, &s->error))
    return (int)s->error.status;
  return f.bound->infeasible ? STATUS_INFEASIBLE : STATUS_OK;
}

int command_bound(struct session *s, int argc, char **argv) {
  struct request r = {.graph = NULL};
  struct moccasin_graph *g;
  setup_default(&r.setup);
  if (!parse(s, argc, argv, &r))
    return (int)s->error.status;
  progress_catch_signals();
  g = load_graph(s, r.graph, &r.setup.onnx, r.quiet);
  if (!g)
    return (int)s->error.status;
  int status = setup_finish(&r.setup, g, &s->error) ? bound(s, &r, g)
                                                    : (int)s->error.status;
  moccasin_graph_free(g);
  return status;
}
