/* NodeProto: an operator, its attributes, what it costs. */
#include "graphs/onnx_private.h"

#include "solver/base/checked.h"

#include <string.h>

static void append(const struct onnx_model *model, struct onnx_list *list,
                   struct span item) {
  MEMORY_GROW(model->source->memory, list->item, list->count, list->capacity);
  list->item[list->count++] = item;
}

/* Graphs within the attribute (g 6, graphs 11). */
static void find_inner(const struct onnx_model *model, struct span attribute,
                       struct onnx_list *inner) {
  struct wire w = wire_enter(attribute);
  while (wire_next(&w))
    if (w.type == WIRE_BYTES && (w.number == 6 || w.number == 11))
      append(model, inner, w.bytes);
}

/* input 1, output 2, name 3, op_type 4, attribute 5, domain 7. */
bool onnx_read_node(const struct onnx_model *model, struct span message,
                    struct onnx_node *node) {
  struct wire w = wire_enter(message);
  node->name = node->op = node->domain = (struct span){"", 0};
  node->input.count = node->output.count = 0;
  node->attribute.count = node->inner.count = 0;
  while (wire_next(&w)) {
    if (w.type != WIRE_BYTES)
      continue;
    if (w.number == 1)
      append(model, &node->input, w.bytes);
    else if (w.number == 2)
      append(model, &node->output, w.bytes);
    else if (w.number == 3)
      node->name = w.bytes;
    else if (w.number == 4)
      node->op = w.bytes;
    else if (w.number == 5) {
      append(model, &node->attribute, w.bytes);
      find_inner(model, w.bytes, &node->inner);
    } else if (w.number == 7)
      node->domain = w.bytes;
  }
  return !w.broken || onnx_fail(model,
                                "byte %zu: malformed or truncated node, "
                                "expected an ONNX model",
                                (size_t)(w.at - model->source->bytes));
}

static bool op_in(const struct onnx_node *node, const char *const *list) {
  if (node->domain.length && !span_is(node->domain, "ai.onnx"))
    return false;
  for (; *list; list++)
    if (span_is(node->op, *list))
      return true;
  return false;
}

bool onnx_is_view(const struct onnx_node *node) {
  static const char *const views[] = {"Reshape",   "Identity", "Squeeze",
                                      "Unsqueeze", "Flatten",  NULL};
  return node->output.count == 1 && op_in(node, views);
}

/* Is that attribute the named one?  `w` then stands before its fields. */
static bool attribute_is(struct span attribute, const char *name) {
  struct wire w = wire_enter(attribute);
  while (wire_next(&w))
    if (w.number == 1 && w.type == WIRE_BYTES)
      return span_is(w.bytes, name);
  return false;
}

/* The product of an attribute's integers (ints 8); 1 without it. */
static double product(const struct onnx_node *node, const char *name) {
  double result = 1;
  for (int i = 0; i < node->attribute.count; i++) {
    if (!attribute_is(node->attribute.item[i], name))
      continue;
    struct wire w = wire_enter(node->attribute.item[i]);
    int64_t value;
    while (wire_next(&w))
      for (size_t at = 0; w.number == 8 && wire_integer(&w, &at, &value);)
        result *= (double)value;
  }
  return result;
}

static const struct onnx_tensor *input(const struct onnx_model *model,
                                       const struct onnx_node *node, int k) {
  static const struct onnx_tensor none = {.elements = 0};
  const struct onnx_tensor *t =
      k < node->input.count && node->input.item[k].length
          ? onnx_find(model, node->input.item[k])
          : NULL;
  return t && t->shaped && !t->symbol.text ? t : &none;
}

static double output_elements(const struct onnx_model *model,
                              const struct onnx_node *node) {
  double sum = 0;
  for (int k = 0; k < node->output.count; k++) {
    const struct onnx_tensor *t = onnx_find(model, node->output.item[k]);
    if (t && t->shaped)
      sum += (double)t->elements;
  }
  return sum;
}

/* Elements over the size of one dimension. */
static double per(const struct onnx_tensor *t, int dim) {
  return dim >= 0 && dim < t->rank && dim < ONNX_RANK && t->dim[dim]
             ? (double)t->elements / (double)t->dim[dim]
             : 0;
}

double onnx_flops(const struct onnx_model *model,
                  const struct onnx_node *node) {
  static const char *const free_of[] = {"Constant", "Shape", "Size", NULL};
  static const char *const pools[] = {"MaxPool", "AveragePool", "LpPool", NULL};
  static const char *const whole[] = {
      "GlobalAveragePool", "GlobalMaxPool", "ReduceMean", "ReduceSum",
      "ReduceMax",         "ReduceMin",     "ReduceProd", "ReduceL1",
      "ReduceL2",          "ArgMax",        "ArgMin",     NULL};
  static const char *const several[] = {
      "BatchNormalization", "InstanceNormalization",
      "LayerNormalization", "Softmax",
      "LogSoftmax",         "LRN",
      "GroupNormalization", NULL};
  static const char *const ten[] = {"Gelu",     "Erf",     "Exp", "Log",
                                    "Tanh",     "Sigmoid", "Pow", "Mish",
                                    "Softplus", NULL};
  static const char *const cells[] = {"LSTM", "GRU", "RNN", NULL};
  static const char *const conv[] = {"Conv", "ConvInteger", "QLinearConv",
                                     NULL};
  static const char *const matrix[] = {"MatMul", "MatMulInteger", NULL};
  static const char *const gemm[] = {"Gemm", NULL};
  static const char *const transposed[] = {"ConvTranspose", NULL};
  const struct onnx_tensor *a = input(model, node, 0);
  const struct onnx_tensor *b = input(model, node, 1);
  double out = output_elements(model, node);
  if (op_in(node, free_of) || onnx_is_view(node))
    return 0;
  if (op_in(node, conv)) /* weights: out channels first */
    return 2 * per(b, 0) * out;
  if (op_in(node, transposed)) /* weights: in channels first */
    return 2 * per(b, 0) * (double)a->elements;
  if (op_in(node, matrix))
    return 2 * out *
           (a->rank && a->rank <= ONNX_RANK ? (double)a->dim[a->rank - 1] : 1);
  if (op_in(node, gemm)) { /* out = M x N, B = K x N */
    const struct onnx_tensor *c = onnx_find(model, node->output.item[0]);
    return 2 * (double)b->elements *
           (c && c->rank == 2 ? (double)c->dim[0] : 1);
  }
  if (op_in(node, cells)) /* each step and example multiplies all weights */
    return 2 * ((double)b->elements + (double)input(model, node, 2)->elements) *
           per(a, 2);
  if (op_in(node, pools))
    return product(node, "kernel_shape") * out;
  if (op_in(node, whole))
    return (double)a->elements;
  return (op_in(node, several) ? 8 : op_in(node, ten) ? 10 : 1) * out;
}

double onnx_moved(const struct onnx_model *model,
                  const struct onnx_node *node) {
  static const char *const nothing[] = {"Constant", "Shape", "Size", NULL};
  static const char *const gather[] = {"Gather", NULL};
  if (op_in(node, nothing) || onnx_is_view(node))
    return 0;
  double sum = 0, out = 0;
  for (int k = 0; k < node->input.count; k++)
    sum += (double)input(model, node, k)->bytes;
  for (int k = 0; k < node->output.count; k++) {
    const struct onnx_tensor *t = onnx_find(model, node->output.item[k]);
    if (t && t->shaped)
      out += (double)t->bytes;
  }
  if (op_in(node, gather)) /* reads of the table what it writes */
    return 2 * out + (double)input(model, node, 1)->bytes;
  return sum + out;
}

int64_t onnx_constant_bytes(struct onnx_model *model,
                            const struct onnx_node *node) {
  static const char *const constant[] = {"Constant", NULL};
  if (!op_in(node, constant) || node->output.count != 1)
    return 0;
  const struct onnx_tensor *t = onnx_find(model, node->output.item[0]);
  if (t && t->shaped && !t->symbol.text)
    return t->bytes;
  for (int i = 0; i < node->attribute.count; i++) {
    struct wire w = wire_enter(node->attribute.item[i]);
    struct onnx_tensor value;
    while (wire_next(&w))
      if (w.number == 5 && w.type == WIRE_BYTES &&
          onnx_read_tensor(model, w.bytes, &value))
        return value.bytes;
  }
  return 0;
}
