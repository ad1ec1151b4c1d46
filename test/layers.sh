#!/bin/sh
# layers.sh: checks that no file includes a header of a layer above its own. The layers, from
# below: the installed headers, the folders of `tool/sources.sh layers`, utf8ext.c. utf8core.c
# belongs to core/.
. test/tally.sh

# upwards: prints "FILE includes HEADER" for each #include that leads upwards.
upwards() {
  grep -o '^ *# *include "[^"]*"' $(sh tool/sources.sh all) $(sh tool/sources.sh headers) |
    awk -F '[:"]' -v folders="$(sh tool/sources.sh layers)" '
      function layer(file) {
        if (file == "utf8core.c") return number["core"]
        if (file !~ "/") return file ~ /\.h$/ ? 0 : n + 1
        sub("(/tables)?/[^/]*$", "", file)
        return number[file]
      }
      BEGIN { n = split(folders, folder, " "); for (i in folder) number[folder[i]] = i + 0 }
      $3 !~ /^sqlite3/ && layer($3) > layer($1) { print $1 " includes " $3 }'
}

check "tool/sources.sh names the layers" same "simd core" "$(sh tool/sources.sh layers | cut -d ' ' -f 1,2)"
check "no file includes a header from above" same "" "$(upwards)"
finish
