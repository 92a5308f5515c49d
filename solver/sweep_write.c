/* Sweeps as CSV and JSON. */
#include "graphs/json_write.h"
#include "solver/sweep.h"

#define HEADING                                                                \
  "order,budget,budget_percent,status,duration,tdi_percent,peak_memory,"       \
  "duration_lower_bound,gap_percent,recomputes,seconds,schedule"

static double percent(int64_t value, int64_t base) {
  return base ? 100.0 * (double)value / (double)base : 100.0;
}

static const char *status_of(const struct sweep_point *p) {
  return !p->done           ? "pending"
         : p->infeasible    ? "infeasible"
         : sweep_optimal(p) ? "optimal"
         : p->length        ? "feasible"
                            : "unknown";
}

static void csv_row(const struct sweep *s, const struct sweep_point *p,
                    FILE *out) {
  int64_t base = moccasin_baseline_duration(s->graph);
  fprintf(out, "%s,%lld,%.4f,%s,", p->free_order ? "free" : "input",
          (long long)p->budget,
          percent(p->budget, moccasin_baseline_peak(s->graph)), status_of(p));
  if (p->length)
    fprintf(out, "%lld,%.6f,%lld,%lld,%.6f,%d,", (long long)p->duration,
            percent(p->duration - base, base), (long long)p->peak,
            (long long)p->lower_bound,
            percent(p->duration - p->lower_bound, p->lower_bound),
            p->length - s->graph->graph->node_count);
  else
    fprintf(out, ",,,%lld,,,", (long long)p->lower_bound);
  fprintf(out, "%.3f,", p->seconds);
  for (int k = 0; k < p->length; k++)
    fprintf(out, k ? " %d" : "%d", p->sequence[k]);
  fputc('\n', out);
}

void sweep_write_csv(const struct sweep *s, FILE *out) {
  fprintf(out,
          "# moccasin-sweep/1 nodes=%d edges=%d baseline_peak=%lld "
          "baseline_duration=%lld max_computes=%d\n",
          moccasin_nodes(s->graph), moccasin_edges(s->graph),
          (long long)moccasin_baseline_peak(s->graph),
          (long long)moccasin_baseline_duration(s->graph),
          s->options.max_computes);
  fputs(HEADING "\n", out);
  for (int i = 0; i < s->count; i++)
    if (s->point[i].done || s->point[i].length)
      csv_row(s, &s->point[i], out);
}

static void member(struct json_writer *w, const char *key, int64_t value) {
  json_write_key(w, key);
  json_write_int64(w, value);
}

static void member_real(struct json_writer *w, const char *key, double value,
                        int decimals) {
  json_write_key(w, key);
  json_write_real(w, value, decimals);
}

static void json_point(struct json_writer *w, const struct sweep *s,
                       const struct sweep_point *p) {
  int64_t base = moccasin_baseline_duration(s->graph);
  json_write_open(w, '{', true);
  json_write_key(w, "order");
  json_write_text(w, p->free_order ? "free" : "input");
  member(w, "budget", p->budget);
  member_real(w, "budget_percent",
              percent(p->budget, moccasin_baseline_peak(s->graph)), 4);
  json_write_key(w, "status");
  json_write_text(w, status_of(p));
  member(w, "duration_lower_bound", p->lower_bound);
  member_real(w, "seconds", p->seconds, 3);
  if (p->length) {
    member(w, "duration", p->duration);
    member_real(w, "tdi_percent", percent(p->duration - base, base), 6);
    member_real(w, "gap_percent",
                percent(p->duration - p->lower_bound, p->lower_bound), 6);
    member(w, "peak_memory", p->peak);
    member(w, "recomputes", p->length - s->graph->graph->node_count);
    json_write_key(w, "sequence");
    json_write_open(w, '[', false);
    for (int k = 0; k < p->length; k++) {
      struct graph_id id = s->graph->graph->node[p->sequence[k]].id;
      if (id.text)
        json_write_text(w, id.text);
      else
        json_write_int64(w, id.number);
    }
    json_write_close(w);
  }
  json_write_close(w);
}

void sweep_write_json(const struct sweep *s, FILE *out) {
  struct json_writer w = json_writer_new(out);
  json_write_open(&w, '{', true);
  json_write_key(&w, "format");
  json_write_text(&w, "moccasin-sweep/1");
  json_write_key(&w, "graph");
  json_write_open(&w, '{', false);
  json_write_key(&w, "name");
  json_write_text(&w, s->graph->graph->name);
  member(&w, "nodes", moccasin_nodes(s->graph));
  member(&w, "edges", moccasin_edges(s->graph));
  member(&w, "baseline_peak", moccasin_baseline_peak(s->graph));
  member(&w, "baseline_duration", moccasin_baseline_duration(s->graph));
  json_write_close(&w);
  member(&w, "max_computes", s->options.max_computes);
  json_write_key(&w, "points");
  json_write_open(&w, '[', true);
  for (int i = 0; i < s->count; i++)
    if (s->point[i].done || s->point[i].length)
      json_point(&w, s, &s->point[i]);
  json_write_close(&w);
  json_write_close(&w);
  json_writer_finish(&w);
}
