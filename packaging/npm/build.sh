#!/bin/sh
# build.sh: makes the npm packages in build/packages/npm: utf8ext, and one for each platform that has
# a binary. utf8ext lists these as optional dependencies.

package=npm
. packaging/package.sh

# write_platform NAME: writes the package of a target to $out/ID. Prints ID, npm's name of it.
write_platform() {
  id=utf8ext-$(target_field "$1" npm)
  mkdir -p "$out/$id"
  cp LICENSE "$(library "$1")" "$out/$id" &&
    platform_json "$id" "$(target_field "$1" library)" >"$out/$id/package.json" &&
    echo "The SQLite extension utf8ext for this platform. Install the package utf8ext instead." >"$out/$id/README.md"
  echo "$id"
}

# platform_json ID LIBRARY: prints package.json. The ID is utf8ext-OS-CPU or utf8ext-OS-CPU-LIBC.
platform_json() {
  IFS=- read -r _ os cpu libc <<END
$1
END
  cat <<END
{
  "name": "$1",
  "version": "$version",
  "description": "utf8ext for $os-$cpu${libc:+ with $libc}",
  "license": "MIT",
  "files": ["$2"],
  "os": ["$os"],
  "cpu": ["$cpu"]${libc:+,
  \"libc\": [\"$libc\"]}
}
END
}

# write_main ID...: writes the package utf8ext, with these packages as optional dependencies.
write_main() {
  mkdir -p "$out/utf8ext"
  (cd packaging/npm && cp index.js index.mjs index.d.ts README.md ../../LICENSE "$OLDPWD/$out/utf8ext")
  fill packaging/npm/package.json >"$out/utf8ext/package.json"
  dependencies=$(printf "optionalDependencies.%s=$version\n" "$@")
  # shellcheck disable=SC2086
  (cd "$out/utf8ext" && npm pkg set $dependencies)
}

targets=$(built npm) || exit
rm -rf "$out"/utf8ext*
ids=$(for target in $targets; do write_platform "$target"; done)
# shellcheck disable=SC2086
write_main $ids && cd "$out" && npm pack --loglevel=error ./utf8ext*/ >npm.log 2>&1 ||
  die "npm pack failed: $(cat "$out/npm.log")"
