/* The ONNX reader's view of a model: its tensors by name, its nodes one at a
 * time. */
#ifndef MOCCASIN_ONNX_PRIVATE_H
#define MOCCASIN_ONNX_PRIVATE_H

#include "graphs/onnx_wire.h"
#include "graphs/read_private.h"

enum { ONNX_RANK = 8 }; /* dimensions that are remembered */

struct onnx_tensor {
  struct span name;
  bool shaped;        /* shape and element type are known */
  bool sizeless;      /* a text, a sequence...: bytes cannot be known */
  bool weight;        /* an initialiser */
  bool output;        /* of the graph */
  bool used;          /* read by some node, or an output */
  struct span symbol; /* the first symbolic dimension without a value */
  int64_t elements, bytes;
  int rank;
  int64_t dim[ONNX_RANK];
  int producer; /* node, -1: none */
  int owner;    /* node whose output's storage it is, -1: none */
};

struct onnx_model {
  const struct source *source;
  const struct onnx_options *options;
  struct span graph, name;
  struct onnx_tensor *tensor;
  int tensors, tensor_capacity;
  int *slot; /* open addressing: tensor + 1, 0 is free */
  size_t slots;
  int nodes;
};

struct onnx_list {
  struct span *item;
  int count, capacity;
};

struct onnx_node {
  int number;
  struct span name, op, domain;
  struct onnx_list input, output, attribute, inner; /* inner: graphs */
};

/* Always false, with the error set. */
bool onnx_fail(const struct onnx_model *model, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* The tensor of that name, or NULL; the same, made when missing. */
struct onnx_tensor *onnx_find(const struct onnx_model *model, struct span name);
struct onnx_tensor *onnx_make(struct onnx_model *model, struct span name);

/* Reads a TensorProto's name, dimensions and type. */
bool onnx_read_tensor(struct onnx_model *model, struct span message,
                      struct onnx_tensor *out);

/* All tensors that inputs, outputs, value_info and initialisers declare. */
bool onnx_read_tensors(struct onnx_model *model);

/* Reads a NodeProto; the lists are reused. */
bool onnx_read_node(const struct onnx_model *model, struct span message,
                    struct onnx_node *node);

/* Is it an operator whose output shares its first input's storage? */
bool onnx_is_view(const struct onnx_node *node);

/* FLOPs of the operator and bytes it moves; shapes are known. */
double onnx_flops(const struct onnx_model *model, const struct onnx_node *node);
double onnx_moved(const struct onnx_model *model, const struct onnx_node *node);

/* The constant of a Constant operator: its bytes, 0 if it is none. */
int64_t onnx_constant_bytes(struct onnx_model *model,
                            const struct onnx_node *node);

#endif
