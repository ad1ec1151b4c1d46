#!/bin/sh
# run.sh: runs test commands one after the other and adds up their last lines.
#
#     sh test/run.sh 'make -s check-tcl' 'tclsh test/repair.test'
#
# A command prints what it likes and then, as its last line on standard output,
# 'N passed, N failed'. One that does not, that tested nothing, or that ends in a status
# which contradicts its line counts as one failure more. What cannot run prints
# 'SKIPPED: what: why', which is shown again at the end. The sum is printed last; the
# status is 0 only if nothing failed.

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
: >"$work/skipped"
: >"$work/table"
sum_passed=0
sum_failed=0

# Runs command $1 and sets passed, failed.
run_one() {
  { sh -c "$1" 2>&1; echo $? >"$work/status"; } | tee "$work/log"
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$work/log" | tail -n 1)
  grep '^SKIPPED: ' "$work/log" >>"$work/skipped"
  passed=${line%% *}
  failed=${line#*, }
  failed=${failed%% *}
  judge "$1" "$(cat "$work/status")"
}

# Counts a run as failed whose last line $line and status $2 do not go together.
judge() {
  why=
  if [ -z "$line" ]; then
    passed=0 failed=0 why="no line 'N passed, N failed'"
  elif [ "$passed$failed" = 00 ] && ! grep -q '^SKIPPED: ' "$work/log"; then
    why="nothing was tested"
  elif [ "$failed" = 0 ] && [ "$2" != 0 ]; then
    why="no failure but status $2"
  elif [ "$failed" != 0 ] && [ "$2" = 0 ]; then
    why="failures but status 0"
  fi
  [ -z "$why" ] && return
  failed=$((failed + 1))
  echo "FAILED: $1: $why"
}

for command in "$@"; do
  echo "== $command"
  run_one "$command"
  printf '%8d passed %6d failed   %s\n' "$passed" "$failed" "$command" >>"$work/table"
  sum_passed=$((sum_passed + passed))
  sum_failed=$((sum_failed + failed))
done

echo "=="
cat "$work/table"
sort -u "$work/skipped"
echo "$sum_passed passed, $sum_failed failed"
[ "$sum_failed" = 0 ] && [ "$sum_passed" != 0 ]
