/* The ONNX reader on models written here byte by byte: sizes, weights, views,
 * several outputs, symbols, inner graphs; cuts and mutations. */
#include "graphs/onnx_wire.h"
#include "graphs/read.h"
#include "solver/base/random.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A protocol-buffer message in the making. */
struct message {
  unsigned char byte[4000];
  size_t length;
};

static void put_varint(struct message *m, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    m->byte[m->length++] = (unsigned char)(value | 0x80);
  m->byte[m->length++] = (unsigned char)value;
}

static void put_integer(struct message *m, unsigned field, uint64_t value) {
  put_varint(m, field << 3);
  put_varint(m, value);
}

static void put_bytes(struct message *m, unsigned field, const void *bytes,
                      size_t length) {
  put_varint(m, field << 3 | 2);
  put_varint(m, length);
  memcpy(m->byte + m->length, bytes, length);
  m->length += length;
}

static void put_text(struct message *m, unsigned field, const char *text) {
  put_bytes(m, field, text, strlen(text));
}

static void put_message(struct message *m, unsigned field,
                        const struct message *inner) {
  put_bytes(m, field, inner->byte, inner->length);
}

/* "2 batch 8": sizes, and symbols that are no numbers. */
static void put_value(struct message *graph, unsigned field, const char *name,
                      int type, const char *shape) {
  struct message dims = {.length = 0}, tensor = {.length = 0};
  struct message kind = {.length = 0}, value = {.length = 0};
  char copy[80];
  snprintf(copy, sizeof copy, "%s", shape);
  for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
    struct message dim = {.length = 0};
    if (word[0] >= '0' && word[0] <= '9')
      put_integer(&dim, 1, strtoull(word, NULL, 10));
    else
      put_text(&dim, 2, word);
    put_message(&dims, 1, &dim);
  }
  put_integer(&tensor, 1, (uint64_t)type);
  put_message(&tensor, 2, &dims);
  put_message(&kind, 1, &tensor);
  put_text(&value, 1, name);
  put_message(&value, 2, &kind);
  put_message(graph, field, &value);
}

static struct message node_of(const char *op, const char *inputs,
                              const char *outputs) {
  struct message node = {.length = 0};
  char copy[80];
  for (unsigned field = 1; field <= 2; field++) {
    snprintf(copy, sizeof copy, "%s", field == 1 ? inputs : outputs);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
      put_text(&node, field, strcmp(word, "-") ? word : "");
  }
  put_text(&node, 4, op);
  return node;
}

static void put_node(struct message *graph, const char *op, const char *inputs,
                     const char *outputs) {
  struct message node = node_of(op, inputs, outputs);
  put_message(graph, 1, &node);
}

/* float32; packed dimensions, or one by one. */
static void put_weight(struct message *graph, const char *name, int rows,
                       int columns, bool packed) {
  struct message tensor = {.length = 0}, dims = {.length = 0};
  if (packed) {
    put_varint(&dims, (uint64_t)rows);
    put_varint(&dims, (uint64_t)columns);
    put_message(&tensor, 1, &dims);
  } else {
    put_integer(&tensor, 1, (uint64_t)rows);
    put_integer(&tensor, 1, (uint64_t)columns);
  }
  put_integer(&tensor, 2, 1);
  put_text(&tensor, 8, name);
  put_message(graph, 5, &tensor);
}

static struct message model_of(const struct message *graph) {
  struct message model = {.length = 0}, opset = {.length = 0};
  put_integer(&model, 1, 8);
  put_text(&model, 2, "by hand");
  put_message(&model, 7, graph);
  put_integer(&opset, 2, 17);
  put_message(&model, 8, &opset);
  return model;
}

/* x (batch 3 4) -> Split -> a, b; a -> Reshape -> r; r x W -> MatMul -> y;
 * y -> Relu -> z (output); b -> Identity -> i (output). */
static struct message sample(void) {
  struct message graph = {.length = 0};
  put_node(&graph, "Split", "x", "a b unused");
  put_node(&graph, "Reshape", "a shape", "r");
  put_node(&graph, "MatMul", "r W", "y");
  put_node(&graph, "Relu", "y", "z");
  put_node(&graph, "Identity", "b", "i");
  put_text(&graph, 2, "sample");
  put_weight(&graph, "W", 4, 5, true);
  put_weight(&graph, "V", 7, 3, false);
  put_value(&graph, 11, "x", 1, "batch 6 4");
  put_value(&graph, 11, "W", 1, "4 5");
  put_value(&graph, 12, "z", 1, "batch 15");
  put_value(&graph, 12, "i", 1, "batch 3 4");
  put_value(&graph, 13, "a", 1, "batch 3 4");
  put_value(&graph, 13, "b", 1, "batch 3 4");
  put_value(&graph, 13, "r", 1, "batch 12");
  put_value(&graph, 13, "y", 10, "batch 15"); /* float16 */
  return model_of(&graph);
}

static bool read_model(struct memory *m, const struct message *model,
                       size_t length, const struct onnx_options *options,
                       struct graph **g, struct error *e) {
  char *exact = malloc(length ? length : 1);
  memcpy(exact, model->byte, length);
  *e = (struct error){STATUS_OK, ""};
  bool ok = graph_read_bytes_with(m, "t", exact, length, options, g, NULL, e);
  free(exact);
  return ok;
}

static const struct onnx_options batch_2 = {
    .dim = (const char *const[]){"sequence=9", "batch=2"},
    .dims = 2,
    .flops = 1e9,
    .bandwidth = 1e24};

Test(onnx, a_model_by_hand) {
  struct memory *m = memory_new(NULL);
  struct error e;
  struct graph *g;
  struct message model = sample();
  cr_assert(read_model(m, &model, model.length, &batch_2, &g, &e), "%s",
            e.text);
  static const int edge[] = {0, 1, 1, 2, 0, 2, 2, 3, 0, 4};
  static const struct {
    int64_t size, duration;
    bool keep;
  } node[] = {{192, 48, true},
              {0, 0, false},
              {60, 720, false},
              {120, 30, true},
              {0, 0, true}};
  cr_assert(g->node_count == 5 && g->edge_count == 5 &&
            !memcmp(g->edge, edge, sizeof edge) && g->order_given);
  cr_assert_str_eq(g->name, "sample");
  cr_assert_str_eq(g->node[2].name, "MatMul:y");
  for (int v = 0; v < 5; v++)
    cr_assert(g->node[v].size == node[v].size &&
                  g->node[v].duration == node[v].duration &&
                  g->node[v].keep == node[v].keep,
              "node %d: size %d, duration %d, keep %d", v, (int)g->node[v].size,
              (int)g->node[v].duration, g->node[v].keep);
  cr_assert_eq(g->fixed_memory, 4 * (4 * 5 + 7 * 3));
  struct onnx_options bare = batch_2;
  bare.no_weights = true;
  cr_assert(read_model(m, &model, model.length, &bare, &g, &e));
  cr_assert_eq(g->fixed_memory, 0);
  memory_free(m);
}

Test(onnx, what_is_missing_is_named) {
  struct memory *m = memory_new(NULL);
  struct error e;
  struct graph *g;
  struct message model = sample();
  cr_assert(!read_model(m, &model, model.length, NULL, &g, &e));
  cr_assert(strstr(e.text, "node 0 (Split): dimension \"batch\" of its output "
                           "\"a\" has no size, expected --dim batch=SIZE"),
            "%s", e.text);
  static const char *const bad[] = {"batch", "batch=", "batch=-1", "batch=2x"};
  for (int i = 0; i < 4; i++) {
    struct onnx_options o = {.dim = &bad[i], .dims = 1};
    cr_assert(!read_model(m, &model, model.length, &o, &g, &e) &&
              e.status == STATUS_USAGE && strstr(e.text, "NAME=SIZE"));
  }
  struct message graph = {.length = 0};
  put_node(&graph, "Relu", "x", "y");
  put_node(&graph, "Relu", "y", "z");
  put_value(&graph, 12, "z", 1, "3");
  model = model_of(&graph);
  cr_assert(!read_model(m, &model, model.length, NULL, &g, &e));
  cr_assert(strstr(e.text, "output \"y\" has no shape; run shape inference") &&
                strstr(e.text, "infer_shapes"),
            "%s", e.text);
  put_value(&graph, 13, "y", 8, "3");
  model = model_of(&graph);
  cr_assert(!read_model(m, &model, model.length, NULL, &g, &e));
  cr_assert(strstr(e.text, "\"y\" is a text, a sequence or a map"), "%s",
            e.text);
  put_node(&graph, "Relu", "x", "y");
  model = model_of(&graph);
  cr_assert(!read_model(m, &model, model.length, NULL, &g, &e));
  cr_assert(strstr(e.text, "\"y\" exists already"), "%s", e.text);
  memory_free(m);
}

/* A chain of views, a constant, and an If whose branch reads from outside. */
Test(onnx, views_constants_and_inner_graphs) {
  struct memory *m = memory_new(NULL);
  struct message graph = {.length = 0}, branch = {.length = 0};
  struct message attribute = {.length = 0}, tensor = {.length = 0};
  struct message node = node_of("Constant", "", "c");
  put_integer(&tensor, 1, 10);
  put_integer(&tensor, 2, 7); /* int64 */
  put_text(&attribute, 1, "value");
  put_message(&attribute, 5, &tensor);
  put_message(&node, 5, &attribute);
  put_message(&graph, 1, &node);             /* 0 */
  put_node(&graph, "Relu", "x", "y");        /* 1 */
  put_node(&graph, "Flatten", "y", "f");     /* 2 */
  put_node(&graph, "Unsqueeze", "f c", "u"); /* 3 */
  put_node(&graph, "Relu", "p", "q");        /* 4 */
  node = node_of("If", "p", "r");            /* 5 */
  put_node(&branch, "Add", "u q", "inner");
  attribute.length = 0;
  put_text(&attribute, 1, "then_branch");
  put_message(&attribute, 6, &branch);
  put_message(&node, 5, &attribute);
  put_message(&graph, 1, &node);
  put_value(&graph, 11, "x", 1, "4");
  put_value(&graph, 11, "p", 9, "");
  put_value(&graph, 13, "y", 1, "4");
  put_value(&graph, 13, "f", 1, "1 4");
  put_value(&graph, 13, "u", 1, "1 1 4");
  put_value(&graph, 13, "q", 9, "");
  put_value(&graph, 12, "r", 1, "4");
  struct message model = model_of(&graph);
  struct error e;
  struct graph *g;
  cr_assert(read_model(m, &model, model.length, NULL, &g, &e), "%s", e.text);
  static const int edge[] = {1, 2, 2, 3, 1, 3, 0, 3, 3, 5, 1, 5, 4, 5};
  cr_assert(g->node_count == 6 && g->edge_count == 7 &&
            !memcmp(g->edge, edge, sizeof edge));
  cr_assert(g->fixed_memory == 80 && g->node[0].size == 0 &&
            g->node[1].size == 16 && g->node[3].size == 0 &&
            g->node[4].size == 1 && g->node[5].keep && !g->node[1].keep);
  memory_free(m);
}

/* Every cut of a model is refused or read, never read beyond its end; the
 * same for random bytes in it. */
Test(onnx, cut_and_mutated_models) {
  struct message model = sample();
  struct graph *g;
  struct error e;
  for (size_t length = 1; length < model.length; length++) {
    struct memory *m = memory_new(NULL);
    if (!read_model(m, &model, length, &batch_2, &g, &e))
      cr_assert(e.status == STATUS_INPUT && e.text[0]);
    memory_free(m);
  }
  struct random r;
  random_seed(&r, 5);
  int refused = 0;
  for (int i = 0; i < 20000; i++) {
    struct message changed = model;
    for (int k = 1 + random_below(&r, 3); k > 0; k--)
      changed.byte[random_below(&r, (int)model.length)] =
          (unsigned char)(random_below(&r, 2) ? random_below(&r, 256)
                                              : random_below(&r, 16));
    struct memory *m = memory_new(NULL);
    if (!read_model(m, &changed, changed.length, &batch_2, &g, &e)) {
      cr_assert(e.status == STATUS_INPUT && e.text[0]);
      refused++;
    }
    memory_free(m);
  }
  cr_assert(refused > 2000, "%d refused", refused);
}

Test(onnx, sizes_beyond_int64) {
  struct memory *m = memory_new(NULL);
  struct message graph = {.length = 0};
  put_node(&graph, "Relu", "x", "y");
  put_value(&graph, 12, "y", 1, "4294967296 4294967296");
  struct message model = model_of(&graph);
  struct error e;
  struct graph *g;
  cr_assert(!read_model(m, &model, model.length, NULL, &g, &e));
  cr_assert(strstr(e.text, "\"y\": its elements are beyond int64"), "%s",
            e.text);
  memory_free(m);
}

Test(onnx, varints) {
  static const char ten[] = "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
  static const char over[] = "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02";
  static const char eleven[] =
      "\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01";
  struct wire w = wire_enter((struct span){ten, 11});
  cr_assert(wire_next(&w) && w.value == UINT64_MAX && !wire_next(&w) &&
            !w.broken);
  w = wire_enter((struct span){over, 11});
  cr_assert(!wire_next(&w) && w.broken);
  w = wire_enter((struct span){eleven, 12});
  cr_assert(!wire_next(&w) && w.broken);
  w = wire_enter((struct span){"\x0b", 1}); /* a group */
  cr_assert(!wire_next(&w) && w.broken);
  w = wire_enter((struct span){"\x12\x05"
                               "ab",
                               4}); /* too short */
  cr_assert(!wire_next(&w) && w.broken);
}
