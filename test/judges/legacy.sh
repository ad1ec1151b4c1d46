#!/bin/sh
# legacy.sh: compares the legacy charsets with encoding_rs, Python's codecs, Node and iconv.
#
#     sh test/judges/legacy.sh     # from the project's root; legacy.py and multibyte.py list what is compared
#
# Builds the program under test, and with cargo the one that calls encoding_rs. With the argument
# stateful, stateful.py compares the charsets with states.

out=build/judges
crate=test/judges/legacy
mkdir -p "$out"
${CC:-cc} -std=c11 -O2 $CPPFLAGS -I. -o $out/ours $crate/ours.c $CORE || exit 1
[ "$1" = stateful ] && exec ${PYTHON:-python3} test/judges/stateful.py

judges=
skip() {
  echo "SKIPPED: judge $1 of legacy charsets: $2"
}
if ! command -v cargo >/dev/null; then
  skip encoding_rs "cargo is not installed"
elif ! cargo build -q --release --manifest-path $crate/Cargo.toml \
  --target-dir $out/legacy >$out/cargo.log 2>&1; then
  tail -n 3 $out/cargo.log
  skip encoding_rs "cargo cannot build it"
else
  judges=encoding_rs
fi
if command -v node >/dev/null; then judges="$judges node"; else skip Node "it is not installed"; fi
python=${PYTHON:-python3}
exec sh test/run.sh "$python test/judges/legacy.py $judges" "$python test/judges/multibyte.py"
