#!/bin/sh
# bench.sh: builds every benchmark, with its peers, and runs each until it prints figures: code that
# no test builds stops compiling. Measures nothing.
. test/tally.sh

make="${MAKE:-make} -s -f bench/Makefile"
out=build/bench
export BENCH_QUICK=1 BENCH_BUSY=1

skip() {
  echo "SKIPPED: benchmarks: $*"
}

# figures COMMAND...: runs the command until it has printed three lines. Succeeds if each is a figure
# with six columns, the fifth a number (see bench_print()).
figures() {
  timeout 60 "$@" 2>"$work/errors" | head -n 3 >"$work/figures"
  awk -F '\t' 'NF != 6 || $5 + 0 <= 0 { bad = 1 } END { exit bad || NR < 3 }' "$work/figures" && return
  cat "$work/figures" "$work/errors"
  return 1
}

# benchmark PROGRAM [ARGUMENT...]: builds the program and runs it.
benchmark() {
  name=$1
  shift
  if $make "$out/$name" >"$work/build" 2>&1; then
    check "bench/$name prints figures" figures "$out/$name" "$@"
  else
    check "bench/$name builds" sh -c "tail -n 20 '$work/build'; exit 1"
  fi
}

# Succeeds if the crates of the peers can be had and built.
has_peers() {
  command -v cargo >/dev/null || { skip "no peers: cargo is not installed"; return 1; }
  pkg-config --exists icu-uc python3-embed ||
    { skip "no peers: ICU's or Python's headers are not installed (libicu-dev, python3-dev)"; return 1; }
  $make $out/cargo/release/libpeers.a $out/legacy-cargo/release/liblegacy_encoding_rs.a >"$work/cargo" 2>&1 ||
    { skip "no peers: cargo cannot build them: $(grep -m 1 '^error' "$work/cargo")"; return 1; }
}

# Succeeds if the peers of bench/form.c can be had and built.
has_form_peers() {
  command -v cargo >/dev/null || { skip "no peers of bench/form.c: cargo is not installed"; return 1; }
  pkg-config --exists icu-uc libutf8proc ||
    { skip "no peers of bench/form.c: headers are not installed (libicu-dev, libutf8proc-dev)"; return 1; }
  $make $out/form-cargo/release/libform_peers.a >"$work/cargo" 2>&1 ||
    { skip "no peers of bench/form.c: cargo cannot build them: $(grep -m 1 '^error' "$work/cargo")"; return 1; }
}

# Is what a benchmark prints shown while it runs, and kept? One that fails fails run.sh.
shows_and_keeps() {
  sh bench/run.sh bench-test sh -c 'echo first; sleep 1; wc -l <build/bench/bench-test.tsv' >"$work/shown" &&
    [ "$(cat "$work/shown")" = "$(printf 'first\n1')" ] && cmp "$work/shown" $out/bench-test.tsv &&
    ! sh bench/run.sh bench-test false >"$work/shown"
}

# report SOURCE...: writes the tables of what was measured into $work/tables, as in a folder that has these
# sources only.
report() {
  rm -rf "$work/report" && mkdir "$work/report" || return
  for source in "$@"; do cp "$work/$source.tsv" "$work/report"; done
  BENCH_OUT=$work/report "$PYTHON" bench/report.py && cp "$work/report/report.md" "$work/tables"
}

# Are there tables of peers.tsv alone, as after make bench-peers, of nothing, and beside the goals?
reports_what_was_measured() {
  printf 'valid\t%s\t65536\t%s\t%s\tGB/s\n' ascii utf8ext 20 ascii 'utf8ext avx2' 20 ascii 'simdutf haswell' 10 \
    chinese utf8ext 9 chinese 'utf8ext avx2' 9 chinese 'simdutf haswell' 6 >"$work/peers.tsv"
  report && grep -q '^Not measured: make bench-peers.$' "$work/tables" &&
    report peers && grep -q '^| AVX2, over simdutf haswell | 1.5 | 1.50 | yes |$' "$work/tables" &&
    grep -q '^Not measured: make bench.$' "$work/tables" &&
    BENCH_OUT=$work/report "$PYTHON" bench/report.py peers sql >"$work/shown" &&
    grep -q '^| AVX2, over simdutf haswell | 1.5 | 1.50 | yes |$' "$work/shown" &&
    [ "$(tail -n 1 "$work/shown")" = "Not measured: make bench." ]
}

mkdir -p $out
check "run.sh shows and keeps what a benchmark prints" shows_and_keeps
check "report.py has tables of what was measured" reports_what_was_measured
for name in kernels sql charset; do
  benchmark $name
done
benchmark audit ./utf8ext $out
check "the texts of bench/suspect.c are written" "$PYTHON" bench/texts.py suspect $out/suspect
benchmark suspect-search $out/suspect/*.txt
check "the texts of bench/form.c are written" "$PYTHON" bench/texts.py form $out/form
benchmark form-alone $out/form/*.txt
check "bench/form_clean.py prints figures" figures "$PYTHON" bench/form_clean.py $out/form/*.txt
if $make convert-python >"$work/pip" 2>&1; then
  BENCH_MB=1 check "bench/convert.py prints figures" \
    figures "$PYTHON" bench/convert.py $out/convert build/venv/convert/bin/python
else
  skip "no bench/convert.py: pip cannot install what the command needs"
fi
if has_peers; then
  benchmark peers
  benchmark charset-peers
  check "the texts of bench/legacy.c are written" "$PYTHON" bench/texts.py legacy $out/legacy
  benchmark legacy-compare $out/legacy/*.txt
fi
if has_form_peers; then
  benchmark form-peers $out/form/*.txt
fi
finish
