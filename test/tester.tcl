# tester.tcl: runs a test file with plain tclsh and the Tcl binding of SQLite.
#
#     tclsh test/valid.test
#
# The files test/*.test are written for SQLite's own harness, and run in it unchanged
# (make testfixture-test). That harness needs a special build of SQLite, so here are the
# few commands that the files use, with the same names and meaning. Differences: the last
# line is "N passed, N failed", and no faults are injected.
#
# Each file works in a directory of its own, build/tcl/NAME, where "db" is test.db. The names
# of the tests that passed are written to build/NAME.test.passed. TEST_OUTPUT in the
# environment names another directory than build, so that runs do not disturb each other.
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

# expected is what the script returns, or /a regular expression/ that matches it or
# ~/one that does not/, where # stands for a number, or *a glob*.
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

proc finish_test {} {
  catch {db close}
  close $::tester(names)
  foreach name $::tester(failed) { puts "failed: $name" }
  puts "$::tester(passed) passed, [llength $::tester(failed)] failed"
  exit [expr {[llength $::tester(failed)] > 0}]
}

# What they are made of ----------------------------------------------------------------

# "1.2" is short for "valid-1.2" in a file that has "set testprefix valid".
proc test_name {name} {
  if {[info exists ::testprefix] && [string is digit [string index $name 0]]} {
    return "$::testprefix-$name"
  }
  return $name
}

proc test_failed {name why} {
  lappend ::tester(failed) $name
  puts "! $name\n  $why"
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

# The file to be run -------------------------------------------------------------------

set tester(output) [file join [file dirname $testdir] build]
if {[info exists env(TEST_OUTPUT)]} { set tester(output) [file normalize $env(TEST_OUTPUT)] }
set tester(dir) [file join $tester(output) tcl [file rootname [file tail $argv0]]]
forcedelete $tester(dir)
file mkdir $tester(dir)
set tester(names) [open [file join $tester(output) [file tail $argv0].passed] w]
fconfigure $tester(names) -encoding utf-8
cd $tester(dir)
reset_db
