#!/bin/sh
# Datasette: shows U+FFFD without an error, in pages and in JSON. It only reads, so this program only
# shows the repaired value; repair with another one.

# page SQL: prints the address of the page that shows the result.
page() {
  echo "/people.csv?sql=$(echo "$1" | tr ' ' '+')"
}

# Prints the first row of a page, which follows the names of the columns.
row() {
  sed -n '2s/["\r]//gp'
}

echo "SQLite $(datasette people.db --get "$(page 'SELECT sqlite_version()')" | row)"
echo "plain: no error: $(datasette people.db --get "$(page 'SELECT name FROM people')" | row)"

# Load utf8ext with the option --load-extension.
audit="SELECT 'found: '||table_name||'.'||column_name||', row '||key||': '||error FROM utf8_audit"
datasette people.db --load-extension ./utf8ext --get "$(page "$audit")" | row

repaired="SELECT 'repaired: '||utf8_repair(name,'windows-1252') FROM people"
datasette people.db --load-extension ./utf8ext --get "$(page "$repaired")" | row
