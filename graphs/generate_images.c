/* Networks on images: VGG, ResNet, MobileNet, U-Net.
 *
 * A feature map is the output of a layer with its shape (channels, height,
 * width).  Convolutions are padded so that a stride s maps height h to
 * ceil(h / s). */
#include "graphs/network.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct map {
  int layer; /* -1: the network's input */
  int channels, height, width;
};

static void name_layer(struct layer *l, const char *format, va_list arguments) {
  vsnprintf(l->name, sizeof l->name, format, arguments);
}

static double elements(const struct network *net, struct map f) {
  return generate_real(net->job, "batch") * f.channels * f.height * f.width;
}

static void read_map(struct layer *l, struct map f) {
  if (f.layer >= 0)
    l->input[l->inputs++] = f.layer;
}

struct convolution {
  int channels; /* of the output */
  int kernel, stride;
  bool depthwise; /* each channel by itself */
  bool bias;
  bool relu;       /* done in place by the same operation */
  bool transposed; /* the stride enlarges */
};

static struct map convolve(struct network *net, struct map f,
                           struct convolution c, const char *format, ...) {
  struct layer l = {.inputs = 0, .backward = 1};
  va_list arguments;
  va_start(arguments, format);
  name_layer(&l, format, arguments);
  va_end(arguments);
  struct map out = {
      0, c.channels,
      c.transposed ? f.height * c.stride : (f.height + c.stride - 1) / c.stride,
      c.transposed ? f.width * c.stride : (f.width + c.stride - 1) / c.stride};
  double weights = (double)c.kernel * c.kernel * (c.depthwise ? 1 : f.channels);
  read_map(&l, f);
  l.elements = elements(net, out);
  /* A transposed convolution does its work once for each input element. */
  l.flops = c.transposed
                ? 2 * weights * c.channels * elements(net, f) / f.channels
                : 2 * weights * l.elements;
  l.flops += l.elements * (c.bias + c.relu);
  l.parameters = weights * c.channels + (c.bias ? c.channels : 0);
  l.needs = NEEDS_INPUT | (c.relu ? NEEDS_OUTPUT : 0);
  out.layer = network_add(net, &l);
  return out;
}

/* A fully connected layer on all channels and places. */
static struct map connect(struct network *net, struct map f, int channels,
                          bool relu, const char *name) {
  struct layer l = {.inputs = 0, .backward = 1};
  struct map out = {0, channels, 1, 1};
  double inputs = (double)f.channels * f.height * f.width;
  snprintf(l.name, sizeof l.name, "%s", name);
  read_map(&l, f);
  l.elements = elements(net, out);
  l.flops = (2 * inputs + 1 + relu) * l.elements;
  l.parameters = (inputs + 1) * channels;
  l.needs = NEEDS_INPUT | (relu ? NEEDS_OUTPUT : 0);
  out.layer = network_add(net, &l);
  return out;
}

enum plain { NORM, RELU, MAX_POOL, MEAN_POOL };

/* Operations without weights of their own, but for the normalisation's two a
 * channel.  Pools look at kernel x kernel places. */
static struct map apply(struct network *net, struct map f, enum plain what,
                        int kernel, int stride, const char *format, ...) {
  static const struct {
    double flops, backward;
    unsigned needs;
  } property[] = {{4, 1, NEEDS_INPUT},
                  {1, 1, NEEDS_OUTPUT},
                  {1, 1, NEEDS_INPUT | NEEDS_OUTPUT},
                  {1, 1, NEEDS_NOTHING}};
  struct layer l = {.inputs = 0};
  va_list arguments;
  va_start(arguments, format);
  name_layer(&l, format, arguments);
  va_end(arguments);
  struct map out = f;
  if (stride > 1) { /* without padding where places do not overlap */
    int more = kernel > stride ? stride - 1 : 0;
    out.height = (f.height + more) / stride;
    out.width = (f.width + more) / stride;
  }
  read_map(&l, f);
  l.elements = elements(net, out);
  l.flops = property[what].flops * kernel * kernel * l.elements;
  l.backward = property[what].backward;
  l.needs = property[what].needs;
  l.parameters = what == NORM ? 2 * f.channels : 0;
  out.layer = network_add(net, &l);
  return out;
}

/* Mean over all places. */
static struct map pool_all(struct network *net, struct map f) {
  struct map out = {0, f.channels, 1, 1};
  struct layer l = {.name = "avgpool", .backward = 1};
  read_map(&l, f);
  l.elements = elements(net, out);
  l.flops = elements(net, f);
  out.layer = network_add(net, &l);
  return out;
}

/* Addition (shapes equal), or concatenation of channels. */
static struct map join(struct network *net, struct map a, struct map b,
                       bool add, const char *format, ...) {
  struct layer l = {.inputs = 0, .backward = add ? 0 : 1};
  va_list arguments;
  va_start(arguments, format);
  name_layer(&l, format, arguments);
  va_end(arguments);
  struct map out = a;
  if (!add)
    out.channels += b.channels;
  read_map(&l, a);
  read_map(&l, b);
  l.elements = elements(net, out);
  l.flops = add ? l.elements : 0;
  l.same_gradient = add;
  out.layer = network_add(net, &l);
  return out;
}

static struct map image(struct network *net, const struct generate_job *job) {
  int side = generate_int(job, "image");
  struct map f = {-1, 3, side, side};
  *net = network_new(job, generate_real(job, "batch") * 3 * side * side);
  return f;
}

struct graph *generate_vgg(const struct generate_job *job) {
  static const struct {
    int depth, convolutions[5];
  } known[] = {{11, {1, 1, 2, 2, 2}},
               {13, {2, 2, 2, 2, 2}},
               {16, {2, 2, 3, 3, 3}},
               {19, {2, 2, 4, 4, 4}}};
  int depth = generate_int(job, "depth"), k = 0;
  while (k < 4 && known[k].depth != depth)
    k++;
  if (k == 4 || generate_int(job, "image") < 32)
    return error_set(job->error, STATUS_USAGE, "%s",
                     k == 4 ? "depth: expected 11, 13, 16 or 19"
                            : "image: expected at least 32"),
           NULL;
  struct network net;
  struct map f = image(&net, job);
  for (int block = 0; block < 5; block++) {
    struct convolution c = {.channels = block < 3 ? 64 << block : 512,
                            .kernel = 3,
                            .stride = 1,
                            .bias = true,
                            .relu = true};
    for (int i = 0; i < known[k].convolutions[block]; i++)
      f = convolve(&net, f, c, "block%d_conv%d", block + 1, i + 1);
    f = apply(&net, f, MAX_POOL, 2, 2, "block%d_pool", block + 1);
  }
  f = connect(&net, f, 4096, true, "fc1");
  f = connect(&net, f, 4096, true, "fc2");
  connect(&net, f, generate_int(job, "classes"), false, "predictions");
  char name[40];
  snprintf(name, sizeof name, "vgg%d", depth);
  return network_graph(&net, name);
}

static struct map conv_norm(struct network *net, struct map f,
                            struct convolution c, bool relu, const char *name) {
  f = convolve(net, f, c, "%s_conv", name);
  f = apply(net, f, NORM, 1, 1, "%s_bn", name);
  return relu ? apply(net, f, RELU, 1, 1, "%s_relu", name) : f;
}

/* A residual block: two 3x3 convolutions, or 1x1, 3x3, 1x1 with four times the
 * channels (bottleneck). */
static struct map residual(struct network *net, struct map f, int channels,
                           int stride, bool bottleneck, const char *name) {
  int out = bottleneck ? 4 * channels : channels, count = bottleneck ? 3 : 2;
  struct map shortcut = f;
  char part[60];
  for (int i = 1; i <= count; i++) {
    bool wide = !bottleneck || i == 2, last = i == count;
    struct convolution c = {.channels = last ? out : channels,
                            .kernel = wide ? 3 : 1,
                            .stride = i == (bottleneck ? 2 : 1) ? stride : 1};
    snprintf(part, sizeof part, "%s_%d", name, i);
    f = conv_norm(net, f, c, !last, part);
  }
  if (stride > 1 || shortcut.channels != out) {
    struct convolution c = {.channels = out, .kernel = 1, .stride = stride};
    snprintf(part, sizeof part, "%s_0", name);
    shortcut = conv_norm(net, shortcut, c, false, part);
  }
  f = join(net, shortcut, f, true, "%s_add", name);
  return apply(net, f, RELU, 1, 1, "%s_out", name);
}

struct graph *generate_resnet(const struct generate_job *job) {
  static const struct {
    int depth, blocks[4];
  } known[] = {{18, {2, 2, 2, 2}},
               {34, {3, 4, 6, 3}},
               {50, {3, 4, 6, 3}},
               {101, {3, 4, 23, 3}},
               {152, {3, 8, 36, 3}}};
  int depth = generate_int(job, "depth"), k = 0;
  while (k < 5 && known[k].depth != depth)
    k++;
  if (k == 5)
    return error_set(job->error, STATUS_USAGE,
                     "depth: expected 18, 34, 50, 101 or 152"),
           NULL;
  struct network net;
  struct map f = image(&net, job);
  struct convolution stem = {.channels = 64, .kernel = 7, .stride = 2};
  f = conv_norm(&net, f, stem, true, "conv1");
  f = apply(&net, f, MAX_POOL, 3, 2, "pool1");
  char name[40];
  for (int stage = 0; stage < 4; stage++)
    for (int block = 0; block < known[k].blocks[stage]; block++) {
      snprintf(name, sizeof name, "conv%d_block%d", stage + 2, block + 1);
      f = residual(&net, f, 64 << stage, stage && !block ? 2 : 1, depth >= 50,
                   name);
    }
  f = pool_all(&net, f);
  connect(&net, f, generate_int(job, "classes"), false, "predictions");
  snprintf(name, sizeof name, "resnet%d", depth);
  return network_graph(&net, name);
}

struct graph *generate_mobilenet(const struct generate_job *job) {
  static const struct {
    int channels, stride;
  } block[] = {{64, 1},  {128, 2},  {128, 1}, {256, 2}, {256, 1},
               {512, 2}, {512, 1},  {512, 1}, {512, 1}, {512, 1},
               {512, 1}, {1024, 2}, {1024, 1}};
  double alpha = generate_real(job, "alpha");
  struct network net;
  struct map f = image(&net, job);
  struct convolution c = {.kernel = 3, .stride = 2};
  c.channels = (int)fmax(1, floor(32 * alpha));
  f = conv_norm(&net, f, c, true, "conv1");
  for (int i = 0; i < 13; i++) {
    char name[40];
    c = (struct convolution){.channels = f.channels,
                             .kernel = 3,
                             .stride = block[i].stride,
                             .depthwise = true};
    snprintf(name, sizeof name, "block%d_dw", i + 1);
    f = conv_norm(&net, f, c, true, name);
    c = (struct convolution){.channels =
                                 (int)fmax(1, floor(block[i].channels * alpha)),
                             .kernel = 1,
                             .stride = 1};
    snprintf(name, sizeof name, "block%d_pw", i + 1);
    f = conv_norm(&net, f, c, true, name);
  }
  f = pool_all(&net, f);
  connect(&net, f, generate_int(job, "classes"), false, "predictions");
  return network_graph(&net, "mobilenet");
}

static struct map two_convolutions(struct network *net, struct map f,
                                   int channels, const char *side, int level) {
  struct convolution c = {
      .channels = channels, .kernel = 3, .stride = 1, .bias = true};
  for (int i = 1; i <= 2; i++) {
    f = convolve(net, f, c, "%s%d_conv%d", side, level, i);
    f = apply(net, f, RELU, 1, 1, "%s%d_relu%d", side, level, i);
  }
  return f;
}

struct graph *generate_unet(const struct generate_job *job) {
  int levels = generate_int(job, "levels");
  int channels = generate_int(job, "channels");
  if (generate_int(job, "image") % (1 << levels))
    return error_set(job->error, STATUS_USAGE,
                     "image: expected a multiple of %d, which can be halved %d "
                     "times",
                     1 << levels, levels),
           NULL;
  struct network net;
  struct map f = image(&net, job), skip[10];
  for (int k = 0; k < levels; k++) {
    skip[k] = f = two_convolutions(&net, f, channels << k, "down", k + 1);
    f = apply(&net, f, MAX_POOL, 2, 2, "down%d_pool", k + 1);
  }
  f = two_convolutions(&net, f, channels << levels, "bottom", levels + 1);
  for (int k = levels - 1; k >= 0; k--) {
    struct convolution up = {.channels = channels << k,
                             .kernel = 2,
                             .stride = 2,
                             .bias = true,
                             .transposed = true};
    f = convolve(&net, f, up, "up%d", k + 1);
    f = join(&net, skip[k], f, false, "concat%d", k + 1);
    f = two_convolutions(&net, f, channels << k, "up", k + 1);
  }
  struct convolution head = {.channels = generate_int(job, "classes"),
                             .kernel = 1,
                             .stride = 1,
                             .bias = true};
  convolve(&net, f, head, "head");
  return network_graph(&net, "unet");
}
