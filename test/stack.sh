#!/bin/sh
# stack.sh: prints how much of the stack functions take, and checks that their headers say so of those that
# take much.
#
#     sh test/stack.sh PROGRAM    # test/stacktest.c
. test/tally.sh

headers="core/utf8core.h detect/cause.h detect/model.h mojibake/readings.h"

# said FUNCTION: prints the KB of the stack that the comment before its declaration names.
said() {
  # shellcheck disable=SC2086
  awk -v name="$1" '
    /^\/\* / { comment = "" }
    { comment = comment " " $0 }
    index($0, " " name "(") == 0 && index($0, name "(") != 1 { next }
    match(comment, /[0-9]+ KB of +(\*\* +)?the +(\*\* +)?stack/) {
      split(substr(comment, RSTART), n, " ")
      print n[1]
      exit
    }' $headers
}

# is_said BYTES KB: the header names what was measured, or up to a ninth more; nothing if that is below 10 KB.
is_said() {
  if [ "$1" -lt 10000 ]; then
    same "" "$2"
  else
    [ -n "$2" ] && [ "$1" -le $(($2 * 1000)) ] && [ "$1" -ge $(($2 * 900)) ]
  fi
}

check "the program runs" sh -c '"$0" >"$1"' "$1" "$work/used"
while read -r name bytes; do
  echo "$name: $bytes bytes"
  check "$name: its header says $(said "$name") KB" is_said "$bytes" "$(said "$name")"
done <"$work/used"
finish
