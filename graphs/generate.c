#include "graphs/generate_private.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

/* Parameters that all networks have. */
/* clang-format off */
#define NETWORK                                                               \
  {"batch", GENERATE_INTEGER, 32, 1, 1 << 20, "examples in a batch"},         \
  {"training", GENERATE_FLAG, 0, 0, 1, "forward and backward"},               \
  {"bytes", GENERATE_INTEGER, 4, 1, 16, "bytes of an element"},               \
  {"flops", GENERATE_REAL, 14e12, 1, 1e24, "FLOPs a second of the device"},   \
  {"bandwidth", GENERATE_REAL, 900e9, 1, 1e24,                                \
   "bytes a second between device and memory"},                               \
  {"optimizer", GENERATE_INTEGER, 1, 0, 8,                                    \
   "copies of the parameters in the optimizer's state (training)"},           \
  {"conservative", GENERATE_FLAG, 0, 0, 1,                                    \
   "gradients read all inputs and the output, needed or not"}
#define IMAGE(size, classes)                                                  \
  {"image", GENERATE_INTEGER, size, 8, 1 << 14,                               \
   "height and width of the input, 3 channels"},                              \
  {"classes", GENERATE_INTEGER, classes, 1, 1 << 20, "channels of the output"}
/* clang-format on */

static const struct generate_parameter layered[] = {
    {"n", GENERATE_INTEGER, 100, 3, 1000000, "nodes"},
    {"seed", GENERATE_INTEGER, 1, 0, 9007199254740992.0, "random seed"},
    {"width", GENERATE_REAL, 0.35, 0.001, 100,
     "mean nodes of a layer, as a factor of 2 sqrt(n)"},
    {"variability", GENERATE_REAL, 0.75, 0, 1,
     "widths are uniform on mean x (1 -+ this)"},
    {"density", GENERATE_REAL, 0.2, 0, 1,
     "part of the possible edges between neighbouring layers"},
    {"skips", GENERATE_REAL, 0.14, 0, 0.9,
     "part of all edges that skip layers"},
    {"shuffle", GENERATE_FLAG, 1, 0, 1,
     "state a random topological order; 0: generation by generation"}};
static const struct generate_parameter chain[] = {
    {"n", GENERATE_INTEGER, 10, 1, 1000000, "operations"},
    {"size", GENERATE_INTEGER, 1 << 20, 0, 1e15, "bytes of an output"},
    {"duration", GENERATE_INTEGER, 1000, 0, 1e12, "nanoseconds"},
    {"spread", GENERATE_REAL, 0, 0, 1,
     "sizes and durations vary by this factor up and down"},
    {"seed", GENERATE_INTEGER, 1, 0, 9007199254740992.0, "random seed"},
    {"training", GENERATE_FLAG, 0, 0, 1, "forward and backward"}};
static const struct generate_parameter unet[] = {
    NETWORK,
    IMAGE(256, 2),
    {"levels", GENERATE_INTEGER, 4, 1, 10, "times that the size is halved"},
    {"channels", GENERATE_INTEGER, 64, 1, 4096, "channels of the first level"},
};
static const struct generate_parameter resnet[] = {
    NETWORK,
    IMAGE(224, 1000),
    {"depth", GENERATE_INTEGER, 50, 18, 152, "18, 34, 50, 101 or 152"}};
static const struct generate_parameter vgg[] = {
    NETWORK,
    IMAGE(224, 1000),
    {"depth", GENERATE_INTEGER, 16, 11, 19, "11, 13, 16 or 19"}};
static const struct generate_parameter mobilenet[] = {
    NETWORK,
    IMAGE(224, 1000),
    {"alpha", GENERATE_REAL, 1, 0.05, 8, "factor of all channels"}};
static const struct generate_parameter transformer[] = {
    NETWORK,
    {"layers", GENERATE_INTEGER, 12, 1, 10000, "blocks"},
    {"hidden", GENERATE_INTEGER, 768, 1, 1 << 20, "width of the model"},
    {"heads", GENERATE_INTEGER, 12, 1, 4096, "attention heads"},
    {"sequence", GENERATE_INTEGER, 1024, 1, 1 << 24, "tokens of an example"},
    {"vocabulary", GENERATE_INTEGER, 50257, 1, 1 << 24, "tokens there are"}};

#define KIND(kind, help)                                                       \
  { #kind, help, kind, COUNT(kind) }
static const struct generate_kind kinds[] = {
    KIND(layered, "random layered graph"),
    KIND(chain, "one operation after the other"),
    KIND(unet, "U-Net (Ronneberger et al., 2015), padded convolutions"),
    KIND(resnet, "ResNet (He et al., 2016)"),
    KIND(vgg, "VGG (Simonyan and Zisserman, 2015)"),
    KIND(mobilenet, "MobileNet, first version (Howard et al., 2017)"),
    KIND(transformer, "decoder-only transformer of GPT-2's shape")};
static struct graph *(*const maker[])(const struct generate_job *) = {
    generate_layered, generate_chain,     generate_unet,       generate_resnet,
    generate_vgg,     generate_mobilenet, generate_transformer};

const struct generate_kind *generate_kinds(int *count) {
  *count = COUNT(kinds);
  return kinds;
}

const struct generate_kind *generate_kind_find(const char *name) {
  for (int k = 0; k < COUNT(kinds); k++)
    if (!strcmp(kinds[k].name, name))
      return &kinds[k];
  return NULL;
}

const struct generate_parameter *
generate_parameter_find(const struct generate_kind *kind, const char *name) {
  for (int i = 0; i < kind->parameters; i++)
    if (!strcmp(kind->parameter[i].name, name))
      return &kind->parameter[i];
  return NULL;
}

double generate_real(const struct generate_job *job, const char *name) {
  const struct generate_parameter *p = generate_parameter_find(job->kind, name);
  assert(p);
  return job->value[p - job->kind->parameter];
}

int generate_int(const struct generate_job *job, const char *name) {
  return (int)generate_real(job, name);
}

static bool set_value(struct generate_job *job,
                      const struct generate_value *given) {
  const struct generate_parameter *p =
      generate_parameter_find(job->kind, given->name);
  if (!p)
    return error_set(job->error, STATUS_USAGE, "%s has no parameter \"%.60s\"",
                     job->kind->name, given->name);
  char *end = "";
  double value = 1;
  if (given->value || p->type != GENERATE_FLAG) {
    const char *text = given->value ? given->value : "";
    value = strtod(text, &end);
    if (end == text)
      value = NAN;
  }
  bool integral = p->type == GENERATE_REAL || value == floor(value);
  if (*end || !(value >= p->least && value <= p->most) || !integral)
    return error_set(job->error, STATUS_USAGE,
                     "%s: found \"%.60s\", expected %s from %.15g to %.15g",
                     given->name, given->value ? given->value : "",
                     p->type == GENERATE_REAL ? "a number" : "an integer",
                     p->least, p->most);
  job->value[p - job->kind->parameter] = value;
  return true;
}

bool generate_graph(struct memory *m, const char *kind,
                    const struct generate_value *value, int values,
                    struct graph **out, struct error *error) {
  struct generate_job job = {m, generate_kind_find(kind), {0}, error};
  if (!job.kind)
    return error_set(error, STATUS_USAGE,
                     "there is no kind of graph \"%.60s\", expected layered, "
                     "chain, unet, resnet, vgg, mobilenet or transformer",
                     kind);
  assert(job.kind->parameters <= GENERATE_MOST);
  for (int i = 0; i < job.kind->parameters; i++)
    job.value[i] = job.kind->parameter[i].preset;
  for (int i = 0; i < values; i++)
    if (!set_value(&job, &value[i]))
      return false;
  *out = maker[job.kind - kinds](&job);
  return *out != NULL;
}
