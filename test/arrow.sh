#!/bin/sh
# arrow.sh: checks that utf8ext.arrow gives in each engine what SQL gives: test/arrow/engines.py; and in a column what
# utf8_audit gives: test/arrow/misread.py.
#
#     sh test/arrow.sh           # pyarrow, pandas, Polars, DuckDB, nanoarrow, arro3
#     sh test/arrow.sh bench     # measures: bench/arrow.py
#     sh test/arrow.sh spark     # a cluster of Spark: test/arrow/spark.py (needs java, 500 MB from PyPI)
#     sh test/arrow.sh workers   # measures one worker and two: bench/workers.py
#
# ARROW_LIMITS=full also tests columns of more than 2 GB, which takes 8 GB of memory.
. test/tally.sh

PYTHON=${PYTHON:-$(sh test/python.sh)}
engines="pyarrow==26.0.1 pandas==3.1.1 polars==2.1.0 duckdb==2.0.1 nanoarrow==0.9.0 arro3-core==0.9.1 mypy==2.4.1"
spark="setuptools==80.9.0 wheel==0.45.1 pyspark==4.3.0 pyarrow==26.0.1 pandas==3.1.1"
root=$PWD

# give_up WHY: the last lines of a suite that cannot run.
give_up() {
  echo "SKIPPED: ${1}"
  finish
  exit
}

# install NAME PACKAGES: makes the environment build/venv/NAME, or gives up.
install() {
  environment=$root/build/venv/$1
  # shellcheck disable=SC2086
  PYTHON=$PYTHON sh packaging/venv.sh "$environment" $2 >"$work/pip" 2>&1 ||
    give_up "$1: pip cannot install $2: $(tail -n 1 "$work/pip")"
}

# stage: makes the package as a wheel has it.
stage() {
  mkdir -p "$work/package" && cp -R python/src/utf8ext "$work/package" &&
    cp VERSION "$EXTENSION" "$work/package/utf8ext"
}

# run SCRIPT: runs tests, and adds their results to those of this file.
run() {
  mkdir -p "$work/data"
  ARROW_WORK=$work/data PYTHONPATH=$work/package PYTHONDONTWRITEBYTECODE=1 "$environment/bin/python" \
    "test/arrow/$1.py" "$root/${EXTENSION%.*}" >"$work/out" 2>"$work/err" </dev/null
  status=$?
  grep -v 'passed, .* failed$' "$work/out"
  counts=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$work/out" | tail -n 1)
  [ -n "$counts" ] || { tail -n 20 "$work/err" && counts="0 passed, 1 failed"; }
  passed=$((passed + ${counts%% *}))
  failed_here=${counts#*, } failed=$((failed + ${failed_here%% *}))
  [ "$status" = 0 ] || [ "${failed_here%% *}" != 0 ] || failed=$((failed + 1))
}

types_are_right() {
  (cd "$work" && MYPYPATH=$work/package "$environment/bin/mypy" --strict --follow-imports=silent --no-error-summary -p utf8ext.arrow)
}

"$PYTHON" -c 'import sqlite3; sqlite3.Connection.enable_load_extension' 2>/dev/null ||
  give_up "arrow: the sqlite3 module of $PYTHON cannot load extensions"
stage
if [ "$1" = bench ]; then
  install arrow-bench "$engines ftfy==6.3.1"
  PYTHONPATH=$work/package "$environment/bin/python" bench/arrow.py
  exit
elif [ "$1" = spark ] || [ "$1" = workers ]; then
  command -v java >/dev/null || give_up "arrow-spark: java is not installed (sh setup.sh test-all)"
  install spark "$spark"
  if [ "$1" = workers ]; then
    mkdir -p "$work/data"
    ARROW_WORK=$work/data PYTHONPATH=$work/package:test/arrow "$environment/bin/python" bench/workers.py 2>"$work/err" ||
      tail -n 20 "$work/err"
    exit
  fi
  run spark
else
  install arrow "$engines"
  check "mypy --strict" types_are_right
  run engines
  [ -n "$ARROW_ONLY" ] || run misread
fi
finish
