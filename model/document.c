#include "model/document.h"

#include "graphs/json_write.h"
#include "model/intervals.h"

#include <string.h>

static void write_id(struct json_writer *w, struct graph_id id) {
  if (id.text)
    json_write_text(w, id.text);
  else
    json_write_int64(w, id.number);
}

static void field_int64(struct json_writer *w, const char *key, int64_t value) {
  json_write_key(w, key);
  json_write_int64(w, value);
}

static void field_text(struct json_writer *w, const char *key,
                       const char *value) {
  json_write_key(w, key);
  json_write_text(w, value);
}

static void field_real(struct json_writer *w, const char *key, double value) {
  json_write_key(w, key);
  json_write_real(w, value, 6);
}

static double percent_over(int64_t value, int64_t base) {
  return base ? 100.0 * ((double)value - (double)base) / (double)base : 0.0;
}

static void write_head(const struct document *d, struct json_writer *w) {
  field_text(w, "format", "moccasin-schedule/1");
  json_write_key(w, "graph");
  json_write_open(w, '{', false);
  field_text(w, "name", d->graph->name);
  field_int64(w, "nodes", d->graph->node_count);
  field_int64(w, "edges", d->graph->edge_count);
  json_write_close(w);
  /* `status` speaks of the duration, whose bound stands beside it; that of a
   * least peak is said on its own. */
  bool peak = !strcmp(d->objective, "peak");
  bool open = peak && d->sequence && d->duration > d->duration_lower_bound;
  field_text(w, "status", open ? "feasible" : d->status);
  if (peak)
    field_text(w, "peak_status", d->status);
  json_write_key(w, "scope");
  json_write_open(w, '{', false);
  field_text(w, "order", d->free_order ? "free" : "input");
  json_write_key(w, "max_computes");
  if (d->max_computes)
    json_write_int64(w, d->max_computes);
  else
    json_write_null(w);
  if (!d->free_order)
    field_text(w, "stage_order", "input");
  json_write_close(w);
  field_text(w, "objective", d->objective);
  json_write_key(w, "budget");
  if (d->budget_given)
    json_write_int64(w, d->budget);
  else
    json_write_null(w);
}

/* Of the total duration, and of what exceeds the baseline's; the latter is
 * null when nothing extra is proven to be needed but something is spent. */
static void write_gaps(const struct document *d, struct json_writer *w) {
  int64_t extra = d->duration - d->baseline_duration;
  int64_t least = d->duration_lower_bound - d->baseline_duration;
  field_real(w, "gap_percent",
             percent_over(d->duration, d->duration_lower_bound));
  json_write_key(w, "gap_extra_percent");
  if (extra == least)
    json_write_real(w, 0, 6);
  else if (least <= 0)
    json_write_null(w);
  else
    json_write_real(w, percent_over(extra, least), 6);
}

static void write_sequence(const struct document *d, struct json_writer *w,
                           struct memory *scratch) {
  const struct graph *g = d->graph;
  json_write_key(w, "sequence");
  json_write_open(w, '[', false);
  for (int k = 0; k < d->length; k++)
    write_id(w, g->node[d->sequence[k]].id);
  json_write_close(w);
  int *end = MEMORY_ARRAY(scratch, int, d->length);
  int *number = MEMORY_ARRAY(scratch, int, d->length);
  intervals_find(g, d->sequence, d->length, end, number, scratch);
  json_write_key(w, "intervals");
  json_write_open(w, '[', true);
  for (int k = 0; k < d->length; k++) {
    json_write_open(w, '{', false);
    json_write_key(w, "node");
    write_id(w, g->node[d->sequence[k]].id);
    field_int64(w, "compute", number[k]);
    field_int64(w, "start", k);
    field_int64(w, "end", end[k]);
    json_write_close(w);
  }
  json_write_close(w);
  memory_put(scratch, end);
  memory_put(scratch, number);
}

static void write_solver(const struct document *d, struct json_writer *w) {
  json_write_key(w, "solver");
  json_write_open(w, '{', false);
  field_text(w, "version", d->version);
  field_int64(w, "seed", (int64_t)d->seed);
  field_int64(w, "threads", d->threads);
  json_write_key(w, "seconds");
  json_write_real(w, d->seconds, 3);
  field_text(w, "found_by", d->found_by);
  field_text(w, "bound_by", d->bound_by);
  json_write_close(w);
}

void document_write_json(const struct document *d, FILE *out,
                         struct memory *scratch) {
  struct json_writer w = json_writer_new(out);
  json_write_open(&w, '{', true);
  write_head(d, &w);
  if (d->sequence) {
    field_int64(&w, "peak_memory", d->peak);
    field_int64(&w, "duration", d->duration);
    field_real(&w, "tdi_percent",
               percent_over(d->duration, d->baseline_duration));
  } else {
    field_text(&w, "reason", d->reason);
    json_write_key(&w, "least_known_budget");
    if (d->least_known_budget != INT64_MAX)
      json_write_int64(&w, d->least_known_budget);
    else
      json_write_null(&w);
  }
  field_int64(&w, "duration_lower_bound", d->duration_lower_bound);
  if (d->sequence)
    write_gaps(d, &w);
  field_int64(&w, "peak_lower_bound", d->peak_lower_bound);
  field_int64(&w, "baseline_peak_memory", d->baseline_peak);
  field_int64(&w, "baseline_duration", d->baseline_duration);
  if (d->sequence)
    write_sequence(d, &w, scratch);
  write_solver(d, &w);
  json_write_close(&w);
  json_writer_finish(&w);
}

void document_write_text(const struct document *d, FILE *out) {
  fprintf(out,
          "# moccasin schedule, %s: %d steps, peak %lld bytes, duration "
          "%lld (%.4f %% over the baseline), bound %lld\n",
          d->status, d->length, (long long)d->peak, (long long)d->duration,
          percent_over(d->duration, d->baseline_duration),
          (long long)d->duration_lower_bound);
  if (!d->sequence)
    fprintf(out, "# %s\n", d->reason);
  for (int k = 0; k < d->length; k++) {
    struct graph_id id = d->graph->node[d->sequence[k]].id;
    if (id.text)
      json_write_quoted(out, id.text);
    else
      fprintf(out, "%lld", (long long)id.number);
    fputc('\n', out);
  }
}

void document_write_minimalloc(const struct document *d, FILE *out,
                               struct memory *scratch) {
  int *end = MEMORY_ARRAY(scratch, int, d->length);
  int *number = MEMORY_ARRAY(scratch, int, d->length);
  intervals_find(d->graph, d->sequence, d->length, end, number, scratch);
  fputs("id,lower,upper,size\n", out);
  for (int k = 0; k < d->length; k++)
    fprintf(out, "%d,%d,%d,%lld\n", k, k, end[k] + 1,
            (long long)d->graph->node[d->sequence[k]].size);
  memory_put(scratch, end);
  memory_put(scratch, number);
}
