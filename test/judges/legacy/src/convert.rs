//! encoding_rs as C functions, for bench/legacy.c.

use encoding_rs::{EncoderResult, Encoding};
use std::slice::{from_raw_parts, from_raw_parts_mut};

/// Converts in[0..size) from or to the charset of a label and returns the number of bytes
/// written; 0 if there is no such label, or if out is too small or a code point has no code.
///
/// # Safety
///
/// The pointers are valid for their sizes; with encode, in[0..size) is well-formed UTF-8.
#[no_mangle]
pub unsafe extern "C" fn encoding_rs_convert(
    label: *const u8,
    label_size: usize,
    encode: bool,
    input: *const u8,
    size: usize,
    out: *mut u8,
    room: usize,
) -> usize {
    let Some(encoding) = Encoding::for_label(from_raw_parts(label, label_size)) else {
        return 0;
    };
    let (input, out) = (from_raw_parts(input, size), from_raw_parts_mut(out, room));
    if encode {
        let text = std::str::from_utf8_unchecked(input);
        let mut encoder = encoding.new_encoder();
        let (result, _, written) = encoder.encode_from_utf8_without_replacement(text, out, true);
        return if matches!(result, EncoderResult::InputEmpty) { written } else { 0 };
    }
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (_, read, written, _) = decoder.decode_to_utf8(input, out, true);
    if read == size { written } else { 0 }
}
