# checklist.tcl: procedures and tables of grammar.test and checklist.test, which check the
# statements in test/conformance.md. Each of them sources this file after utf8ext.tcl.

# For each group of three words: bytes, the result of utf8_codepoints, and that of
# hex(utf8_repair()). '=' stands for the bytes themselves: they are valid.
proc do_vector_tests {name table} {
  foreach {bytes codepoints repaired} $table {
    set valid [expr {$repaired eq "="}]
    if {$valid} { set repaired $bytes }
    do_execsql_test $name.[string tolower $bytes] "
      SELECT utf8_valid(x'$bytes'), utf8_codepoints(x'$bytes'), hex(utf8_repair(x'$bytes')),
             (SELECT count(*) FROM utf8_each(x'$bytes'))
    " [list $valid $codepoints [string toupper $repaired] $codepoints]
  }
}

# Expects the code points of the bytes, in a dialect.
proc do_notation_test {name bytes notation {dialect utf-8}} {
  do_execsql_test $name "SELECT notation FROM utf8_each(x'$bytes', '$dialect')" $notation
}

# Expects each string that the SELECT `strings` returns to be ill-formed, alone, after 'a' and
# after U+20AC.
proc do_invalid_test {name strings} {
  do_execsql_test $name "
    WITH s(x) AS ($strings)
    SELECT hex(x) FROM s WHERE utf8_valid(x) IS NOT 0 OR utf8_valid(CAST('a' || x AS BLOB)) IS NOT 0
      OR utf8_valid(CAST(char(0x20ac) || x AS BLOB)) IS NOT 0
      OR utf8_valid(utf8_repair(x)) IS NOT 1
  " {}
}
# Returns U+FFFD n times, in hexadecimal.
proc repeat {n} { string repeat EFBFBD $n }

byte_table
do_execsql_test checklist-setup {
  CREATE VIEW tail AS SELECT n, b FROM byte WHERE n BETWEEN 0x80 AND 0xbf;

  -- Every scalar value, and its encoding by SQLite.
  CREATE TABLE scalar(cp INTEGER PRIMARY KEY, c TEXT);
  WITH RECURSIVE n(v) AS (VALUES(0) UNION ALL SELECT v+1 FROM n WHERE v < 0x10ffff)
  INSERT INTO scalar SELECT v, char(v) FROM n WHERE v NOT BETWEEN 0xd800 AND 0xdfff;

  -- The limits of the grammar's ranges and their neighbours; all strings of one and two bytes,
  -- all strings of three edges, and many of four bytes.
  CREATE TABLE edge AS SELECT n, b FROM byte WHERE n IN (0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90,
    0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1,
    0xf3, 0xf4, 0xf5, 0xf8, 0xfc, 0xfe, 0xff);
  CREATE TABLE any(x BLOB);
  INSERT INTO any SELECT b FROM byte;
  INSERT INTO any SELECT CAST(a.b || b.b AS BLOB) FROM byte AS a, byte AS b;
  INSERT INTO any SELECT CAST(a.b || b.b || c.b AS BLOB) FROM edge AS a, edge AS b, edge AS c;
  INSERT INTO any SELECT CAST(a.b || b.b || c.b || d.b AS BLOB) FROM byte AS a, edge AS b, edge AS c, edge AS d
    WHERE a.n >= 0xe0 AND b.n >= 0x80 AND b.n <= 0xc2 AND c.n BETWEEN 0x7f AND 0xc2 AND d.n BETWEEN 0x7f AND 0xc2;
} {}

# The rows of utf8_each for a text of every scalar value, in order. The text is made from
# hexadecimal: in old versions of SQLite, the result of group_concat() ends at the first NUL.
set all [binary decode hex [db eval {
  SELECT group_concat(hex(c), '') FROM (SELECT c FROM scalar ORDER BY cp)
}]]
do_execsql_test checklist-setup.each {
  CREATE TABLE each AS SELECT * FROM utf8_each(CAST(@all AS TEXT));
  CREATE UNIQUE INDEX each_cp ON each(codepoint);
} {}
unset all
