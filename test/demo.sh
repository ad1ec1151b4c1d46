#!/bin/sh
# demo.sh: tests examples/demo.sh. The demo must find every error in its example, repair it,
# accept any file of a user, and print no control characters.
. test/tally.sh
PYTHON=${PYTHON:-python3}

# demo NAME=VALUE...: runs make demo with these variables. Sets status; the output is
# $work/out.
demo() {
  ${MAKE:-make} -s --no-print-directory demo "$@" >"$work/out" 2>&1
  status=$?
}

# query SQL: prints the rows of a query on the demo's database.
query() {
  "$SQLITE3" -batch -init /dev/null build/demo/demo.db '.load ./utf8ext' "$1" 2>&1
}

well_formed() {
  iconv -f UTF-8 -t UTF-8 "$1" >/dev/null
}

# Succeeds if the output is well-formed and has no control characters except line feeds.
is_printable() {
  well_formed "$work/out" &&
    same 0 "$(LC_ALL=C tr -cd '\000-\011\013-\037\177' <"$work/out" | wc -c | tr -d ' ')"
}

# ---- the example ---------------------------------------------------------------------

demo
check "make demo succeeds" same 0 "$status"
check "its output is printable" is_printable
check "every ill-formed value of the example" same "2|customer|2|3|incomplete
2|city|1|1|incomplete
2|note|2|2|incomplete
4|customer|2|5|incomplete
4|city|1|6|overlong
4|note|4|0|stray continuation
6|customer|1|23|truncated
8|note|6|6|overlong
10|note|6|7|surrogate
12|customer|1|3|truncated
12|city|1|3|incomplete
12|note|3|16|incomplete
14|customer|2|1|out of range
14|city|1|1|out of range
15|note|1|4|incomplete
16|customer|3|0|invalid byte
16|note|2|0|out of range" \
  "$(query 'SELECT row, shown, errors, offset, error FROM problem JOIN header USING (cid) ORDER BY row, cid')"
check "the output has them" grep -q '│ 6   │ customer │ 1      │ 23 .*│ truncated ' "$work/out"
check "the BOM that .import removes" grep -q '│ 0      │ U+FEFF   │ EFBBBF │' "$work/out"
check "the NUL that .import stops at" grep -q '│ 755    │ U+0000   │ 00     │' "$work/out"
check "Java's surrogate pair is joined" same "thanks 😀 from the Java app" \
  "$(query 'SELECT note FROM clean WHERE order_id = 1010')"
check "Windows-1252 is decoded" same "Siobhán O’Neill|Baile Átha Cliath|“urgent” – max. 20 €" \
  "$(query 'SELECT customer, city, note FROM clean WHERE order_id = 1004')"
check "well-formed rows are unchanged" same "1011|प्रिया शर्मा|मुंबई|🎉 first order" \
  "$(query 'SELECT * FROM clean WHERE order_id = 1011')"
check "no row is missing" same 17 "$(query 'SELECT count(*) FROM clean')"
check "the table rejects ill-formed text" \
  grep -q 'CHECK constraint failed: column order_id is well-formed' "$work/out"
check "what is unclear stays" same "Ren$(printf '\351')" \
  "$(query 'SELECT customer FROM clean WHERE order_id = 1012')"
demo POLICY=subpart
check "the repaired file is well-formed" well_formed build/demo/clean.csv
printf 'id,name\r1,Zo\303\203\302\253\r2,na\303\257ve\r' >"$work/mac.csv"
demo CSV="$work/mac.csv"
check "lines that end with CR" grep -q 'Its lines ended with CR' "$work/out"
check "misread text is restored" same "Zoë
naïve" "$(query 'SELECT name FROM clean')"
check "the original is not" same 1 "$(well_formed examples/orders.csv 2>/dev/null; echo $?)"

# ---- a user's file -------------------------------------------------------------------

odd="$work/it's \"odd\" \$HOME; %.csv"
printf "na\357ve 'x',\"q\"\"u\",caf\351,caf\350,,rowid,\"new\nline\",select,100%%w\n1,2,\377,4,5,6,7,8,9\nshort\n\033[31m\376,,,,,,,,\302\233\375\n" >"$odd"
demo CSV="$odd"
check "odd names of file and columns" same 0 "$status"
check "odd: the output is printable" is_printable
check "odd: the errors" same "0|na\\xefve 'x'|incomplete
0|caf\\xe9|truncated
0|caf\\xe8|truncated
1|caf\\xe9|invalid byte
3|na\\xefve 'x'|invalid byte
3|100%w|out of range" \
  "$(query 'SELECT row, shown, error FROM problem JOIN header USING (cid) ORDER BY row, cid')"
# (Newer shells rename an empty column to '?'.)
check "odd: the names in table clean" same "naïve 'x'
q\"u
café
cafè
?
rowid
new
line
select
100%w" "$(query "SELECT iif(name = '', '?', name) FROM pragma_table_info('clean')")"
check "odd: no row is missing" same 3 "$(query 'SELECT count(*) FROM clean')"

printf 'Stra\337e;Stadt\nAm Hof;K\366ln\n' >"$work/semicolon.csv"
demo CSV="$work/semicolon.csv" POLICY=windows-1252
check "semicolons and a policy" same "0 Am Hof|Köln" "$status $(query 'SELECT "Straße", Stadt FROM clean')"

printf 'name,city\nJos\351,M\341laga\n' | iconv -f ISO-8859-1 -t UTF-16LE >"$work/utf16.csv"
demo CSV="$work/utf16.csv"
check "a file in UTF-16" same "0 José|Málaga" "$status $(query 'SELECT name, city FROM clean')"
check "the output names UTF-16" grep -q 'It was in utf-16le' "$work/out"

printf 'a\tb\n1\t\303\251\n' >"$work/tab.csv"
demo CSV="$work/tab.csv"
check "tabs, no errors" same "0 é|0" "$status $(query 'SELECT b, (SELECT count(*) FROM problem) FROM clean')"
check "the output reports no errors" grep -q '^Nothing: every value is well-formed' "$work/out"

"$SQLITE3" :memory: "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1900)
  SELECT group_concat('c' || i, ',') FROM n" >"$work/wide.csv"
LC_ALL=C sed "s/c[0-9]*/$(printf '\377')/g" "$work/wide.csv" >>"$work/wide.csv.row"
cat "$work/wide.csv.row" >>"$work/wide.csv"
demo CSV="$work/wide.csv" POLICY=subpart
check "1900 columns, all ill-formed" same "0 1900" "$status $(query 'SELECT count(*) FROM problem')"
check "the output has some of them" grep -q 'and 1875 more values' "$work/out"

# ---- files in many charsets come out equal --------------------------------------------------

# restored LANGUAGE CODEC...: checks that the demo restores test/demo/LANGUAGE.csv from each codec.
restored() {
  language=$1
  shift
  for codec in "$@"; do
    "$PYTHON" test/demo/charset.py encode "$language.csv" "$codec" "$work/file.csv"
    demo CSV="$work/file.csv"
    check "$language in $codec" "$PYTHON" test/demo/charset.py compare "$language.csv" build/demo/clean.csv
  done
}

restored german cp850 utf-8-bom
restored polish windows-1250
restored russian koi8-r
restored japanese shift_jis
restored chinese utf-16be
restored greek iso-8859-7 # Ά is ¶ in windows-1253
if [ -n "$DEMO_ALL" ]; then # the other charsets: make check-demo-all
  restored german windows-1252 iso-8859-15 cp437 mac-roman utf-16le-bom
  restored french windows-1252 mac-roman cp850
  restored spanish windows-1252 cp850
  restored polish iso-8859-2 cp852
  restored czech windows-1250 iso-8859-2
  restored hungarian windows-1250
  restored turkish windows-1254
  restored russian windows-1251 cp866 iso-8859-5 mac-cyrillic utf-16be-bom
  restored ukrainian windows-1251 koi8-u
  restored bulgarian windows-1251 iso-8859-5
  restored greek windows-1253
  restored hebrew windows-1255
  restored arabic windows-1256 iso-8859-6
  restored thai cp874
  restored japanese euc-jp iso-2022-jp utf-16le
  restored chinese gbk gb18030
  restored taiwanese big5
  restored korean euc-kr
  restored lithuanian windows-1257
  restored vietnamese utf-8-bom utf-32le-bom
fi

# ---- the repair of a value depends on its bytes and on its neighbours ------------------------

causes() {
  query 'SELECT group_concat(x) FROM (SELECT cause || " " || count(*) AS x FROM problem GROUP BY cause)'
}

mixed() {
  printf 'id,name\n1,Fran\303\247oise\n2,Ren\351\n3,\303\211lo\303\257se\n'
  printf '4,d\303\251j\303\240 pay\303\251 / d\351j\340 pay\351\n5,\355\240\275\355\270\200 caf\303\251\n'
  printf '6,Fran\303\247oise de La Rochef\303\n8,..\300\257etc\n'
}
mixed >"$work/file.csv"
demo CSV="$work/file.csv"
check "UTF-8 and Windows-1252, even in one value" same "Françoise
René
Éloïse
déjà payé / déjà payé
😀 café
Françoise de La Rochef�
..��etc" "$(query 'SELECT name FROM clean')"
check "the number of values that lost characters" \
  grep -q '^Of 5 values, 2 lost characters' "$work/out"
demo CSV="$work/file.csv" POLICY=escape
check "POLICY applies to all values" same 'Ren\xe9|Fran''çoise de La Rochef\xc3' \
  "$(query 'SELECT group_concat(name, "|") FROM clean WHERE id IN (2, 6)')"
check "escape loses no character" grep -q '^Of 5 values, 0 lost' "$work/out"

# Prints each line of standard input as a row, truncated after $1 bytes.
truncate_at() {
  echo 'id;name'
  while read -r line; do printf '1;%s\n' "$line" | LC_ALL=C cut -c "1-$(($1 + 2))"; done
}
printf '%s\n' 東京都渋谷区 ABC東京 大阪市 京都 | truncate_at 5 >"$work/file.csv"
demo CSV="$work/file.csv"
check "truncated: Japanese" same "東�|ABC�|大�|京�" "$(query 'SELECT group_concat(name, "|") FROM clean')"

printf '\211PNG\r\n\032\n\000\000\000\rIHDR\000\001\002\003\004\005' >"$work/picture.csv"
demo CSV="$work/picture.csv"
check "a picture gets one line" grep -q "^demo: '$work/picture.csv' is not text" "$work/out"
printf '%%PDF-1.7\n%%\342\343\317\323\n1 0 obj\n' >"$work/document.csv"
demo CSV="$work/document.csv"
check "a PDF document gets one line" grep -q "is a PDF document" "$work/out"
"$PYTHON" -c 'print(20 * "007 MUELLER         HANS         ", end="")' | iconv -f ASCII -t CP037 >"$work/mainframe.csv"
demo CSV="$work/mainframe.csv"
check "EBCDIC gets one line" grep -q "is text in EBCDIC" "$work/out"
{ printf 'id,x\n1,a\n\377\376' && printf '2,Zo\303\253\n' | iconv -f UTF-8 -t UTF-16LE; } >"$work/appended.csv"
demo CSV="$work/appended.csv"
check "UTF-8 and UTF-16 in one file get one line" grep -q "is in UTF-16 and in UTF-8" "$work/out"
{ printf 'id,x\n1,Anna Berlin\n3,Otto Hamburg\n' | iconv -f UTF-8 -t UTF-16LE && printf '2,Zo\303\253 aus K\303\266ln\n'; } >"$work/appended.csv"
demo CSV="$work/appended.csv"
check "UTF-16 and UTF-8 in one file get one line" grep -q "is in UTF-16 and in UTF-8" "$work/out"
"$SQLITE3" "$work/database.csv" 'CREATE TABLE t(x)'
demo CSV="$work/database.csv"
check "an SQLite file gets one line" grep -q "is an SQLite database" "$work/out"

# half LANGUAGE CODEC: checks that the demo restores a file whose rows from the fourth line on are
# in a charset, and the others in UTF-8.
half() {
  "$PYTHON" test/demo/charset.py encode "$1.csv" "$2" "$work/whole"
  { head -n 3 "test/demo/$1.csv"; LC_ALL=C tail -n +4 "$work/whole"; } >"$work/file.csv"
  demo CSV="$work/file.csv"
  check "$1, half of it in $2" "$PYTHON" test/demo/charset.py compare "$1.csv" build/demo/clean.csv
}
half russian windows-1251
if [ -n "$DEMO_ALL" ]; then
  half german windows-1252
  half greek windows-1253
  half thai cp874
  half korean euc-kr
fi

# The result does not depend on the order of the rows.
demo
query 'SELECT * FROM clean ORDER BY order_id' >"$work/in order"
{ head -n 1 examples/orders.csv; tail -n +2 examples/orders.csv | sort -r; } >"$work/file.csv"
demo CSV="$work/file.csv"
check "reversed rows have the same result" \
  same "$(cat "$work/in order")" "$(query 'SELECT * FROM clean ORDER BY order_id')"

# ---- errors --------------------------------------------------------------------------

demo CSV="$work/no such file.csv"
check "the error names a missing file" grep -q "there is no file '$work/no such file.csv'" "$work/out"
check "a missing file is a failure" same 2 "$status"
: >"$work/empty.csv"
demo CSV="$work/empty.csv"
check "the error names an empty file" grep -q "'$work/empty.csv' is empty" "$work/out"
demo CSV="$work"
check "the error names a directory" grep -q "'$work' is not a file" "$work/out"
demo POLICY=latin-99
check "the error names an unknown policy" grep -q "policy 'latin-99'" "$work/out"
printf '#!/bin/sh\necho "Error: unknown command or invalid arguments: load" >&2\nexit 1\n' >"$work/shell"
chmod +x "$work/shell"
demo SQLITE3="$work/shell"
check "the error names a shell that cannot load extensions" \
  grep -q "'$work/shell' did not load the extension" "$work/out"
finish
