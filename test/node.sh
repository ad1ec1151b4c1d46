# node.sh: runs tests in Node. Include it after test/tally.sh, in the project's root.

# node_tests FILE: adds the tests of a file to the tally, and prints those that failed.
node_tests() {
  node --no-warnings --test --test-reporter=tap "$1" >"$work/tap" 2>&1
  passed=$((passed + $(sed -n 's/^# pass //p' "$work/tap")))
  failed=$((failed + $(sed -n 's/^# fail //p' "$work/tap")))
  sed -n '/^not ok/,/^ *\.\.\.$/p' "$work/tap"
  check "$1 has tests" grep -q '^ok' "$work/tap"
}
