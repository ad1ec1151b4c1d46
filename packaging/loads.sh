#!/bin/sh
# loads.sh: checks that SQLite's shell can load an installed extension, runs its functions, and
# refuses ill-formed text. Prints the difference if not.
#
#     sh packaging/loads.sh utf8ext     # whatever .load accepts

expected="$(cat VERSION)
1|0
José
1"
actual=$("${SQLITE3:-sqlite3}" :memory: ".load '$1'" "SELECT utf8_version()" \
  "SELECT utf8_valid('Zoë'), utf8_valid(CAST(x'ff' AS TEXT))" \
  "SELECT utf8_repair(CAST(x'4a6f73e9' AS TEXT), 'windows-1252')" \
  "CREATE TABLE people(name TEXT CHECK (utf8_valid(name)))" \
  "INSERT OR IGNORE INTO people VALUES ('Zoë'), (CAST(x'ff' AS TEXT))" "SELECT count(*) FROM people" 2>&1)
[ "$expected" = "$actual" ] && exit
printf 'expected: %s\nactual:   %s\n' "$expected" "$actual"
exit 1
