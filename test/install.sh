#!/bin/sh
# install.sh: what make install puts where, and that make uninstall takes it away again.
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
check "only the neighbour is left" same "./opt/u/lib/neighbour.so" "$(files)"
check "the default PREFIX" grep -q '/usr/local/lib/pkgconfig' <<END
$($make -n install)
END
finish
