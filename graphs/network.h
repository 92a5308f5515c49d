/* Builds the graphs of networks: layers one after the other, then, for
 * training, their gradients (see graphs/generate.h for what is counted). */
#ifndef MOCCASIN_NETWORK_H
#define MOCCASIN_NETWORK_H

#include "graphs/generate_private.h"

/* What a layer's gradient needs beside the gradients of its readers. */
enum { NEEDS_NOTHING = 0, NEEDS_INPUT = 1, NEEDS_OUTPUT = 2 };

#define LAYER_INPUTS 2

struct layer {
  char name[48];
  int inputs, input[LAYER_INPUTS]; /* earlier layers; the network's input is
                                      none */
  double elements;                 /* of the output, whole batch */
  double flops;                    /* of the forward pass */
  double parameters;               /* elements */
  double backward;    /* FLOPs of the gradients of the inputs, and of the
                         parameters if there are any, each in units of
                         `flops` */
  unsigned needs;     /* of the gradient */
  bool same_gradient; /* all inputs share one gradient (an addition) */
};

struct network {
  const struct generate_job *job;
  struct layer *layer;
  int layers, capacity;
  double input_elements; /* of the network's input, whole batch */
};

struct network network_new(const struct generate_job *job,
                           double input_elements);

/* Appends a copy; returns its number. */
int network_add(struct network *net, const struct layer *layer);

/* The finished graph, named `name`; NULL after an error. */
struct graph *network_graph(struct network *net, const char *name);

#endif
