#!/bin/sh
# build.sh: makes the wheels in build/packages/python: one for each target that has a wheel tag and a
# binary of `make release`, or one of ./utf8ext.so if there are no binaries. Also the source
# distribution, which compiles the amalgamation where no wheel fits.

package=python
. packaging/package.sh

# Versions that make the wheels. Also of test.sh, which uses the same environment.
wheel_tools="scikit-build-core==1.1.2 wheel==0.48.0 cmake==4.4.5 ninja==1.13.2"
tools=build/venv/wheel

# stage DIRECTORY: writes what a package is made of. Its version is in its own folder.
stage() {
  mkdir -p "$1" &&
    cp -R python/CMakeLists.txt python/README.md python/src LICENSE VERSION "$1" &&
    sed 's|^input = "../VERSION"|input = "VERSION"|' python/pyproject.toml >"$1/pyproject.toml" &&
    find "$1/src" \( -name __pycache__ -o -name '*.egg-info' -o -name 'utf8ext.so' -o -name VERSION \) \
      -prune -exec rm -rf {} +
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

# backend DIRECTORY CALL: calls a function of the build backend in a directory.
backend() (
  cd "$1" && PATH=${python%/*}:$PATH "$python" -c "import scikit_build_core.build as build; build.$2"
)

# build_wheel NAME: builds a target's wheel. The backend gives it the tag of this machine; the
# target's is set afterwards.
build_wheel() {
  work=$out/work/$1
  stage "$work" &&
    backend "$work" "build_wheel('.', {'cmake.define.UTF8EXT_LIBRARY': '$(library "$1")'})" \
      >"$work.log" 2>&1 || die "no wheel for $1: $(cat "$work.log")"
  "$python" -m wheel tags --remove --platform-tag "$(platform_tag "$1")" "$work"/*.whl >>"$work.log" &&
    mv "$work"/*.whl "$out"
}

# Builds the source distribution.
build_sdist() {
  work=$out/work/source
  stage "$work" && "$python" tool/amalgamate.py "$work/amalgamation" &&
    backend "$work" "build_sdist('.')" >"$work.log" 2>&1 || die "no source distribution: $(cat "$work.log")"
  mv "$work"/*.tar.gz "$out"
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
build_sdist || exit
rm -rf "$out/work"
