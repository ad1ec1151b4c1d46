#!/bin/sh
# build.sh: makes the Rust crate build/packages/rust/utf8ext-VERSION.crate.
#
# The crate has the amalgamation, which Cargo compiles where the crate is used.

package=rust
. packaging/package.sh

sources=$out/utf8ext
rm -rf "$sources" "$out"/*.crate
mkdir -p "$sources/c"
cp -r packaging/rust/build.rs packaging/rust/src packaging/rust/README.md LICENSE "$sources" &&
  fill packaging/rust/Cargo.toml >"$sources/Cargo.toml" &&
  ${PYTHON:-python3} tool/amalgamate.py "$sources/c" || die "cannot copy the sources to $sources"

# --no-verify: test.sh compiles the crate.
cargo package -q --no-verify --exclude-lockfile --allow-dirty --manifest-path "$sources/Cargo.toml" \
  --target-dir "$out/target" || die "cargo package failed"
mv "$out/target/package/utf8ext-$version.crate" "$out"
