#!/bin/sh
# The sqlite3 shell: writes the byte as it is, so that JSON, CSV and .dump are ill-formed.
# `sed -n l` shows the byte as \351, and `$` at the end of the line.

version=$(sqlite3 :memory: 'SELECT sqlite_version()')
echo "version $version, SQLite $version"
plain=$(sqlite3 -json people.db 'SELECT name FROM people' | LC_ALL=C sed -n l)
printf 'plain: no error: %s\n' "${plain%$}"

# Load utf8ext with .load, here or in ~/.sqliterc.
sqlite3 people.db '.load ./utf8ext' \
  "SELECT printf('found: %s.%s, row %s: %s', table_name, column_name, key, error) FROM utf8_audit"

sqlite3 people.db '.load ./utf8ext' \
  "UPDATE people SET name = utf8_repair(name, 'windows-1252') WHERE NOT utf8_valid(name)"
echo "repaired: $(sqlite3 people.db 'SELECT name FROM people')"
