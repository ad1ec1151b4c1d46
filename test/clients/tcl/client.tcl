# Tcl: reads U+00E9 for the byte E9, as if nothing were wrong, but puts fails.
package require sqlite3

fconfigure stdout -encoding utf-8
sqlite3 db people.db
puts "version [info patchlevel], SQLite [sqlite3 -version]"
set name [db onecolumn {SELECT name FROM people}]
set file [open plain.txt w]
fconfigure $file -encoding utf-8
catch {puts $file $name; close $file}
puts [format "plain: no error: U+%04X for the byte, but puts: %s" \
  [scan [string index $name end] %c] [lindex $errorCode end]]

# Load utf8ext into this connection.
db enable_load_extension 1
db eval {SELECT load_extension('./utf8ext')}

db eval {SELECT table_name, column_name, key, error FROM utf8_audit} {
  puts "found: $table_name.$column_name, row $key: $error"
}
db eval {UPDATE people SET name = utf8_repair(name, 'windows-1252') WHERE NOT utf8_valid(name)}
puts "repaired: [db onecolumn {SELECT name FROM people}]"
