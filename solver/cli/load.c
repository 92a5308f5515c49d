#include "solver/cli/load.h"

#include "graphs/write.h"
#include "model/verify.h"

#include <string.h>

/* Splits "a=1,b=2" at the commas. */
static struct onnx_options onnx_options(struct session *s,
                                        const struct load_onnx *onnx) {
  struct onnx_options o = {.no_weights = onnx->no_weights,
                           .flops = onnx->flops,
                           .bandwidth = onnx->bandwidth};
  const char **list = NULL;
  int capacity = 0;
  for (const char *c = onnx->dims; c && *c;) {
    size_t length = strcspn(c, ",");
    MEMORY_GROW(s->memory, list, o.dims, capacity);
    list[o.dims++] = memory_text(s->memory, c, length);
    c += length + (c[length] == ',');
  }
  o.dim = list;
  return o;
}

struct moccasin_graph *load_graph(struct session *s, const char *path,
                                  const struct load_onnx *onnx, bool quiet) {
  struct moccasin_graph *g;
  char message[MOCCASIN_MESSAGE];
  struct onnx_options o = onnx_options(s, onnx);
  int status = graph_handle_read(path, &o, &g, message);
  if (status != MOCCASIN_OK) {
    error_set(&s->error, (enum status)status, "%s", message);
    return NULL;
  }
  if (message[0] && !quiet)
    fprintf(stderr, "moccasin: warning: %s\n", message);
  return g;
}

static void first_fault(void *data, const char *text) {
  struct error *e = data; /* the first one stays */
  error_set(e, STATUS_INPUT, "%s", text);
}

bool load_schedule(struct session *s, const struct graph *g, const char *path,
                   struct document_input *out) {
  if (!path) {
    *out = (struct document_input){.sequence = g->order,
                                   .length = g->node_count,
                                   .peak = -1,
                                   .duration = -1,
                                   .duration_lower_bound = -1};
    return true;
  }
  if (!document_read(s->memory, path, g, out, &s->error))
    return false;
  struct verify_request request = {.sequence = out->sequence,
                                   .length = out->length};
  struct verify_result result;
  struct error fault = {0};
  if (verify(g, &request, s->memory, first_fault, &fault, &result))
    return true;
  return error_set(&s->error, STATUS_INPUT,
                   "%.200s: no schedule of this graph: %.300s", path,
                   fault.text);
}

bool load_budget(const char *text, const struct moccasin_graph *g,
                 int64_t *bytes, struct error *error) {
  int64_t millionths;
  if (option_percent(text, &millionths)) {
    *bytes = moccasin_percent_budget(g, millionths);
    return true;
  }
  return option_bytes(text, bytes) ||
         error_set(error, STATUS_USAGE,
                   "expected bytes (41688), with a unit (12GiB, 10.5GB, 512K) "
                   "or percent (90%%), found '%.100s'",
                   text);
}

const char *load_bytes_text(int64_t bytes, char *buffer) {
  char human[16];
  int used = snprintf(buffer, 64, "%lld bytes", (long long)bytes);
  if (bytes >= 1000 || bytes <= -1000)
    snprintf(buffer + used, 64 - (size_t)used, " (%s)",
             graph_bytes_text(bytes, human));
  return buffer;
}

const char *load_format(const char *path) {
  static const char *const known[][2] = {{".json", "json"},
                                         {".txt", "text"},
                                         {".dot", "dot"},
                                         {".gv", "dot"},
                                         {".csv", "minimalloc"}};
  const char *dot = path ? strrchr(path, '.') : NULL;
  for (size_t i = 0; dot && i < sizeof known / sizeof *known; i++)
    if (!strcmp(dot, known[i][0]))
      return known[i][1];
  return NULL;
}
