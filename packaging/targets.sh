# targets.sh: functions about packaging/targets.tsv. Include it in the project's root:
# `. packaging/targets.sh`.
#
#     targets                              # prints all names
#     target_field aarch64-linux-gnu deb   # prints arm64
#     native_target                        # prints the name of this machine's target

# Prints the lines of the list without its comments.
target_rows() {
  grep -v '^#' packaging/targets.tsv
}

targets() {
  target_rows | cut -f 1
}

# target_field NAME COLUMN: prints a column of a target: zig, cpu, library, wheel, npm, deb or
# runner. Fails if there is no such target.
target_field() {
  target_rows | awk -F '\t' -v name="$1" -v column="$2" '
    BEGIN { split("name zig cpu library wheel npm deb runner", names, " ")
            for (i in names) place[names[i]] = i }
    $1 == name { print $place[column]; found = 1 }
    END { exit !found }'
}

# Prints the processor of this machine as the names of targets begin with it.
native_processor() {
  case $(uname -m) in
  amd64) echo x86_64 ;;
  arm64) echo aarch64 ;;
  armv7*) echo arm ;;
  i?86) echo x86 ;;
  ppc64le) echo powerpc64le ;;
  *) uname -m ;;
  esac
}

# Prints the C library of this Linux as the names of targets end with it.
native_libc() {
  if ldd --version 2>&1 | grep -q musl; then echo musl; else echo gnu; fi
}

# Prints the name of the target that this machine is. Fails if the list has none.
native_target() {
  case $(uname -s) in
  Linux) system=linux-$(native_libc) ;;
  Darwin) system=macos ;;
  *) system=$(uname -s | tr '[:upper:]' '[:lower:]') ;;
  esac
  targets | grep "^$(native_processor)-$system"
}
