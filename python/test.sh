#!/bin/sh
# test.sh: builds the wheel for this machine, installs it into an empty environment, and runs the
# tests of python/tests against it.
#
#     sh python/test.sh             # part of `make test`
#     sh python/test.sh --release   # the wheels of `make package-python`, not run
#
# PYTEST_ARGUMENTS are passed to pytest.
. test/tally.sh

package=python
. packaging/package.sh

# What the tests use. Each connection that utf8ext.load() accepts is tested with its own library.
environment=build/venv/python
requirements="apsw==3.54.1.0 click==8.5.1 rich==15.0.0 Jinja2==3.1.6 pytest==9.2.0 mypy==2.4.1
  SQLAlchemy==2.1.9 greenlet==3.5.6 aiosqlite==0.22.1 Django==5.2.19 pysqlite3-binary==0.5.4.post2 duckdb==2.0.0
  dbf==0.99.11 backports.zstd==1.8.0"

# ---- the library without the command ----------------------------------------------------

# in_work COMMAND...: runs a command where no ./utf8ext.so could be taken for a Python module.
in_work() { (cd "$work" && "$@"); }

# Installs the wheel, and nothing else, without a network.
install_alone() {
  "$PYTHON" -m venv "$work/alone" && "$work/alone/bin/pip" install -q --no-index "$wheel"
}

library_alone='
import sqlite3, utf8ext
connection = sqlite3.connect(":memory:")
utf8ext.load(connection)
assert connection.execute("SELECT utf8_version()").fetchone() == (utf8ext.__version__,)
'

# Says the command what it lacks, in one line and with status 2?
says_what_to_install() {
  "$work/alone/bin/utf8ext" check x 2>"$work/said"
  same "2 utf8ext: the command needs more packages: pip install 'utf8ext[cli]'" "$? $(cat "$work/said")"
}

# runs_in PYTHON: does the library work in another version of Python, which may lack extensions?
runs_in() {
  PYTHONPATH="$work/files" in_work "$1" -c '
import sqlite3, utf8ext
try:
    utf8ext.load(sqlite3.connect(":memory:"))
except RuntimeError as error:
    assert "pip install apsw" in str(error)
' && "$1" -m compileall -q "$work/files"
}

# Prints the Pythons on this machine that are new enough.
pythons() {
  for python in "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.*/bin/python /usr/bin/python3.[0-9]*[0-9]; do
    [ -x "$python" ] && "$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' && echo "$python"
  done
}

test_alone() {
  check "pip install without a network" install_alone
  check "the library without other packages" in_work "$work/alone/bin/python" -c "$library_alone"
  check "the command says what to install" says_what_to_install
  "$PYTHON" -m zipfile -e "$wheel" "$work/files"
  for python in $(pythons); do
    check "the library in $python" runs_in "$python"
  done
}

# ---- everything -------------------------------------------------------------------------

# The environment is kept, and utf8ext is installed anew.
install_all() {
  # shellcheck disable=SC2086
  sh packaging/venv.sh $environment $requirements &&
    $environment/bin/pip install -q --no-index --no-deps --force-reinstall "$wheel"
}

# Are the types of the library right? mypy reads what pip installed.
types_are_right() {
  in_work "$root/$environment/bin/mypy" --strict --no-error-summary -p utf8ext
}

# Adds the results of pytest to those of this file.
run_pytest() {
  # shellcheck disable=SC2086
  (cd python/tests && "$root/$environment/bin/python" -m pytest -q -p no:cacheprovider \
    $PYTEST_ARGUMENTS) >"$work/pytest" 2>&1 </dev/null
  status=$?
  grep -v 'passed, .* failed$' "$work/pytest"
  counts=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$work/pytest" | tail -n 1)
  [ -n "$counts" ] || counts="0 passed, 1 failed"
  passed=$((passed + ${counts%% *}))
  failed_here=${counts#*, } failed_here=${failed_here%% *}
  [ "$status" = 0 ] || [ "$failed_here" != 0 ] || failed_here=1
  failed=$((failed + failed_here))
}

# Does `pip install ./python` compile an extension that loads, where no build folder is? pip fetches
# the build backend.
installs_from() {
  rm -rf "$work/source"
  "$PYTHON" -m venv "$work/source" && "$work/source/bin/pip" install -q "$1" &&
    in_work "$work/source/bin/python" -c "$library_alone"
}

# A copy of the checkout, without what was built.
copy_of_checkout() {
  mkdir "$work/checkout" && git archive HEAD | tar -x -C "$work/checkout"
}

test_from_source() {
  "$PYTHON" -m pip download -q --no-deps -d "$work" scikit-build-core 2>/dev/null || {
    echo "SKIPPED: package python: pip install ./python: pip cannot fetch scikit-build-core"
    return
  }
  check "a copy of the checkout" copy_of_checkout
  check "pip install ./python" installs_from "$work/checkout/python"
  check "pip install utf8ext-VERSION.tar.gz" installs_from "$(ls "$out"/*.tar.gz)"
}

# Does `make package-python` need nothing but the extension? Runs it where no release was made.
builds_without_release() {
  fresh=$work/fresh
  mkdir -p "$fresh/build" && ln -s "$root/build/venv" "$fresh/build/venv" &&
    for name in */ *.c *.h VERSION LICENSE "$EXTENSION"; do
      [ "$name" = build/ ] ||  ln -s "$root/$name" "$fresh"; done &&
    (cd "$fresh" && env -u RELEASE -u PACKAGES sh python/build.sh && ls build/packages/python/*.whl)
}

test_native_wheel() {
  test_native || skip "packaging/targets.tsv has no target for this machine"
  "$PYTHON" -c 'import sqlite3; sqlite3.Connection.enable_load_extension' 2>/dev/null ||
    skip "the sqlite3 module of $PYTHON cannot load extensions"
  check "make package-python" sh python/build.sh
  check "make package-python in a fresh clone" builds_without_release
  wheel=$(ls "$out"/*.whl)
  test_alone
  test_from_source
  check "pip install with the command's packages" install_all
  check "mypy --strict" types_are_right
  run_pytest
}

# ---- the wheels of a release ------------------------------------------------------------

# Is the library in wheel $1 the one of target $2, which packaging/binary.py has checked?
has_library() {
  name=$(target_field "$2" library)
  "$PYTHON" -c 'import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))' \
    "$1" "utf8ext/$name" | cmp - "$(library "$2")"
}

# Does auditwheel confirm the tag $2 of wheel $1? It accepts a tag that promises more than needed.
# It fails on wheels for musl: there, packaging/binary.py has checked which libraries are needed.
is_manylinux() {
  $environment/bin/auditwheel show "$1" >"$work/audit" && tr '\n' ' ' <"$work/audit" >"$work/audited" &&
    grep -Eq "\"(manylinux_2_[0-9]+_${2##manylinux_2_[0-9][0-9]_})\"" "$work/audited"
}

test_release_wheels() {
  environment=build/venv/wheelcheck
  sh packaging/venv.sh $environment auditwheel==6.5.0 twine==6.2.0 || skip "pip cannot install auditwheel and twine"
  for target in $(built wheel); do
    tag=$(target_field "$target" wheel)
    wheel=$out/utf8ext-$wheel_version-py3-none-$tag.whl
    check "$target: twine" $environment/bin/twine check --strict "$wheel"
    check "$target: the library" has_library "$wheel" "$target"
    case $tag in manylinux*) check "$target: auditwheel" is_manylinux "$wheel" "$tag" ;; esac
  done
}

root=$PWD
PYTHON=${PYTHON:-$(sh test/python.sh)}
if [ "$1" = --release ]; then test_release_wheels; else test_native_wheel; fi
finish
