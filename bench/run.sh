#!/bin/sh
# run.sh: runs a benchmark, shows its figures while it runs, and keeps them. Run from the project's root.
#
#     sh bench/run.sh NAME COMMAND [ARGUMENT...]   build/bench/NAME.tsv
#
# The command runs three times, once if BENCH_QUICK or ONCE is set: report.py takes the median, so
# that a minute in which the machine does something else has no effect.
out=build/bench/$1.tsv
shift
passes="1 2 3"
[ -z "$BENCH_QUICK$ONCE" ] || passes=1
mkdir -p build/bench
rm -f "$out.whole"
{
  for _ in $passes; do "$@" || exit; done
  : >"$out.whole"
} | tee "$out"
rm "$out.whole" 2>/dev/null
