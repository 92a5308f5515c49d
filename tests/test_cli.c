/* `moccasin solve` as a user meets it: exit statuses and their documents,
 * files that are whole or untouched whatever happens, signals. */
#define _XOPEN_SOURCE 700
#include "tests/command.h"

#include "solver/base/random.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct expectation {
  const char *line;
  int status;
  const char *says;
};

static void expect(struct workshop *w, const struct expectation *e) {
  int status = workshop_run(w, e->line);
  cr_assert_eq(status, e->status, "'%s' exits with %d: %.300s", e->line, status,
               w->output);
  cr_assert(strstr(w->output, e->says), "'%s' says %.300s, expected %s",
            e->line, w->output, e->says);
}

static void expect_all(const struct expectation *e, size_t count) {
  struct workshop *w = workshop_open();
  for (size_t i = 0; i < count; i++)
    expect(w, &e[i]);
  workshop_close(w);
}

#define EXPECT_ALL(e) expect_all(e, sizeof(e) / sizeof *(e))

Test(cli, exit_statuses) {
  static const struct expectation cases[] = {
      {"moccasin solve net.json -b 90% -q", 0, "\"status\": \"optimal\""},
      {"moccasin solve net.json -b 90% -q --order free", 0, "\"free\""},
      {"moccasin solve net.json -b 90% -q -c 0", 0, "\"max_computes\": null"},
      {"moccasin solve net.json --objective peak -q", 0, "\"budget\": null"},
      {"moccasin solve net.json -b 90% --format text -q", 0, "# moccasin"},
      {"moccasin solve net.json -b 90% --format minimalloc -q", 0,
       "id,lower,upper,size"},
      {"moccasin solve - -b 90% -q <net.json", 0, "\"sequence\": ["},
      {"moccasin solve net.json -b 900MB --heuristic greedy -q", 0, "greedy"},
      {"moccasin solve net.json -b 90% --engine learn=0,restart=0 -q", 0,
       "optimal"},
      {"moccasin solve net.json -b 90% --check 2 --paranoid -q", 0, "optimal"},
      {"moccasin solve net.json", 1, "--budget is missing"},
      {"moccasin solve net.json -b 90", 3, "computing node"},
      {"moccasin solve net.json -b ninety", 1, "expected bytes"},
      {"moccasin solve net.json -b -5", 1, "expected bytes"},
      {"moccasin solve net.json -b 90% -c -1", 1, "--max-computes"},
      {"moccasin solve net.json -b 90% --time-limit nan", 1, "--time-limit"},
      {"moccasin solve net.json -b 90% --order any", 1, "input|free"},
      {"moccasin solve net.json -b 90% --heuristic best", 1, "greedy"},
      {"moccasin solve net.json -b 90% --engine learn=7", 1, "learn=7"},
      {"moccasin solve net.json -b 90% --duration-limit 105%", 1,
       "--objective peak"},
      {"moccasin solve net.json --objective peak --duration-limit 1", 1,
       "less than"},
      {"moccasin solve", 1, "argument expected"},
      {"moccasin solve net.json net.json -b 90%", 1, "unexpected argument"},
      {"moccasin solve absent.json -b 90%", 2, "absent.json"},
      {"echo '{\"nodes\": [{\"id\": 1}' | moccasin solve - -b 90%", 2,
       "standard input"},
      {"moccasin solve net.json -b 1 -q", 3, "\"status\": \"infeasible\""},
      {"moccasin solve net.json -b 1 -q", 3, "\"least_known_budget\": "},
      {"moccasin solve net.json -b 90% -q --memory-limit 1K", 5, "memory"},
  };
  EXPECT_ALL(cases);
}

Test(cli, outputs_are_whole_or_untouched) {
  static const struct expectation cases[] = {
      {"echo old >s && moccasin solve net.json -b 90% -q -o s && "
       "moccasin verify net.json s -b 90%",
       0, "valid"},
      {"ls -A", 0, "net.json\ns\n"},
      {"moccasin solve net.json -b 90% -q -o no/s", 5, "no/s"},
      {"moccasin solve net.json -b 90% -q -o /dev/full", 5, "/dev/full"},
      {"moccasin solve net.json -b 90% -q >/dev/full", 5, "written"},
      {"moccasin solve net.json -b 90% -q --log /dev/full -o s2", 5,
       "/dev/full"},
      {"echo old >s && (ulimit -f 0; trap '' XFSZ; moccasin solve net.json "
       "-b 90% -q -o s; echo \"status $?\"); cat s; ls -A",
       0, "status 5\nold\nnet.json\n"},
      {"moccasin generate layered -n 2000 -o g && "
       "moccasin convert g -o /dev/full",
       5, "No space left"},
      {"moccasin solve g -b 95% -q --heuristic greedy >/dev/full", 5,
       "No space left"},
      {"{ moccasin solve net.json -b 90% -q; echo \"status $?\" >&2; } | "
       "head -c 1 >/dev/null",
       0, "status"},
      {"ln -s s link && moccasin solve net.json -b 90% -q -o link && "
       "test -L link && moccasin verify net.json s",
       0, "valid"},
      {"chmod 640 s && moccasin solve net.json -b 90% -q -o s && "
       "stat -c %a s",
       0, "640"},
      {"moccasin solve net.json -b 90% -q --log log.csv -o s && "
       "head -1 log.csv",
       0, "seconds,incumbent,bound,who"},
  };
  EXPECT_ALL(cases);
}

/* ---- signals --------------------------------------------------------------
 */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void wait_seconds(double seconds) {
  time_t whole = (time_t)seconds;
  struct timespec t = {whole, (long)((seconds - (double)whole) * 1e9)};
  nanosleep(&t, NULL);
}

/* Starts a solve that would take a minute, sends the signal after `delay`
 * seconds and returns the wait status; *took: seconds until it ended. */
static int interrupt(struct workshop *w, int number, double delay,
                     double *took) {
  int status;
  pid_t child = fork();
  cr_assert_geq(child, 0);
  if (child == 0) {
    signal(number, SIG_DFL); /* a shell's background job ignores some */
    if (chdir(w->directory))
      _exit(99);
    execl(w->program, "moccasin", "solve", "big.json", "-b", "90%", "-q", "-o",
          "s", (char *)NULL);
    _exit(99);
  }
  wait_seconds(delay);
  kill(child, number);
  double sent = now();
  waitpid(child, &status, 0);
  *took = now() - sent;
  return status;
}

Test(cli, signals_end_with_the_best_so_far, .timeout = 120) {
  static const int number[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
  struct workshop *w = workshop_open();
  struct random r;
  random_seed(&r, 1);
  cr_assert_eq(workshop_run(w, "moccasin generate layered -n 400 -o big.json"),
               0, "%s", w->output);
  /* What a first schedule takes on this machine, in this build. */
  double unit = now();
  workshop_run(w, "moccasin solve big.json -b 90% -q --heuristic greedy");
  unit = now() - unit;
  double most = 4 * unit < 0.3 ? 0.3 : 4 * unit;
  int schedules = 0;
  for (int i = 0; i < 40; i++) {
    double took, delay = most * random_real(&r);
    cr_assert_eq(workshop_run(w, "echo old >s"), 0);
    int status = interrupt(w, number[i % 4], delay, &took);
    cr_assert_lt(took, 2 + 10 * unit, "signal %d after %.3f s: %.2f s more",
                 number[i % 4], delay, took);
    workshop_run(w, "ls -A");
    cr_assert_str_eq(w->output, "big.json\nnet.json\ns\n", "%s", w->output);
    if (WIFSIGNALED(status)) { /* before the program could catch it */
      cr_assert_eq(workshop_run(w, "grep -qx old s"), 0);
      continue;
    }
    int code = WEXITSTATUS(status);
    cr_assert(code == 0 || code == 4, "exit %d after %.3f s", code, delay);
    if (code == 0) {
      schedules++;
      cr_assert_eq(workshop_run(w, "moccasin verify big.json s -b 90%"), 0,
                   "%s", w->output);
    } else {
      cr_assert_eq(workshop_run(w, "grep -q '\"status\": \"unknown\"' s"), 0);
    }
  }
  cr_assert_gt(schedules, 0);
  workshop_close(w);
}
