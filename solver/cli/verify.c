/* moccasin verify GRAPH SCHEDULE: the definition, step by step. */
#include "model/verify.h"
#include "graphs/json_write.h"
#include "solver/cli/color.h"
#include "solver/cli/load.h"

#include <string.h>

struct claim {
  const char *input[2];
  const char *budget, *order;
  int64_t max_computes;
  bool json, quiet;
  struct load_onnx onnx;
};

static bool parse(struct session *s, int argc, char **argv, struct claim *c) {
  const struct option table[] = {
      {"budget", 'b', OPTION_TEXT, &c->budget, "B",
       "bytes, 12GiB, or 90% (default: the document's, if it has one)", 0, 0,
       NULL},
      {"max-computes", 'c', OPTION_INTEGER, &c->max_computes, "C",
       "computes a node, 0: unlimited (default: the document's, or 0)", 0,
       1000000000, NULL},
      {"order", '\0', OPTION_CHOICE, &c->order, NULL,
       "must first computes follow the input order? (default: the document's, "
       "or free)",
       0, 0, "input|free"},
      {"json", '\0', OPTION_FLAG, &c->json, NULL, "the verdict as JSON", 0, 0,
       NULL},
      {"quiet", 'q', OPTION_FLAG, &c->quiet, NULL, "only the exit status", 0, 0,
       NULL},
      LOAD_ONNX_OPTIONS(&c->onnx),
      {.name = NULL}};
  int count;
  return !command_options(s, argc, argv, table, c->input, 2, 2, &count);
}

/* Faults are shown as they come; JSON collects them first. */
struct faults {
  const struct claim *claim;
  struct json_writer *json;
  int64_t count;
};

static void show_fault(void *data, const char *text) {
  struct faults *f = data;
  f->count++;
  if (f->claim->json)
    json_write_text(f->json, text);
  else if (!f->claim->quiet)
    printf("%s\n", text);
}

static void state_fault(struct faults *f, const char *what, int64_t stated,
                        int64_t real) {
  char text[200];
  if (stated < 0 || stated == real)
    return;
  snprintf(text, sizeof text, "the document states %s %lld, it is %lld", what,
           (long long)stated, (long long)real);
  show_fault(f, text);
}

static void print_valid(const struct claim *c,
                        const struct moccasin_graph *handle,
                        const struct verify_request *r,
                        const struct verify_result *v) {
  char text[64], limit[64];
  int64_t base = moccasin_baseline_duration(handle);
  if (c->quiet)
    return;
  color_print(stdout, COLOR_GOOD, "valid");
  printf(": %d steps, %d recomputes\n", r->length, v->recomputes);
  printf("  peak      %s at step %d\n", load_bytes_text(v->peak, text),
         v->peak_step);
  if (r->limited)
    printf("  budget    %s, kept\n", load_bytes_text(r->budget, limit));
  printf("  duration  %lld, %+.4f %%\n", (long long)v->duration,
         base ? 100.0 * (double)(v->duration - base) / (double)base : 0.0);
  printf("  checked   order of first computes: %s; computes a node: ",
         r->input_order ? "the input order" : "free");
  if (r->max_computes)
    printf("at most %d\n", r->max_computes);
  else
    printf("unlimited\n");
}

static void json_result(struct json_writer *w, const struct verify_request *r,
                        const struct verify_result *v, bool valid) {
  json_write_key(w, "valid");
  json_write_bool(w, valid);
  json_write_key(w, "steps");
  json_write_int64(w, r->length);
  if (!v->faults) {
    json_write_key(w, "peak_memory");
    json_write_int64(w, v->peak);
    json_write_key(w, "peak_step");
    json_write_int64(w, v->peak_step);
    json_write_key(w, "duration");
    json_write_int64(w, v->duration);
    json_write_key(w, "recomputes");
    json_write_int64(w, v->recomputes);
  }
  json_write_key(w, "budget");
  if (r->limited)
    json_write_int64(w, r->budget);
  else
    json_write_null(w);
}

static int check(struct session *s, const struct claim *c,
                 const struct moccasin_graph *handle) {
  const struct graph *g = handle->graph;
  struct document_input in;
  if (!document_read(s->memory, c->input[1], g, &in, &s->error))
    return (int)s->error.status;
  struct verify_request r = {.sequence = in.sequence,
                             .length = in.length,
                             .limited = in.budget_given,
                             .budget = in.budget,
                             .max_computes = in.max_computes};
  r.input_order =
      c->order ? !strcmp(c->order, "input") : in.order_given && !in.free_order;
  if (c->max_computes >= 0)
    r.max_computes = (int)c->max_computes;
  if (c->budget) {
    r.limited = true;
    if (!load_budget(c->budget, handle, &r.budget, &s->error))
      return (int)s->error.status;
  }
  struct json_writer w = json_writer_new(stdout);
  struct faults f = {.claim = c, .json = &w};
  if (c->json) {
    json_write_open(&w, '{', true);
    json_write_key(&w, "faults");
    json_write_open(&w, '[', true);
  }
  struct verify_result v;
  if (verify(g, &r, s->memory, show_fault, &f, &v)) {
    state_fault(&f, "peak_memory", in.peak, v.peak);
    state_fault(&f, "duration", in.duration, v.duration);
  }
  if (c->json) {
    json_write_close(&w);
    json_result(&w, &r, &v, !f.count);
    json_write_close(&w);
    json_writer_finish(&w);
  } else if (!f.count) {
    print_valid(c, handle, &r, &v);
  } else if (!c->quiet) {
    color_print(stdout, COLOR_BAD, "invalid");
    printf(": %lld fault%s\n", (long long)f.count, f.count == 1 ? "" : "s");
  }
  return f.count ? STATUS_INFEASIBLE : STATUS_OK;
}

int command_verify(struct session *s, int argc, char **argv) {
  struct claim c = {.max_computes = -1};
  if (!parse(s, argc, argv, &c))
    return (int)s->error.status;
  struct moccasin_graph *g = load_graph(s, c.input[0], &c.onnx, c.quiet);
  int status = g ? check(s, &c, g) : (int)s->error.status;
  moccasin_graph_free(g);
  return status;
}
