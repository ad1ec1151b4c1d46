#!/bin/sh
# version.sh: checks that every place with the version agrees with the file VERSION.
. test/tally.sh

version=$(cat VERSION)
check "VERSION is three numbers, with -dev before the release" \
  sh -c 'echo "$0" | grep -Eqx "[0-9]+(\.[0-9]+){2}(-dev)?"' "$version"
check "UTF8EXT_VERSION in utf8ext.h" same "$version" \
  "$(sed -n 's/^#define UTF8EXT_VERSION "\([^"]*\)".*/\1/p' utf8ext.h)"
check "UTF8CORE_VERSION in utf8core.h" same "$version" \
  "$(sed -n 's/^#define UTF8CORE_VERSION "\([^"]*\)".*/\1/p' core/utf8core.h)"
check "utf8_version()" same "$version" \
  "$("$SQLITE3" :memory: '.load ./utf8ext' 'SELECT utf8_version()' 2>&1)"
${MAKE:-make} -s install DESTDIR="$work/stage" PREFIX=/usr >"$work/install" 2>&1
check "pkg-config --modversion" same "$version" \
  "$(PKG_CONFIG_PATH="$work/stage/usr/lib/pkgconfig" pkg-config --modversion "$work/stage/usr/lib/pkgconfig/utf8ext.pc" 2>&1)"
check "first entry of CHANGELOG.md" same "$version" \
  "$(sed -n 's/^## \[\([^]]*\)\].*/\1/p' CHANGELOG.md | head -n 1)"
finish
