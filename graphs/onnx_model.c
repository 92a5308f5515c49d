/* ModelProto and GraphProto: which tensors there are and how large. */
#include "graphs/onnx_private.h"

#include "graphs/utf8.h"
#include "solver/base/checked.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool onnx_fail(const struct onnx_model *model, const char *format, ...) {
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return error_set(model->source->error, STATUS_INPUT, "%.150s: %s",
                   model->source->name, utf8_repair(text));
}

/* The slot that holds the name, or the free one where it belongs. */
static size_t find_slot(const struct onnx_model *model, struct span name) {
  uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
  for (size_t i = 0; i < name.length; i++)
    h = (h ^ (unsigned char)name.text[i]) * UINT64_C(0x100000001b3);
  size_t at = (size_t)(h ^ h >> 32) & (model->slots - 1);
  while (model->slot[at] &&
         !span_same(model->tensor[model->slot[at] - 1].name, name))
    at = (at + 1) & (model->slots - 1);
  return at;
}

struct onnx_tensor *onnx_find(const struct onnx_model *model,
                              struct span name) {
  int slot = model->slots ? model->slot[find_slot(model, name)] : 0;
  return slot ? &model->tensor[slot - 1] : NULL;
}

struct onnx_tensor *onnx_make(struct onnx_model *model, struct span name) {
  struct memory *m = model->source->memory;
  struct onnx_tensor *known = onnx_find(model, name);
  if (known)
    return known;
  if ((size_t)model->tensors * 2 >= model->slots) {
    memory_put(m, model->slot);
    model->slots = model->slots ? 2 * model->slots : 256;
    model->slot = MEMORY_ARRAY(m, int, model->slots);
    for (int t = 0; t < model->tensors; t++)
      model->slot[find_slot(model, model->tensor[t].name)] = t + 1;
  }
  MEMORY_GROW(m, model->tensor, model->tensors, model->tensor_capacity);
  struct onnx_tensor *new = &model->tensor[model->tensors];
  *new = (struct onnx_tensor){.name = name, .producer = -1, .owner = -1};
  model->slot[find_slot(model, name)] = ++model->tensors;
  return new;
}

/* Bits of an element by TensorProto.DataType; 0: no fixed size. */
static int type_bits(int64_t type) {
  static const int bits[] = {0, 32, 8,  8,  16, 16, 32,  64, 0,
                             8, 16, 64, 32, 64, 64, 128, 16, 8,
                             8, 8,  8,  4,  4,  4,  8,   2,  2};
  return type > 0 && type < (int64_t)(sizeof bits / sizeof bits[0]) ? bits[type]
                                                                    : 0;
}

static bool add_dimension(const struct onnx_model *model, struct onnx_tensor *t,
                          int64_t size) {
  if (size < 0)
    return onnx_fail(model,
                     "tensor \"%.*s\": dimension %lld, expected at least 0",
                     (int)(t->name.length > 100 ? 100 : t->name.length),
                     t->name.text, (long long)size);
  if (t->rank < ONNX_RANK)
    t->dim[t->rank] = size;
  t->rank++;
  return checked_multiply(t->elements, size, &t->elements) ||
         onnx_fail(model, "tensor \"%.*s\": its elements are beyond int64",
                   (int)(t->name.length > 100 ? 100 : t->name.length),
                   t->name.text);
}

static bool set_bytes(const struct onnx_model *model, struct onnx_tensor *t,
                      int64_t type) {
  int bits = type_bits(type);
  int64_t whole = t->elements / 8, rest = t->elements % 8;
  t->shaped = bits > 0;
  t->sizeless = !bits && type;
  if (!bits)
    return true;
  return (checked_multiply(whole, bits, &t->bytes) &&
          checked_add(&t->bytes, (rest * bits + 7) / 8)) ||
         onnx_fail(model, "tensor \"%.*s\": its bytes are beyond int64",
                   (int)(t->name.length > 100 ? 100 : t->name.length),
                   t->name.text);
}

static bool broken(const struct onnx_model *model, const struct wire *w,
                   const char *what) {
  return w->broken && !onnx_fail(model,
                                 "byte %zu: malformed or truncated %s, "
                                 "expected an ONNX model",
                                 (size_t)(w->at - model->source->bytes), what);
}

bool onnx_read_tensor(struct onnx_model *model, struct span message,
                      struct onnx_tensor *out) {
  struct wire w = wire_enter(message);
  int64_t size, type = 0;
  *out = (struct onnx_tensor){.elements = 1, .producer = -1, .owner = -1};
  while (wire_next(&w))
    if (w.number == 1) {
      for (size_t at = 0; wire_integer(&w, &at, &size);)
        if (!add_dimension(model, out, size))
          return false;
    } else if (w.number == 2 && w.type == WIRE_VARINT) {
      type = (int64_t)(w.value & INT32_MAX);
    } else if (w.number == 8 && w.type == WIRE_BYTES) {
      out->name = w.bytes;
    }
  return !broken(model, &w, "tensor") && set_bytes(model, out, type);
}

/* The value that the user gave a symbol, or -1. */
static int64_t symbol_value(const struct onnx_model *model, struct span name) {
  const struct onnx_options *o = model->options;
  for (int i = 0; o && i < o->dims; i++) {
    const char *equals = strchr(o->dim[i], '=');
    if (equals &&
        span_same(name, (struct span){o->dim[i], (size_t)(equals - o->dim[i])}))
      return strtoll(equals + 1, NULL, 10);
  }
  return -1;
}

static bool read_dimension(const struct onnx_model *model, struct span message,
                           struct onnx_tensor *t) {
  struct wire w = wire_enter(message);
  int64_t size = -1;
  struct span symbol = {"?", 1};
  while (wire_next(&w))
    if (w.number == 1 && w.type == WIRE_VARINT)
      memcpy(&size, &w.value, sizeof size);
    else if (w.number == 2 && w.type == WIRE_BYTES && w.bytes.length) {
      symbol = w.bytes;
      size = symbol_value(model, symbol);
    }
  if (broken(model, &w, "dimension"))
    return false;
  if (size >= 0)
    return add_dimension(model, t, size);
  if (!t->symbol.text)
    t->symbol = symbol;
  return add_dimension(model, t, 1);
}

/* TypeProto.Tensor: elem_type 1, shape 2. */
static bool read_type(const struct onnx_model *model, struct span message,
                      struct onnx_tensor *t) {
  struct wire w = wire_enter(message);
  int64_t type = 0;
  bool has_shape = false;
  while (wire_next(&w)) {
    if (w.number == 1 && w.type == WIRE_VARINT)
      type = (int64_t)(w.value & INT32_MAX);
    if (w.number != 2 || w.type != WIRE_BYTES)
      continue;
    has_shape = true;
    struct wire shape = wire_enter(w.bytes);
    while (wire_next(&shape))
      if (shape.number == 1 && shape.type == WIRE_BYTES &&
          !read_dimension(model, shape.bytes, t))
        return false;
    if (broken(model, &shape, "shape"))
      return false;
  }
  if (broken(model, &w, "type"))
    return false;
  if (!has_shape)
    return true;
  return set_bytes(model, t, type);
}

/* ValueInfoProto: name 1, type 2 (TypeProto: tensor_type 1). */
static bool read_value_info(struct onnx_model *model, struct span message,
                            bool output) {
  struct wire w = wire_enter(message);
  struct span name = {"", 0}, type = {NULL, 0};
  while (wire_next(&w))
    if (w.type == WIRE_BYTES && w.number == 1)
      name = w.bytes;
    else if (w.type == WIRE_BYTES && w.number == 2)
      type = w.bytes;
  if (broken(model, &w, "value"))
    return false;
  struct onnx_tensor *t = onnx_make(model, name);
  t->output |= output;
  t->used |= output;
  if (t->shaped || !type.text)
    return true;
  t->elements = 1;
  t->rank = 0;
  t->symbol.text = NULL;
  w = wire_enter(type);
  while (wire_next(&w))
    if (w.type == WIRE_BYTES && (w.number == 4 || w.number == 5))
      t->sizeless = true; /* a sequence or a map */
    else if (w.number == 1 && w.type == WIRE_BYTES &&
             !read_type(model, w.bytes, t))
      return false;
  return !broken(model, &w, "type");
}

static bool read_initialiser(struct onnx_model *model, struct span message) {
  struct onnx_tensor read, *t;
  if (!onnx_read_tensor(model, message, &read))
    return false;
  t = onnx_make(model, read.name);
  read.weight = true;
  read.output = t->output;
  *t = read;
  return true;
}

/* SparseTensorProto: values 1, indices 2; the values carry the name. */
static bool read_sparse(struct onnx_model *model, struct span message) {
  struct wire w = wire_enter(message);
  struct onnx_tensor values = {.elements = 0}, indices = {.elements = 0};
  while (wire_next(&w))
    if (w.type == WIRE_BYTES && (w.number == 1 || w.number == 2) &&
        !onnx_read_tensor(model, w.bytes, w.number == 1 ? &values : &indices))
      return false;
  if (broken(model, &w, "sparse tensor"))
    return false;
  if (!values.name.text)
    return onnx_fail(model, "a sparse tensor has no name, expected one");
  struct onnx_tensor *t = onnx_make(model, values.name);
  *t = values;
  t->weight = true;
  return checked_add(&t->bytes, indices.bytes) ||
         onnx_fail(model, "a sparse tensor's bytes are beyond int64");
}

/* GraphProto: node 1, name 2, initializer 5, input 11, output 12, value_info
 * 13, sparse_initializer 15. */
bool onnx_read_tensors(struct onnx_model *model) {
  struct wire w = wire_enter(model->graph);
  while (wire_next(&w)) {
    if (w.type != WIRE_BYTES)
      continue;
    bool ok = true;
    if (w.number == 1)
      model->nodes++;
    else if (w.number == 2)
      model->name = w.bytes;
    else if (w.number == 5)
      ok = read_initialiser(model, w.bytes);
    else if (w.number == 15)
      ok = read_sparse(model, w.bytes);
    else if (w.number >= 11 && w.number <= 13)
      ok = read_value_info(model, w.bytes, w.number == 12);
    if (!ok)
      return false;
  }
  return !broken(model, &w, "graph");
}
