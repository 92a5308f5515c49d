/* Generated graphs: hand-computed shapes, durations and parameter counts,
 * counts of the published training graphs, reproducibility, bad parameters. */
#include "graphs/generate.h"

#include "model/problem.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct graph *make(struct memory *m, const char *kind, int values,
                          const struct generate_value *value) {
  struct error e = {STATUS_OK, ""};
  struct graph *g;
  cr_assert(generate_graph(m, kind, value, values, &g, &e), "%s", e.text);
  return g;
}

#define MAKE(m, kind, ...)                                                     \
  make(m, kind,                                                                \
       (int)(sizeof((struct generate_value[]){__VA_ARGS__}) /                  \
             sizeof(struct generate_value)),                                   \
       (const struct generate_value[]){__VA_ARGS__})

static const struct graph_node *named(const struct graph *g, const char *name) {
  for (int v = 0; v < g->node_count; v++)
    if (!strcmp(g->node[v].name, name))
      return &g->node[v];
  cr_assert(false, "%s has no node %s", g->name, name);
  return NULL;
}

static bool reads(const struct graph *g, const char *reader,
                  const char *input) {
  int v = (int)(named(g, reader) - g->node);
  int u = (int)(named(g, input) - g->node);
  for (int e = g->pred_start[v]; e < g->pred_start[v + 1]; e++)
    if (g->pred[e] == u)
      return true;
  return false;
}

/* Learnable parameters, as the papers and the frameworks' own models have
 * them. */
Test(generate, parameters_of_known_networks) {
  static const struct {
    const char *kind, *name, *value;
    int64_t parameters;
    int64_t input; /* elements of one example */
  } known[] = {
      {"resnet", "depth", "18", 11689512, 3 * 224 * 224},
      {"resnet", "depth", "34", 21797672, 3 * 224 * 224},
      {"resnet", "depth", "50", 25557032, 3 * 224 * 224},
      {"resnet", "depth", "101", 44549160, 3 * 224 * 224},
      {"resnet", "depth", "152", 60192808, 3 * 224 * 224},
      {"vgg", "depth", "16", 138357544, 3 * 224 * 224},
      {"vgg", "depth", "19", 143667240, 3 * 224 * 224},
      {"mobilenet", "alpha", "1", 4231976, 3 * 224 * 224},
      {"transformer", "layers", "12", 124439808, 1024}, /* GPT-2 small */
  };
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    struct memory *m = memory_new(NULL);
    struct graph *g =
        MAKE(m, known[i].kind, {known[i].name, known[i].value}, {"batch", "2"});
    cr_assert_eq(g->fixed_memory,
                 4 * (known[i].parameters + 2 * known[i].input), "%s", g->name);
    memory_free(m);
  }
}

/* 256 x 64 x 112 x 112 x 4 bytes and so on: also the published sizes. */
Test(generate, shapes_of_resnet50) {
  struct memory *m = memory_new(NULL);
  struct graph *g = MAKE(m, "resnet", {"batch", "256"});
  static const struct {
    const char *name;
    int64_t size;
  } known[] = {{"conv1_conv", 822083584},
               {"pool1", 205520896},
               {"conv2_block1_1_conv", 205520896},
               {"conv2_block1_3_bn", 822083584},
               {"conv2_block1_0_conv", 822083584},
               {"conv3_block1_1_conv", 411041792}, /* stride on the 3x3 */
               {"conv3_block1_2_conv", 102760448},
               {"conv4_block6_out", 205520896},
               {"conv5_block3_out", 102760448},
               {"avgpool", 2097152},
               {"predictions", 1024000}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    cr_assert_eq(named(g, known[i].name)->size, known[i].size, "%s",
                 known[i].name);
  memory_free(m);
}

/* 2 x 3 x 3 x 3 x 64 x 224 x 224 multiply-adds' FLOPs, bias and ReLU, at
 * 1e9 FLOPs a second: nanoseconds equal FLOPs; then bytes alone. */
Test(generate, durations_by_hand) {
  struct memory *m = memory_new(NULL);
  struct graph *g =
      MAKE(m, "vgg", {"batch", "1"}, {"flops", "1e9"}, {"bandwidth", "1e24"});
  int64_t out = 64 * 224 * 224;
  cr_assert_eq(named(g, "block1_conv1")->duration, (2 * 27 + 2) * out);
  cr_assert_eq(named(g, "block1_pool")->duration, 4 * out / 4);
  cr_assert_eq(named(g, "predictions")->duration, 1000 * (2 * 4096 + 1));
  g = MAKE(m, "vgg", {"batch", "1"}, {"flops", "1e24"}, {"bandwidth", "1e9"});
  cr_assert_eq(named(g, "block1_conv1")->duration,
               4 * (out + 3 * 224 * 224 + 27 * 64 + 64));
  cr_assert_eq(named(g, "block1_pool")->duration, 4 * (out + out / 4));
  memory_free(m);
}

/* GPT-2's attention by hand: batch 2, sequence 8, hidden 12, heads 3. */
Test(generate, shapes_of_a_transformer) {
  struct memory *m = memory_new(NULL);
  struct graph *g = MAKE(m, "transformer", {"batch", "2"}, {"sequence", "8"},
                         {"hidden", "12"}, {"heads", "3"}, {"layers", "1"},
                         {"vocabulary", "100"}, {"flops", "1e9"},
                         {"bandwidth", "1e24"}, {"training", NULL});
  cr_assert_eq(named(g, "block1_q")->size, 2 * 8 * 12 * 4);
  cr_assert_eq(named(g, "block1_scores")->size, 2 * 3 * 8 * 8 * 4);
  cr_assert_eq(named(g, "block1_fc1")->size, 2 * 8 * 48 * 4);
  cr_assert_eq(named(g, "head")->size, 2 * 8 * 100 * 4);
  cr_assert_eq(named(g, "block1_scores")->duration, 2 * 3 * 2 * 8 * 8 * 4);
  cr_assert_eq(named(g, "d_block1_scores")->duration,
               2 * 2 * 3 * 2 * 8 * 8 * 4);
  cr_assert_eq(named(g, "d_block1_scores")->size, 2 * 2 * 8 * 12 * 4);
  cr_assert(reads(g, "d_block1_softmax", "block1_softmax") &&
            !reads(g, "d_block1_softmax", "block1_scores") &&
            reads(g, "d_block1_softmax", "d_block1_context") &&
            reads(g, "d_block1_ln1", "d_block1_q") &&
            reads(g, "d_block1_ln1", "d_block1_v") &&
            !reads(g, "d_block1_add1", "block1_add1"));
  memory_free(m);
}

/* The published training graphs have two padding operations more (ResNet-50:
 * 353 nodes, 751 edges) or a flattening (VGG-16: 45 and 87, VGG-19: 51 and
 * 99).  Each such forward operation costs 2 nodes and 4 edges: its own and its
 * gradient's; forward edge, gradient edge, input and output to the gradient. */
Test(generate, counts_of_published_training_graphs) {
  struct memory *m = memory_new(NULL);
  struct graph *g = MAKE(m, "resnet", {"training", "1"}, {"conservative", "1"});
  cr_assert_eq(g->node_count, 353 - 2 * 2);
  cr_assert_eq(g->edge_count, 751 - 2 * 4);
  g = MAKE(m, "vgg", {"training", "1"}, {"conservative", "1"});
  cr_assert_eq(g->node_count, 45 - 2);
  cr_assert_eq(g->edge_count, 87 - 4);
  g = MAKE(m, "vgg", {"depth", "19"}, {"training", "1"}, {"conservative", "1"});
  cr_assert_eq(g->node_count, 51 - 2);
  cr_assert_eq(g->edge_count, 99 - 4);
  memory_free(m);
}

Test(generate, unet_and_its_skips) {
  struct memory *m = memory_new(NULL);
  struct graph *g =
      MAKE(m, "unet", {"batch", "1"}, {"image", "64"}, {"levels", "2"},
           {"channels", "8"}, {"training", NULL});
  cr_assert_eq(named(g, "bottom3_relu2")->size, 32 * 16 * 16 * 4);
  cr_assert_eq(named(g, "up2")->size, 16 * 32 * 32 * 4);
  cr_assert_eq(named(g, "concat2")->size, 32 * 32 * 32 * 4);
  cr_assert(reads(g, "concat2", "down2_relu2") && reads(g, "concat2", "up2") &&
            reads(g, "d_down2_relu2", "d_concat2") &&
            reads(g, "d_down2_relu2", "d_down2_pool"));
  memory_free(m);
}

/* One source, one sink, layers between; every node on a path; the stated
 * order; shares of skips; the same seed gives the same graph. */
Test(generate, layered) {
  for (int seed = 1; seed <= 30; seed++) {
    struct memory *m = memory_new(NULL);
    char text[20], n[20];
    snprintf(text, sizeof text, "%d", seed);
    snprintf(n, sizeof n, "%d", 3 + seed * seed);
    struct graph *g = MAKE(m, "layered", {"n", n}, {"seed", text});
    struct graph *again = MAKE(m, "layered", {"n", n}, {"seed", text});
    cr_assert(g->order_given && g->node_count == 3 + seed * seed &&
              g->edge_count == again->edge_count &&
              !memcmp(g->edge, again->edge,
                      2 * (size_t)g->edge_count * sizeof *g->edge) &&
              !memcmp(g->order, again->order,
                      (size_t)g->node_count * sizeof *g->order));
    for (int v = 0; v < g->node_count; v++) {
      cr_assert_eq(g->pred_start[v] == g->pred_start[v + 1], v == 0);
      cr_assert_eq(g->succ_start[v] == g->succ_start[v + 1], v == 1);
      cr_assert(g->node[v].size > 0 && g->node[v].size % 10 == 0 &&
                g->node[v].duration < 1000);
    }
    memory_free(m);
  }
}

Test(generate, chains) {
  struct memory *m = memory_new(NULL);
  struct graph *g = MAKE(m, "chain", {"n", "3"}, {"training", NULL},
                         {"size", "10"}, {"duration", "7"});
  static const int edge[] = {0, 1, 1, 2, 2, 3, 1, 3, 3, 4, 0, 4, 4, 5};
  cr_assert(g->node_count == 6 && g->edge_count == 7 &&
            !memcmp(g->edge, edge, sizeof edge) && g->node[5].duration == 14);
  memory_free(m);
}

Test(generate, every_kind_with_its_defaults) {
  int count;
  const struct generate_kind *kind = generate_kinds(&count);
  for (int k = 0; k < count; k++) {
    struct memory *m = memory_new(NULL);
    struct graph *g;
    struct error e = {STATUS_OK, ""};
    cr_assert(generate_graph(m, kind[k].name, NULL, 0, &g, &e), "%s", e.text);
    cr_assert(g->node_count >= 10 && problem_new(m, g, 2, false, &e), "%s: %s",
              kind[k].name, e.text);
    memory_free(m);
  }
}

Test(generate, bad_parameters) {
  static const struct {
    const char *kind;
    struct generate_value value;
    const char *message;
  } bad[] = {
      {"tree", {"n", "1"}, "no kind of graph \"tree\", expected layered"},
      {"chain", {"depth", "1"}, "chain has no parameter \"depth\""},
      {"chain", {"n", "0"}, "n: found \"0\", expected an integer from 1"},
      {"chain", {"n", "1.5"}, "expected an integer"},
      {"chain", {"n", ""}, "expected an integer"},
      {"chain", {"n", NULL}, "expected an integer"},
      {"chain", {"n", "nan"}, "expected an integer"},
      {"layered", {"density", "1.1"}, "expected a number from 0 to 1"},
      {"resnet", {"depth", "20"}, "depth: expected 18, 34, 50, 101 or 152"},
      {"vgg", {"depth", "12"}, "depth: expected 11, 13, 16 or 19"},
      {"vgg", {"image", "16"}, "image: expected at least 32"},
      {"unet", {"image", "250"}, "expected a multiple of 16"},
      {"transformer", {"heads", "7"}, "expected a multiple of the 7 heads"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    struct memory *m = memory_new(NULL);
    struct graph *g;
    struct error e = {STATUS_OK, ""};
    cr_assert(!generate_graph(m, bad[i].kind, &bad[i].value, 1, &g, &e) &&
                  e.status == STATUS_USAGE && strstr(e.text, bad[i].message),
              "%s", e.text);
    memory_free(m);
  }
  struct memory *m = memory_new(NULL);
  struct graph *g;
  struct error e = {STATUS_OK, ""};
  const struct generate_value huge[] = {{"batch", "1048576"},
                                        {"sequence", "16777216"}};
  cr_assert(!generate_graph(m, "transformer", huge, 2, &g, &e) &&
                e.status == STATUS_INPUT && strstr(e.text, "beyond int64"),
            "%s", e.text);
  memory_free(m);
}
