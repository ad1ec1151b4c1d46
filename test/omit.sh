#!/bin/sh
# omit.sh: checks the builds that leave parts out (core/omit.h): they compile without a warning, have no
# function of these parts, name the option where another function needs one, and otherwise do what the
# whole extension does.
. test/tally.sh

out=build/omitted
flags="-std=c11 -fPIC -fvisibility=hidden $CPPFLAGS -I."
strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
mkdir -p $out

# ask SQL: prints the first value of the query, or its error, by the library $library.
ask() {
  "$PYTHON" -c '
import sqlite3, sys
db = sqlite3.connect(":memory:")
db.enable_load_extension(True)
db.load_extension(sys.argv[1])
try:
    print(db.execute(sys.argv[2]).fetchone()[0])
except sqlite3.Error as error:
    print(error)' "$library" "$1"
}

# answers EXPECTED SQL
answers() {
  check "$name: $2" same "$1" "$(ask "$2")"
}

# refuses WORDS SQL: the error has the words.
refuses() {
  case "$(ask "$2")" in
  *"$1"*) check "$name: $2" true ;;
  *) check "$name: $2" same "$1" "$(ask "$2")" ;;
  esac
}

# lacks FUNCTION...
lacks() {
  for function in "$@"; do
    answers "no such function: $function" "SELECT $function('a')"
  done
}

# build PART: the files of a whole build except those of the part.
build() {
  name=$1 library=./$out/$1.so
  # shellcheck disable=SC2046,SC2086
  check "$name compiles" $CC $flags $strict -O0 -DUTF8EXT_OMIT_$1 -shared -o $library $(OMIT=$1 sh tool/sources.sh all)
  works
}

# What every build does.
works() {
  answers 1 "SELECT utf8_valid('é') AND NOT utf8_valid(x'ff')"
  answers 'a�b' "SELECT CAST(utf8_repair(x'61ff62') AS TEXT)"
  answers '€' "SELECT utf8_repair(CAST(x'80' AS TEXT), 'windows-1252')"
  answers '€ÿ' "SELECT utf8_from(x'80ff', 'windows-1252')"
  answers é "SELECT utf8_from(x'e900', 'utf-16le')"
  answers 0 "SELECT count(*) FROM utf8_audit('main', 'subpart', 1)"
  answers 'bidi control' "SELECT utf8_suspect('a' || char(0x202e))"
  check "$name exports its entry points only" env EXTENSION=$library WITHOUT_ARROW=1 sh test/symbols.sh
}

lacks_mojibake() {
  lacks utf8_mojibake utf8_demojibake
  answers None "SELECT utf8_suspect('cafÃ©')"
}

lacks_detection() {
  lacks utf8_detect utf8_detect_column utf8_cause
  refuses '; not in this build: auto, repair (UTF8EXT_OMIT_DETECT)' "SELECT utf8_repair(x'ff', 'auto')"
  refuses '; not in this build: auto, repair (UTF8EXT_OMIT_DETECT)' "SELECT * FROM utf8_audit('main', 'auto')"
}

# Single-byte charsets remain that charset/unicode.c converts.
lacks_legacy() {
  for sql in "utf8_from(x'93fa', 'sjis')" "utf8_to('é', 'cp437')" "utf8_repair(x'ff', 'windows-1251')"; do
    refuses '; not in this build: legacy charsets (UTF8EXT_OMIT_LEGACY)' "SELECT $sql"
  done
  answers None "SELECT utf8_charset_name('sjis')"
  answers "$(unicode_charsets)" "SELECT count(*) FROM utf8_charsets"
  bytes=$(printf '%02x' $(seq 128 255))
  for charset in iso-8859-1 windows-1252 ascii; do
    sql="SELECT hex(utf8_from(x'$bytes', '$charset')) || hex(utf8_to(utf8_from(x'$bytes', '$charset'), '$charset'))"
    answers "$(library=./$EXTENSION && ask "$sql")" "$sql"
  done
}

# The charsets that charset/unicode.c converts.
unicode_charsets() {
  sed -n '/^static const Charset charsets/,/^};/p' charset/unicode.c | grep -c '\[UTF8_CHARSET_'
}

lacks_forms() {
  lacks utf8_normalize utf8_normalized utf8_casefold utf8_unaccent utf8_clean
  answers 'no such function: utf8_unicode_version' 'SELECT utf8_unicode_version()'
  answers 'no such collation sequence: utf8_nocase' "SELECT 'a' = 'b' COLLATE utf8_nocase"
  answers 'no such function: utf8_unescape' "SELECT utf8_unescape('a', 'html')"
  refuses '; not in this build: closest (UTF8EXT_OMIT_FORM)' "SELECT utf8_to('é', 'ascii', 'closest')"
  answers 'b&#233;' "SELECT CAST(utf8_to('bé', 'ascii', 'xml') AS TEXT)"
}

# What utf8_clean says without the default's step mojibake.
lacks_default_steps() {
  refuses 'utf8_clean: name the steps; not in this build: mojibake (UTF8EXT_OMIT_MOJIBAKE)' "SELECT utf8_clean('a')"
  refuses '; not in this build: mojibake (UTF8EXT_OMIT_MOJIBAKE)' "SELECT utf8_clean('a', 'mojibake')"
  answers 'é' "SELECT utf8_clean('e' || char(0x301), 'nfc')"
}

build MOJIBAKE
lacks_mojibake
lacks_default_steps
answers windows-1251 "SELECT utf8_cause(x'cff0e8e2e5f22c20eae0ea20e4e5ebe03f')"

build DETECT
lacks_mojibake
lacks_detection
lacks_default_steps
answers '日本' "SELECT utf8_from(x'93fa967b', 'sjis')"

build LEGACY
lacks_mojibake
lacks_detection
lacks_legacy
lacks_default_steps
answers '€' "SELECT utf8_unescape('&#128;', 'html')"

build FORM
lacks_forms
answers café "SELECT utf8_demojibake('cafÃ©')"

build ARROW
answers windows-1251 "SELECT utf8_cause(x'cff0e8e2e5f22c20eae0ea20e4e5ebe03f')"
answers café "SELECT utf8_clean('cafÃ©')"

# What the builds without all parts have in common.
works_without_parts() {
  works
  lacks_mojibake
  lacks_detection
  lacks_legacy
  lacks_forms
  refuses 'kernel scalar' 'SELECT utf8_debug()'
}

# All parts, by macros alone: one file.
name="all parts" library=./$out/all.so
check "tool/amalgamate.py writes it" "$PYTHON" tool/amalgamate.py $out
# shellcheck disable=SC2086
check "$name compiles" $CC $flags -Os -Wall -Wextra -Werror -Wno-unused-function -DUTF8EXT_OMIT_LEGACY \
  -DUTF8EXT_OMIT_FORM -DUTF8EXT_OMIT_SIMD -shared -o $library $out/utf8ext.c
works_without_parts

# The small build, and the size that README.md names. Every test of what it has passes whole.
name="make core" library=./build/core/$EXTENSION
check "$name builds it" ${MAKE:-make} -s core
works_without_parts
case "$($CC -dumpmachine)" in
x86_64-*linux*) check "$name: it has less than 150 KB" [ "$(wc -c <"$library")" -lt 150000 ] ;;
*) echo "SKIPPED: the size of make core: known for x86-64 Linux only" ;;
esac
${MAKE:-make} -n -B OMIT='FORM SIMD' "$EXTENSION" >"$work/commands"
check "make takes OMIT" grep -q -e '-Os.*-DUTF8EXT_OMIT_FORM -DUTF8EXT_OMIT_SIMD.* form/omitted.c' "$work/commands"
check "make leaves the files out" same 0 "$(grep -c form/normalize.c "$work/commands")"
check "$name: the Tcl tests of what it has pass" env UTF8EXT_SO="$(pwd)/build/core/$EXTENSION" TEST_OUTPUT=$out JOBS="${JOBS:-2}" \
  sh -c 'for file in "$@"; do
    shift
    set -- "$@" "$TCLSH -encoding utf-8 test/$file.test"
  done
  sh test/run.sh "$@"' sh audit auditends auditrepair bom checklist codepoints dialects each error grammar interrupt policies \
  repair truncate types valid vectors
finish
