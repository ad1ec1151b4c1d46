# apt.sh: fetches source packages of the distribution, for tests. Include it in the project's
# root: `. test/apt.sh`.
#
#     apt_source sqlite3 build/testfixture/sqlite      # unpacks the source, without patches
#
# Reads the system's package sources and does not change them: copies their deb lines as
# deb-src lines to build/apt. Does not need root.

apt=$(pwd)/build/apt

# Writes the system's package sources to $apt/lists, with source packages instead of binary
# ones.
write_source_lists() {
  mkdir -p "$apt/lists" "$apt/state/lists/partial" "$apt/cache/archives/partial"
  for list in /etc/apt/sources.list.d/*.sources; do
    [ -e "$list" ] && sed 's/^Types:.*/Types: deb-src/' "$list" >"$apt/lists/${list##*/}"
  done
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -e "$list" ] && sed -n 's/^deb /deb-src /p' "$list" >"$apt/lists/${list##*/}.list"
  done
}

apt_get() {
  apt-get -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$apt/lists" \
    -o Dir::State="$apt/state" -o Dir::State::status=/var/lib/dpkg/status \
    -o Dir::Cache="$apt/cache" -o APT::Sandbox::User="$(id -un)" "$@"
}

# apt_source PACKAGE DIRECTORY: unpacks the source of the package into the directory. Ignores
# package lists that cannot be read, since the package may be in another one.
apt_source() {
  write_source_lists
  apt_get update || echo "some package lists could not be read" >&2
  mkdir -p "$2" "$apt/download"
  (cd "$apt/download" && apt_get source --download-only "$1") || return
  tar -xf "$apt"/download/"$1"_*.orig.tar.* -C "$2" --strip-components=1
}
