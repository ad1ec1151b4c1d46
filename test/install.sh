#!/bin/sh
# install.sh: checks which files make install writes, and that make uninstall removes them.
. test/tally.sh

stage="$work/a stage"
make="${MAKE:-make} -s --no-print-directory"
files() { (cd "$stage" && find . -type f | sort); }
config() { PKG_CONFIG_PATH="$stage/opt/u/lib/pkgconfig" pkg-config "$@" utf8ext 2>&1; }

mkdir -p "$stage/opt/u/lib"
echo neighbour >"$stage/opt/u/lib/neighbour.so"
check "make install" $make install DESTDIR="$stage" PREFIX=/opt/u
check "the files installed" same "./opt/u/include/utf8ext.h
./opt/u/lib/neighbour.so
./opt/u/lib/pkgconfig/utf8ext.pc
./opt/u/lib/$EXTENSION" "$(files)"
check "the installed extension loads" same "1" \
  "$("$SQLITE3" :memory: ".load '$stage/opt/u/lib/utf8ext'" "SELECT utf8_valid('a')" 2>&1)"
check "pkg-config --cflags" same "-I/opt/u/include" "$(config --cflags | sed 's/ *$//')"
check "pkg-config --libs" same "" "$(config --libs | tr -d ' ')"
check "pkg-config --variable=extension" same "/opt/u/lib/utf8ext" \
  "$(config --variable=extension)"
check "make uninstall" $make uninstall DESTDIR="$stage" PREFIX=/opt/u
check "only the other file remains" same "./opt/u/lib/neighbour.so" "$(files)"
check "make install to the default PREFIX" $make install DESTDIR="$work/default"
check "the default PREFIX is /usr/local" \
  [ -f "$work/default/usr/local/lib/pkgconfig/utf8ext.pc" ]

# installs_to PREFIX: succeeds if the files exist, pkg-config prints PREFIX unchanged, and
# make uninstall removes the files.
installs_to() {
  pc="$work/any$1/lib/pkgconfig"
  $make install DESTDIR="$work/any" PREFIX="$1" || return
  cmp "$EXTENSION" "$work/any$1/lib/$EXTENSION" && cmp utf8ext.h "$work/any$1/include/utf8ext.h" || return
  same "$1/lib/utf8ext" "$(PKG_CONFIG_PATH=$pc pkg-config --variable=extension utf8ext)" || return
  # pkg-config --cflags quotes PREFIX for a shell.
  same "-I$1/include" "$(eval "printf %s $(PKG_CONFIG_PATH=$pc pkg-config --cflags utf8ext)")" || return
  $make uninstall DESTDIR="$work/any" PREFIX="$1" && same "" "$(find "$work/any$1" -type f)"
}
for prefix in '/opt/a|b' '/opt/a&b' '/opt/a b' '/opt/a\b' '/opt/a\1b' '/opt/a"b' '/opt/a;b*?[c]' '/opt/é%s~'; do
  check "PREFIX=$prefix" installs_to "$prefix"
done

# rejects PREFIX [ESCAPED FOR MAKE]: succeeds if make install prints the reason and installs
# nothing.
rejects() {
  ! $make install DESTDIR="$work/none" PREFIX="${2:-$1}" >"$work/out" 2>&1 &&
    grep -qF "PREFIX is '$1'; a pkg-config file cannot hold" "$work/out" &&
    [ ! -e "$work/none" ]
}
check "PREFIX with #" rejects '/opt/a#b'
check "PREFIX with '" rejects "/opt/a'b"
check "PREFIX with \$" rejects '/opt/a${b}' '/opt/a$${b}'
check "PREFIX with \\ at its end" rejects '/opt/a\'
check "PREFIX with a space at its end" rejects '/opt/a '

# refuses_part OMIT WRONG: succeeds if make says which part is wrong, fails and builds nothing.
refuses_part() {
  mkdir -p "$work/omit" && ${MAKE:-make} EXTENSION="$work/omit/utf8ext.so" OMIT="$1" >"$work/out" 2>&1
  same 2 "$?" && grep -qxF "OMIT has '$2'; accepted: MOJIBAKE, DETECT, LEGACY, FORM, ARROW, SIMD" "$work/out" &&
    same "" "$(ls "$work/omit")"
}
check "OMIT with an unknown part" refuses_part BOGUS BOGUS
check "OMIT with one unknown part" refuses_part 'FORM form SIMD' form

# A package is made of the binaries of make release; the first line says so.
check "make packages without make release" same "packages: there is no $work/none; run: make release" \
  "$(RELEASE="$work/none" PACKAGES="$work/packages" $make packages 2>&1 | head -n 1)"
check "make package-npm without make release" same "package-npm: there is no $work/none; run: make release" \
  "$(RELEASE="$work/none" PACKAGES="$work/packages" $make package-npm 2>&1 | head -n 1)"
finish
