# run.sh: finds out how this machine runs programs of a target. Include it in the project's root
# after packaging/targets.sh: `. packaging/run.sh`.
#
#     if find_run aarch64-linux-musl; then $run ./program; else echo "$why"; fi

# Sets run to the command that runs programs of target $1, empty if the system does. If nothing
# does, sets why, and returns 1.
find_run() {
  run=
  why=
  [ "$1" = "$(native_target)" ] && return
  case $1 in
  *-linux-*) find_emulator "$1" && find_loader "$1" && run="$emulator $loader" ;;
  *-windows-*) find_wine "$1" && run=wine ;;
  *) why="nothing on $(uname -s) runs programs of this system" && return 1 ;;
  esac
}

# Sets emulator to what runs programs for another processor, empty if this one runs them.
find_emulator() {
  emulator=
  [ "$(uname -s)" = Linux ] || { why="this is not Linux" && return 1; }
  case "${1%%-*} $(native_processor)" in
  "$(native_processor) $(native_processor)" | "x86 x86_64") return ;;
  esac
  emulator=$(target_field "$1" runner)
  command -v "$emulator" >/dev/null || { why="$emulator is not installed (sh setup.sh release)" && return 1; }
}

# Sets loader to the program, with its options, that loads programs of Linux target $1.
find_loader() {
  case $1 in
  *-musl*) loader=$(sh packaging/musl.sh "$1") || { why=$loader && return 1; } ;;
  *) find_glibc "/usr/$(echo "$1" | sed 's/^x86-/i686-/')/lib" ;;
  esac
}

# Sets loader to that of Debian's glibc for another processor, in directory $1.
find_glibc() {
  loader=$(find "$1" -maxdepth 1 -name 'ld[-6]*.so.[0-9]' 2>/dev/null | head -n 1)
  [ -n "$loader" ] || { why="there is no glibc in $1 (sh setup.sh release)" && return 1; }
  loader="$loader --library-path $1"
}

# Prepares wine for target $1.
find_wine() {
  case $1 in
  x86_64-*) wine_files=/usr/lib/x86_64-linux-gnu/wine ;;
  x86-*) wine_files=/usr/lib/i386-linux-gnu/wine ;;
  *) why="wine here emulates no such processor" && return 1 ;;
  esac
  why="there is no wine in $wine_files (sh setup.sh release)"
  [ -d $wine_files ] && command -v wine >/dev/null || return
  export WINEDEBUG=-all WINEPREFIX="$PWD/build/wine"
}
