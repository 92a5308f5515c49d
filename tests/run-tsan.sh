#!/bin/sh
# Everything under ThreadSanitizer: the tests as one plain program (Criterion
# itself cannot run under it; tests/plain), then portfolio runs of every sample
# on four threads, in both orders and for both objectives.  Fails on any
# report.  The tests of the bound on the published instances (one thread, an
# hour here) are left out unless MOCCASIN_DATA is set.
# usage: run-tsan.sh FOLDER   (with moccasin and tests/run-plain)
set -u
program=$1/moccasin
runs=0
TSAN_OPTIONS="exitcode=66 halt_on_error=1"
MOCCASIN=$program
MOCCASIN_DIFFERENTIAL=${MOCCASIN_DIFFERENTIAL:-300}
MOCCASIN_FUZZ=${MOCCASIN_FUZZ:-1000}
MOCCASIN_DATA=${MOCCASIN_DATA:-none}
export TSAN_OPTIONS MOCCASIN MOCCASIN_DIFFERENTIAL MOCCASIN_FUZZ \
       MOCCASIN_DATA

# Its shadow memory leaves no room for addresses at random on some kernels.
fixed=
setarch -R true 2>/dev/null && fixed="setarch -R"

$fixed "$1/tests/run-plain" || { echo "the tests: exit $?" >&2; exit 1; }

check() {
  $fixed "$program" solve "$@" --threads 4 --time-limit 2 -q -o /dev/null
  status=$?
  runs=$((runs + 1))
  case $status in
  0 | 3 | 4) ;;
  *)
    echo "exit $status: solve $*" >&2
    exit 1
    ;;
  esac
}

{
  read -r _
  while IFS=, read -r file _ _ budget computes _; do
    graph=graphs/samples/$file
    check "$graph" --budget "$budget" -c "$computes"
    check "$graph" --budget "$budget" -c "$computes" --order free
    check "$graph" --objective peak -c "$computes"
  done
} <graphs/samples/optima.csv
echo "ThreadSanitizer: $runs portfolio runs, no report"
