/* moccasin: least-duration schedules of compute graphs within a memory budget.
 *
 * The whole public interface.  Link with -lmoccasin -lm -pthread.
 *
 *     char message[MOCCASIN_MESSAGE];
 *     struct moccasin_graph *graph;
 *     if (moccasin_read("net.json", &graph, message))
 *       return puts(message), 2;
 *     struct moccasin_options options;
 *     moccasin_options_default(&options);
 *     options.budget = moccasin_percent_budget(graph, 90000000);    // 90 %
 *     struct moccasin_result *result;
 *     int status = moccasin_solve(graph, &options, &result, message);
 *     if (status == MOCCASIN_OK)
 *       for (int k = 0; k < result->length; k++)
 *         printf("%d\n", result->sequence[k]);
 *     moccasin_result_free(result);
 *     moccasin_graph_free(graph);
 *
 * Units: bytes for memory, the graph's own cost units for durations, steps for
 * places in a schedule, seconds for time.  Nodes are numbered 0, 1, 2, ... in
 * the order in which the file or the caller lists them.
 *
 * Threads: the library has no global state.  Any number of solves may run at
 * once, also on the same graph (it is only read).  Callbacks come from the
 * solve's threads, one at a time.
 *
 * Memory: whatever a call hands out is released by its own free function.
 * Exhaustion is reported as MOCCASIN_RESOURCES; nothing is leaked then.
 */
#ifndef MOCCASIN_H
#define MOCCASIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MOCCASIN_MESSAGE 600 /* room for any message, bytes */

/* Statuses of all calls; the program exits with them. */
enum {
  MOCCASIN_OK = 0,
  MOCCASIN_USAGE = 1,      /* options that make no sense */
  MOCCASIN_INPUT = 2,      /* graph unreadable or invalid */
  MOCCASIN_INFEASIBLE = 3, /* proven: no schedule within the budget */
  MOCCASIN_UNKNOWN = 4,    /* none found within the limits, nothing proven */
  MOCCASIN_RESOURCES = 5   /* memory, disk, or an internal fault */
};

/* "1.2.3" */
const char *moccasin_version(void);

/* ---- graphs ------------------------------------------------------------- */

struct moccasin_graph;

/* Reads a file ("-": standard input); the format is found by content:
 * node-link JSON, text, ONNX.  On success *graph is set and *message is empty
 * or a warning; otherwise *graph is NULL.  `message` has room for
 * MOCCASIN_MESSAGE bytes, here and below, and may be NULL. */
int moccasin_read(const char *path, struct moccasin_graph **graph,
                  char *message);

/* The same from `size` bytes in memory; `name` is used in messages. */
int moccasin_read_bytes(const char *name, const char *bytes, size_t size,
                        struct moccasin_graph **graph, char *message);

/* Builds a graph by arrays: `nodes` durations and sizes, `edges` pairs
 * (from, to).  The node's number is its id. Input order: generation by
 * generation, unless `order` (all nodes once) is given; it may be NULL. */
int moccasin_build(int nodes, const int64_t *duration, const int64_t *size,
                   int edges, const int *edge, const int *order,
                   struct moccasin_graph **graph, char *message);

void moccasin_graph_free(struct moccasin_graph *graph);

int moccasin_nodes(const struct moccasin_graph *graph);
int moccasin_edges(const struct moccasin_graph *graph);

/* Peak (bytes) and duration of the input order, nothing recomputed. */
int64_t moccasin_baseline_peak(const struct moccasin_graph *graph);
int64_t moccasin_baseline_duration(const struct moccasin_graph *graph);

/* No schedule has a lower peak than this (bytes); *node needs so much. */
int64_t moccasin_working_set(const struct moccasin_graph *graph, int *node);

/* ceil(percent / 100 * baseline peak), percent = millionths / 1e6. */
int64_t moccasin_percent_budget(const struct moccasin_graph *graph,
                                int64_t millionths);

/* ---- solving ------------------------------------------------------------ */

enum { MOCCASIN_DURATION, MOCCASIN_PEAK };          /* objective */
enum { MOCCASIN_INPUT_ORDER, MOCCASIN_FREE_ORDER }; /* order */

/* What a solve tells while it runs. */
struct moccasin_progress {
  double seconds;                  /* since moccasin_solve began */
  bool found;                      /* is there a schedule within the budget? */
  bool improved;                   /* is this call about a better schedule? */
  int64_t duration, peak;          /* of the best schedule so far */
  int64_t lower_bound;             /* on the objective: cost units or bytes */
  const char *found_by, *bound_by; /* who; "" if nobody yet */
};

struct moccasin_options {
  size_t struct_size;     /* set by moccasin_options_default: guards the ABI */
  int objective;          /* MOCCASIN_DURATION or MOCCASIN_PEAK */
  int64_t budget;         /* bytes; INT64_MAX: none (with MOCCASIN_PEAK) */
  int64_t duration_limit; /* with MOCCASIN_PEAK, cost units; 0: none */
  int order;              /* MOCCASIN_INPUT_ORDER or MOCCASIN_FREE_ORDER */
  int max_computes;       /* C >= 1 a node; 0: unlimited.  Default 2 */
  double time_limit;      /* seconds; 0: none.  Default 60 */
  uint64_t seed;
  int threads;           /* 0: as many as the machine has cores */
  size_t memory_limit;   /* bytes; 0: none */
  const char *heuristic; /* run just this one; NULL: the whole solver */
  /* A known schedule to start from, or NULL.  Input order: its stages are
   * sorted, which may change its peak. */
  const int *start;
  int start_length;
  int check;          /* 0, 1, 2: check levels of the engine */
  bool paranoid;      /* every claim again: check level 2, two simulators */
  const char *engine; /* engine options "name=value,..."; NULL: none */
  void *trace;        /* FILE * for the engine's trace; NULL: none */
  void *data;         /* handed to the callbacks */
  void (*progress)(void *data, const struct moccasin_progress *p);
  bool (*stop)(void *data); /* true ends the solve soon; any thread */
};

void moccasin_options_default(struct moccasin_options *options);

struct moccasin_result {
  int status;    /* as returned by moccasin_solve */
  bool optimal;  /* proven within the scope (order, max_computes) */
  int length;    /* steps; 0 without a schedule */
  int *sequence; /* the node computed at each step */
  int64_t peak, duration;
  int64_t duration_lower_bound; /* cost units; holds within the scope */
  int64_t peak_lower_bound;     /* bytes */
  int64_t budget;               /* bytes; INT64_MAX: none */
  int64_t least_known_budget;   /* bytes: the lowest peak of any schedule met */
  double seconds;
  int threads; /* used */
  char found_by[32], bound_by[32];
  char reason[MOCCASIN_MESSAGE]; /* without a schedule: why */
  struct moccasin_statistic {
    const char *name;
    int64_t value;
  } * statistics; /* ended by a NULL name */
};

/* Solves.  *result is set whenever the status is OK, INFEASIBLE or UNKNOWN,
 * and to NULL otherwise.  With one thread, the same graph, options and seed
 * give the same result unless the time limit or a stop intervenes. */
int moccasin_solve(const struct moccasin_graph *graph,
                   const struct moccasin_options *options,
                   struct moccasin_result **result, char *message);

void moccasin_result_free(struct moccasin_result *result);

/* Verifies any sequence of node numbers against the definition: every fault
 * is reported as one line.  Returns MOCCASIN_OK or MOCCASIN_INFEASIBLE.
 * `budget` INT64_MAX: not checked; `max_computes` 0: not checked. */
int moccasin_verify(const struct moccasin_graph *graph, const int *sequence,
                    int length, int64_t budget, int max_computes,
                    bool input_order,
                    void (*fault)(void *data, const char *text), void *data,
                    int64_t *peak, int64_t *duration);

#ifdef __cplusplus
}
#endif

#endif
