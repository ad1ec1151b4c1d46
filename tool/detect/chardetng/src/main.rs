//! chardetng, the detector of Firefox, as a program for tool/detect/peers.py.
//!
//! Reads values from standard input, each after its length as four little-endian bytes, and
//! writes the WHATWG name of the charset that chardetng detects, one per line.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use std::io::{self, BufWriter, Read, Write};

/// Returns the next value, or None at the end of the input.
fn next_value(input: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    if let Err(error) = input.read_exact(&mut length) {
        return if error.kind() == io::ErrorKind::UnexpectedEof { Ok(None) } else { Err(error) };
    }
    let mut value = vec![0; u32::from_le_bytes(length) as usize];
    input.read_exact(&mut value)?;
    Ok(Some(value))
}

/// Returns the detected charset of a value whose origin is unknown.
fn detect(value: &[u8]) -> &'static str {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(value, true);
    detector.guess(None, Utf8Detection::Allow).name()
}

fn main() -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut output = BufWriter::new(io::stdout().lock());
    while let Some(value) = next_value(&mut input)? {
        writeln!(output, "{}", detect(&value))?;
    }
    Ok(())
}
