/* moccasin generate KIND [parameters]: the options are those of the kind. */
#include "graphs/generate.h"
#include "graphs/write.h"
#include "solver/cli/command.h"
#include "solver/cli/load.h"
#include "solver/cli/output.h"

#include <string.h>

enum { MOST = 60, OWN = 2 }; /* options; those that all kinds have here */

struct making {
  const struct generate_kind *kind; /* NULL: help about all */
  const char *kind_name, *output, *to;
  struct option table[MOST + OWN + 1];
  const char *text[MOST]; /* values of parameters, NULL: not given */
  bool flag[MOST];
  int count;
};

/* "bytes of an element (default 4)", or with the kinds that have it. */
static const char *describe(struct session *s, const struct making *making,
                            const struct generate_parameter *p) {
  char text[300];
  int used = snprintf(text, sizeof text, "%s", p->help), kinds;
  const struct generate_kind *kind = generate_kinds(&kinds);
  if (making->kind && p->type != GENERATE_FLAG) {
    snprintf(text + used, sizeof text - (size_t)used, " (default %.15g)",
             p->preset);
  } else if (!making->kind) {
    for (int k = 0, first = 1; k < kinds; k++)
      if (generate_parameter_find(&kind[k], p->name)) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%s",
                         first ? " (" : ", ", kind[k].name);
        first = 0;
      }
    snprintf(text + used, sizeof text - (size_t)used, ")");
  }
  return memory_text(s->memory, text, strlen(text));
}

static void add_parameter(struct session *s, struct making *making,
                          const struct generate_parameter *p) {
  int i = making->count;
  for (int k = 0; k < i; k++)
    if (!strcmp(making->table[k].name, p->name))
      return;
  if (i == MOST)
    return;
  bool flag = p->type == GENERATE_FLAG && p->preset == 0;
  making->table[i] =
      (struct option){.name = p->name,
                      .letter = p->name[1] ? '\0' : p->name[0],
                      .kind = flag                       ? OPTION_FLAG
                              : p->type == GENERATE_FLAG ? OPTION_CHOICE
                                                         : OPTION_TEXT,
                      .argument = p->type == GENERATE_REAL ? "X" : "N",
                      .help = describe(s, making, p),
                      .choices = "0|1"};
  making->table[i].target =
      flag ? (void *)&making->flag[i] : (void *)&making->text[i];
  making->count++;
}

static void fill_table(struct session *s, struct making *making) {
  int kinds;
  const struct generate_kind *kind = generate_kinds(&kinds);
  for (int k = 0; k < kinds; k++)
    if (!making->kind || making->kind == &kind[k])
      for (int i = 0; i < kind[k].parameters; i++)
        add_parameter(s, making, &kind[k].parameter[i]);
  struct option *own = &making->table[making->count];
  own[0] = (struct option){
      "output",    'o',
      OPTION_TEXT, &making->output,
      "FILE",      "where the graph goes (default: standard output)",
      0,           0,
      NULL};
  own[1] = (struct option){
      "to",        '\0', OPTION_CHOICE,
      &making->to, NULL, "format (default: by the name of FILE, else json)",
      0,           0,    "json|text|dot"};
  own[2] = (struct option){.name = NULL};
}

/* The kind is the first argument, because the options depend on it. */
static bool choose_kind(struct session *s, struct making *making, int argc,
                        char **argv) {
  const char *names[32];
  int kinds;
  const struct generate_kind *kind = generate_kinds(&kinds);
  if (!argc || argv[0][0] == '-')
    return true;
  making->kind = generate_kind_find(argv[0]);
  if (making->kind)
    return true;
  for (int k = 0; k < kinds && k < 31; k++)
    names[k] = kind[k].name;
  names[kinds < 31 ? kinds : 31] = NULL;
  const char *near = option_nearest(argv[0], names);
  return near ? error_set(&s->error, STATUS_USAGE,
                          "no kind '%.60s'; did you mean '%s'?", argv[0], near)
              : error_set(&s->error, STATUS_USAGE,
                          "no kind '%.60s'; see 'moccasin help generate'",
                          argv[0]);
}

static bool make(struct session *s, const struct making *making,
                 struct graph **out) {
  struct generate_value value[MOST];
  int values = 0;
  for (int i = 0; i < making->count; i++)
    if (making->flag[i] || making->text[i])
      value[values++] =
          (struct generate_value){making->table[i].name, making->text[i]};
  return generate_graph(s->memory, making->kind->name, value, values, out,
                        &s->error);
}

static void write(struct session *s, const struct making *making,
                  const struct graph *g) {
  struct output o;
  enum graph_format format = GRAPH_JSON;
  const char *name = making->to ? making->to : load_format(making->output);
  if (!graph_format_by_name(name ? name : "json", &format)) {
    error_set(&s->error, STATUS_USAGE,
              "a graph is no '%s'; expected json, "
              "text or dot",
              name);
    return;
  }
  if (!output_open(&o, s->memory, making->output, &s->error))
    return;
  if (graph_write(g, format, o.file, &s->error))
    output_commit(&o, &s->error);
  else
    output_discard(&o);
}

int command_generate(struct session *s, int argc, char **argv) {
  struct making making = {.kind = NULL};
  struct graph *g;
  int count;
  if (!choose_kind(s, &making, argc, argv))
    return (int)s->error.status;
  fill_table(s, &making);
  if (command_options(s, argc, argv, making.table, &making.kind_name, 1, 1,
                      &count))
    return (int)s->error.status;
  if (!making.kind)
    error_set(&s->error, STATUS_USAGE, "the kind comes first: generate KIND");
  else if (make(s, &making, &g))
    write(s, &making, g);
  return (int)s->error.status;
}
