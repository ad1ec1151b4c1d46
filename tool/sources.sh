#!/bin/sh
# sources.sh: prints the C sources, relative to the project's root: the one list of its layers.
#
#     sh tool/sources.sh layers     # the folders, from below
#     sh tool/sources.sh core       # the C files without SQLite: libutf8core.a
#     sh tool/sources.sh all        # every C file of the extension
#     sh tool/sources.sh headers    # every header that they include
cd "$(dirname "$0")/.." || exit 1

core="simd core charset detect mojibake suspect form"
layers="$core sql audit"

# files PATTERN FOLDER...: prints the files of the folders whose names match.
files() {
  pattern=$1
  shift
  for folder in "$@"; do
    ls "$folder"/$pattern 2>/dev/null
  done
}

case $1 in
layers) echo "$layers" ;;
core) echo utf8core.c && files '*.c' $core ;;
all) echo utf8core.c && files '*.c' $layers && echo utf8ext.c ;;
headers) ls ./*.h | sed 's|^\./||' && files '*.h' $layers && files 'tables/*.h' $layers ;;
*) echo "sources.sh: accepted: layers, core, all, headers" >&2 && exit 2 ;;
esac
