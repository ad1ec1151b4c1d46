#!/bin/sh
# run.sh: runs test commands one after the other and adds up their results.
#
#     sh test/run.sh 'make -s check-tcl' 'tclsh test/repair.test'
#     JOBS=2 sh test/run.sh ...                  # two at a time; prints the output of each at its end
#     JOBS=2 sh test/run.sh first -- second      # starts the second when the first has ended
#
# A command that is run two at a time runs its own parts one at a time: it gets JOBS=1.
#
# The last line that a command prints on standard output must be 'N passed, N failed'. A
# command counts as one more failure if that line is missing, if it tested nothing, or if
# its status contradicts the line. A test that cannot run prints 'SKIPPED: what: why'; these
# lines are repeated at the end. The sum is printed last. The status is 0 only if nothing
# failed, and something passed or was skipped.
#
# If BEGAN is a time in seconds since 1970, the seconds of the sum count from there.
#
# The table has the seconds of each command, and the seconds of processor time, its own and its
# children's, which depend less on what else the machine does.

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
: >"$work/skipped"
: >"$work/table"

# Command N is the script $work/N. Its output is $work/N.log. Its status, its seconds and the two
# lines of the shell's command times are $work/N.end.
job='
start=$(date +%s)
sh "$work/$0" 2>&1
echo "$? $(($(date +%s) - start))" >"$work/$0.end"
times >>"$work/$0.end"
'
export work
began=${BEGAN:-$(date +%s)}
unset BEGAN

# run NUMBERS: runs these commands.
run() {
  [ $# = 0 ] && return
  if [ "${JOBS:-1}" = 1 ]; then run_one_by_one "$@"; else run_in_parallel "$@"; fi
}

run_one_by_one() {
  for n in "$@"; do
    echo "== $(cat "$work/$n")"
    (unset JOBS && sh -c "$job" "$n") | tee "$work/$n.log"
    add "$n"
  done
}

run_in_parallel() {
  echo "$@" | xargs -n 1 -P "$JOBS" env JOBS=1 sh -c "(${job}) >\"\$work/\$0.log\"; echo \$0" |
    while read -r n; do
      echo "== $(cat "$work/$n")"
      cat "$work/$n.log"
      add "$n"
    done
}

# Adds the finished command $1 to the table.
add() {
  read -r status seconds <"$work/$1.end"
  processor=$(processor_seconds <"$work/$1.end")
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$work/$1.log" | tail -n 1)
  grep '^SKIPPED: ' "$work/$1.log" >>"$work/skipped"
  passed=${line%% *}
  failed=${line#*, }
  failed=${failed%% *}
  check_result "$1"
  printf '%8d passed %6d failed %6d s %6d s of processor time   %s\n' "$passed" "$failed" "$seconds" \
    "$processor" "$(cat "$work/$1")" >>"$work/table"
}

# Adds up the output of the command times: a line for the shell, and one for its children, with
# minutes and seconds like 1m2.50s.
processor_seconds() {
  awk 'NR > 1 { gsub(/s/, ""); for (i = 1; i <= 2; i++) { split($i, time, "m"); sum += 60 * time[1] + time[2] } }
    END { printf "%d\n", sum + 0.5 }'
}

# Counts one more failure if the last line $line is missing or contradicts the status $status.
check_result() {
  why=
  if [ -z "$line" ]; then
    passed=0 failed=0 why="no line 'N passed, N failed'"
  elif [ "$passed$failed" = 00 ] && ! grep -q '^SKIPPED: ' "$work/$1.log"; then
    why="nothing was tested"
  elif [ "$failed" = 0 ] && [ "$status" != 0 ]; then
    why="no failure but status $status"
  elif [ "$failed" != 0 ] && [ "$status" = 0 ]; then
    why="failures but status 0"
  fi
  [ -z "$why" ] && return
  failed=$((failed + 1))
  echo "FAILED: $(cat "$work/$1"): $why"
}

numbers=
for command in "$@"; do
  if [ "$command" = -- ]; then
    # shellcheck disable=SC2086
    run $numbers
    numbers=
    continue
  fi
  n=$((${n:-0} + 1))
  numbers="$numbers $n"
  printf '%s\n' "$command" >"$work/$n"
done
# shellcheck disable=SC2086
run $numbers

echo "=="
cat "$work/table"
sort -u "$work/skipped"
echo "$(($(date +%s) - began)) s"
awk '{ passed += $1; failed += $3 } END {
  printf "%d passed, %d failed\n", passed, failed
  exit failed > 0
}' "$work/table" && { grep -q '^ *[1-9]' "$work/table" || [ -s "$work/skipped" ]; }
