# zig.sh: the compiler of the releases, and what it compiles with. Include it in the project's
# root: `. packaging/zig.sh`.
#
#     install_zig || exit
#     zig_cc aarch64-linux-gnu -O2 -o program program.c
#
# zig and LIEF, which packaging/binary.py uses, come from PyPI. SQLite and its headers are those of
# test/sqlite.sh. All have fixed versions, so that a release depends on no machine.

. packaging/targets.sh

zig_version=0.17.1
lief_version=1.0.0
sqlite_version=3.53.2
venv=build/venv/release
sqlite=build/sqlite/$sqlite_version

# Installs all of that unless it is there. Prints the reason if that fails.
install_zig() {
  sh packaging/venv.sh $venv "ziglang==$zig_version" "lief==$lief_version" ||
    { echo "pip cannot install ziglang and lief"; return 1; }
  sh test/sqlite.sh $sqlite_version
}

# Prints the options that a target needs. glibc for ppc64le has had functions for the
# new long double since 2.32 only. Programs for musl would be static, and could load nothing.
# For ppc64le, clang 22 compares some 32-bit numbers together with the upper half of their register. Without the
# option, utf8_to() loses ASCII in marc-8.
target_options() {
  case $1 in
  powerpc64le-*) echo "-mllvm -ppc-gpr-icmps=none" ;;
  esac
  case $1 in
  powerpc64le-linux-gnu) echo -mabi=ibmlongdouble ;;
  *-musl*) echo -dynamic ;;
  esac
}

# zig_cc NAME ARGUMENT...: calls the C compiler for a target, with SQLite's headers.
zig_cc() {
  zig_name=$1
  shift
  # shellcheck disable=SC2046
  $venv/bin/python -m ziglang cc -target "$(target_field "$zig_name" zig)" \
    -mcpu="$(target_field "$zig_name" cpu)" $(target_options "$zig_name") -std=c11 "-I$sqlite" "$@"
}
