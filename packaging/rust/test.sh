#!/bin/sh
# test.sh: builds the crate, unpacks it as Cargo would, and runs its examples and the program in
# test/, which uses it with rusqlite and with diesel.
. test/tally.sh

package=rust
. packaging/package.sh

command -v cargo >/dev/null || skip "cargo is not installed"
check "make package-rust" sh packaging/rust/build.sh
crate=$out/utf8ext-$version
rm -rf "$crate" "$out/test"
# -m: with the crate's old times, Cargo would take the last build for current.
tar -xmzf "$crate.crate" -C "$out" && cp -r packaging/rust/test "$out" &&
  fill packaging/rust/test/Cargo.toml >"$out/test/Cargo.toml"
export CARGO_TARGET_DIR="$out/target"
cargo fetch -q --manifest-path "$out/test/Cargo.toml" >"$work/fetch" 2>&1 ||
  skip "cargo cannot fetch rusqlite and diesel: $(tail -n 1 "$work/fetch")"

# cargo_tests ARGUMENT...: runs cargo test and adds its tests to the tally.
cargo_tests() {
  cargo test --color never "$@" >"$work/log" 2>&1
  status=$?
  passed=$((passed + $(grep -c '^test .* ok$' "$work/log")))
  failed=$((failed + $(grep -c '^test .* FAILED$' "$work/log")))
  [ $status = 0 ] || sed 's/^/    /' "$work/log"
  check "cargo test $*" [ $status = 0 ]
}
cargo_tests --manifest-path "$out/test/Cargo.toml"
cargo_tests --manifest-path "$crate/Cargo.toml"
finish
