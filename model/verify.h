/* Independent check of any sequence against its graph.
 *
 * Written from the definition (design: peak, duration, retention) and sharing
 * no code with simulate: it works on the graph as read, not on the renamed
 * problem, runs backwards where simulate runs forwards, and checks every sum.
 * Every schedule that this program shows, writes or shares between threads has
 * passed it.
 */
#ifndef MOCCASIN_VERIFY_H
#define MOCCASIN_VERIFY_H

#include "graphs/graph.h"

struct verify_request {
  const int *sequence; /* graph nodes (0 .. node_count - 1) */
  int length;
  bool limited;     /* is there a budget? */
  int64_t budget;   /* bytes */
  int max_computes; /* for nodes without a limit of their own; 0: none */
  bool input_order; /* must first computes follow the input order? */
};

struct verify_result {
  int faults;
  int64_t peak, duration; /* bytes, cost units; meaningful without faults */
  int peak_step;          /* the first step that reaches the peak */
  int recomputes;         /* steps beyond each node's first */
};

/* Called for each fault with one line that names step and node. */
typedef void verify_fault(void *data, const char *text);

/* True if there is no fault.  `fault` may be NULL.  O(steps x degree). */
bool verify(const struct graph *g, const struct verify_request *request,
            struct memory *scratch, verify_fault *fault, void *data,
            struct verify_result *result);

#endif
