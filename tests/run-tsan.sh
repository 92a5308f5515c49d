#!/bin/sh
# Portfolio runs of every sample on four threads, in both orders and for both
# objectives, by a program built with ThreadSanitizer (Criterion itself cannot
# run under it).  Fails on any report.  usage: run-tsan.sh PROGRAM
set -u
program=$1
runs=0
TSAN_OPTIONS="exitcode=66 halt_on_error=1"
export TSAN_OPTIONS

check() {
  "$program" solve "$@" --threads 4 --time-limit 2 -q -o /dev/null
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
