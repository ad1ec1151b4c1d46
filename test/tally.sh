# tally.sh: what the shell tests share: `. test/tally.sh`, from the project's root.
#
#     check 'the version is printed' grep -q 1.0.0 "$work/out"
#     finish

passed=0
failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# check WHAT COMMAND...: passes if the command succeeds; else shows what it printed.
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

# same EXPECTED ACTUAL: for check; shows both where they differ.
same() {
  [ "$1" = "$2" ] && return
  printf 'expected: %s\nactual:   %s\n' "$1" "$2"
  return 1
}

finish() {
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}
