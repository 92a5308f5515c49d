#!/bin/sh
# The benchmark's one door.
#
# usage: bench/run.sh COMMAND [options of the command]
#
#   table      our program on the published instances: --seeds N, medians
#   peers      installs the peers' solvers into build/peers (Python index),
#              runs them, and tables them beside ours
#   timings    whole-process timings by hyperfine of what table has proven
#   scaling    generated graphs of 100 to 100000 nodes
#   ablation   what each part of the solver contributes
#   fixing     what reduced-cost fixing closes, conflicts with and without
#   generalise 30 generated graphs: our search against a plain one
#   long       what table does not prove, with 10 minutes each
#   quick      ours, one seed, under 3 minutes
#   targets    the goals set for the project: met or missed, from the above
#   peaks      least peaks, and solve just above them: 20 minutes
#   history    appends the last quick run's figures to bench/history.csv
#   compare    A B: two commits in alternation, differences beyond noise
#   publish    last tables into bench/results and the README's section
#   all        table (5 seeds), timings, peers, scaling, ablation, quick,
#              targets, publish
#
# What is interrupted continues where it was.  Most take --help.
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
    need_program
    "$python" bench/measure.py --program "$program" "$@"
}

case $command in
table) measure --solvers moccasin "$@" ;;
long) measure --plan long "$@" ;;
quick) measure --plan quick "$@" ;;
peers)
    case " $* " in *" --help "* | *" -h "*) ;; *) sh bench/peers/setup.sh ;; esac
    measure --solvers "cpsat-* checkmate*" "$@"
    ;;
timings | scaling | ablation | peaks | fixing)
    need_program
    "$python" "bench/$command.py" --program "$program" "$@"
    ;;
generalise)
    need_program
    ${CC:-cc} -O2 -I. bench/local-search.c bench/local-methods.c \
        build/release/libmoccasin.a -lm -pthread -o build/local-search
    "$python" bench/generalise.py --program "$program" "$@"
    ;;
targets | history | compare | publish) "$python" "bench/$command.py" "$@" ;;
all)
    sh "$0" table --seeds 5
    for next in timings peers scaling ablation quick targets publish; do
        sh "$0" "$next"
    done
    ;;
*)
    sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p;}' "$here/run.sh"
    [ "$command" = help ]
    ;;
esac
