# machine.sh: functions that run the core's tests, and SQL, on other machines. Include it in the project's
# root after test/tally.sh: `. test/machine.sh`. They need CORE, the source files.
#
#     exe=                        # or .exe
#     test_on s390x qemu-s390x s390x-linux-gnu-gcc -static

# The programs test/NAMEtest.c of the core.
core_tests="core conformance repair charset legacy mojibake mojibaketables suspect model kernel form clean stream arrow"

# can_run RUN COMPILER...: succeeds if the compiler can build a program and RUN can run it.
can_run() {
  run=$1
  shift
  echo 'int main(void) { return 0; }' |
    "$@" -x c -o "$work/program" - 2>/dev/null && $run "$work/program"
}

# build_runsql PROGRAM COMPILER...: compiles packaging/runsql.c together with the SQLite in $sqlite, unless
# that was done before.
build_runsql() {
  program=$1
  shift
  [ "$program" -nt packaging/runsql.c ] ||
    "$@" -w -DSQLITE_THREADSAFE=0 "-I$sqlite" -o "$program" packaging/runsql.c "$sqlite/sqlite3.c"
}

# compile DIRECTORY COMPILER...: compiles the core into the directory.
compile() {
  into=$1
  shift
  for file in $CORE; do
    mkdir -p "$(dirname "$into/core/$file")"
    "$@" -std=c11 -O2 $CPPFLAGS -I. -c -o "$into/core/${file%.c}.o" "$file" || return
  done
}

# test_on MACHINE RUN COMPILER...: builds and runs the core's tests, and prints what they skipped. check has
# written the output of a test to $work/check.
test_on() {
  machine=$1 run=$2 dir=build/machine/$1
  shift 2
  check "$machine: the core builds" compile "$dir" "$@"
  for name in $core_tests; do
    check "$machine: ${name}test builds" \
      "$@" -std=c11 -O2 $CPPFLAGS -I. -o "$dir/${name}test$exe" "test/${name}test.c" $(find "$dir/core" -name "*.o")
    check "$machine: ${name}test passes" env CTEST_QUICK=1 $run "$dir/${name}test$exe" quick
    sed -n "s/^SKIPPED: /&$machine: /p" "$work/check"
  done
}
