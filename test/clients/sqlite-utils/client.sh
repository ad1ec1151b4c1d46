#!/bin/sh
# sqlite-utils: reading the value ends with Python's error.

echo "SQLite $(sqlite-utils query people.db 'SELECT sqlite_version()' --raw)"
echo "plain: $(sqlite-utils rows people.db people 2>&1 | tail -n 1)"

# Load utf8ext with the option --load-extension.
sqlite-utils query people.db --load-extension ./utf8ext --raw-lines \
  "SELECT printf('found: %s.%s, row %s: %s', table_name, column_name, key, error) FROM utf8_audit"

sqlite-utils query people.db --load-extension ./utf8ext \
  "UPDATE people SET name = utf8_repair(name, 'windows-1252') WHERE NOT utf8_valid(name)" >/dev/null
echo "repaired: $(sqlite-utils query people.db 'SELECT name FROM people' --raw)"
