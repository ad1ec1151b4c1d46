#!/bin/sh
# run.sh: compares utf8ext with the decoders of other languages.
#
#     sh test/judges/run.sh                          # all
#     sh test/judges/run.sh python                   # this one
#
# Writes utf8ext's results (answers.sql) to build/answers.tsv. The program of each language
# compares them with its own decoder; its head comment lists what it compares, and where the rules
# differ. Python calls utf8ext through its own sqlite3 module if that can load extensions. A
# language that is not installed is reported as skipped.

cd "$(dirname "$0")/../.." || exit 1
answers=build/answers.tsv
judges=test/judges

write_answers() {
  mkdir -p build
  ${SQLITE3:-sqlite3} -batch -tabs -header :memory: \
    ".load ./${EXTENSION:-utf8ext.so}" ".read $judges/answers.sql" >$answers.$$ &&
    mv $answers.$$ $answers # another run may be reading the old one
}

python_command() {
  python=$(sh test/python.sh)
  if "$python" -c 'import sqlite3; sqlite3.Connection.enable_load_extension' 2>/dev/null
  then
    echo "$python $judges/judge.py"
  elif write_answers && "$python" -c '' 2>/dev/null; then
    echo "SKIPPED: Python's sqlite3 module: it cannot load extensions; the answers are" \
      "those of the sqlite3 shell" >>"$missing"
    echo "$python $judges/judge.py $answers"
  fi
}

command_of() {
  case $1 in
  python) python_command ;;
  go) command -v go >/dev/null && echo "go run $judges/judge.go $answers" ;;
  java) command -v javac >/dev/null && echo "java $judges/Judge.java $answers" ;;
  node) command -v node >/dev/null && echo "node $judges/judge.js $answers" ;;
  perl) command -v perl >/dev/null && echo "perl $judges/judge.pl $answers" ;;
  esac
}

[ "$*" = python ] || write_answers || exit 1 # Python alone usually needs no file
missing=$(mktemp) || exit 1
trap 'rm -f "$missing"' EXIT
set -- ${*:-python go java node perl}
for language in "$@"; do
  shift
  command=$(command_of "$language")
  if [ -n "$command" ]; then
    set -- "$@" "$command"
  else
    echo "SKIPPED: decoder of $language: it is not installed" >>"$missing"
  fi
done
if [ -s "$missing" ]; then # as output of a test, which test/run.sh repeats at its end
  first=$1
  [ $# = 0 ] || shift
  set -- "cat '$missing'; $first" "$@"
fi
sh test/run.sh "$@"
