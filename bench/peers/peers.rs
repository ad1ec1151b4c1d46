//! peers.rs: the Rust libraries, each behind the C signature of a BenchRun.
//!
//! The crate simdutf is here for the C++ library that it builds; simdutf.cpp calls that.

use bstr::ByteSlice;
use std::hint::black_box;
use std::os::raw::c_void;

extern crate simdutf as _;

/// The bytes of a call. `text` is not null: the harness always measures real memory.
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

/// The length of a result that must really be made.
fn made(text: std::borrow::Cow<str>) -> usize {
    black_box(text.as_ref()).len()
}

/// The length of the well-formed start, from an error that knows it.
fn up_to<T, E>(result: Result<T, E>, at: impl Fn(E) -> usize, size: usize) -> usize {
    result.map_or_else(at, |_| size)
}

peer!(peer_std_valid, b, std::str::from_utf8(b).is_ok());
peer!(
    peer_std_at,
    b,
    up_to(std::str::from_utf8(b), |e| e.valid_up_to(), b.len())
);
peer!(
    peer_std_count,
    b,
    std::str::from_utf8(b).map_or(0, |s| s.chars().count())
);
peer!(peer_std_repair, b, made(String::from_utf8_lossy(b)));

peer!(
    peer_simdutf8_valid,
    b,
    simdutf8::basic::from_utf8(b).is_ok()
);
peer!(
    peer_simdutf8_at,
    b,
    up_to(simdutf8::compat::from_utf8(b), |e| e.valid_up_to(), b.len())
);
peer!(
    peer_simdutf8_count,
    b,
    simdutf8::basic::from_utf8(b).map_or(0, |s| s.chars().count())
);

peer!(peer_bstr_valid, b, b.to_str().is_ok());
peer!(peer_bstr_count, b, b.chars().count());
peer!(peer_bstr_repair, b, made(b.to_str_lossy()));

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
    made(encoding_rs::UTF_8.decode_without_bom_handling(b).0)
);
