#!/bin/sh
# build.sh: makes the wheels in build/packages/python: one for each target that has a wheel tag and a
# binary of `make release`, or one of ./utf8ext.so if there are no binaries.
#
# There is no source distribution: it would need a C compiler and SQLite's header, and pip would try
# it where no wheel fits. Other platforms: `make`, then load ./utf8ext yourself.

package=python
. packaging/package.sh

# Versions that make the wheels. Also of test.sh, which uses the same environment.
wheel_tools="setuptools==80.9.0 wheel==0.45.1"
tools=build/venv/wheel

# stage DIRECTORY LIBRARY: writes what the wheel is made of.
stage() {
  mkdir -p "$1" &&
    cp -R python/pyproject.toml python/README.md python/src LICENSE "$1" &&
    find "$1" \( -name __pycache__ -o -name '*.egg-info' -o -name 'utf8ext.so' \) -prune -exec rm -rf {} + &&
    cp VERSION "$1/src/utf8ext" && cp "$2" "$1/src/utf8ext/"
}

# platform_tag NAME: prints the tag of a target's wheel. What this machine's compiler made may need
# this machine's C library.
platform_tag() {
  if [ "$release" = "$native_release" ]; then
    "$python" -c 'import sysconfig; print(sysconfig.get_platform().replace("-", "_").replace(".", "_"))'
  else
    target_field "$1" wheel
  fi
}

# build_wheel NAME: builds a target's wheel. setuptools makes a wheel of a package without compiled
# modules for any platform; the tag is set afterwards.
build_wheel() {
  work=$out/work/$1
  stage "$work" "$(library "$1")" && (
    cd "$work" && "$python" -c 'import setuptools.build_meta as b; b.build_wheel(".")'
  ) >"$work.log" 2>&1 || die "no wheel for $1: $(cat "$work.log")"
  "$python" -m wheel tags --remove --platform-tag "$(platform_tag "$1")" "$work"/*.whl >>"$work.log" &&
    mv "$work"/*.whl "$out"
}

# shellcheck disable=SC2086
sh packaging/venv.sh $tools $wheel_tools || die "pip cannot install $wheel_tools"
python=$PWD/$tools/bin/python
[ -d "$release" ] || use_native || die "packaging/targets.tsv has no target for this machine"
targets=$(built wheel) || exit
rm -rf "$out"
for target in $targets; do
  build_wheel "$target" || exit
done
rm -rf "$out/work"
