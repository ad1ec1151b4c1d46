//! form.rs: the Rust libraries that normalize, and StringZilla, as bench/peers/form.h declares them.
//!
//! The crate stringzilla is linked for the C library that it builds.

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use simd_normalizer::UnicodeNormalization;
use std::borrow::Cow;
use std::hint::black_box;
use std::os::raw::{c_int, c_void};

extern crate stringzilla as _;

extern "C" {
    fn sz_utf8_find_denormalized(text: *const u8, size: usize, form: c_int) -> *const u8;
    fn sz_utf8_norm(text: *const u8, size: usize, form: c_int, out: *mut u8) -> usize;
    fn sz_utf8_uncased_fold(text: *const u8, size: usize, out: *mut u8) -> usize;
}

/// FormArgument of form.h; form is 0 for NFC, 1 for NFD, 2 for NFKC.
#[repr(C)]
pub struct Argument {
    form: c_int,
    out: *mut u8,
    room: usize,
}

/// The text of a call, which is well-formed: unlike utf8ext, these libraries need not check it.
unsafe fn string<'a>(text: *const u8, size: usize) -> &'a str {
    std::str::from_utf8_unchecked(std::slice::from_raw_parts(text, size))
}

/// The length of a result, which the compiler must really produce.
fn length_of(text: Cow<str>) -> u64 {
    black_box(text.as_ref()).len() as u64
}

macro_rules! peer {
    ($name:ident, $arg:ident, $text:ident, $size:ident, $result:expr) => {
        #[no_mangle]
        pub unsafe extern "C" fn $name(arg: *const c_void, $text: *const u8, $size: usize) -> u64 {
            let $arg = arg as *const Argument;
            $result
        }
    };
}

peer!(
    peer_icu4x_is_nfc,
    _arg,
    text,
    size,
    ComposingNormalizerBorrowed::new_nfc().is_normalized(string(text, size)) as u64
);
peer!(peer_icu4x_normalize, arg, text, size, {
    let s = string(text, size);
    length_of(match (*arg).form {
        0 => ComposingNormalizerBorrowed::new_nfc().normalize(s),
        1 => DecomposingNormalizerBorrowed::new_nfd().normalize(s),
        _ => ComposingNormalizerBorrowed::new_nfkc().normalize(s),
    })
});

peer!(
    peer_simd_normalizer_is_nfc,
    _arg,
    text,
    size,
    string(text, size).is_nfc() as u64
);
peer!(peer_simd_normalizer, arg, text, size, {
    let s = string(text, size);
    length_of(match (*arg).form {
        0 => s.nfc(),
        1 => s.nfd(),
        _ => s.nfkc(),
    })
});

/// StringZilla's number of a form: sz_normal_form_t.
unsafe fn sz_form(arg: *const Argument) -> c_int {
    [1, 0, 3][(*arg).form as usize]
}

peer!(
    peer_stringzilla_is_nfc,
    _arg,
    text,
    size,
    sz_utf8_find_denormalized(text, size, 1).is_null() as u64
);
peer!(
    peer_stringzilla_normalize,
    arg,
    text,
    size,
    sz_utf8_norm(text, size, sz_form(arg), (*arg).out) as u64
);
peer!(
    peer_stringzilla_fold,
    arg,
    text,
    size,
    sz_utf8_uncased_fold(text, size, (*arg).out) as u64
);
