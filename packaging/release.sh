#!/bin/sh
# release.sh: cross-compiles the extension for the targets of packaging/targets.tsv, and checks
# each library with packaging/binary.py.
#
#     sh packaging/release.sh                                  # every target
#     sh packaging/release.sh native aarch64-linux-musl        # this machine's and one more
#
# Writes build/release/NAME/utf8ext.so, .dylib or .dll, and the small build (make core) to the folder
# core in it. Compiles a target only if a source, the list or these scripts are newer than its library,
# two targets at a time (JOBS=2). Prints a table of all that was asked for, and fails if a library did
# not compile or is not what it should be.

cd "$(dirname "$0")/.." || exit 1
. packaging/zig.sh

die() {
  echo "release.sh: $*" >&2
  exit 1
}

# Prints the options that make library $1. nodelete: see LINK_so in the Makefile. defs: every function that
# the library calls must be in the system's libraries. Windows needs tables to unwind the stack, and macOS has
# small ones; elsewhere they are 32 KB that nothing uses.
library_options() {
  case $1 in
  *.dylib) echo "-Wl,-install_name,@rpath/$1" ;;
  *.so) echo "-Wl,-z,nodelete,-z,defs -fno-asynchronous-unwind-tables -fno-unwind-tables" ;;
  esac
}

# compile NAME OUTPUT OPTION...: compiles a library of a target. clang warns for ppc64le that comparisons
# of vectors will always mean what they mean here, and for riscv64 that it does not unroll a loop.
compile() {
  name=$1 output=$2
  shift 2
  # shellcheck disable=SC2046
  zig_cc "$name" -g0 -s -fPIC -fvisibility=hidden -Wall -Wextra -Werror -Wno-deprecated-altivec-src-compat \
    -Wno-pass-failed -shared $(library_options "$(target_field "$name" library)") -I. -o "$output" "$@"
}

# compile_whole NAME OUTPUT: only loops marked UNROLL are unrolled. The others would be no faster, and the
# library 40 KB larger.
compile_whole() {
  # shellcheck disable=SC2046
  compile "$1" "$2" -O2 -fno-unroll-loops $(sh tool/sources.sh all)
}

# compile_small NAME OUTPUT: without functions that nothing calls, as in the Makefile.
compile_small() {
  case $2 in
  *.dylib) unused=-Wl,-dead_strip ;;
  *) unused=-Wl,--gc-sections ;;
  esac
  omitted=$(sh tool/sources.sh small)
  # shellcheck disable=SC2046
  compile "$1" "$2" -Os -ffunction-sections -fdata-sections $unused $(printf -- '-DUTF8EXT_OMIT_%s ' $omitted) \
    $(OMIT=$omitted sh tool/sources.sh all)
}

# Is library $1 newer than everything that it is made from?
is_new() {
  [ -e "$1" ] && [ -z "$(find $(sh tool/sources.sh all) $(sh tool/sources.sh headers) packaging/targets.tsv packaging/zig.sh \
    packaging/release.sh -newer "$1" | head -n 1)" ]
}

# check NAME FOLDER LIBRARY: prints a line for each of the two libraries. Fails if one is not what it should be.
check() {
  $venv/bin/python packaging/binary.py "$1" "$2/$3" && $venv/bin/python packaging/binary.py "$1" "$2/core/$3" small
}

# make_one NAME: compiles and checks a target's libraries unless they are new. They appear when they are
# whole, with the time at which their compilation began: what changed meanwhile is newer.
make_one() {
  directory=build/release/$1
  library=$(target_field "$1" library)
  is_new "$directory/$library" && is_new "$directory/core/$library" && return
  new=$directory/new.$$
  mkdir -p "$new/core" "$directory/core"
  trap 'rm -rf "$new"' EXIT
  : >"$new/start"
  { compile_whole "$1" "$new/$library" && compile_small "$1" "$new/core/$library" && check "$1" "$new" "$library"; } \
    >"$new/log" 2>&1 &&
    touch -r "$new/start" "$new/$library" "$new/core/$library" &&
    mv "$new/core/$library" "$directory/core/$library" && mv "$new/$library" "$directory/$library" && return
  sed "s/^/$1: /" "$new/log"
  return 1
}

# Prints the name of the target that argument $1 means.
name_of() {
  if [ "$1" = native ]; then
    native_target || die "packaging/targets.tsv has no target for this machine"
  else
    target_field "$1" name || die "no target $1; accepted: native, $(targets | tr '\n' ' ')"
  fi
}

if [ "$1" = one ]; then
  make_one "$2"
  exit
fi
[ $# -gt 0 ] || set -- $(targets)
names=$(for argument in "$@"; do name_of "$argument" || exit; done) || exit
why=$(install_zig) || die "$why"
echo "$names" | xargs -n 1 -P "${JOBS:-2}" sh packaging/release.sh one
failed=$?
for name in $names; do
  library=$(target_field "$name" library)
  { [ -e "build/release/$name/$library" ] && check "$name" "build/release/$name" "$library"; } || failed=1
done
exit $failed
