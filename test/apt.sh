# apt.sh: the distribution's source packages, for tests: `. test/apt.sh`, from the root.
#
#     apt_source sqlite3 build/testfixture/sqlite      the unpacked source, without patches
#
# The system's lists of packages are read but not changed: its deb lines are turned into
# deb-src lines for a private set under build/apt. Works without being root.

apt=$(pwd)/build/apt

# The system's package sources, as sources of source packages.
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

# apt_source PACKAGE DIRECTORY. One list that cannot be had is no failure: the package
# comes from another.
apt_source() {
  write_source_lists
  apt_get update || echo "some package lists could not be read" >&2
  mkdir -p "$2" "$apt/download"
  (cd "$apt/download" && apt_get source --download-only "$1") || return
  tar -xf "$apt"/download/"$1"_*.orig.tar.* -C "$2" --strip-components=1
}
