#!/bin/sh
# lib.sh: tests the core as a library: make install-lib, pkg-config, and the program of
# docs/core.md in C and in C++.
. test/tally.sh

stage="$work/a stage"
make="${MAKE:-make} -s --no-print-directory"
files() { (cd "$stage" && find . -type f | sort); }
config() { PKG_CONFIG_PATH="$stage/opt/u/lib/pkgconfig" pkg-config "$@" utf8core 2>&1; }
# Prints the first block of docs/core.md in language $1.
block() { sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" docs/core.md | sed '/^```$/q' | sed '/^```/d'; }

# program WHAT COMPILER...: compiles the program with the installed files and runs it.
program() {
  what=$1
  shift
  check "$what: the program of docs/core.md compiles" "$@" -Wall -Wextra -Wpedantic -Werror \
    -I"$stage/opt/u/include" -o "$work/program" "$work/program.c" \
    -x none -L"$stage/opt/u/lib" -lutf8core
  check "$what: its output is that of the page" same "$(block text)" "$("$work/program" 2>&1)"
  rm -f "$work/program"
}

mkdir -p "$stage/opt/u/lib"
echo neighbour >"$stage/opt/u/lib/neighbour.a"
check "make install-lib" $make install-lib DESTDIR="$stage" PREFIX=/opt/u
check "the files installed" same "./opt/u/include/utf8arrow.h
./opt/u/include/utf8charsets.h
./opt/u/include/utf8core.h
./opt/u/include/utf8form.h
./opt/u/lib/libutf8core.a
./opt/u/lib/neighbour.a
./opt/u/lib/pkgconfig/utf8core.pc" "$(files)"
check "pkg-config" same "-I/opt/u/include -L/opt/u/lib -lutf8core" \
  "$(config --cflags --libs | sed 's/ *$//')"
check "pkg-config --modversion" same "$(cat VERSION)" "$(config --modversion)"

block c >"$work/program.c"
program C99 "${CC:-cc}" -std=c99
program C11 "${CC:-cc}" -std=c11
for cxx in g++ clang++; do
  if command -v $cxx >/dev/null; then
    program "$cxx, C++11" $cxx -std=c++11 -x c++
    program "$cxx, C++20" $cxx -std=c++20 -x c++
  else
    echo "SKIPPED: docs/core.md in C++: $cxx is not installed"
  fi
done

# The names of utf8form.h, whose functions lie in form/ and in clean/.
form=$(grep -oE '\butf8form_[a-z_0-9]+[[(;]' core/utf8form.h | tr -d '[(;' | sort -u)

# others FILE.c: prints the external names in its object that are not in utf8form.h and start neither with utf8core_ nor
# with utf8 and the name of its folder; in core/, of the file, since utf8core_ is for what is public.
others() {
  case $1 in
  core/simd/*) room=simd ;;
  core/*) room=$(basename "$1" .c) ;;
  *) room=${1%%/*} ;;
  esac
  nm -g --defined-only "build/lib/${1%.c}.o" | awk 'NF == 3 { print $3 }' |
    grep -vE "^_?utf8(core|$room)_" | grep -vwF "$form"
}
nm -g --defined-only build/libutf8core.a | awk 'NF == 3 { print $3 }' >"$work/names"
check "nm lists the functions" grep -qE '^_?utf8core_valid$' "$work/names"
for file in $(sh tool/sources.sh core); do
  check "$file: external names start with utf8core_ or the room's prefix" same "" "$(others "$file")"
done
declared=$(grep -oE '\butf8core_[a-z_0-9]+\(' core/utf8core.h | tr -d '(' | sort -u)
check "the library has what utf8core.h declares, and no other utf8core_ name" \
  same "$declared" "$(grep -oE 'utf8core_.*' "$work/names" | sort)"
for name in $form; do
  check "the library has $name" grep -qE "^_?$name\$" "$work/names"
done
for name in $(grep -oE '\butf8arrow_[a-z_0-9]+\(' arrow/utf8arrow.h | tr -d '(' | sort -u); do
  check "the library has $name" grep -qE "^_?$name\$" "$work/names"
done
if [ "$(uname -s)" = Darwin ]; then
  all=-Wl,-all_load end= symbols='nm -gU'
else
  all=-Wl,--whole-archive end=-Wl,--no-whole-archive symbols='nm -D --defined-only'
fi
check "a shared library can contain it" "${CC:-cc}" -shared -o "$work/all.so" $all \
  build/libutf8core.a $end
check "a shared library does not export its names" same "" "$($symbols "$work/all.so" | grep utf8)"
# installs_to PREFIX: succeeds if the files exist, pkg-config prints PREFIX unchanged, and
# make uninstall-lib removes the files.
installs_to() {
  pc="$work/any$1/lib/pkgconfig"
  $make install-lib DESTDIR="$work/any" PREFIX="$1" || return
  cmp build/libutf8core.a "$work/any$1/lib/libutf8core.a" || return
  # pkg-config quotes PREFIX for a shell.
  same "-I$1/include -L$1/lib -lutf8core " \
    "$(eval "printf '%s ' $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs utf8core)")" || return
  $make uninstall-lib DESTDIR="$work/any" PREFIX="$1" && same "" "$(find "$work/any$1" -type f)"
}
for prefix in '/opt/a|b' '/opt/a&b' '/opt/a b' '/opt/a\b' '/opt/a\1b' '/opt/a"b' '/opt/a;b*?[c]' '/opt/é%s~'; do
  check "PREFIX=$prefix" installs_to "$prefix"
done
rejects_quote() {
  ! $make install-lib DESTDIR="$work/none" PREFIX="/opt/a'b" 2>"$work/out" &&
    grep -qF "PREFIX is '/opt/a'b'; a pkg-config file cannot hold" "$work/out" &&
    [ ! -e "$work/none" ]
}
check "PREFIX with '" rejects_quote
check "make uninstall-lib" $make uninstall-lib DESTDIR="$stage" PREFIX=/opt/u
check "only the other file remains" same "./opt/u/lib/neighbour.a" "$(files)"
finish
