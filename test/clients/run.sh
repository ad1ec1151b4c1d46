#!/bin/sh
# run.sh: runs the programs of test/clients, one for each client of SQLite.
#
#     sh test/clients/run.sh                 # every client of clients.tsv
#     sh test/clients/run.sh python perl     # these
#
# A program reads the ill-formed value of people.sql without utf8ext, loads utf8ext, finds the
# value, repairs it and reads it again. Its output must be that of its row in clients.tsv, a table
# with tabs between these columns:
#
#     name, client    its directory, and its name in docs/clients.md
#     version         the version; for packages, it is also in the command that installs them
#     sqlite          the version of SQLite that it uses
#     install, run    the commands; apt-get is never run, but named if the client is missing
#     plain           what happens when the value is read without utf8ext
#     refusal         the message if the client cannot load utf8ext, otherwise '-'
#
# A program runs in build/clients/NAME, with utf8ext.so and a new people.db. Other versions than the
# recorded ones may print something else for plain, which is then reported as skipped.
#
# Prints the table of docs/clients.md at its end, for the clients that ran.

cd "$(dirname "$0")/../.." || exit 1
. test/tally.sh
root=$(pwd)
clients=$root/test/clients
build=$root/build/clients
extension=$root/${EXTENSION:-utf8ext.so}
SQLITE3=${SQLITE3:-sqlite3}
PYTHON=$(command -v "$(sh test/python.sh)")
path=$PATH
tab=$(printf '\t')
export LC_ALL=C.UTF-8 PIP_DISABLE_PIP_VERSION_CHECK=1 GOFLAGS=-mod=mod

# Succeeds if the commands and libraries are installed that client $name needs from the system.
is_available() {
  case $name in
  shell) command -v sqlite3 ;;
  python) can_load ;;
  tcl) echo 'exit [catch {package require sqlite3}]' | tclsh ;;
  perl) perl -M'DBD::SQLite 1.68' -e 1 ;;
  php) php -r 'new SQLite3(":memory:");' ;;
  ruby) ruby -r sqlite3 -e 1 ;;
  r) Rscript -e 'library(RSQLite)' ;;
  luasql) lua5.4 -e 'require "luasql.sqlite3"' ;;
  qt) command -v qmake && command -v make ;;
  gdal) command -v ogr2ogr ;;
  *) has_package_manager ;;
  esac >/dev/null 2>&1
}

has_package_manager() {
  case $install in
  pip*) can_load && "$PYTHON" -c 'import ensurepip' ;;
  npm*) command -v npm && command -v node ;;
  mvn*) command -v mvn && command -v java ;;
  *) command -v "${install%% *}" ;;
  esac
}

what_is_missing() {
  case $install in
  apt-get*) echo "it is not installed: $install" ;;
  *) echo "it needs ${install%% *}: $install" ;;
  esac
}

can_load() {
  "$PYTHON" -c 'import sqlite3; sqlite3.Connection.enable_load_extension'
}

# Makes the project to which the command $install adds packages.
make_project() {
  case $install in
  pip*) "$PYTHON" -m venv venv ;;
  npm*) echo '{"private": true}' >package.json ;;
  cargo*) cargo init -q --vcs none --name client . ;;
  go*) go mod init client ;;
  esac
}

# Installs the client in the current directory. Does nothing if the same command did so before.
install_client() {
  case $install in apt-get*) return 0 ;; esac
  [ "$(cat installed 2>/dev/null)" = "$install" ] && return
  rm -rf "${build:?}/$name"/* && make_project >install.log 2>&1 &&
    sh -c "$install" >>install.log 2>&1 </dev/null && echo "$install" >installed
}

# Runs the program on a new database. Its output goes to output, its messages to run.log.
run_program() {
  rm -f people.db && : >output && : >run.log
  cp "$clients/$name"/* "$extension" . || return
  [ ! -e client.rs ] || mv client.rs src/main.rs
  "$SQLITE3" people.db <"$clients/people.sql" || return
  sh -c "$run" >output 2>run.log </dev/null || echo "exit status $?" >>output
}

# Writes what row $name expects to the file expected.
write_expected() {
  {
    case $install in apt-get*) printf 'version %s, ' "$version" ;; esac
    printf 'SQLite %s\nplain: %s\n' "$sqlite" "$plain"
    if [ "$refusal" = - ]; then
      printf 'found: people.name, row 1: truncated\nrepaired: José\n'
    else
      printf 'not loaded: %s\n' "$refusal"
    fi
  } >expected
}

# If other versions ran than the recorded ones, expects the first two lines that they printed.
accept_other_versions() {
  recorded=$(head -n 1 expected)
  actual=$(head -n 1 output)
  echo "$actual" | grep -Eq 'SQLite [0-9.]+$' && [ "$recorded" != "$actual" ] || return
  [ "$(sed -n 2p expected)" = "$(sed -n 2p output)" ] ||
    skip "what it does without utf8ext: recorded with $recorded; $actual: $(sed -n 2p output)"
  { head -n 2 output && tail -n +3 expected; } >new
  mv new expected
}

compare() {
  diff expected output && return
  tail -n 20 run.log
  return 1
}

skip() {
  echo "SKIPPED: $client: $1"
}

# Adds the client's row to $work/ran.tsv, with what its program printed.
add_row() {
  sed -n 's/^version \([^,]*\),.*/\1/p' output | grep . >version || echo "$version" >version
  sed -n '1s/.*SQLite //p' output >sqlite
  sed -n 's/^plain: //p' output >plain
  printf '%s\t' "$name" "$client" "$(cat version)" "$(cat sqlite)" "$install" "$run" "$(cat plain)"
  printf '%s\n' "$refusal"
}

run_client() {
  mkdir -p "$build/$name" && cd "$build/$name" || return
  PATH=$build/$name/venv/bin:$build/$name/node_modules/.bin:$build/bin:$path
  if ! is_available; then
    skip "$(what_is_missing)"
  elif ! install_client; then
    skip "'$install' failed: $(tail -n 1 install.log)"
  else
    run_program
    write_expected
    accept_other_versions
    check "$client" compare
    add_row >>"$work/ran.tsv"
  fi
}

mkdir -p "$build/bin"
ln -sf "$PYTHON" "$build/bin/python3"
ln -sf "$(command -v "$SQLITE3")" "$build/bin/sqlite3"
head -n 1 "$clients/clients.tsv" >"$work/ran.tsv"
names=${*:-$(tail -n +2 "$clients/clients.tsv" | cut -f 1)}
for name in $names; do
  row=$(grep "^$name$tab" "$clients/clients.tsv")
  [ -n "$row" ] || { check "clients.tsv has a client $name" false && continue; }
  IFS=$tab read -r name client version sqlite install run plain refusal <<END
$row
END
  run_client
done
cd "$root" && "$PYTHON" tool/clients.py --table "$work/ran.tsv"
finish
