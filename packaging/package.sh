# package.sh: what every build.sh needs. Include it in the project's root: `. packaging/package.sh`.
#
#     package=npm
#     . packaging/package.sh
#     fill packaging/npm/package.json >"$out/package.json"

version=$(cat VERSION)

# The project's address, for formats that demand one. A placeholder until the project has one.
address=example.org/utf8ext

# Where the package is built.
out=build/packages/$package

# fill FILE: prints the file with values for @VERSION@ and @ADDRESS@.
fill() { sed "s|@VERSION@|$version|g; s|@ADDRESS@|$address|g" "$1"; }

die() {
  echo "package-$package: $*" >&2
  exit 1
}
