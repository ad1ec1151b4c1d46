#!/bin/sh
# test.sh: builds the crate, unpacks it as Cargo would, and runs its examples and the programs in
# test/, which use it with the newest rusqlite, diesel and sqlx that can be had. A program can have
# only one libsqlite3-sys, and each of the three wants another.
. test/tally.sh

package=rust
. packaging/package.sh

command -v cargo >/dev/null || skip "cargo is not installed"
check "make package-rust" sh packaging/rust/build.sh
crate=$out/utf8ext-$version
rm -rf "$crate" "$out/test"
# -m: with the crate's old times, Cargo would take the last build for current.
tar -xmzf "$crate.crate" -C "$out" && cp -r packaging/rust/test "$out"
export CARGO_TARGET_DIR="$out/target"
for client in rusqlite diesel sqlx; do
  fill "packaging/rust/test/$client/Cargo.toml" >"$out/test/$client/Cargo.toml"
  cargo fetch -q --manifest-path "$out/test/$client/Cargo.toml" >"$work/fetch" 2>&1 ||
    skip "cargo cannot fetch $client: $(tail -n 1 "$work/fetch")"
done

# cargo_tests ARGUMENT...: runs cargo test and adds its tests to the tally.
cargo_tests() {
  cargo test --color never "$@" >"$work/log" 2>&1
  status=$?
  passed=$((passed + $(grep -c '^test .* ok$' "$work/log")))
  failed=$((failed + $(grep -c '^test .* FAILED$' "$work/log")))
  [ $status = 0 ] || sed 's/^/    /' "$work/log"
  check "cargo test $*" [ $status = 0 ]
}
for client in rusqlite diesel sqlx; do
  cargo_tests --manifest-path "$out/test/$client/Cargo.toml"
done
cargo_tests --manifest-path "$crate/Cargo.toml"
finish
