#include "solver/cli/setup.h"

#include <string.h>

void setup_default(struct setup *s) {
  memset(s, 0, sizeof *s);
  moccasin_options_default(&s->options);
  s->objective = "duration";
  s->order = "input";
  s->max_computes = 2;
}

static bool read_budget(struct setup *s, const struct moccasin_graph *g,
                        struct error *error) {
  int64_t millionths;
  if (!s->budget)
    return s->options.objective == MOCCASIN_PEAK ||
           error_set(error, STATUS_USAGE,
                     "--budget is missing: bytes, 12GiB, or 90%% of the input "
                     "order's peak");
  if (option_percent(s->budget, &millionths)) {
    s->options.budget = moccasin_percent_budget(g, millionths);
    return true;
  }
  return option_bytes(s->budget, &s->options.budget) ||
         error_set(error, STATUS_USAGE,
                   "--budget: expected bytes (41688), with a unit (12GiB, "
                   "10.5GB, 512K) or percent (90%%), found '%s'",
                   s->budget);
}

static bool read_duration_limit(struct setup *s, const struct moccasin_graph *g,
                                struct error *error) {
  int64_t millionths, base = moccasin_baseline_duration(g);
  if (!s->duration_limit)
    return true;
  if (s->options.objective != MOCCASIN_PEAK)
    return error_set(error, STATUS_USAGE,
                     "--duration-limit goes with --objective peak");
  if (option_percent(s->duration_limit, &millionths)) {
    /* floor(base * percent), split so that nothing overflows */
    const int64_t unit = 100000000;
    if (millionths / unit > 0 && base / unit > INT64_MAX / 4 / millionths)
      s->options.duration_limit = INT64_MAX;
    else
      s->options.duration_limit = base / unit * millionths +
                                  base % unit * (millionths / unit) +
                                  base % unit * (millionths % unit) / unit;
  } else if (!option_bytes(s->duration_limit, &s->options.duration_limit)) {
    return error_set(
        error, STATUS_USAGE,
        "--duration-limit: expected cost units or percent (105%%), "
        "found '%s'",
        s->duration_limit);
  }
  return s->options.duration_limit >= base ||
         error_set(error, STATUS_USAGE,
                   "--duration-limit: %lld is less than computing every node "
                   "once (%lld)",
                   (long long)s->options.duration_limit, (long long)base);
}

bool setup_finish(struct setup *s, const struct moccasin_graph *g,
                  struct error *error) {
  struct moccasin_options *o = &s->options;
  o->objective =
      strcmp(s->objective, "peak") ? MOCCASIN_DURATION : MOCCASIN_PEAK;
  o->order =
      strcmp(s->order, "free") ? MOCCASIN_INPUT_ORDER : MOCCASIN_FREE_ORDER;
  o->max_computes = (int)s->max_computes;
  o->seed = (uint64_t)s->seed;
  o->threads = (int)s->threads;
  o->check = (int)s->check;
  o->memory_limit = (size_t)s->memory_limit;
  return read_budget(s, g, error) && read_duration_limit(s, g, error);
}
