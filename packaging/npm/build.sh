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
    echo "The SQLite extension utf8ext for this platform. Install the package utf8ext instead." >"$out/$id/README.md" &&
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
  for file in index.js index.mjs index.d.ts README.md; do
    cp packaging/npm/$file "$out/utf8ext" || return
  done
  cp LICENSE "$out/utf8ext" && fill packaging/npm/package.json >"$out/utf8ext/package.json" || return
  # shellcheck disable=SC2046
  (cd "$out/utf8ext" && npm pkg set --loglevel=error $(printf "optionalDependencies.%s=$version\n" "$@"))
}

targets=$(built npm) || exit
rm -rf "$out"/utf8ext*
# shellcheck disable=SC2086
ids=$(for target in $targets; do write_platform "$target" || exit; done) &&
  write_main $ids || die "cannot write $out"
cd "$out" && npm pack --loglevel=error ./utf8ext*/ >npm.log 2>&1 || die "npm pack failed: $(cat npm.log)"
