#!/bin/sh
# layers.sh: checks that no file includes a header of a layer above its own, and that none uses a
# function or an object of one. The layers, from below: bytes and the compiler, which kernels know too, the folders of
# `tool/sources.sh layers`, utf8ext.c.
#
#     OBJECTS=folder sh test/layers.sh    # the folder has the object files of all sources
. test/tally.sh

# What both programs below share: layer(file), a number.
# shellcheck disable=SC2016
layer='
  function layer(file) {
    if (file !~ "/") return n + 1
    if (file ~ "^core/(bytes|compiler)[.]h$") return 0
    sub("(/tables)?/[^/]*$", "", file)
    return number[file]
  }
  BEGIN { n = split(folders, folder, " "); for (i in folder) number[folder[i]] = i + 0 }'
folders=$(sh tool/sources.sh layers)

# upwards: prints "FILE includes HEADER" for each #include that leads upwards. A header without a folder is SQLite's, or
# beside the file.
upwards() {
  grep -o '^ *# *include "[^"]*"' $(sh tool/sources.sh all) $(sh tool/sources.sh headers) |
    awk -F '[:"]' -v folders="$folders" "$layer"'
      $3 ~ "/" && layer($3) > layer($1) { print $1 " includes " $3 }'
}

# symbols: prints "OBJECT TYPE NAME" for each symbol of the project's object files.
symbols() {
  for file in $(sh tool/sources.sh all); do
    object=${file%.c}.o
    nm "$OBJECTS/$object" | sed -n "s|^.* \([A-Z]\) _*\(utf8[a-z]*_.*\)|$object \1 \2|p"
  done
}

# uses_upwards: prints "OBJECT uses NAME of OBJECT" for each use of the symbols that leads upwards.
uses_upwards() {
  awk -v folders="$folders" "$layer"'
    $2 != "U" { home[$3] = $1; next }
    { use[++uses] = $1 " " $3 }
    END {
      for (i = 1; i <= uses; i++) {
        split(use[i], u, " ")
        if (!(u[2] in home)) print u[1] " uses " u[2] ", which nothing defines"
        else if (layer(home[u[2]]) > layer(u[1])) print u[1] " uses " u[2] " of " home[u[2]]
      }
    }' "$work/symbols"
}

# past_the_core: prints the lines of the layers of SQL that name what core/simd/ exports. Their objects use it
# in inline functions of the core.
past_the_core() {
  grep -n utf8simd_ sql/*.[ch] audit/*.[ch] utf8ext.c
}

check "tool/sources.sh names the layers" same "core/simd core" "$(echo "$folders" | cut -d ' ' -f 1,2)"
check "no file includes a header from above" same "" "$(upwards)"
symbols >"$work/symbols"
for file in core/utf8core utf8ext core/simd/kernel audit/audit; do
  check "$file.o defines something" grep -q "^$file.o [^U] " "$work/symbols"
done
check "no file uses what is above" same "" "$(uses_upwards)"
check "SQL reaches kernels through the core only" same "" "$(past_the_core)"
finish
