/* moccasin analyze GRAPH: what fills the memory, and what can be done. */
#include "graphs/json_write.h"
#include "model/analysis.h"
#include "model/orders.h"
#include "model/schedule.h"
#include "solver/cli/load.h"
#include "solver/cli/output.h"
#include "solver/picture.h"

#include <stdlib.h>

struct inquiry {
  const char *graph, *output;
  bool json, quiet;
  int64_t top;
  double seconds;
  const struct graph *g;
  struct analysis a;
  int64_t constructed[ORDERS_KINDS]; /* peaks of constructed orders, bytes */
  bool reordered;                    /* was a search for another order made? */
  int64_t reorder_peak; /* the least peak of all orders met, bytes */
  struct load_onnx onnx;
};

static bool parse(struct session *s, int argc, char **argv, struct inquiry *q) {
  const struct option table[] = {
      {"json", '\0', OPTION_FLAG, &q->json, NULL, "JSON instead of text", 0, 0,
       NULL},
      {"top", 'n', OPTION_INTEGER, &q->top, "N",
       "length of the lists (default 10)", 0, INT32_MAX, NULL},
      {"reorder", '\0', OPTION_REAL, &q->seconds, "S",
       "seconds to look for a better order (default 1, 0: constructed ones)", 0,
       1000000, NULL},
      {"output", 'o', OPTION_TEXT, &q->output, "FILE",
       "where it goes (default: standard output)", 0, 0, NULL},
      {"quiet", 'q', OPTION_FLAG, &q->quiet, NULL,
       "nothing on standard error but errors", 0, 0, NULL},
      LOAD_ONNX_OPTIONS(&q->onnx),
      {.name = NULL}};
  int count;
  return !command_options(s, argc, argv, table, &q->graph, 1, 1, &count);
}

/* Peaks of the constructed orders; INT64_MAX for one that takes too long. The
 * best, as graph nodes, goes to `start` (node_count entries). */
static bool construct(struct session *s, struct inquiry *q, int *start) {
  struct memory *m = s->memory;
  struct problem *p = problem_new(m, q->g, 1, true, &s->error);
  if (!p)
    return false;
  int *order = MEMORY_ARRAY(m, int, p->n);
  q->reorder_peak = q->a.base_peak;
  for (int k = 0; k < q->g->node_count; k++)
    start[k] = q->g->order[k];
  for (int kind = 0; kind < ORDERS_KINDS; kind++) {
    struct simulation found = {.peak = INT64_MAX};
    if (orders_make(p, (enum orders_kind)kind, order, m))
      simulate(p, order, p->n, m, &found);
    q->constructed[kind] = found.peak;
    if (found.peak >= q->reorder_peak)
      continue;
    q->reorder_peak = found.peak;
    for (int k = 0; k < q->g->node_count; k++)
      start[k] = p->node_of[order[k]];
  }
  return true;
}

/* The least peak of any order that computes every node once, as far as a
 * short search from the best constructed order finds it. */
static bool reorder(struct session *s, struct inquiry *q,
                    const struct moccasin_graph *g) {
  int *start = MEMORY_ARRAY(s->memory, int, q->g->node_count);
  if (!construct(s, q, start))
    return false;
  if (q->seconds <= 0)
    return true;
  struct moccasin_options o;
  struct moccasin_result *found = NULL;
  char message[MOCCASIN_MESSAGE];
  moccasin_options_default(&o);
  o.objective = MOCCASIN_PEAK;
  o.order = MOCCASIN_FREE_ORDER;
  o.max_computes = 1;
  o.threads = 1;
  o.time_limit = q->seconds;
  o.start = start;
  o.start_length = q->g->node_count;
  int status = moccasin_solve(g, &o, &found, message);
  if (!found)
    return error_set(&s->error, (enum status)status, "%s", message);
  q->reordered = true;
  if (found->length && found->peak < q->reorder_peak)
    q->reorder_peak = found->peak;
  moccasin_result_free(found);
  return true;
}

static double percent(int64_t value, int64_t base) {
  return base ? 100.0 * (double)value / (double)base : 100.0;
}

static const char *label(const struct inquiry *q, int node, char *buffer) {
  return picture_label(q->g, node, buffer, 80);
}

/* ---- text --------------------------------------------------------------- */

static void line(FILE *out, const char *name, int64_t bytes) {
  char text[64];
  fprintf(out, "  %-26s%s\n", name, load_bytes_text(bytes, text));
}

static void write_counts(const struct inquiry *q, FILE *out) {
  const struct analysis *a = &q->a;
  const struct graph *g = q->g;
  char id[80];
  fprintf(out, "%s: %d nodes, %d edges\n", g->name[0] ? g->name : "graph",
          g->node_count, g->edge_count);
  fprintf(out,
          "  %d without inputs, %d that nobody reads, longest path %d nodes, "
          "%d piece%s\n",
          a->source_count, a->sink_count, a->depth, a->component_count,
          a->component_count == 1 ? "" : "s");
  if (a->kept_count || a->once_count)
    fprintf(out, "  %d kept to the end, %d computed at most once\n",
            a->kept_count, a->once_count);
  fprintf(out, "\nsizes\n");
  line(out, "all outputs together", a->total_size);
  if (g->fixed_memory)
    line(out, "held throughout", g->fixed_memory);
  if (a->largest_node < 0)
    return;
  line(out, "largest output", g->node[a->largest_node].size);
  fprintf(out, "  %-26s%s\n", "", label(q, a->largest_node, id));
  fprintf(out, "\ndurations\n  %-26s%lld\n  %-26s%lld, %s\n", "every node once",
          (long long)a->total_duration, "slowest node",
          (long long)g->node[a->slowest_node].duration,
          label(q, a->slowest_node, id));
}

static int by_size(const void *a, const void *b) {
  const struct analysis_tensor *x = a, *y = b;
  if (x->size != y->size)
    return x->size > y->size ? -1 : 1;
  return x->node < y->node ? -1 : x->node > y->node;
}

/* What v holds beside its output while it is computed, largest first. */
static void write_inputs(const struct inquiry *q, int v, struct memory *m,
                         FILE *out) {
  const struct graph *g = q->g;
  int count = g->pred_start[v + 1] - g->pred_start[v];
  struct analysis_tensor *list = MEMORY_ARRAY(m, struct analysis_tensor, count);
  char id[80], text[64];
  if (g->node[v].workspace)
    fprintf(out, "    works in %s\n",
            load_bytes_text(g->node[v].workspace, text));
  for (int i = 0; i < count; i++) {
    int u = g->pred[g->pred_start[v] + i];
    list[i] = (struct analysis_tensor){.node = u, .size = g->node[u].size};
  }
  if (count)
    qsort(list, (size_t)count, sizeof *list, by_size);
  for (int i = 0; i < count && i < q->top; i++)
    fprintf(out, "    reads %s, %s\n", label(q, list[i].node, id),
            load_bytes_text(list[i].size, text));
  if (count > q->top)
    fprintf(out, "    reads %lld more\n", (long long)(count - q->top));
  memory_put(m, list);
}

static void write_limits(const struct inquiry *q, struct memory *m, FILE *out) {
  const struct analysis *a = &q->a;
  char id[80], text[64];
  fprintf(out, "\npeaks\n");
  line(out, "input order", a->base_peak);
  if (q->g->node_count)
    fprintf(out, "  %-26sat step %d, %s\n", "", a->base_step,
            label(q, q->g->order[a->base_step], id));
  line(out, "no schedule is below", a->working_set);
  fprintf(out, "  %-26s%.2f %% of the input order's", "",
          percent(a->working_set, a->base_peak));
  if (a->working_set_node >= 0) {
    fprintf(out, ": the working set of %s\n",
            label(q, a->working_set_node, id));
    fprintf(out, "    makes %s\n",
            load_bytes_text(q->g->node[a->working_set_node].size, text));
    write_inputs(q, a->working_set_node, m, out);
  } else {
    fprintf(out, "%s\n", q->g->node_count ? ": what is kept to the end" : "");
  }
  for (int kind = 0; kind < ORDERS_KINDS; kind++)
    if (q->g->node_count && q->constructed[kind] != INT64_MAX) {
      char name[40];
      snprintf(name, sizeof name, "%s order",
               orders_name((enum orders_kind)kind));
      line(out, name, q->constructed[kind]);
    }
  line(out, q->reordered ? "best other order found" : "best of these",
       q->reorder_peak);
  if (q->reorder_peak < a->base_peak)
    fprintf(out,
            "  %-26s%.2f %%: reordering alone helps, see solve --order free\n",
            "", percent(q->reorder_peak, a->base_peak));
  else
    fprintf(out, "  %-26sreordering alone was not seen to help\n", "");
}

static void write_tensors(const struct inquiry *q, FILE *out,
                          const struct analysis_tensor *t, int count) {
  char id[80], human[64];
  fprintf(out, "  %-28s %9s  %5s  %5s  %s\n", "node", "% of peak", "born",
          "last", "size");
  for (int i = 0; i < count && i < q->top; i++)
    fprintf(out, "  %-28.60s %9.2f  %5d  %5d  %s\n", label(q, t[i].node, id),
            percent(t[i].size, q->a.base_peak), t[i].born, t[i].last,
            load_bytes_text(t[i].size, human));
  if (count > q->top)
    fprintf(out, "  and %lld more\n", (long long)(count - q->top));
}

static void write_text(const struct inquiry *q, struct memory *m, FILE *out) {
  const struct analysis *a = &q->a;
  char id[80];
  write_counts(q, out);
  write_limits(q, m, out);
  fprintf(out, "\nheld at the input order's peak: %d tensors\n",
          a->resident_count);
  write_tensors(q, out, a->resident, a->resident_count);
  fprintf(out, "\nlongest held in the input order\n");
  write_tensors(q, out, a->tensor, q->g->node_count);
  fprintf(out,
          "\narticulation points (without one, the graph falls apart): "
          "%d\n",
          a->articulation_count);
  for (int i = 0; i < a->articulation_count && i < q->top; i++)
    fprintf(out, "  %s\n", label(q, a->articulation[i], id));
  if (a->articulation_count > q->top)
    fprintf(out, "  and %lld more\n",
            (long long)(a->articulation_count - q->top));
}

/* ---- JSON --------------------------------------------------------------- */

static void member(struct json_writer *w, const char *key, int64_t value) {
  json_write_key(w, key);
  json_write_int64(w, value);
}

static void write_id(struct json_writer *w, const struct graph *g, int node) {
  if (node < 0)
    json_write_null(w);
  else if (g->node[node].id.text)
    json_write_text(w, g->node[node].id.text);
  else
    json_write_int64(w, g->node[node].id.number);
}

static void member_id(struct json_writer *w, const char *key,
                      const struct graph *g, int node) {
  json_write_key(w, key);
  write_id(w, g, node);
}

static void json_tensors(struct json_writer *w, const struct inquiry *q,
                         const char *key, const struct analysis_tensor *t,
                         int count) {
  json_write_key(w, key);
  json_write_open(w, '[', true);
  for (int i = 0; i < count && i < q->top; i++) {
    json_write_open(w, '{', false);
    member_id(w, "node", q->g, t[i].node);
    json_write_key(w, "name");
    json_write_text(w, q->g->node[t[i].node].name);
    member(w, "size", t[i].size);
    member(w, "born", t[i].born);
    member(w, "last_used", t[i].last);
    json_write_close(w);
  }
  json_write_close(w);
}

static void json_counts(struct json_writer *w, const struct inquiry *q) {
  const struct analysis *a = &q->a;
  json_write_key(w, "name");
  json_write_text(w, q->g->name);
  member(w, "nodes", q->g->node_count);
  member(w, "edges", q->g->edge_count);
  member(w, "sources", a->source_count);
  member(w, "sinks", a->sink_count);
  member(w, "pieces", a->component_count);
  member(w, "longest_path_nodes", a->depth);
  member(w, "kept", a->kept_count);
  member(w, "computed_once", a->once_count);
  member(w, "total_size", a->total_size);
  member(w, "fixed_memory", q->g->fixed_memory);
  member(w, "total_duration", a->total_duration);
  member_id(w, "largest_node", q->g, a->largest_node);
  member_id(w, "slowest_node", q->g, a->slowest_node);
}

static void write_json(const struct inquiry *q, FILE *out) {
  const struct analysis *a = &q->a;
  const struct graph *g = q->g;
  struct json_writer w = json_writer_new(out);
  int v = a->working_set_node;
  json_write_open(&w, '{', true);
  json_counts(&w, q);
  member(&w, "baseline_peak_memory", a->base_peak);
  member(&w, "baseline_peak_step", a->base_step);
  member(&w, "working_set", a->working_set);
  member_id(&w, "working_set_node", g, v);
  json_write_key(&w, "working_set_inputs");
  json_write_open(&w, '[', false);
  for (int i = v < 0 ? 0 : g->pred_start[v]; v >= 0 && i < g->pred_start[v + 1];
       i++)
    write_id(&w, g, g->pred[i]);
  json_write_close(&w);
  json_write_key(&w, "constructed_orders");
  json_write_open(&w, '{', false);
  for (int kind = 0; kind < ORDERS_KINDS; kind++)
    if (q->constructed[kind] != INT64_MAX)
      member(&w, orders_name((enum orders_kind)kind), q->constructed[kind]);
  json_write_close(&w);
  json_write_key(&w, "least_peak_by_reordering");
  json_write_int64(&w, q->reorder_peak);
  member(&w, "resident_count", a->resident_count);
  json_tensors(&w, q, "resident_at_peak", a->resident, a->resident_count);
  json_tensors(&w, q, "longest_lived", a->tensor, g->node_count);
  json_write_key(&w, "articulation_points");
  json_write_open(&w, '[', false);
  for (int i = 0; i < a->articulation_count; i++)
    write_id(&w, g, a->articulation[i]);
  json_write_close(&w);
  json_write_close(&w);
  json_writer_finish(&w);
}

int command_analyze(struct session *s, int argc, char **argv) {
  struct inquiry q = {.top = 10, .seconds = 1};
  struct output o;
  if (!parse(s, argc, argv, &q))
    return (int)s->error.status;
  struct moccasin_graph *g = load_graph(s, q.graph, &q.onnx, q.quiet);
  if (g) {
    q.g = g->graph;
    if (analysis_make(s->memory, q.g, &q.a, &s->error) &&
        (!q.g->node_count || reorder(s, &q, g)) &&
        output_open(&o, s->memory, q.output, &s->error)) {
      if (q.json)
        write_json(&q, o.file);
      else
        write_text(&q, s->memory, o.file);
      output_commit(&o, &s->error);
    }
  }
  moccasin_graph_free(g);
  return (int)s->error.status;
}
