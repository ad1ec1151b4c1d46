#!/bin/sh
# demo.sh: finds ill-formed text in a CSV file, repairs it, and keeps it out.
#
#     make demo                                          # examples/orders.csv
#     make demo CSV=path/to/your.csv POLICY=windows-1252
#
# Imports the file with the sqlite3 shell into build/demo/demo.db, and writes
# build/demo/clean.csv. The tables are imported (unchanged), header (its columns), problem (a row
# for each ill-formed value) and clean (repaired, with a CHECK). Each value is repaired by POLICY
# or, without it, by the policy that examples/decide.sql chooses. Statements with column names are
# generated from PRAGMA table_info, so any header works. The separator is the most frequent of
# , ; and TAB in the first line.
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
  import
  look_at_file
  find_problems
  show_problems
  show_one_value
  show_policies
  repair
  guard
  show_lost
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

# ---- import ------------------------------------------------------------------------------

check_file() {
  [ -e "$path" ] || fail "there is no file '$csv'"
  [ -f "$path" ] && [ -r "$path" ] || fail "'$csv' is not a file that can be read"
  [ -s "$path" ] || fail "'$csv' is empty"
}

check_shell() {
  command -v "$SQLITE3" >/dev/null || fail "there is no sqlite3 shell ('$SQLITE3'); try sh setup.sh"
  message=$("$SQLITE3" -batch -init /dev/null :memory: '.load ./utf8ext' 2>&1) && return
  echo "$message" | printable >&2
  fail "'$SQLITE3' did not load the extension. Some systems build their sqlite3 shell
without extension loading (macOS does). Name another: make demo SQLITE3=/path/to/sqlite3"
}

separator() {
  line=$(LC_ALL=C head -n 1 "$input" | LC_ALL=C tr -cd ',;\t' | tr '\t' t)
  best=0
  for mark in , ';' t; do
    count=$(printf %s "$line" | tr -cd "$mark" | wc -c)
    [ "$count" -gt "$best" ] && best=$count && found=$mark
  done
  case $found in t) printf '\\t' ;; *) printf %s "${found:-,}" ;; esac
}

# Sets input, the file to import: a link, since dot-commands cannot quote every file name; or the
# output of utf8_from(), if the file is in UTF-16 or UTF-32.
prepare() {
  input=$dir/input.csv
  ln -s "$path" "$input"
  charset=$(echo "SELECT utf8_detect(readfile('$input'));" | run 2>/dev/null)
  case $charset in
  utf-16* | utf-32*)
    echo "SELECT writefile('$dir/decoded.csv', utf8_to(utf8_from(readfile('$input'),
      '$charset'), 'utf-8'));" | run >/dev/null || fail "'$csv' could not be decoded from $charset"
    input=$dir/decoded.csv
    ;;
  esac
}

import() {
  prepare
  "$SQLITE3" -batch -init /dev/null "$db" '.mode csv' ".separator \"$(separator)\"" \
    ".import $input imported" >"$dir/import.log" 2>&1
  if ! echo 'SELECT 1 FROM imported;' | run >/dev/null 2>&1; then
    head -n 3 "$dir/import.log" | printable >&2
    fail "sqlite3 could not import '$csv'"
  fi
  title "$csv, imported into $db"
  [ "$input" = "$dir/input.csv" ] || echo "It was in $charset; here it is in UTF-8."
  if [ -s "$dir/import.log" ]; then
    echo "Messages of the shell ($(wc -l <"$dir/import.log") lines in $dir/import.log):"
    head -n 3 "$dir/import.log" | printable
  fi
}

# Shows the file as readfile() returns it: .import drops a BOM and cuts values at a NUL.
look_at_file() {
  if [ "$(wc -c <"$path")" -gt 1000000000 ]; then
    echo "(not examined as a whole: readfile() returns at most 10^9 bytes)"
    return
  fi
  show <<END
CREATE TEMP TABLE f AS SELECT readfile('$input') AS x;
SELECT (SELECT count(*) FROM imported) AS rows,
       (SELECT count(*) FROM pragma_table_info('imported')) AS columns,
       length(x) AS bytes, iif(utf8_strip_bom(x) = x, 'no', 'yes') AS BOM,
       nullif(instr(x, x'00'), 0) - 1 AS "first NUL at",
       iif(utf8_valid(x), 'yes', 'no') AS "UTF-8", utf8_detect(x) AS "utf8_detect"
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

# Stores the ill-formed values in table found. The row number is a name of the rowid that is not
# a column.
find_problems() {
  run <<'END'
CREATE TABLE header(cid INTEGER PRIMARY KEY, name, shown, clean);
INSERT INTO header SELECT cid, name, utf8_repair(name, 'escape'), name FROM pragma_table_info('imported');
CREATE TABLE found(cid INTEGER, row INTEGER, value TEXT, offset INTEGER, error TEXT, charset TEXT,
  PRIMARY KEY (cid, row)) WITHOUT ROWID;
INSERT INTO found SELECT cid, 0, name, utf8_error_offset(name), utf8_error(name), utf8_detect(name)
  FROM header WHERE NOT utf8_valid(name);
END
  rowid=$(run <<END
SELECT column1 FROM (VALUES ('rowid'), ('_rowid_'), ('oid'))
 WHERE column1 NOT IN (SELECT lower(name) FROM header) LIMIT 1;
END
  )
  [ -n "$rowid" ] || fail "there are columns rowid, _rowid_ and oid: no name is left for the row number"
  run_generated <<END
SELECT 'BEGIN;';
SELECT printf('INSERT INTO found SELECT %d, $rowid, "%w", utf8_error_offset("%w"), utf8_error("%w"),
  utf8_detect("%w") FROM imported WHERE NOT utf8_valid("%w");', cid, name, name, name, name, name) FROM header;
SELECT 'COMMIT;';
END
  decide
}

# Stores, for each ill-formed value, its policy, its errors, and how many U+FFFD the policy
# writes.
decide() {
  policy=$(printf %s "$POLICY" | sed "s/'/''/g")
  if [ -n "$POLICY" ]; then
    echo "CREATE TABLE decision AS SELECT cid, row, 'POLICY' AS reason, '$policy' AS policy FROM found;
      SELECT utf8_repair('', '$policy');" | run >/dev/null || fail "unknown policy '$POLICY'"
  else
    run <examples/decide.sql || fail "no policies could be chosen"
  fi
  run <<END
CREATE TABLE problem(cid INTEGER, row INTEGER, errors INTEGER, offset INTEGER, error TEXT, charset TEXT,
  policy TEXT, reason TEXT, lost INTEGER, around TEXT, PRIMARY KEY (cid, row)) WITHOUT ROWID;
INSERT INTO problem
SELECT cid, row, (SELECT count(*) FROM utf8_each(value) WHERE error IS NOT NULL), offset, error, charset,
       policy, reason, $(replacements "utf8_repair(value, policy)") - $(replacements value), $(around value offset)
  FROM found JOIN decision USING (cid, row);
UPDATE header SET clean = (SELECT utf8_repair(name, policy) FROM decision d WHERE d.cid = header.cid AND row = 0)
 WHERE NOT utf8_valid(name);
UPDATE header SET clean = shown WHERE lower(clean) IN
  (SELECT lower(clean) FROM header GROUP BY 1 HAVING count(*) > 1);
DROP TABLE found;
END
}

show_problems() {
  title "The ill-formed values: utf8_valid, utf8_error_offset, utf8_error (row 0 is the header)"
  show <<END
SELECT row, h.shown AS "column", errors, offset AS "first at byte", error, charset AS "utf8_detect",
       utf8_repair(around, 'escape') AS "around it, ill-formed bytes as \\xhh"
  FROM problem JOIN header h USING (cid) ORDER BY row, cid LIMIT $rows;
.mode list
SELECT 'Nothing: every value is well-formed.' WHERE NOT EXISTS (SELECT 1 FROM problem);
SELECT printf('and %d more values; by column:', n - $rows)
  FROM (SELECT count(*) AS n FROM problem) WHERE n > $rows;
.mode box
SELECT h.shown AS "column", count(*) AS "values", sum(errors) AS errors,
       group_concat(DISTINCT error) AS "kinds", min(row) AS "first row"
  FROM problem JOIN header h USING (cid)
 WHERE (SELECT count(*) FROM problem) > $rows GROUP BY cid ORDER BY cid LIMIT $rows;
END
}

problems() {
  run <<'END'
SELECT count(*) FROM problem;
END
}

# Shows the errors of one value, which has several if possible. `around` may start inside it.
show_one_value() {
  [ "$(problems)" -gt 0 ] || return 0
  title "The errors of one of these values: utf8_each"
  show <<END
SELECT row, h.shown AS "column", p.offset - utf8_error_offset(around) + e.offset AS offset,
       e.length, hex(e.bytes) AS bytes, e.error
  FROM (SELECT * FROM problem ORDER BY min(errors, 6) DESC, row, cid LIMIT 1) p
  JOIN header h USING (cid), utf8_each(around) e
 WHERE e.error IS NOT NULL LIMIT $rows;
END
}

# ---- the repair --------------------------------------------------------------------------

show_policies() {
  [ "$(problems)" -gt 0 ] || return 0
  title "Policies, for a value with each kind of error: utf8_repair(value, policy)"
  show <<END
SELECT error, min(row) AS row, utf8_repair(around) AS "subpart (default)",
       utf8_repair(around, 'cesu-8') AS "cesu-8",
       utf8_repair(around, 'windows-1252') AS "windows-1252"
  FROM problem GROUP BY error ORDER BY 2;
END
}

# Repairs each ill-formed value by its policy; copies the others.
repair() {
  title "Repaired into table clean"
  run_generated <<END || fail "the repaired rows could not be inserted into table clean"
SELECT 'CREATE TABLE clean(' || group_concat(printf('"%w" TEXT
  CONSTRAINT "column %w is well-formed" CHECK (utf8_valid("%w"))', clean, clean, clean), ', ')
  || ');' FROM header;
SELECT 'INSERT INTO clean SELECT ' || group_concat(printf('CASE WHEN NOT utf8_valid(t."%w") THEN utf8_repair(t."%w",
  (SELECT policy FROM problem p WHERE p.row = t.$rowid AND p.cid = %d)) ELSE t."%w" END', name, name, cid, name))
  || ' FROM imported t ORDER BY t.$rowid;' FROM header;
END
  show <<END
SELECT row, h.shown AS "column", utf8_repair(around, 'escape') AS "was", reason, policy,
       utf8_repair(around, policy) AS "is"
  FROM problem JOIN header h USING (cid) ORDER BY row, cid LIMIT $rows;
SELECT (SELECT count(*) FROM imported) AS "rows imported",
       (SELECT count(*) FROM problem) AS "values repaired", count(*) AS "rows in clean",
       (SELECT count(*) FROM utf8_audit('main') WHERE table_name = 'clean')
         AS "rows of utf8_audit"
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
  FROM header WHERE cid <= 1 ORDER BY cid DESC LIMIT 1;
END
  printable <"$dir/generated.sql"
  show <"$dir/generated.sql"
}

# Shows how many values lost characters, why, and what to try.
show_lost() {
  [ "$(problems)" -gt 0 ] || return 0
  title "Lost characters, now U+FFFD"
  show <<'END'
.mode list
SELECT printf('%d of %d ill-formed values lost characters.', count(nullif(lost, 0)), count(*)) FROM problem;
SELECT printf('%d were read as Windows-1252. Look at some: the charset could be a similar one.', count(*))
  FROM problem WHERE reason = 'Windows-1252' HAVING count(*) > 0;
.mode box
SELECT reason, count(*) AS "values", sum(lost) AS "U+FFFD", min(row) AS "first row",
       CASE reason
       WHEN 'cut UTF-8' THEN 'the source of the file: bytes are missing'
       WHEN 'damaged UTF-8' THEN 'the source of the file: bytes are missing'
       WHEN 'another charset' THEN 'iconv -f CHARSET -t UTF-8 (CP1251, SHIFT_JIS, ...)'
       WHEN 'not text' THEN iif(charset GLOB 'utf-*', printf('utf8_from(CAST(value AS BLOB), ''%s'')', charset),
                                'POLICY=escape keeps the bytes as \xhh')
       WHEN 'overlong UTF-8' THEN 'nothing: this is how attacks hide / and .'
       WHEN 'POLICY' THEN 'no POLICY: each value then gets its own'
       ELSE 'POLICY=windows-1252; POLICY=escape keeps the bytes as \xhh'
       END AS "what to try"
  FROM problem WHERE lost > 0 GROUP BY reason, 5 ORDER BY 2 DESC;
END
}

show_next_steps() {
  title "Done"
  cat <<END
$dir/clean.csv is the repaired file. To query the database:
  $SQLITE3 -box $db '.load ./utf8ext' 'SELECT * FROM clean'
To repair all values by one policy: make demo CSV=your.csv POLICY=windows-1252 (or subpart, byte,
run, cesu-8, latin1, escape). examples/decide.sql has the rules that choose the policies.
END
}

main
