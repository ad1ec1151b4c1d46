# tally.sh: functions for shell tests. Include it in the project's root: `. test/tally.sh`.
#
#     check 'the version is printed' grep -q 1.0.0 "$work/out"
#     finish

passed=0
failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# check WHAT COMMAND...: passes if the command succeeds. Otherwise prints its output.
check() {
  check_what=$1
  shift
  if "$@" >"$work/check" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $check_what"
    sed 's/^/    /' "$work/check"
  fi
}

# same EXPECTED ACTUAL: succeeds if they are equal. Otherwise prints them. For use in check.
same() {
  [ "$1" = "$2" ] && return
  printf 'expected: %s\nactual:   %s\n' "$1" "$2"
  return 1
}

# Prints the last line. Returns 0 if nothing failed.
finish() {
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}
