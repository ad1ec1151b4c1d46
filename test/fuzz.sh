#!/bin/sh
# fuzz.sh: runs libFuzzer targets one after the other, each for FUZZ_TIME seconds, 20 by
# default.
#
#     FUZZ_TIME=600 sh test/fuzz.sh core repair     # fuzz/fuzz_core.c, fuzz/fuzz_repair.c
#
# The corpus grows in build/fuzz/corpus-NAME, so a later run starts where this one stopped. With
# FUZZ_SEED, a run starts from nothing, and tries the same inputs each time, as many as it can.
# Inputs that fail are stored as build/fuzz/NAME-crash-*, libFuzzer's output in
# build/fuzz/NAME.log.
. test/tally.sh

can_fuzz() {
  echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' |
    clang -fsanitize=fuzzer,address,undefined -x c -o "$work/fuzzer" -
}

# Runs one target. If it fails, prints the errors and the end of the log, which names the
# input.
fuzz() {
  corpus=build/fuzz/corpus-$1${FUZZ_SEED:+-$FUZZ_SEED}
  [ -z "$FUZZ_SEED" ] || rm -rf "$corpus"
  mkdir -p "$corpus"
  "build/fuzz/fuzz_$1" -max_total_time="${FUZZ_TIME:-20}" -max_len=2004 \
    ${FUZZ_SEED:+-seed="$FUZZ_SEED"} -dict=fuzz/utf8.dict \
    -artifact_prefix="build/fuzz/$1-" -print_final_stats=1 \
    "$corpus" >"build/fuzz/$1.log" 2>&1 && return
  grep -E 'does not hold|^==[0-9]+==ERROR|runtime error' "build/fuzz/$1.log"
  tail -n 20 "build/fuzz/$1.log"
  return 1
}

if ! command -v clang >/dev/null; then
  echo "SKIPPED: fuzzing: clang is not installed (sh setup.sh test-all)"
  finish
  exit
fi
if ! can_fuzz >"$work/log" 2>&1; then
  echo "SKIPPED: fuzzing: clang cannot link libFuzzer (sh setup.sh test-all)"
  finish
  exit
fi
for target in "$@"; do
  check "fuzz_$target builds" ${MAKE:-make} -s "build/fuzz/fuzz_$target"
  check "fuzz_$target finds nothing" fuzz "$target"
  echo "fuzz_$target: $(sed -n 's/^stat::number_of_executed_units: *//p' \
    "build/fuzz/$target.log") inputs under each kernel"
done
finish
