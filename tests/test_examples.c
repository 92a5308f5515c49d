/* Every example that a user can read is run: those of `moccasin help`, of the
 * manual page, of the README, and the program in moccasin.h, the last against
 * an installed tree. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "tests/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What examples read beside net.json. */
static void prepare(struct workshop *w) {
  cr_assert_eq(workshop_run(w, "moccasin solve net.json --budget 90% "
                               "--time-limit 2 -q -o schedule.json"),
               0, "%s", w->output);
}

/* Runs one line.  Searches are cut short; a proof that nothing is feasible is
 * a fine answer too. */
static int run_example(struct workshop *w, const char *text, size_t length) {
  char line[500];
  snprintf(line, sizeof line, "%.*s", (int)length, text);
  bool searches = strstr(line, " solve ") || strstr(line, " sweep ") ||
                  strstr(line, " bound ");
  if (searches && !strstr(line, "--time-limit"))
    strncat(line, " --time-limit 1", sizeof line - strlen(line) - 1);
  int status = workshop_run(w, line);
  cr_assert(status == 0 || status == 3, "'%s' exits with %d: %.300s", line,
            status, w->output);
  return 1;
}

/* Runs each line of `text` that begins with `lead` and "moccasin ". */
static int run_lines(struct workshop *w, const char *text, const char *lead) {
  int count = 0;
  char start[40];
  size_t skip = strlen(lead);
  snprintf(start, sizeof start, "%smoccasin ", lead);
  for (const char *c = text; *c;) {
    size_t length = strcspn(c, "\n");
    if (!strncmp(c, start, strlen(start)))
      count += run_example(w, c + skip, strcspn(c + skip, "\n"));
    c += length + (c[length] == '\n');
  }
  return count;
}

/* The names of the commands, from the overview; returns their count. */
static int commands(struct workshop *w, char name[32][24]) {
  int count = 0;
  cr_assert_eq(workshop_run(w, "moccasin help"), 0);
  const char *c = strstr(w->output, "commands:\n");
  cr_assert_not_null(c);
  for (c += 10; *c == ' ' && count < 32; c += strcspn(c, "\n") + 1)
    sscanf(c, "%23s", name[count++]);
  return count;
}

Test(examples, of_the_help) {
  struct workshop *w = workshop_open();
  char name[32][24], line[1000];
  int count = commands(w, name), examples = 0;
  prepare(w);
  cr_assert_gt(count, 6);
  for (int i = 0; i < count; i++) {
    snprintf(line, sizeof line, "moccasin help %s", name[i]);
    cr_assert_eq(workshop_run(w, line), 0, "%s: %s", line, w->output);
    char *text = strdup(w->output), *start = strstr(text, "examples:\n");
    cr_assert_not_null(start, "no examples for %s", name[i]);
    int found = run_lines(w, start, "  ");
    cr_assert_gt(found, 0, "no example runs %s", name[i]);
    examples += found;
    free(text);
  }
  cr_assert_geq(examples, count);
  workshop_close(w);
}

Test(examples, of_the_manual_page) {
  struct workshop *w = workshop_open();
  prepare(w);
  char *page = workshop_source(w, "solver/cli/moccasin.1");
  cr_assert_not_null(page);
  char *start = strstr(page, "\n.EX\n"), *end = strstr(page, "\n.EE\n");
  cr_assert(start && end);
  *end = '\0';
  char *to = start;
  for (char *from = start; *from; from++) /* \- is a dash */
    if (*from != '\\')
      *to++ = *from;
  *to = '\0';
  cr_assert_gt(run_lines(w, start, ""), 4);
  free(page);
  workshop_close(w);
}

/* "$ build/release/moccasin ..." and what the README says it prints; a line
 * with seconds is not compared. */
static int run_transcripts(struct workshop *w, const char *page) {
  static const char lead[] = "\n    $ build/release/";
  int count = 0;
  for (const char *c = page; (c = strstr(c, lead)); count++) {
    c += sizeof lead - 1;
    run_example(w, c, strcspn(c, "\n"));
    c += strcspn(c, "\n");
    while (!strncmp(c, "\n    ", 5)) {
      char line[300];
      snprintf(line, sizeof line, "%.*s", (int)strcspn(c + 5, "\n"), c + 5);
      c += 5 + strcspn(c + 5, "\n");
      if (!strstr(line, " s ("))
        cr_assert(strstr(w->output, line), "README says '%s', it prints %s",
                  line, w->output);
    }
  }
  return count;
}

/* The lines of the document that the README shows after the transcript, up to
 * dots or the end of the line, are in the document that it left. */
static int compare_document(struct workshop *w, const char *page) {
  static const char lead[] = "\n    \"sequence\": [";
  int count = 0;
  const char *c = strstr(page, lead);
  cr_assert_not_null(c);
  cr_assert_eq(workshop_run(w, "cat schedule.json"), 0);
  for (; !strncmp(c, "\n    ", 5); count++) {
    char line[300];
    c += 5;
    size_t length = strcspn(c, "\n");
    snprintf(line, sizeof line, "%.*s", (int)length, c);
    char *dots = strstr(line, " ...");
    if (dots)
      *dots = '\0';
    const char *text = line + strspn(line, " ");
    cr_assert(strstr(w->output, text), "README says '%s', the document is %s",
              text, w->output);
    c += length;
  }
  return count;
}

Test(examples, of_the_readme) {
  struct workshop *w = workshop_open();
  char *page = workshop_source(w, "README.md");
  cr_assert_not_null(page);
  prepare(w);
  char line[5000];
  snprintf(line, sizeof line, "ln -s '%s/graphs' graphs", w->source);
  cr_assert_eq(workshop_run(w, line), 0);
  cr_assert_gt(run_lines(w, page, "    "), 8);
  cr_assert_gt(run_transcripts(w, page), 0);
  cr_assert_gt(compare_document(w, page), 3);
  free(page);
  workshop_close(w);
}

/* Each option of each command is in the manual page. */
Test(examples, manual_page_knows_every_option) {
  struct workshop *w = workshop_open();
  char name[32][24], line[1000];
  int count = commands(w, name);
  char *page = workshop_source(w, "solver/cli/moccasin.1");
  char *to = page;
  for (char *from = page; *from; from++)
    if (*from != '\\')
      *to++ = *from;
  *to = '\0';
  for (int i = 0; i < count; i++) {
    char section[1000], option[40];
    snprintf(section, sizeof section, "\n.SS %s ", name[i]);
    const char *start = strstr(page, section);
    cr_assert_not_null(start, "the manual page lacks %s", name[i]);
    const char *end = strstr(start + 1, "\n.S");
    snprintf(line, sizeof line, "moccasin help %s", name[i]);
    workshop_run(w, line);
    for (char *c = w->output; (c = strstr(c, "\n  ")); c += 3)
      if (sscanf(c + 1, " --%36[a-z-]", option) == 1 ||
          sscanf(c + 1, " -%*c, --%36[a-z-]", option) == 1) {
        char dashed[48];
        snprintf(dashed, sizeof dashed, "--%s", option);
        const char *found = strstr(start, dashed);
        cr_assert(found && found < end, "manual page, %s: no %s", name[i],
                  dashed);
      }
  }
  free(page);
  workshop_close(w);
}

Test(examples, mistakes_are_told_apart) {
  static const struct {
    const char *line;
    int status;
    const char *says;
  } cases[] = {
      {"moccasin", 1, "usage"},
      {"moccasin slove net.json", 1, "did you mean 'solve'"},
      {"moccasin solve net.json --budgte 3", 1, "did you mean '--budget'"},
      {"moccasin plot net.json --part al", 1, "all|memory|intervals"},
      {"moccasin plot absent.json", 2, "absent.json"},
      {"moccasin plot net.json net.json", 2, "sequence"},
      {"moccasin plot net.json -o no/where.svg", 5, "no/where.svg"},
      {"moccasin plot net.json >/dev/full", 5, "written"},
      {"moccasin analyze net.json --reorder 0 >/dev/full", 5, "written"},
      {"echo 1 | moccasin verify net.json -", 3, "step 0"},
      {"echo 99 | moccasin verify net.json -", 2, "no node"},
      {"seq 0 11 | moccasin verify net.json - -b 1", 3, "over the budget"},
      {"seq 0 11 | moccasin verify net.json - -b 100% --order input", 0,
       "valid"},
      {"seq 0 11 | moccasin plot net.json - -o a.svg && grep -c svg a.svg", 0,
       ""},
      {"seq 11 | moccasin plot net.json -", 2, "no schedule of this graph"},
      {"moccasin convert net.json --to minimalloc", 1, "--schedule"},
      {"moccasin sweep net.json --from 90% --to 80%", 1, "over the largest"},
      {"moccasin sweep net.json --from 9x", 1, "9x"},
      {"moccasin help slove", 1, "slove"},
      {"moccasin --version | grep -c '^moccasin [0-9]'", 0, "1"},
  };
  struct workshop *w = workshop_open();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int status = workshop_run(w, cases[i].line);
    cr_assert_eq(status, cases[i].status, "'%s' exits with %d: %.300s",
                 cases[i].line, status, w->output);
    cr_assert(strstr(w->output, cases[i].says), "'%s' says %.300s",
              cases[i].line, w->output);
  }
  workshop_close(w);
}

/* Graphs through every format and back stay the same, to the byte. */
Test(examples, conversions_go_round) {
  struct workshop *w = workshop_open();
  cr_assert_eq(
      workshop_run(w, "moccasin convert net.json a.json && "
                      "moccasin convert a.json b.txt && "
                      "moccasin convert b.txt c.json && cmp a.json c.json && "
                      "moccasin convert c.json d.txt && cmp b.txt d.txt && "
                      "moccasin convert a.json e.dot && grep -c -- '->' e.dot"),
      0, "%s", w->output);
  cr_assert_str_eq(w->output, "16\n");
  prepare(w);
  cr_assert_eq(
      workshop_run(w, "moccasin convert net.json s.txt -s schedule.json && "
                      "moccasin convert net.json t.json -s s.txt && "
                      "moccasin convert net.json u.txt -s t.json && "
                      "grep -v '#' s.txt >s && grep -v '#' u.txt >u && "
                      "cmp s u && moccasin convert net.json -s u.txt --to "
                      "minimalloc | head -1"),
      0, "%s", w->output);
  cr_assert_str_eq(w->output, "id,lower,upper,size\n");
  workshop_close(w);
}

/* The program in the header's comment, made whole, against what `make
 * install` puts elsewhere; then the tree is empty again after uninstall. */
Test(examples, installed_library) {
  struct workshop *w = workshop_open();
  char line[12000];
  const char *build = strstr(w->program, "/build/release/moccasin");
  if (!build) {
    workshop_close(w);
    cr_skip("the release build alone is installed");
  }
  snprintf(line, sizeof line,
           "unset MAKEFLAGS MFLAGS; make -s -C '%s' BUILD=build/release "
           "PREFIX=$PWD/tree install && test -s tree/share/man/man1/moccasin.1 "
           "&& tree/bin/moccasin --version >/dev/null",
           w->source);
  cr_assert_eq(workshop_run(w, line), 0, "%s", w->output);
  cr_assert_eq(
      workshop_run(
          w, "(echo '#include <moccasin.h>'; echo '#include <stdio.h>'; "
             "echo 'int main(void) {'; sed -n '/^ \\* *char message/,"
             "/^ \\* *moccasin_graph_free/s/^ \\*//p' tree/include/moccasin.h; "
             "echo '  return status;'; echo '}') >example.c && "
             "export PKG_CONFIG_PATH=$PWD/tree/lib/pkgconfig && "
             "${CC:-cc} -std=c11 -Wall -Werror example.c -o shared "
             "$(if command -v pkg-config >/dev/null; then pkg-config --cflags "
             "--libs moccasin; else echo -Itree/include -Ltree/lib "
             "-lmoccasin; fi) && "
             "LD_LIBRARY_PATH=tree/lib ./shared >shared.txt && "
             "${CC:-cc} -std=c11 example.c -o static -Itree/include "
             "tree/lib/libmoccasin.a -lm -pthread && ./static >static.txt && "
             "moccasin verify net.json shared.txt -b 90% && "
             "moccasin verify net.json static.txt -b 90%"),
      0, "%s", w->output);
  snprintf(line, sizeof line,
           "unset MAKEFLAGS MFLAGS; make -s -C '%s' PREFIX=$PWD/tree "
           "uninstall && find tree -type f -o -type l",
           w->source);
  cr_assert_eq(workshop_run(w, line), 0, "%s", w->output);
  cr_assert_str_empty(w->output, "left over: %s", w->output);
  workshop_close(w);
}
