/* ONNX models to graphs: one node an operator (see graphs/read.h). */
#include "graphs/onnx_private.h"

#include "graphs/utf8.h"
#include "solver/base/checked.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN(s) (int)((s).length > 100 ? 100 : (s).length), (s).text

bool is_onnx(const char *bytes, size_t length) {
  if (length && bytes[0] == 0x08) /* ir_version, always first; never text */
    return true;
  struct wire w = wire_enter((struct span){bytes, length});
  bool graph = false;
  while (wire_next(&w)) {
    if (w.number > 26)
      return false;
    graph |= w.number == 7 && w.type == WIRE_BYTES;
  }
  return graph && !w.broken;
}

/* ModelProto: graph 7. */
static bool find_graph(struct onnx_model *model) {
  const struct source *s = model->source;
  struct wire w = wire_enter((struct span){s->bytes, s->length});
  while (wire_next(&w))
    if (w.number == 7 && w.type == WIRE_BYTES)
      model->graph = w.bytes;
  if (w.broken)
    return onnx_fail(model,
                     "byte %zu: malformed or truncated, expected an ONNX model",
                     (size_t)(w.at - s->bytes));
  return model->graph.text ||
         onnx_fail(model, "the ONNX model has no graph, expected one");
}

static bool check_options(const struct onnx_model *model) {
  const struct onnx_options *o = model->options;
  for (int i = 0; o && i < o->dims; i++) {
    const char *equals = strchr(o->dim[i], '=');
    char *end = NULL;
    bool ok = equals && equals[1] >= '0' && equals[1] <= '9' &&
              strtoll(equals + 1, &end, 10) < INT64_MAX && !*end;
    if (!ok)
      return error_set(model->source->error, STATUS_USAGE,
                       "dimension \"%.100s\", expected NAME=SIZE", o->dim[i]);
  }
  return true;
}

/* Notes who makes each tensor and whose storage it is. */
static bool place_outputs(struct onnx_model *model,
                          const struct onnx_node *node) {
  struct onnx_tensor *t;
  for (int k = 0; k < node->input.count; k++)
    if (node->input.item[k].length)
      onnx_make(model, node->input.item[k])->used = true;
  for (int k = 0; k < node->output.count; k++) {
    if (!node->output.item[k].length)
      continue;
    t = onnx_make(model, node->output.item[k]);
    if (t->weight || t->producer >= 0)
      return onnx_fail(model,
                       "node %d (%.*s): its output \"%.*s\" exists already, "
                       "expected each tensor to be made once",
                       node->number, SHOWN(node->op), SHOWN(t->name));
    t->producer = t->owner = node->number;
  }
  if (!onnx_is_view(node))
    return true;
  t = node->input.count ? onnx_find(model, node->input.item[0]) : NULL;
  int owner = t ? t->owner : -1;
  t = onnx_find(model, node->output.item[0]);
  if (t)
    t->owner = owner;
  return true;
}

static bool no_size(const struct onnx_model *model,
                    const struct onnx_node *node, const struct onnx_tensor *t) {
  if (t->symbol.text)
    return onnx_fail(model,
                     "node %d (%.*s): dimension \"%.*s\" of its output "
                     "\"%.*s\" has no size, expected --dim %.*s=SIZE",
                     node->number, SHOWN(node->op), SHOWN(t->symbol),
                     SHOWN(t->name), SHOWN(t->symbol));
  if (t->sizeless)
    return onnx_fail(model,
                     "node %d (%.*s): its output \"%.*s\" is a text, a "
                     "sequence or a map, expected tensors of numbers",
                     node->number, SHOWN(node->op), SHOWN(t->name));
  return onnx_fail(model,
                   "node %d (%.*s): its output \"%.*s\" has no shape; run "
                   "shape inference first: onnx.save(onnx.shape_inference."
                   "infer_shapes(onnx.load(\"in.onnx\")), \"out.onnx\")",
                   node->number, SHOWN(node->op), SHOWN(t->name));
}

/* The bytes of all outputs: they come and go together. An output without a
 * shape that nobody reads does not count. */
static bool sum_outputs(const struct onnx_model *model,
                        const struct onnx_node *node, int64_t *size) {
  for (int k = 0; k < node->output.count; k++) {
    const struct onnx_tensor *t = onnx_find(model, node->output.item[k]);
    if (!t || !node->output.item[k].length)
      continue;
    if (t->shaped && !t->symbol.text) {
      if (!checked_add(size, t->bytes))
        return onnx_fail(model, "node %d: its outputs are beyond int64",
                         node->number);
    } else if (t->used) {
      return no_size(model, node, t);
    }
  }
  return true;
}

static void read_edge(struct graph *g, const struct onnx_tensor *t, int node) {
  if (t && t->producer >= 0 && t->producer != node)
    graph_add_edge(g, t->producer, node);
  if (t && t->owner >= 0 && t->owner != t->producer && t->owner != node)
    graph_add_edge(g, t->owner, node);
}

/* What graphs within attributes (If, Loop, Scan) read from outside. */
static void inner_edges(const struct onnx_model *model, struct graph *g,
                        const struct onnx_node *node, struct onnx_node *part) {
  struct memory *m = model->source->memory;
  struct onnx_list open = {NULL, 0, 0};
  for (int i = 0; i < node->inner.count; i++) {
    MEMORY_GROW(m, open.item, open.count, open.capacity);
    open.item[open.count++] = node->inner.item[i];
  }
  while (open.count) {
    struct wire w = wire_enter(open.item[--open.count]);
    while (wire_next(&w)) {
      if (w.number != 1 || w.type != WIRE_BYTES ||
          !onnx_read_node(model, w.bytes, part))
        continue;
      for (int k = 0; k < part->input.count; k++)
        read_edge(g, onnx_find(model, part->input.item[k]), node->number);
      for (int i = 0; i < part->inner.count; i++) {
        MEMORY_GROW(m, open.item, open.count, open.capacity);
        open.item[open.count++] = part->inner.item[i];
      }
    }
  }
  memory_put(m, open.item);
}

/* Names are taken from the file as they are, or cut: made valid UTF-8. */
static char *node_name(const struct onnx_model *model,
                       const struct onnx_node *node) {
  struct memory *m = model->source->memory;
  if (node->name.length || !node->output.count)
    return utf8_repair(memory_text(m, node->name.text, node->name.length));
  char text[160];
  struct span out = node->output.item[0];
  int length = snprintf(text, sizeof text, "%.*s:%.*s",
                        (int)(node->op.length > 50 ? 50 : node->op.length),
                        node->op.text, SHOWN(out));
  return memory_text(m, utf8_repair(text), (size_t)length);
}

static bool add_node(struct onnx_model *model, struct graph *g,
                     struct onnx_node *node) {
  const struct onnx_options *o = model->options;
  double flops = o && o->flops > 0 ? o->flops : ONNX_FLOPS;
  double bandwidth = o && o->bandwidth > 0 ? o->bandwidth : ONNX_BANDWIDTH;
  int64_t constant = onnx_constant_bytes(model, node);
  struct graph_node new = {.id = {NULL, node->number}};
  bool view = onnx_is_view(node);
  if (constant) {
    if (!(o && o->no_weights) && !checked_add(&g->fixed_memory, constant))
      return onnx_fail(model, "the weights' bytes are beyond int64");
  } else if (!sum_outputs(model, node, &new.size)) {
    return false;
  }
  if (view)
    new.size = 0;
  double nanoseconds = 1e9 * (onnx_flops(model, node) / flops +
                              onnx_moved(model, node) / bandwidth);
  if (!(nanoseconds < 9e18))
    return onnx_fail(model, "node %d: its duration is beyond int64",
                     node->number);
  new.duration = constant ? 0 : (int64_t)llround(nanoseconds);
  char *name = node_name(model, node);
  new.name = name;
  graph_add_node(g, &new);
  memory_put(model->source->memory, name);
  return true;
}

static bool add_edges(struct onnx_model *model, struct graph *g,
                      struct onnx_node *node, struct onnx_node *part) {
  for (int k = 0; k < node->input.count; k++) {
    if (!node->input.item[k].length)
      continue;
    const struct onnx_tensor *t = onnx_find(model, node->input.item[k]);
    if (t->producer == node->number)
      return onnx_fail(model,
                       "node %d (%.*s) reads its own output \"%.*s\" (a "
                       "self-loop)",
                       node->number, SHOWN(node->op), SHOWN(t->name));
    read_edge(g, t, node->number);
  }
  inner_edges(model, g, node, part);
  return true;
}

enum visit { PLACE, ADD };

static bool visit_nodes(struct onnx_model *model, struct graph *g,
                        enum visit visit) {
  struct memory *m = model->source->memory;
  struct onnx_node node = {.number = 0}, part = {.number = 0};
  struct wire w = wire_enter(model->graph);
  bool ok = true;
  while (ok && wire_next(&w)) {
    if (w.number != 1 || w.type != WIRE_BYTES)
      continue;
    ok = onnx_read_node(model, w.bytes, &node) &&
         (visit == PLACE
              ? place_outputs(model, &node)
              : add_node(model, g, &node) && add_edges(model, g, &node, &part));
    node.number++;
  }
  struct onnx_list *list[] = {&node.input,     &node.output, &node.attribute,
                              &node.inner,     &part.input,  &part.output,
                              &part.attribute, &part.inner};
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
    memory_put(m, list[i]->item);
  return ok;
}

static bool finish(struct onnx_model *model, struct graph *g) {
  for (int i = 0; i < model->tensors; i++) {
    const struct onnx_tensor *t = &model->tensor[i];
    if (t->weight && !(model->options && model->options->no_weights) &&
        !checked_add(&g->fixed_memory, t->bytes))
      return onnx_fail(model, "the weights' bytes are beyond int64");
    if (t->output && t->producer >= 0)
      g->node[t->producer].keep = true;
    if (t->output && t->owner >= 0)
      g->node[t->owner].keep = true;
  }
  g->name = utf8_repair(memory_text(
      g->memory, model->name.text ? model->name.text : "", model->name.length));
  return true;
}

struct graph *read_onnx_graph(const struct source *s, int **order,
                              int *length) {
  struct onnx_model model = {.source = s, .options = s->onnx};
  struct graph *g = graph_new(s->memory);
  bool ok = check_options(&model) && find_graph(&model) &&
            onnx_read_tensors(&model) && visit_nodes(&model, g, PLACE) &&
            visit_nodes(&model, g, ADD) && finish(&model, g);
  memory_put(s->memory, model.tensor);
  memory_put(s->memory, model.slot);
  if (!ok)
    return NULL;
  *order = MEMORY_ARRAY(s->memory, int, g->node_count);
  *length = g->node_count;
  for (int v = 0; v < g->node_count; v++)
    (*order)[v] = v;
  return g;
}
