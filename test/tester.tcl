# tester.tcl: runs a test file with plain tclsh and the Tcl binding of SQLite.
#
#     tclsh test/valid.test
#
# The files test/*.test are written for SQLite's own harness and also run in it unchanged
# (make check-testfixture). SQLite's harness needs a special build of SQLite, so this file
# defines the few commands that the tests use, with the same names and meaning. It differs
# in two ways: the last line is "N passed, N failed", and no faults are injected.
#
# Each file runs in its own directory, build/tcl/NAME, where "db" is test.db. The names of
# the tests that passed are written to build/NAME.test.passed. To use another directory than
# build, for example for concurrent runs, set the environment variable TEST_OUTPUT.
#
# Tcl strings cannot carry ill-formed text: tests pass bytes as x'..' and compare hex().

package require sqlite3

set argv0 [file normalize $argv0]
set testdir [file dirname $argv0]
set tester(passed) 0
set tester(failed) {}

# Commands of the harness --------------------------------------------------------------

proc forcedelete {args} { file delete -force -- {*}$args }

proc reset_db {} {
  catch {db close}
  forcedelete test.db test.db-journal test.db-wal
  sqlite3 db ./test.db
}

proc execsql {sql {db db}} { uplevel 1 [list $db eval $sql] }

proc catchsql {sql {db db}} {
  set rc [catch {uplevel 1 [list $db eval $sql]} result]
  list $rc $result
}

# Runs the script and compares its result with `expected`: a literal, a *glob*, a /regular
# expression/ that must match, or a ~/regular expression/ that must not. In a regular
# expression, # matches a number.
proc do_test {name script expected} {
  set name [test_name $name]
  if {[catch {uplevel #0 $script} result]} {
    test_failed $name "Error: $result"
  } elseif {![result_matches $result $expected]} {
    test_failed $name "expected: \[$expected\]\n       got: \[$result\]"
  } else {
    incr ::tester(passed)
    puts $::tester(names) $name
  }
}

proc do_execsql_test {args} {
  set db db
  if {[lindex $args 0] eq "-db"} {
    set db [lindex $args 1]
    set args [lrange $args 2 end]
  }
  lassign $args name sql expected
  uplevel 1 [list do_test $name "execsql {$sql} $db" [list {*}$expected]]
}

proc do_catchsql_test {name sql expected} {
  uplevel 1 [list do_test $name "catchsql {$sql}" $expected]
}

# A file in which no test ran fails, unless it called skip (test/utf8ext.tcl).
proc finish_test {} {
  catch {db close}
  close $::tester(names)
  if {$::tester(passed) + [llength $::tester(failed)] == 0 && ![info exists ::skipped]} {
    test_failed [file tail $::argv0] "nothing was tested"
  }
  foreach name $::tester(failed) { puts "failed: $name" }
  puts "$::tester(passed) passed, [llength $::tester(failed)] failed"
  exit [expr {[llength $::tester(failed)] > 0}]
}

# Helpers ------------------------------------------------------------------------------

# In a file with "set testprefix valid", the test "1.2" is named "valid-1.2".
proc test_name {name} {
  if {[info exists ::testprefix] && [string is digit [string index $name 0]]} {
    return "$::testprefix-$name"
  }
  return $name
}

proc test_failed {name why} {
  lappend ::tester(failed) $name
  puts "! $name\n  $why"
  if {[info exists ::random_seed]} { puts "  seed of the random values: $::random_seed" }
}

proc result_matches {result expected} {
  if {[regexp {^(~?)/(.*)/$} $expected all not pattern]} {
    set ok [pattern_matches $result $pattern]
    return [expr {$not eq "~" ? !$ok : $ok}]
  }
  if {[regexp {^\*.*\*$} $expected]} { return [string match $expected $result] }
  return [expr {$result eq $expected}]
}

proc pattern_matches {result pattern} {
  if {[string index $pattern 0] eq "*"} { return [string match $pattern $result] }
  return [regexp [string map {# {[-0-9.]+}} $pattern] $result]
}

# Setup --------------------------------------------------------------------------------

set tester(output) [file join [file dirname $testdir] build]
if {[info exists env(TEST_OUTPUT)]} { set tester(output) [file normalize $env(TEST_OUTPUT)] }
set tester(dir) [file join $tester(output) tcl [file rootname [file tail $argv0]]]
forcedelete $tester(dir)
file mkdir $tester(dir)
set tester(names) [open [file join $tester(output) [file tail $argv0].passed] w]
fconfigure $tester(names) -encoding utf-8
cd $tester(dir)
reset_db
