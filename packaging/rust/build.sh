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

# --no-verify: test.sh compiles the crate. Some versions of cargo leave a second one below the target directory.
cargo package -q --no-verify --exclude-lockfile --allow-dirty --manifest-path "$sources/Cargo.toml" \
  --target-dir "$out/packed" || die "cargo package failed"
mv "$out/packed/package/utf8ext-$version.crate" "$out" && rm -r "$out/packed"
