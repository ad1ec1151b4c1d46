//! peers.rs: the Rust libraries, as functions with the C signature BenchRun.
//!
//! The crate simdutf is linked for the C++ library that it builds, which simdutf.cpp calls.

use bstr::ByteSlice;
use std::hint::black_box;
use std::os::raw::c_void;

extern crate simdutf as _;

/// The text of a call; never null.
unsafe fn bytes<'a>(text: *const u8, size: usize) -> &'a [u8] {
    std::slice::from_raw_parts(text, size)
}

macro_rules! peer {
    ($name:ident, $bytes:ident, $result:expr) => {
        #[no_mangle]
        pub unsafe extern "C" fn $name(_: *const c_void, text: *const u8, size: usize) -> u64 {
            let $bytes = bytes(text, size);
            $result as u64
        }
    };
}

/// The length of a result, which the compiler must really produce.
fn length_of(text: std::borrow::Cow<str>) -> usize {
    black_box(text.as_ref()).len()
}

/// The offset of the first error, or size.
fn first_error<T, E>(result: Result<T, E>, offset: impl Fn(E) -> usize, size: usize) -> usize {
    result.map_or_else(offset, |_| size)
}

peer!(peer_std_valid, b, std::str::from_utf8(b).is_ok());
peer!(
    peer_std_at,
    b,
    first_error(std::str::from_utf8(b), |e| e.valid_up_to(), b.len())
);
peer!(
    peer_std_count,
    b,
    std::str::from_utf8(b).map_or(0, |s| s.chars().count())
);
peer!(peer_std_repair, b, length_of(String::from_utf8_lossy(b)));

peer!(
    peer_simdutf8_valid,
    b,
    simdutf8::basic::from_utf8(b).is_ok()
);
peer!(
    peer_simdutf8_at,
    b,
    first_error(simdutf8::compat::from_utf8(b), |e| e.valid_up_to(), b.len())
);
peer!(
    peer_simdutf8_count,
    b,
    simdutf8::basic::from_utf8(b).map_or(0, |s| s.chars().count())
);

peer!(peer_bstr_valid, b, b.to_str().is_ok());
peer!(peer_bstr_count, b, b.chars().count());
peer!(peer_bstr_repair, b, length_of(b.to_str_lossy()));

peer!(
    peer_encoding_rs_valid,
    b,
    encoding_rs::Encoding::utf8_valid_up_to(b) == b.len()
);
peer!(
    peer_encoding_rs_at,
    b,
    encoding_rs::Encoding::utf8_valid_up_to(b)
);
peer!(
    peer_encoding_rs_repair,
    b,
    length_of(encoding_rs::UTF_8.decode_without_bom_handling(b).0)
);
