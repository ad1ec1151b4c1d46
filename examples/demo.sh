#!/bin/sh
# demo.sh: imports a CSV file in any charset, repairs its text, and keeps ill-formed text out.
#
#     make demo                                          # examples/orders.csv
#     make demo CSV=path/to/your.csv POLICY=windows-1252
#
# The extension decides everything about text; this script only imports and shows:
#
#   1. utf8_cause() of the whole file: a charset's name means that all of it is in that charset, so
#      it is converted before the sqlite3 shell imports it (with POLICY only UTF-16 and UTF-32 are).
#   2. utf8_audit under policy auto (or POLICY) returns each cell that is still ill-formed, with its
#      cause and the repaired value. The names of the columns are audited with their columns.
#
# Writes build/demo/demo.db and build/demo/clean.csv. The tables are imported (unchanged), header
# (its columns), problem (a row for each of those values) and clean (repaired, with a CHECK). The
# separator is the most frequent of , ; | and TAB in the first line.
#
# Neither ill-formed text nor control characters reach the terminal.
#
# Reads DEMO_CSV, POLICY, SQLITE3 from the environment. Runs in the project's root.

csv=${DEMO_CSV:-examples/orders.csv}
case $csv in /*) path=$csv ;; *) path=$PWD/$csv ;; esac
SQLITE3=${SQLITE3:-sqlite3}
dir=build/demo
db=$dir/demo.db
rows=25 # maximum shown of a table

main() {
  check_file
  check_shell
  rm -rf "$dir" && mkdir -p "$dir" || exit 1
  decode
  end_lines
  import
  find_problems
  show_file
  show_problems
  repair
  guard
  show_causes
  show_next_steps
}

# ---- helpers -----------------------------------------------------------------------------

fail() {
  echo "demo: $*" | printable >&2
  exit 1
}

# Copies standard input and replaces control characters (C0, DEL, C1) with '?'.
printable() {
  c1=$(printf '[\200-\237]')
  LC_ALL=C tr '\011\001-\010\013-\037\177' ' ????????????????????????????????' |
    LC_ALL=C sed "s/$(printf '\302')$c1/?/g"
}

# Runs the SQL on standard input and shows the rows in boxes.
show() {
  "$SQLITE3" -batch -init /dev/null -cmd '.load ./utf8ext' -cmd '.mode box' \
    -cmd '.nullvalue NULL' "$db" 2>&1 | printable
}

# Runs the SQL on standard input and prints the rows without a frame.
run() {
  "$SQLITE3" -batch -init /dev/null -cmd '.load ./utf8ext' -cmd '.mode list' "$db"
}

# Runs the statements that the SQL on standard input generates.
run_generated() {
  run >"$dir/generated.sql" && run <"$dir/generated.sql"
}

title() {
  printf '\n== %s\n' "$*" | printable
}

# Prints SQL: at most 40 bytes of value $1 around offset $2, without cutting a character.
around() {
  start="length(CAST(utf8_truncate($1, max($2 - 16, 0)) AS BLOB))"
  echo "utf8_truncate(CAST(substr(CAST($1 AS BLOB), $start + 1, 46) AS TEXT), 40)"
}

# Prints SQL: the number of U+FFFD in value $1.
replacements() {
  echo "(length(CAST($1 AS BLOB)) - length(CAST(replace($1, char(0xFFFD), '') AS BLOB))) / 3"
}

# ---- the file ----------------------------------------------------------------------------

check_file() {
  [ -e "$path" ] || fail "there is no file '$csv'"
  [ -f "$path" ] && [ -r "$path" ] || fail "'$csv' is not a file that can be read"
  [ -s "$path" ] || fail "'$csv' is empty"
  case $(LC_ALL=C head -c 15 "$path" | LC_ALL=C tr '\000' '?') in
  'SQLite format 3') fail "'$csv' is an SQLite database, not a CSV file; utf8_audit checks databases" ;;
  %PDF-*) fail "'$csv' is a PDF document; pdftotext reads it" ;;
  esac
  ! is_ebcdic || fail "'$csv' is text in EBCDIC; utf8ext convert reads it: --from cp037"
}

# Is the file in EBCDIC? It has no spaces and digits of ASCII, and its own space is '@'.
is_ebcdic() {
  head=$(LC_ALL=C head -c 512 "$path" | od -An -v -tx1 | tr -d '\n')
  case $head in *\ 20* | *\ 3[0-9]*) return 1 ;; esac
  spaces=$(echo "$head" | tr ' ' '\n' | grep -c '^40$')
  letters=$(echo "$head" | tr ' ' '\n' | grep -Ec '^(40|4b|5c|6b|7[ad]|[89cdef][0-9]|a[2-9])$')
  all=$(echo "$head" | wc -w)
  [ "$all" -ge 32 ] && [ $((spaces * 20)) -gt "$all" ] && [ $((letters * 10)) -gt $((all * 9)) ]
}

# Has the file a part in UTF-16 and another one in UTF-8, as after >> of another shell?
is_in_two_encodings() {
  run <<SQL | grep -q 1
SELECT CASE WHEN x IS NULL THEN 0
            WHEN utf8_detect(substr(x, 1, 48)) LIKE 'utf-16%' THEN instr(tail, x'00') = 0 AND utf8_valid(tail)
            ELSE mark > 0 AND utf8_valid(substr(x, 1, mark)) END
  FROM (SELECT x, substr(x, -16) AS tail, max(instr(x, x'0afffe'), instr(x, x'0afeff')) AS mark
          FROM (SELECT readfile('$input') AS x));
SQL
}

check_shell() {
  command -v "$SQLITE3" >/dev/null || fail "there is no sqlite3 shell ('$SQLITE3'); try sh setup.sh"
  message=$("$SQLITE3" -batch -init /dev/null :memory: '.load ./utf8ext' 2>&1) || {
    echo "$message" | printable >&2
    fail "'$SQLITE3' did not load the extension. Some systems build their sqlite3 shell
without extension loading (macOS does). Name another: make demo SQLITE3=/path/to/sqlite3"
  }
  [ -z "$POLICY" ] && return
  printf "SELECT utf8_repair('', '%s');" "$(printf %s "$POLICY" | sed "s/'/''/g")" |
    "$SQLITE3" -batch -init /dev/null -cmd '.load ./utf8ext' :memory: >/dev/null ||
    fail "unknown policy '$POLICY'"
}

# Sets charset, what the whole file is in, and input, the file to import: the output of utf8_from()
# if the file is in one charset other than UTF-8; else a link, since dot-commands cannot quote every
# file name.
decode() {
  input=$dir/input.csv
  ln -s "$path" "$input"
  if [ "$(wc -c <"$path")" -gt 1000000000 ]; then
    charset=unknown # readfile() returns at most 10^9 bytes
    return
  fi
  charset=$(echo "SELECT iif(utf8_valid(x), utf8_detect(x), utf8_cause(x)) FROM (SELECT readfile('$input') AS x);" | run) ||
    fail "'$csv' could not be read"
  ! is_in_two_encodings || fail "'$csv' is in UTF-16 and in UTF-8; utf8ext import reads each part"
  case $charset in
  binary) fail "'$csv' is not text: it could be a picture, an archive or a program; utf8ext detect names it" ;;
  utf-16* | utf-32*) ;;
  *) [ -z "$POLICY" ] || return ;;
  esac
  case $charset in
  utf-16* | utf-32*) ;;
  utf-* | ascii | cesu-8 | mutf-8 | overlong | cut | damaged | unclear) return ;;
  esac
  echo "SELECT writefile('$dir/decoded.csv', CAST(utf8_from(readfile('$input'), '$charset') AS BLOB));" |
    run >/dev/null || fail "'$csv' could not be decoded from $charset"
  input=$dir/decoded.csv
}

# Gives a file of an old Macintosh, whose lines end with CR, ends that the shell knows.
end_lines() {
  [ "$(LC_ALL=C tr -cd '\n' <"$input" | wc -c)" -eq 0 ] &&
    [ "$(LC_ALL=C tr -cd '\r' <"$input" | wc -c)" -gt 0 ] || return 0
  LC_ALL=C tr '\r' '\n' <"$input" >"$dir/lines.csv" && input=$dir/lines.csv
  ends=CR
}

separator() {
  line=$(LC_ALL=C head -n 1 "$input" | LC_ALL=C tr -cd ',;|\t' | tr '\t' t)
  best=0
  for mark in , ';' t '|'; do
    count=$(printf %s "$line" | tr -cd "$mark" | wc -c)
    [ "$count" -gt "$best" ] && best=$count && found=$mark
  done
  case $found in t) printf '\\t' ;; *) printf %s "${found:-,}" ;; esac
}

import() {
  "$SQLITE3" -batch -init /dev/null "$db" '.mode csv' ".separator \"$(separator)\"" \
    ".import $input imported" >"$dir/import.log" 2>&1
  if ! echo 'SELECT 1 FROM imported;' | run >/dev/null 2>&1; then
    head -n 3 "$dir/import.log" | printable >&2
    fail "sqlite3 could not import '$csv'"
  fi
}

# Shows the file as readfile() returns it: .import drops a BOM and cuts values at a NUL.
show_file() {
  title "$csv, imported into $db"
  [ ! -e "$dir/decoded.csv" ] || echo "It was in $charset; here it is in UTF-8."
  [ -z "$ends" ] || echo "Its lines ended with $ends; here they end with LF."
  if [ -s "$dir/import.log" ]; then
    echo "Messages of the shell ($(wc -l <"$dir/import.log") lines in $dir/import.log):"
    head -n 3 "$dir/import.log" | printable
  fi
  [ "$charset" = unknown ] && return
  show <<END
CREATE TEMP TABLE f AS SELECT readfile('$input') AS x;
SELECT (SELECT count(*) FROM imported) AS rows,
       (SELECT count(*) FROM header) AS columns,
       length(x) AS bytes, iif(utf8_strip_bom(x) = x, 'no', 'yes') AS BOM,
       nullif(instr(x, x'00'), 0) - 1 AS "first NUL at",
       iif(utf8_valid(x), 'yes', 'no') AS "UTF-8"
  FROM f;
.mode list
SELECT 'readfile() keeps BOM and NUL; .import drops a BOM and cuts values at a NUL:'
  FROM f WHERE utf8_strip_bom(x) <> x OR instr(x, x'00');
.mode box
SELECT e.offset, e.notation, hex(e.bytes) AS bytes,
       (SELECT group_concat(CASE codepoint WHEN 0 THEN '[NUL]' WHEN 0xFEFF THEN '[BOM]'
                            ELSE coalesce(char, '?') END, '')
          FROM utf8_each(substr(x, max(e.offset - 8, 0) + 1, 16))) AS "around it"
  FROM f, utf8_each(x) e
 WHERE e.offset IN (0, instr(x, x'00') - 1) AND e.codepoint IN (0, 0xFEFF);
END
}

# ---- the errors --------------------------------------------------------------------------

# Fills table problem from utf8_audit. The names of the columns are row 0 meanwhile, so that the
# other values of a column decide about its name too. The row number is a name of the rowid that is
# not a column.
find_problems() {
  run <<'END'
CREATE TABLE header(cid INTEGER PRIMARY KEY, name, shown, clean);
INSERT INTO header SELECT cid, name, utf8_repair(name, 'escape'), name FROM pragma_table_info('imported');
CREATE TABLE problem(cid INTEGER, row INTEGER, errors INTEGER, offset INTEGER, error TEXT,
  cause TEXT, repaired TEXT, lost INTEGER, around TEXT, after TEXT, PRIMARY KEY (cid, row)) WITHOUT ROWID;
END
  rowid=$(run <<END
SELECT column1 FROM (VALUES ('rowid'), ('_rowid_'), ('oid'))
 WHERE column1 NOT IN (SELECT lower(name) FROM header) LIMIT 1;
END
  )
  [ -n "$rowid" ] || fail "there are columns rowid, _rowid_ and oid: no name is left for the row number"
  run_generated <<END || fail "the names of the columns could not be audited"
SELECT 'INSERT INTO imported($rowid, ' || group_concat(printf('"%w"', name), ', ') || ') SELECT 0, '
  || group_concat(printf('max(iif(cid = %d, name, NULL))', cid), ', ') || ' FROM header;' FROM header;
END
  [ -n "$POLICY" ] && misread=0 || misread=1
  policy=$(printf %s "${POLICY:-auto}" | sed "s/'/''/g")
  run <<END || fail "the values could not be audited"
INSERT INTO problem
SELECT cid, key, errors, "offset", error, cause, repaired,
       max($(replacements repaired) - $(replacements value), 0), $(around value '"offset"'),
       $(around repaired '"offset"')
  FROM (SELECT cid, key, errors, "offset", error, value,
               CASE error WHEN 'mojibake' THEN 'mojibake ' || cause ELSE cause END AS cause,
               CASE WHEN cause = 'unclear' AND '$policy' = 'auto' THEN CAST(value AS TEXT)
                    ELSE coalesce(repaired, CAST(value AS TEXT)) END AS repaired
          FROM utf8_audit('main', '$policy', $misread) JOIN header ON shown = column_name
         WHERE table_name = 'imported' AND (cause IS NOT NULL OR error = 'mojibake'));
DELETE FROM imported WHERE $rowid = 0;
UPDATE header SET clean = (SELECT repaired FROM problem p WHERE p.cid = header.cid AND row = 0)
 WHERE cid IN (SELECT cid FROM problem WHERE row = 0);
UPDATE header SET clean = shown WHERE lower(clean) IN
  (SELECT lower(clean) FROM header GROUP BY 1 HAVING count(*) > 1);
END
}

show_problems() {
  title "The ill-formed and misread values: utf8_audit (row 0 is the header)"
  show <<END
SELECT row, h.shown AS "column", errors, offset AS "first at byte", error, cause,
       utf8_repair(around, 'escape') AS "around it, ill-formed bytes as \\xhh"
  FROM problem JOIN header h USING (cid) ORDER BY row, cid LIMIT $rows;
.mode list
SELECT 'Nothing: every value is well-formed, and none was misread.' WHERE NOT EXISTS (SELECT 1 FROM problem);
SELECT printf('and %d more values; by column:', n - $rows)
  FROM (SELECT count(*) AS n FROM problem) WHERE n > $rows;
.mode box
SELECT h.shown AS "column", count(*) AS "values", sum(errors) AS errors,
       group_concat(DISTINCT error) AS "kinds", min(row) AS "first row"
  FROM problem JOIN header h USING (cid)
 WHERE (SELECT count(*) FROM problem) > $rows GROUP BY cid ORDER BY cid LIMIT $rows;
END
}

# ---- the repair --------------------------------------------------------------------------

# Copies the rows into table clean, with the repaired values.
repair() {
  title "Repaired into table clean"
  run_generated <<END || fail "the repaired rows could not be inserted into table clean"
SELECT 'CREATE TABLE clean(' || group_concat(printf('"%w" TEXT', clean) ||
  iif(cid IN (SELECT cid FROM problem WHERE NOT utf8_valid(repaired)), '', printf('
  CONSTRAINT "column %w is well-formed" CHECK (utf8_valid("%w"))', clean, clean)), ', ')
  || ');' FROM header;
SELECT 'INSERT INTO clean SELECT ' || group_concat(printf('coalesce(
  (SELECT repaired FROM problem p WHERE p.row = t.$rowid AND p.cid = %d), t."%w")', cid, name))
  || ' FROM imported t ORDER BY t.$rowid;' FROM header;
END
  show <<END
SELECT row, h.shown AS "column", utf8_repair(around, 'escape') AS "was", cause,
       iif(utf8_valid(repaired), after, '(unclear: it stays)') AS "is"
  FROM problem JOIN header h USING (cid) ORDER BY row, cid LIMIT $rows;
SELECT (SELECT count(*) FROM imported) AS "rows imported",
       (SELECT count(*) FROM problem WHERE utf8_valid(repaired)) AS "values repaired",
       count(*) AS "rows in clean",
       (SELECT count(*) FROM utf8_audit('main') WHERE table_name = 'clean')
         AS "ill-formed values left"
  FROM clean;
END
  "$SQLITE3" -batch -init /dev/null "$db" '.mode csv' '.headers on' \
    'SELECT * FROM clean' >"$dir/clean.csv"
}

# Shows that table clean refuses ill-formed text.
guard() {
  title "Ill-formed text is now refused by CHECK (utf8_valid(...)): Jos and a Latin-1 E9"
  run <<'END' >"$dir/generated.sql"
SELECT printf('INSERT INTO clean("%w") VALUES (CAST(x''4A6F73E9'' AS TEXT));', clean)
  FROM header WHERE cid NOT IN (SELECT cid FROM problem WHERE NOT utf8_valid(repaired))
 ORDER BY cid <> 1, cid LIMIT 1;
END
  printable <"$dir/generated.sql"
  show <"$dir/generated.sql"
}

# Shows what was decided, for how many values, what was lost, and what to do about it.
show_causes() {
  [ "$(echo 'SELECT count(*) FROM problem;' | run)" -gt 0 ] || return 0
  title "What was decided"
  unclear="left as they are: utf8ext repair $db --review choices.csv"
  [ -z "$POLICY" ] || unclear='several charsets are about equally likely'
  show <<END
SELECT cause, count(*) AS "values", sum(lost) AS "characters lost (U+FFFD)", min(row) AS "first row",
       CASE cause
       WHEN 'binary' THEN 'not text: POLICY=escape keeps the bytes as \\xhh'
       WHEN 'cesu-8' THEN 'surrogate pairs were joined'
       WHEN 'mutf-8' THEN 'Java''s form of U+0000 and of surrogate pairs was decoded'
       WHEN 'overlong' THEN 'this is how attacks hide / and .'
       WHEN 'cut' THEN 'bytes are missing at the end or start: look at the source of the file'
       WHEN 'damaged' THEN 'bytes are missing or were changed: look at the source of the file'
       WHEN 'unclear' THEN '$unclear'
       ELSE iif(cause GLOB 'mojibake *', 'UTF-8 that was read in that charset', iif(cause GLOB 'utf-8+*', 'the bytes outside UTF-8 were read in that charset', 'read in that charset'))
       END AS "what that means"
  FROM problem GROUP BY cause ORDER BY 2 DESC, 1;
.mode list
SELECT printf('Of %d values, %d lost characters, and %d are unclear.', count(*), count(nullif(lost, 0)),
              total(NOT utf8_valid(repaired))) FROM problem;
END
}

show_next_steps() {
  title "Done"
  cat <<END
$dir/clean.csv is the repaired file. To query the database:
  $SQLITE3 -box $db '.load ./utf8ext' 'SELECT * FROM clean'
To repair all values by one policy: make demo CSV=your.csv POLICY=windows-1252 (or subpart, byte,
run, cesu-8, latin1, escape). docs/functions.md says what each cause is.
END
}

main
