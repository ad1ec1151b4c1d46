#!/bin/sh
# mcdc.sh: every condition of the decoder step, of core/utf8core.c and of core/find.c matters (MC/DC).
#
#     sh test/mcdc.sh
#
# Compiles these with clang 18 or later, which counts conditions, and runs test/coretest.c, which compares
# them with the ABNF of RFC 3629. For each condition of a decision with && or ||, two of its texts must
# differ in that condition alone, and in the decision. Every other decision must have been true and false.

cd "$(dirname "$0")/.." || exit 1
. test/tally.sh
COUNTED='-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc'
SUBJECTS='core/step.h core/utf8core.c core/find.c'

# Prints what follows "clang" in the name of one that counts conditions: -19, or nothing.
find_clang() {
  for suffix in -21 -20 -19 -18 ''; do
    # shellcheck disable=SC2086
    echo 'int main(void) { return 0; }' |
      "clang$suffix" $COUNTED -x c -o "$work/probe" - 2>/dev/null && "llvm-cov$suffix" --version \
      >/dev/null 2>&1 && echo "$suffix" && return
  done
  return 1
}

# Runs coretest with the scalar kernel and with the best one.
run() {
  others=$(sh tool/sources.sh core | grep -v -x -e core/utf8core.c -e core/find.c)
  # shellcheck disable=SC2086
  "clang$clang" $COUNTED -std=c11 -O2 -I. -c -o "$work/utf8core.o" core/utf8core.c &&
    "clang$clang" $COUNTED -std=c11 -O2 -I. -c -o "$work/find.o" core/find.c &&
    "clang$clang" -fprofile-instr-generate -std=c11 -O2 -I. -o "$work/coretest" test/coretest.c \
      "$work/utf8core.o" "$work/find.o" $others &&
    UTF8EXT_KERNEL=scalar LLVM_PROFILE_FILE="$work/1.raw" "$work/coretest" &&
    LLVM_PROFILE_FILE="$work/2.raw" "$work/coretest" &&
    "llvm-profdata$clang" merge -o "$work/profile" "$work/1.raw" "$work/2.raw"
}

# reported COMMAND...: prints what llvm-cov's command says about the subjects.
reported() {
  command=$1
  shift
  # shellcheck disable=SC2086
  "llvm-cov$clang" "$command" "$work/coretest" -instr-profile="$work/profile" "$@" $SUBJECTS
}

# none N: succeeds if N, the number of what no text shows, is 0. Otherwise prints the places.
none() {
  [ "$1" = 0 ] && return
  reported show --show-branches=count --show-mcdc | grep -E -B 1 'Branch.*: 0[],]|Condition C|not covered'
  return 1
}

clang=$(find_clang) || {
  echo "SKIPPED: MC/DC: there is no clang 18 or later"
  finish
  exit
}
check 'coretest passes' run
# The last columns: branches, missed, per cent, conditions, missed, per cent.
reported report --show-mcdc-summary | awk '$1 ~ /\.[ch]$/ { print $1, $(NF - 5), $(NF - 4), $(NF - 2), $(NF - 1) }' >"$work/table"
check 'all three subjects are measured' same 3 "$(grep -c -v ' 0 [0-9]* 0 ' "$work/table")"
while read -r file branches no_branches conditions no_conditions; do
  echo "$file: $((branches - no_branches)) of $branches branches, $((conditions - no_conditions)) of $conditions conditions"
  check "$file: every branch is taken" none "$no_branches"
  check "$file: every condition matters" none "$no_conditions"
done <"$work/table"
finish
