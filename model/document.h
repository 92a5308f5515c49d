/* The schedule document "moccasin-schedule/1", out and in.
 *
 * Fields are those of the README ("Schedule document"); ids are as in the
 * input; intervals have inclusive steps.  Figures are exact integers, ratios
 * have six decimals.
 */
#ifndef MOCCASIN_DOCUMENT_H
#define MOCCASIN_DOCUMENT_H

#include "graphs/graph.h"

#include <stdio.h>

struct document {
  const struct graph *graph;
  const char *status; /* "optimal", "feasible", "infeasible", "unknown" */
  bool free_order;
  int max_computes;      /* 0: unlimited, written as null */
  const char *objective; /* "duration" or "peak" */
  bool budget_given;
  int64_t budget;      /* bytes */
  const int *sequence; /* graph nodes; NULL: no schedule */
  int length;
  int64_t peak, duration;
  int64_t duration_lower_bound, peak_lower_bound;
  int64_t baseline_peak, baseline_duration;
  const char *reason;         /* without a schedule: why */
  int64_t least_known_budget; /* bytes, INT64_MAX: none known */
  const char *version, *found_by, *bound_by;
  uint64_t seed;
  int threads;
  double seconds;
};

/* Each writes to the stream; the caller checks it.  `scratch` serves
 * temporary arrays.  Text: one id a line behind a comment with the figures;
 * minimalloc: CSV "id,lower,upper,size", a row an instance, half-open. */
void document_write_json(const struct document *d, FILE *out,
                         struct memory *scratch);
void document_write_text(const struct document *d, FILE *out);
void document_write_minimalloc(const struct document *d, FILE *out,
                               struct memory *scratch);

/* A schedule read back. */
struct document_input {
  int *sequence; /* graph nodes, from the context given */
  int length;
  bool budget_given, order_given, computes_given;
  int64_t budget;
  bool free_order;
  int max_computes;             /* 0: unlimited */
  int64_t peak, duration;       /* as stated; -1: not stated */
  int64_t duration_lower_bound; /* as stated; -1: not stated */
  bool optimal;                 /* its status says so */
};

/* Reads a schedule document, a JSON list of ids, or bare ids one a line ('#'
 * comments).  Format by content, `path` "-" is standard input.  Errors:
 * STATUS_INPUT naming the place and the id that the graph does not have. */
bool document_read(struct memory *m, const char *path, const struct graph *g,
                   struct document_input *out, struct error *error);

#endif
