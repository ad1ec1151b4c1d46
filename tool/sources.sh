#!/bin/sh
# sources.sh: prints the C sources, relative to the project's root: the one list of its layers.
#
#     sh tool/sources.sh layers     # the folders, from below
#     sh tool/sources.sh core       # the C files without SQLite: libutf8core.a
#     sh tool/sources.sh all        # every C file of the extension
#     sh tool/sources.sh headers    # every header that they include
#     sh tool/sources.sh parts      # the parts that a small build can leave out: the name and a C file
#     sh tool/sources.sh small      # those that make core leaves out
#     OMIT='MOJIBAKE FORM' sh tool/sources.sh all   # without these parts
cd "$(dirname "$0")/.." || exit 1

core="core/simd core charset/legacy charset form detect mojibake suspect clean arrow"
layers="$core sql audit"

# files PATTERN FOLDER...: prints the files of the folders whose names match, except those for small builds.
files() {
  pattern=$1
  shift
  for folder in "$@"; do
    ls "$folder"/$pattern 2>/dev/null | grep -v /omitted.c
  done
}

# part NAME: prints the C files of a part: its folders, and what SQL has of them.
part() {
  case $1 in
  MOJIBAKE) files '*.c' mojibake ;;
  DETECT) files '*.c' detect && echo sql/detect.c ;;
  LEGACY) files '*.c' charset/legacy ;;
  FORM) files '*.c' form clean && printf '%s\n' sql/clean.c sql/collate.c sql/form.c sql/unescape.c ;;
  ARROW) files '*.c' arrow ;;
  SIMD) ;; # core/simd/kernel.c includes no header of it
  *) echo "OMIT has '$1'; accepted: MOJIBAKE, DETECT, LEGACY, FORM, ARROW, SIMD" >&2 && exit 2 ;;
  esac
}

# The parts that need a part left out are left out too, as in core/omit.h.
case " $OMIT " in *" LEGACY "*) OMIT="$OMIT DETECT" ;; esac
case " $OMIT " in *" DETECT "*) OMIT="$OMIT MOJIBAKE" ;; esac
case " $OMIT " in *" MOJIBAKE "* | *" FORM "*) OMIT="$OMIT ARROW" ;; esac

omitted=$(for name in $OMIT; do part "$name"; done) || exit

# Prints the files of standard input, with omitted.c of its folder for each part that is left out.
without_parts() {
  grep -v -x -F "$omitted"
  echo "$omitted" | grep -v '^sql/' | sed -n 's|/[^/]*$|/omitted.c|p' | sort -u
}

case $1 in
layers) echo "$layers" ;;
core) files '*.c' $core | without_parts ;;
all) (files '*.c' $layers && echo utf8ext.c) | without_parts ;;
headers) ls ./*.h | sed 's|^\./||' && files '*.h' $layers && files 'tables/*.h' $layers ;;
parts) for name in MOJIBAKE DETECT LEGACY FORM ARROW; do part $name | sed "s|^|$name |"; done ;;
small) echo LEGACY FORM SIMD ;;
*) echo "sources.sh: accepted: layers, core, all, headers, parts, small" >&2 && exit 2 ;;
esac
