/* A decoder-only transformer of the shape of GPT-2 (Radford et al., 2019):
 * learned positions, pre-normalisation, feed-forward width 4 x hidden, output
 * weights shared with the embedding.
 *
 *     x -> ln1 -> q, k, v -> scores -> softmax -> context -> proj -> + -> x
 *     x -> ln2 -> fc1 -> gelu -> fc2 -> + -> x
 */
#include "graphs/network.h"

#include <stdio.h>

struct shape {
  double tokens;        /* batch x sequence */
  double hidden, pairs; /* pairs: elements of the attention scores */
  double sequence;
};

struct block {
  struct network *net;
  const struct shape *shape;
  int number;
};

static int add_layer(const struct block *b, const char *name, struct layer l,
                     int first, int second) {
  if (b->number)
    snprintf(l.name, sizeof l.name, "block%d_%s", b->number, name);
  else
    snprintf(l.name, sizeof l.name, "%s", name);
  if (first >= 0)
    l.input[l.inputs++] = first;
  if (second >= 0)
    l.input[l.inputs++] = second;
  return network_add(b->net, &l);
}

static int linear(const struct block *b, const char *name, int input,
                  double from, double to) {
  struct layer l = {.elements = b->shape->tokens * to,
                    .flops = (2 * from + 1) * to * b->shape->tokens,
                    .parameters = (from + 1) * to,
                    .backward = 1,
                    .needs = NEEDS_INPUT};
  return add_layer(b, name, l, input, -1);
}

static int norm(const struct block *b, const char *name, int input) {
  double elements = b->shape->tokens * b->shape->hidden;
  struct layer l = {.elements = elements,
                    .flops = 8 * elements,
                    .parameters = 2 * b->shape->hidden,
                    .backward = 1,
                    .needs = NEEDS_INPUT};
  return add_layer(b, name, l, input, -1);
}

/* A product of two activations: 2 x pairs x hidden / heads FLOPs a head, and
 * as many for each input's gradient. */
static int product(const struct block *b, const char *name, int left, int right,
                   double elements) {
  struct layer l = {.elements = elements,
                    .flops = 2 * b->shape->tokens * b->shape->sequence *
                             b->shape->hidden,
                    .backward = 2,
                    .needs = NEEDS_INPUT};
  return add_layer(b, name, l, left, right);
}

static int element_wise(const struct block *b, const char *name, int input,
                        double elements, double flops, unsigned needs) {
  struct layer l = {.elements = elements,
                    .flops = flops * elements,
                    .backward = 1,
                    .needs = needs};
  return add_layer(b, name, l, input, -1);
}

static int add(const struct block *b, const char *name, int left, int right) {
  double elements = b->shape->tokens * b->shape->hidden;
  struct layer l = {
      .elements = elements, .flops = elements, .same_gradient = true};
  return add_layer(b, name, l, left, right);
}

static int add_block(const struct block *b, int x) {
  double hidden = b->shape->hidden, width = b->shape->tokens * hidden;
  int ln = norm(b, "ln1", x);
  int q = linear(b, "q", ln, hidden, hidden);
  int k = linear(b, "k", ln, hidden, hidden);
  int v = linear(b, "v", ln, hidden, hidden);
  int scores = product(b, "scores", q, k, b->shape->pairs);
  int softmax =
      element_wise(b, "softmax", scores, b->shape->pairs, 5, NEEDS_OUTPUT);
  int context = product(b, "context", softmax, v, width);
  x = add(b, "add1", x, linear(b, "proj", context, hidden, hidden));
  ln = norm(b, "ln2", x);
  int fc1 = linear(b, "fc1", ln, hidden, 4 * hidden);
  int gelu = element_wise(b, "gelu", fc1, 4 * width, 10, NEEDS_INPUT);
  return add(b, "add2", x, linear(b, "fc2", gelu, 4 * hidden, hidden));
}

struct graph *generate_transformer(const struct generate_job *job) {
  double batch = generate_real(job, "batch");
  double sequence = generate_real(job, "sequence");
  double vocabulary = generate_real(job, "vocabulary");
  int heads = generate_int(job, "heads"), hidden = generate_int(job, "hidden");
  if (hidden % heads)
    return error_set(job->error, STATUS_USAGE,
                     "hidden: %d, expected a multiple of the %d heads", hidden,
                     heads),
           NULL;
  struct shape shape = {batch * sequence, hidden,
                        batch * heads * sequence * sequence, sequence};
  struct network net = network_new(job, shape.tokens); /* token numbers */
  struct block b = {&net, &shape, 0};
  struct layer embedding = {.elements = shape.tokens * hidden,
                            .flops = shape.tokens * hidden,
                            .parameters = (vocabulary + sequence) * hidden,
                            .backward = 1};
  int x = add_layer(&b, "embedding", embedding, -1, -1);
  for (int i = 1; i <= generate_int(job, "layers"); i++) {
    b.number = i;
    x = add_block(&b, x);
  }
  b.number = 0;
  x = norm(&b, "ln", x);
  struct layer head = {.elements = shape.tokens * vocabulary,
                       .flops = 2 * shape.tokens * vocabulary * hidden,
                       .backward = 2, /* for the input and the shared weights */
                       .needs = NEEDS_INPUT};
  add_layer(&b, "head", head, x, -1);
  char name[60];
  snprintf(name, sizeof name, "transformer-%d-%d", generate_int(job, "layers"),
           hidden);
  return network_graph(&net, name);
}
