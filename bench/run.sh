#!/bin/sh
# The benchmark's one door.
#
# usage: bench/run.sh COMMAND [options of the command]
#
#   table      published table, ours and the peers': at most 15 minutes
#   quick      ours alone, under 3 minutes
#   long       everything with limits of 10 minutes: a night
#   peers      installs the peers' solvers into build/peers (Python index)
#   timings    whole-process timings by hyperfine of what table has proven
#   scaling    generated graphs of 100 to 100000 nodes
#   ablation   what each part of the solver contributes
#   targets    the goals set for the project: met or missed
#   history    appends the last quick run's figures to bench/history.csv
#   compare    A B: two commits in alternation, differences beyond noise
#   publish    last tables into bench/results and the README's section
#
# Environment: MOCCASIN_DATA, folder of the published instances (default
# ../shared/graphs; original file names are accepted); without any, our own
# generated set is used.  MOCCASIN: the program (default
# build/release/moccasin).  Results: build/bench/.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/.."
program=${MOCCASIN:-build/release/moccasin}
python=${PYTHON:-python3}
[ $# -gt 0 ] || set -- help
command=$1
shift

need_program() {
    [ -x "$program" ] || ${MAKE:-make} --no-print-directory all
}

measure() {
    plan=$1
    shift
    need_program
    "$python" bench/measure.py --plan "$plan" --program "$program" "$@"
}

case $command in
table | long)
    if ! [ -x build/peers/bin/python ]; then
        echo "peers are not installed (bench/run.sh peers): ours alone" >&2
    fi
    measure "$command" "$@"
    results=build/bench/$command/results.csv # elsewhere with --work
    [ ! -f "$results" ] ||
        "$python" bench/timings.py --program "$program" --results "$results"
    ;;
quick) measure quick "$@" ;;
peers) sh bench/peers/setup.sh "$@" ;;
timings | scaling | ablation | targets)
    need_program
    "$python" "bench/$command.py" --program "$program" "$@"
    ;;
history | compare | publish) "$python" "bench/$command.py" "$@" ;;
*)
    sed -n '2,/^set/s/^# \{0,1\}//p' "$here/run.sh"
    [ "$command" = help ]
    ;;
esac
