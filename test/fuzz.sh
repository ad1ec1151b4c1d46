#!/bin/sh
# fuzz.sh: runs libFuzzer targets one after the other, each for FUZZ_TIME seconds, 20 by
# default.
#
#     FUZZ_TIME=600 sh test/fuzz.sh core repair     # fuzz/fuzz_core.c, fuzz/fuzz_repair.c
#     sh test/fuzz.sh pack core repair              # keeps what they have found
#
# The corpus grows in build/fuzz/corpus-NAME, so a later run starts where this one stopped, and the
# first with fuzz/corpus/NAME.tar.xz. `pack` writes that file: of the inputs that have been found, the
# fewest and shortest that reach the same code. With FUZZ_SEED, a run starts with that file alone, and
# tries the same inputs each time, as many as it can.
# Inputs that fail are stored as build/fuzz/NAME-crash-*, libFuzzer's output in
# build/fuzz/NAME.log.
. test/tally.sh

can_fuzz() {
  echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' |
    clang -fsanitize=fuzzer,address,undefined -x c -o "$work/fuzzer" -
}

# unpack NAME DIRECTORY: adds the inputs that the tree has for a target to the directory.
unpack() {
  mkdir -p "$2"
  [ ! -e "fuzz/corpus/$1.tar.xz" ] || tar -xJf "fuzz/corpus/$1.tar.xz" -C "$2"
}

# pack NAME: writes fuzz/corpus/NAME.tar.xz, always the same for the same inputs.
pack() {
  new=$work/$1
  mkdir -p "$new" fuzz/corpus
  unpack "$1" "build/fuzz/corpus-$1"
  "build/fuzz/fuzz_$1" -merge=1 -max_len=2004 "$new" "build/fuzz/corpus-$1" >"build/fuzz/$1.log" 2>&1 || return
  tar --sort=name --owner=0 --group=0 --mtime=@0 -C "$new" -cJf "fuzz/corpus/$1.tar.xz" .
}

# Runs one target. If it fails, prints the errors and the end of the log, which names the
# input.
fuzz() {
  corpus=build/fuzz/corpus-$1${FUZZ_SEED:+-$FUZZ_SEED}
  [ -z "$FUZZ_SEED" ] || rm -rf "$corpus"
  unpack "$1" "$corpus"
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
packs=
if [ "$1" = pack ]; then
  packs=1
  shift
fi
for target in "$@"; do
  check "fuzz_$target builds" ${MAKE:-make} -s "build/fuzz/fuzz_$target"
  if [ "$packs" ]; then
    check "fuzz/corpus/$target.tar.xz is written" pack "$target"
    continue
  fi
  check "fuzz_$target finds nothing" fuzz "$target"
  echo "fuzz_$target: $(sed -n 's/^stat::number_of_executed_units: *//p' \
    "build/fuzz/$target.log") inputs under each kernel"
done
finish
