/* Compute graphs made from a few parameters: random ones and networks.
 *
 *     layered        random layered graphs (Gagrani et al., 2022, appendix A)
 *     chain          one operation after the other
 *     unet, resnet, vgg, mobilenet, transformer
 *
 * One table names the kinds and their parameters with default, range and help;
 * it serves the command line, its help and its completion.
 *
 * Networks.  Nodes are operations in program order, which is also the stated
 * input order.  Sizes are bytes: elements of the output x `bytes`.  Durations
 * are nanoseconds by a roofline that adds up:
 *
 *     duration = FLOPs / `flops` + bytes moved / `bandwidth`
 *
 * where a multiply-add counts as 2 FLOPs and the bytes moved are the inputs,
 * the parameters and the output of the operation.  fixed_memory holds the
 * network's input and the parameters (once; with training once more for their
 * gradients, and `optimizer` times for the optimizer's state).
 *
 * Training adds the loss, whose output is the gradient of the network's
 * output, and for each operation x, in reverse order, its gradient d_x: it
 * reads the gradients of the readers of x and what the derivative needs (a
 * convolution its input, a ReLU its output, an addition nothing), and makes
 * the gradients of the inputs of x.  Gradients of parameters live in
 * fixed_memory.  With `conservative` d_x reads all inputs and the output of x,
 * needed or not, as the published training graphs do.
 */
#ifndef MOCCASIN_GENERATE_H
#define MOCCASIN_GENERATE_H

#include "graphs/graph.h"

enum generate_type { GENERATE_INTEGER, GENERATE_REAL, GENERATE_FLAG };

struct generate_parameter {
  const char *name; /* without dashes */
  enum generate_type type;
  double preset, least, most; /* a flag: 0 or 1 */
  const char *help;           /* one line, with the unit */
};

struct generate_kind {
  const char *name, *help;
  const struct generate_parameter *parameter;
  int parameters;
};

/* All kinds; *count tells how many. */
const struct generate_kind *generate_kinds(int *count);

/* NULL if there is no such kind or parameter. */
const struct generate_kind *generate_kind_find(const char *name);
const struct generate_parameter *
generate_parameter_find(const struct generate_kind *kind, const char *name);

/* A parameter as the user wrote it; for a flag `value` may be NULL: set. */
struct generate_value {
  const char *name, *value;
};

/* Makes a finished graph.  STATUS_USAGE: unknown kind or parameter, a value
 * that is no number or out of range (the message says what was expected);
 * STATUS_INPUT: the graph's sums leave int64.  The same values give the same
 * graph on every machine. */
bool generate_graph(struct memory *m, const char *kind,
                    const struct generate_value *value, int values,
                    struct graph **out, struct error *error);

#endif
