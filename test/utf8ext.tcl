# utf8ext.tcl: loads utf8ext into "db". Every test file sources it, and it sources tester.tcl, either
# this project's or SQLite's. The names of tests begin with the name of their file.
#
# Loads ../utf8ext relative to the tests (SQLite adds .so or .dylib), or the file named by
# the environment variable UTF8EXT_SO, such as a build with sanitizers.

set testprefix [file rootname [file tail $argv0]]
set testdir [file dirname $argv0]
source $testdir/tester.tcl

set utf8ext [file join [file dirname [file normalize $testdir]] utf8ext]
if {[info exists env(UTF8EXT_SO)]} { set utf8ext $env(UTF8EXT_SO) }

proc load_utf8ext {{db db}} {
  $db enable_load_extension 1
  $db eval {SELECT load_extension($::utf8ext)}
}

# Opens a connection `name` to the file, and loads utf8ext.
proc connect {name file args} {
  catch {$name close}
  sqlite3 $name $file {*}$args
  load_utf8ext $name
}

# Replaces bytes in the file of "db", as `string map` does, and opens it again.
proc change_file {map} {
  db close
  set f [open test.db r+b]
  set bytes [string map $map [read $f]]
  seek $f 0
  puts -nonewline $f $bytes
  close $f
  connect db test.db
}

# Reports that `test` does not run, and why.
proc skip {test why} {
  set ::skipped 1
  puts "SKIPPED: $test: $why"
}

# Returns 1 if SQLite is at least `version`. Otherwise skips `test`, which needs `what`, and
# returns 0.
proc sqlite_since {version what test} {
  if {[package vcompare [sqlite3 -version] $version] >= 0} { return 1 }
  skip $test "SQLite has $what since $version"
  return 0
}

# Skips `test` and returns 1 under valgrind, where it is too slow. Otherwise returns 0.
proc too_slow {test} {
  if {![info exists ::env(UNDER_VALGRIND)]} { return 0 }
  skip $test "it is too slow under valgrind"
  return 1
}

# Makes "db" a new, empty database of the given encoding, with utf8ext loaded. `pragmas` run before that.
proc utf8ext_db {{encoding UTF-8} {pragmas {}}} {
  reset_db
  db eval "PRAGMA encoding = '$encoding'; $pragmas"
  load_utf8ext
}

# Starts the random numbers of a test file; the seed alone determines them. Adds to SQL
# random_below(N), an integer from 0 to N-1, and random_bytes(N). Cast the bytes to BLOB: Tcl
# returns an empty result as TEXT. A failed test prints the seed.
proc seed_random {seed} {
  set ::random_seed $seed
  expr {srand($seed)}
  db function random_below random_below
  db function random_bytes random_bytes
}
proc random_below {n} { expr {int(rand() * $n)} }
proc random_bytes {n} {
  set words {}
  for {set i 0} {$i < $n} {incr i 2} { lappend words [random_below 65536] }
  binary format a$n [binary format s* $words]
}

# Creates a table byte(n, b): the numbers 0..255, each with a BLOB of that byte.
proc byte_table {} {
  db eval {CREATE TABLE byte(n INTEGER PRIMARY KEY, b BLOB)}
  for {set n 0} {$n < 256} {incr n} {
    db eval "INSERT INTO byte VALUES($n, x'[format %02x $n]')"
  }
}

# Returns the rows of a table, sorted, each value as its type and its bytes: as stored, or,
# if how is "repaired", as they must be after the repair.
proc content {table how} {
  foreach column [db eval {SELECT name FROM pragma_table_xinfo($table)}] {
    set c "\"[string map {\" \"\"} $column]\""
    if {$how eq "repaired"} { set c "CASE typeof($c) WHEN 'text' THEN utf8_repair($c) ELSE $c END" }
    lappend values "typeof($c) || hex($c)"
  }
  set name [string map {\" \"\"} $table]
  lsort [db eval "SELECT [join $values { || ' ' || }] FROM \"$name\""]
}

# Returns the names and the contents of all ordinary tables.
proc contents {{how stored}} {
  set all {}
  foreach table [db eval {SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0}] {
    lappend all $table [content $table $how]
  }
  return $all
}

# Returns UTF-16BE in hexadecimal in the byte order of the encoding.
proc ordered {encoding hex} {
  if {$encoding eq "UTF-16be"} { return $hex }
  regsub -all {(..)(..)} $hex {\2\1}
}

load_utf8ext
