#!/bin/sh
# python.sh: runs fuzz/fuzz_python.py on the package as a wheel has it.
#
#     sh fuzz/python.sh SECONDS [SEED]    # SECONDS for each target; the default seed is the time
. test/tally.sh

PYTHON=${PYTHON:-$(sh test/python.sh)}
EXTENSION=${EXTENSION:-utf8ext.so}
seed=${2:-$(date +%s)000000}

# Makes the package in $work/package.
stage() {
  mkdir -p "$work/package" && cp -R python/src/utf8ext "$work/package" &&
    cp VERSION "$EXTENSION" "$work/package/utf8ext"
}

# run TARGET SECONDS: prints what fails, or a count.
run() {
  PYTHONPATH=$work/package "$PYTHON" fuzz/fuzz_python.py "$1" --seed "$seed" --seconds "$2" >"$work/$1.log" 2>&1 ||
    { cat "$work/$1.log"; return 1; }
}

check "the package is staged" stage
for target in import choices; do
  check "$target, seed $seed" run $target "$1"
  echo "$target: $(tail -n 1 "$work/$target.log")"
done
finish
