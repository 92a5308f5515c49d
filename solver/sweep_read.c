/* Sweeps read back from CSV and JSON; every schedule is verified again. */
#include "graphs/json.h"
#include "graphs/number.h"
#include "graphs/read.h"
#include "model/verify.h"
#include "solver/sweep.h"

#include <stdlib.h>
#include <string.h>

struct reader {
  struct sweep *sweep;
  const char *path;
  struct error *error;
};

/* What identifies the graph and the limits, by name. */
struct identity {
  const char *name;
  int64_t value;
};

static void identify(const struct sweep *s, struct identity list[5]) {
  list[0] = (struct identity){"nodes", moccasin_nodes(s->graph)};
  list[1] = (struct identity){"edges", moccasin_edges(s->graph)};
  list[2] =
      (struct identity){"baseline_peak", moccasin_baseline_peak(s->graph)};
  list[3] = (struct identity){"baseline_duration",
                              moccasin_baseline_duration(s->graph)};
  list[4] = (struct identity){"max_computes", s->options.max_computes};
}

static bool check_identity(const struct reader *r, const char *name,
                           size_t length, int64_t value) {
  struct identity list[5];
  identify(r->sweep, list);
  for (int i = 0; i < 5; i++)
    if (strlen(list[i].name) == length && !memcmp(list[i].name, name, length) &&
        list[i].value != value)
      return error_set(r->error, STATUS_INPUT,
                       "%.200s: this sweep is about another graph or limit "
                       "(%s %lld, here %lld); give another file to -o",
                       r->path, list[i].name, (long long)value,
                       (long long)list[i].value);
  return true;
}

static void first_fault(void *data, const char *text) {
  error_set(data, STATUS_INPUT, "%s", text);
}

/* Adds a point that a file states, after verifying its schedule. */
static bool restore(struct reader *r, struct sweep_point *p) {
  struct sweep *s = r->sweep;
  if (p->length) {
    struct verify_request request = {.sequence = p->sequence,
                                     .length = p->length,
                                     .limited = true,
                                     .budget = p->budget,
                                     .max_computes = s->options.max_computes,
                                     .input_order = !p->free_order};
    struct verify_result v;
    struct error fault = {0};
    if (!verify(s->graph->graph, &request, s->memory, first_fault, &fault, &v))
      return error_set(r->error, STATUS_INPUT,
                       "%.200s: the schedule for budget %lld is not valid: "
                       "%.300s",
                       r->path, (long long)p->budget, fault.text);
    p->peak = v.peak;
    p->duration = v.duration;
    if (p->lower_bound > p->duration)
      return error_set(r->error, STATUS_INPUT,
                       "%.200s: budget %lld: the lower bound %lld exceeds the "
                       "duration %lld",
                       r->path, (long long)p->budget, (long long)p->lower_bound,
                       (long long)p->duration);
  }
  sweep_add(s, p->free_order, p->budget);
  for (int i = 0; i < s->count; i++)
    if (s->point[i].free_order == p->free_order &&
        s->point[i].budget == p->budget)
      s->point[i] = *p;
  return true;
}

/* ---- CSV ---------------------------------------------------------------- */

static bool malformed(const struct reader *r, int line, const char *expected) {
  return error_set(r->error, STATUS_INPUT,
                   "%.200s:%d: no row of a sweep: expected %s", r->path, line,
                   expected);
}

/* Splits at commas, in place; the last field takes the rest. */
static int split(char *line, char **field, int most) {
  int count = 0;
  field[count++] = line;
  for (char *c = line; *c && count < most; c++)
    if (*c == ',') {
      *c = '\0';
      field[count++] = c + 1;
    }
  return count;
}

static bool read_steps(const struct reader *r, char *text,
                       struct sweep_point *p) {
  int capacity = 0, nodes = moccasin_nodes(r->sweep->graph);
  for (char *c = text, *end; *c; c = end) {
    long node = strtol(c, &end, 10);
    if (end == c || node < 0 || node >= nodes)
      return *c == ' ' && !c[strspn(c, " ")];
    MEMORY_GROW(r->sweep->memory, p->sequence, p->length, capacity);
    p->sequence[p->length++] = (int)node;
  }
  return true;
}

static bool csv_point(struct reader *r, char *text, int line) {
  enum { ORDER, BUDGET, PERCENT, STATUS, DURATION, TDI, PEAK, BOUND };
  enum { GAP = BOUND + 1, RECOMPUTES, SECONDS, SCHEDULE, FIELDS };
  char *field[FIELDS];
  struct sweep_point p = {.length = 0};
  if (split(text, field, FIELDS) < FIELDS)
    return malformed(r, line, "12 fields");
  p.free_order = !strcmp(field[ORDER], "free");
  p.infeasible = !strcmp(field[STATUS], "infeasible");
  p.done = strcmp(field[STATUS], "pending") != 0;
  p.seconds = strtod(field[SECONDS], NULL);
  if (!p.free_order && strcmp(field[ORDER], "input") != 0)
    return malformed(r, line, "input or free");
  if (number_int64(field[BUDGET], strlen(field[BUDGET]), &p.budget) ||
      number_int64(field[BOUND], strlen(field[BOUND]), &p.lower_bound))
    return malformed(r, line, "a budget and a lower bound");
  if (!read_steps(r, field[SCHEDULE], &p))
    return malformed(r, line, "positions of nodes, separated by blanks");
  return restore(r, &p);
}

static bool csv_identity(struct reader *r, const char *text) {
  for (const char *c = text; *c;) {
    size_t length = strcspn(c, " ");
    const char *equal = memchr(c, '=', length);
    int64_t value;
    if (equal &&
        number_int64(equal + 1, length - (size_t)(equal + 1 - c), &value) ==
            NUMBER_OK &&
        !check_identity(r, c, (size_t)(equal - c), value))
      return false;
    c += length + (c[length] == ' ');
  }
  return true;
}

static bool read_csv(struct reader *r, char *bytes) {
  int line = 1;
  bool identified = false;
  for (char *c = bytes, *next; *c; c = next, line++) {
    size_t length = strcspn(c, "\n");
    next = c + length + (c[length] == '\n');
    c[length] = '\0';
    if (length && c[length - 1] == '\r')
      c[length - 1] = '\0';
    if (!strncmp(c, "# moccasin-sweep/1", 18)) {
      identified = true;
      if (!csv_identity(r, c))
        return false;
    } else if (*c && *c != '#' && strncmp(c, "order,", 6) != 0) {
      if (!identified)
        return malformed(r, line, "the line '# moccasin-sweep/1 ...' first");
      if (!csv_point(r, c, line))
        return false;
    }
  }
  return identified || malformed(r, 1, "the line '# moccasin-sweep/1 ...'");
}

/* ---- JSON --------------------------------------------------------------- */

static bool json_steps(struct reader *r, struct json *j,
                       struct json_buffer *text, struct sweep_point *p) {
  int capacity = 0;
  char name[80];
  if (!json_expect(j, JSON_ARRAY, "sequence"))
    return false;
  while (json_element(j)) {
    struct graph_id id = {NULL, 0};
    if (j->kind == JSON_STRING) {
      if (!json_text(j, text))
        return false;
      id.text = text->text;
    } else if (!json_int64(j, "a node id", &id.number)) {
      return false;
    }
    int node = graph_find(r->sweep->graph->graph, id);
    if (node < 0)
      return json_fail(j, j->start, "the graph has no node %s",
                       graph_id_text(id, name, sizeof name));
    MEMORY_GROW(r->sweep->memory, p->sequence, p->length, capacity);
    p->sequence[p->length++] = node;
  }
  return j->kind == JSON_ARRAY_END;
}

static bool json_word(struct json *j, struct json_buffer *text,
                      const char *what, const char *word, bool *is) {
  if (!json_expect(j, JSON_STRING, what) || !json_text(j, text))
    return false;
  *is = !strcmp(text->text, word);
  return true;
}

static bool json_status(struct json *j, struct json_buffer *text,
                        struct sweep_point *p) {
  if (!json_word(j, text, "status", "infeasible", &p->infeasible))
    return false;
  p->done = strcmp(text->text, "pending") != 0;
  return true;
}

static bool json_read_point(struct reader *r, struct json *j) {
  struct sweep_point p = {.budget = -1, .done = true};
  struct json_buffer text = {0};
  bool ok = j->kind == JSON_OBJECT ||
            json_fail(j, j->start, "found %s, expected a point",
                      json_kind_name(j->kind));
  while (ok && json_member(j)) {
    if (json_key_is(j, "order"))
      ok = json_word(j, &text, "order", "free", &p.free_order);
    else if (json_key_is(j, "status"))
      ok = json_status(j, &text, &p);
    else if (json_key_is(j, "budget"))
      ok = json_next(j) && json_int64(j, "budget", &p.budget);
    else if (json_key_is(j, "duration_lower_bound"))
      ok =
          json_next(j) && json_int64(j, "duration_lower_bound", &p.lower_bound);
    else if (json_key_is(j, "seconds"))
      ok = json_expect(j, JSON_NUMBER, "seconds") &&
           (p.seconds = strtod(j->text + j->start, NULL), true);
    else if (json_key_is(j, "sequence"))
      ok = json_steps(r, j, &text, &p);
    else
      ok = json_skip(j);
  }
  ok = ok && j->kind == JSON_OBJECT_END && restore(r, &p);
  memory_put(r->sweep->memory, text.text);
  return ok;
}

static bool json_identity(struct reader *r, struct json *j) {
  if (!json_expect(j, JSON_OBJECT, "graph"))
    return false;
  while (json_member(j)) {
    size_t start = j->start, length = j->end - j->start;
    int64_t value;
    if (json_key_is(j, "name")) {
      if (!json_skip(j))
        return false;
    } else if (!json_next(j) || !json_int64(j, "a figure", &value) ||
               !check_identity(r, j->text + start, length, value)) {
      return false;
    }
  }
  return j->kind == JSON_OBJECT_END;
}

static bool read_json(struct reader *r, const char *bytes, size_t size) {
  struct json j;
  bool identified = false, ok = true;
  json_open(&j, r->sweep->memory, r->path, bytes, size, r->error);
  ok = json_expect(&j, JSON_OBJECT, "the sweep");
  while (ok && json_member(&j)) {
    int64_t value;
    if (json_key_is(&j, "graph")) {
      ok = identified = json_identity(r, &j);
    } else if (json_key_is(&j, "max_computes")) {
      ok = json_next(&j) && json_int64(&j, "max_computes", &value) &&
           check_identity(r, "max_computes", 12, value);
    } else if (json_key_is(&j, "points")) {
      ok = (identified ||
            json_fail(&j, j.start, "expected \"graph\" before the points")) &&
           json_expect(&j, JSON_ARRAY, "points");
      while (ok && json_element(&j))
        ok = json_read_point(r, &j);
    } else {
      ok = json_skip(&j);
    }
  }
  if (ok)
    json_next(&j);
  return json_close(&j) && ok;
}

bool sweep_read(struct sweep *s, const char *path, struct error *error) {
  struct reader r = {.sweep = s, .path = path, .error = error};
  char *bytes;
  size_t size;
  if (!read_file(s->memory, path, &bytes, &size, error))
    return false;
  char *text = memory_text(s->memory, bytes, size); /* ends with NUL */
  bool ok = text[strspn(text, " \t\r\n")] == '{' ? read_json(&r, bytes, size)
                                                 : read_csv(&r, text);
  memory_put(s->memory, text);
  memory_put(s->memory, bytes);
  return ok;
}
