#!/bin/sh
# Runs libFuzzer targets one after the other, sharing the time, and prints what
# each reached.  usage: run-fuzz.sh FOLDER SECONDS TARGET...
# A target fuzz_NAME starts from tests/cases/NAME; new inputs and findings stay
# in FOLDER.
set -u
folder=$1 seconds=$2
shift 2
[ $# -gt 0 ] || { echo "no fuzz targets" >&2; exit 1; }
each=$((seconds / $#))
[ "$each" -gt 0 ] || each=1
failed=0
for target in "$@"; do
  corpus=$folder/corpus/$target
  mkdir -p "$corpus" "$folder/findings"
  cases=tests/cases/${target#fuzz_}
  [ -d "$cases" ] || cases=
  if ! "$folder/$target" -max_total_time="$each" -timeout=${TIMEOUT:-5} -rss_limit_mb=2048 \
    -artifact_prefix="$folder/findings/$target-" -print_final_stats=1 \
    "$corpus" $cases >"$folder/$target.log" 2>&1; then
    failed=1
    echo "$target: FINDING, see $folder/$target.log and $folder/findings" >&2
  fi
  awk -v name="$target" '
    /cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") cov = $(i + 1) }
    /stat::number_of_executed_units/ { runs = $2 }
    END { printf "%-20s %10d executions, coverage %d edges\n", name, runs, cov }
  ' "$folder/$target.log"
done
exit $failed
