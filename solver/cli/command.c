#include "solver/cli/command.h"

#include <string.h>

const struct command *command_table(void) {
  static const struct command table[] = {
      {"solve", "a schedule within the budget, of least duration",
       "solve GRAPH --budget B [options]", command_solve,
       "moccasin solve net.json --budget 90% -o schedule.json\n"
       "moccasin solve net.json --budget 12GiB --time-limit 10 -v\n"
       "moccasin solve net.json --objective peak --duration-limit 105%\n"
       "moccasin solve net.json --budget 80% --order free --threads 2\n",
       "The budget is in bytes (41688), with a unit (12GiB, 10.5GB, 512K), or "
       "in percent\nof the input order's peak (90%, rounded up). Control-C "
       "ends "
       "the search with the\nbest schedule so far.\n"},
      {"analyze", "sizes, peaks and what fills them",
       "analyze GRAPH [--json] [--top N]", command_analyze,
       "moccasin analyze net.json\n"
       "moccasin analyze net.json --json --top 50 -o analysis.json\n",
       "About the input order, before any solving: what is held at its peak, "
       "the longest\nlived tensors, the least memory that any schedule needs, "
       "and whether another order\nof the same computes would already help.\n"},
      {"verify", "an independent check of any tool's schedule",
       "verify GRAPH SCHEDULE [--budget B] [-c C]", command_verify,
       "moccasin verify net.json schedule.json\n"
       "moccasin verify net.json schedule.json --budget 90% -c 2 --order "
       "input\n",
       "The schedule is our document, a JSON list of node ids, or bare ids one "
       "a line.\nEvery fault is named with step and node. Exit status: 0 "
       "valid, 3 invalid.\n"},
      {"bound", "the lower bound on the duration, cut by cut",
       "bound GRAPH --budget B [options]", command_bound,
       "moccasin bound net.json --budget 90%\n"
       "moccasin bound net.json --budget 90% --upper 48146\n"
       "moccasin bound net.json --budget 12GiB --order free --json\n",
       "No schedule within the budget is shorter than the bound. It is made of "
       "cuts: at\nthe first compute of a node, what later steps read is in "
       "memory or is computed\nagain. With --upper, the nodes are counted that "
       "no shorter schedule recomputes.\n"},
      {"sweep", "the memory/time curve over a range of budgets",
       "sweep GRAPH [--from B] [--to B] [--steps N] [-o FILE]", command_sweep,
       "moccasin sweep net.json -o curve.csv --svg curve.svg\n"
       "moccasin sweep net.json --from 50% --to 100% --steps 11 --time-limit "
       "5\n"
       "moccasin sweep net.json --order both -o curve.json\n",
       "Each budget starts from the schedule of the next smaller one, and the "
       "curve never\nrises. With -o, a curve that is there is continued: "
       "budgets it has are not solved\nagain, whether the last run ended or "
       "was killed.\n"},
      {"plot", "memory over steps and retention intervals as a picture",
       "plot GRAPH [SCHEDULE] [-o FILE.svg] [--report FILE.html]", command_plot,
       "moccasin plot net.json schedule.json -o schedule.svg\n"
       "moccasin plot net.json schedule.json --report schedule.html\n"
       "moccasin plot net.json -o input-order.svg\n",
       "Without a schedule, the input order is drawn. Rest the pointer on a "
       "shape for names.\n"},
      {"generate", "random graphs and networks",
       "generate KIND [parameters] [-o FILE]", command_generate,
       "moccasin generate layered -n 100 --seed 7 -o layered.json\n"
       "moccasin generate chain -n 50 -o chain.txt\n"
       "moccasin generate unet --training --batch 8 -o unet.json\n"
       "moccasin generate resnet --depth 50 --training -o resnet50.json\n"
       "moccasin generate vgg --depth 16 --training -o vgg16.json\n"
       "moccasin generate mobilenet -o mobilenet.json\n"
       "moccasin generate transformer --layers 4 --hidden 512 --heads 8 "
       "--sequence 256 --batch 4 --training -o gpt.json\n",
       "Kinds: layered, chain, unet, resnet, vgg, mobilenet, transformer. "
       "Sizes are bytes,\ndurations nanoseconds (FLOPs over --flops plus bytes "
       "moved over --bandwidth).\n`moccasin generate KIND --help` shows the "
       "parameters of one kind with defaults.\n"},
      {"convert", "graphs between formats, schedules to other tools",
       "convert IN [OUT] [--to FORMAT] [--schedule FILE]", command_convert,
       "moccasin convert net.json net.txt\n"
       "moccasin convert net.json --to dot\n"
       "moccasin convert net.json buffers.csv --schedule schedule.json\n",
       "Reads JSON, text and ONNX; writes json, text and dot. With --schedule, "
       "writes the\nschedule: json, text, or minimalloc (CSV for the offset "
       "allocator of that name).\n"},
      {"help", "this overview, or the help of one command", "help [COMMAND]",
       command_help, "moccasin help solve\n", ""},
      {NULL, NULL, NULL, NULL, NULL, NULL}};
  return table;
}

const struct command *command_find(const char *name) {
  for (const struct command *c = command_table(); c->name; c++)
    if (!strcmp(c->name, name))
      return c;
  return NULL;
}

static void print_help(const struct command *c, const struct option *table) {
  printf("usage: moccasin %s\n\n%s%s\n", c->usage,
         c->notes[0] ? c->notes : c->summary, c->notes[0] ? "" : ".\n");
  if (table->name) {
    puts("options:");
    option_help(table, stdout);
    puts("");
  }
  puts("examples:");
  for (const char *line = c->examples; *line;) {
    size_t length = strcspn(line, "\n");
    printf("  %.*s\n", (int)length, line);
    line += length + (line[length] == '\n');
  }
}

bool command_options(struct session *s, int argc, char **argv,
                     const struct option *table, const char **positional,
                     int least, int most, int *count) {
  for (int i = 0; i < argc && strcmp(argv[i], "--"); i++)
    s->help = s->help || !strcmp(argv[i], "--help") || !strcmp(argv[i], "-h");
  if (s->help) {
    print_help(s->command, table);
    return true;
  }
  *count = option_parse(argc, argv, table, positional, least, most, &s->error);
  return *count < 0;
}
