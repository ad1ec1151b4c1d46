//! The decoders and encoders of encoding_rs, asked through stdin. test/judges/legacy.py
//! describes requests and answers.

use encoding_rs::{EncoderResult, Encoding};
use std::io::{self, Read, Write};

/// What an encoder cannot encode, in place of the length of a record's answer.
const LACKS: u8 = 0xFF;

struct Request {
    operation: u8,
    label: Vec<u8>,
    record: usize,
    bytes: Vec<u8>,
}

fn read_request(input: &mut impl Read) -> io::Result<Option<Request>> {
    let mut head = [0u8; 8];
    if input.read_exact(&mut head).is_err() {
        return Ok(None);
    }
    let size = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
    let mut label = vec![0u8; head[1] as usize];
    let mut bytes = vec![0u8; size as usize];
    input.read_exact(&mut label)?;
    input.read_exact(&mut bytes)?;
    let record = u16::from_le_bytes([head[2], head[3]]) as usize;
    Ok(Some(Request { operation: head[0], label, record, bytes }))
}

fn decode(encoding: &'static Encoding, bytes: &[u8]) -> Vec<u8> {
    encoding.decode_without_bom_handling(bytes).0.into_owned().into_bytes()
}

/// In two calls, cut at a place that depends on the bytes.
fn decode_in_two(encoding: &'static Encoding, bytes: &[u8]) -> Vec<u8> {
    let cut = bytes.iter().map(|&b| b as usize).sum::<usize>() % (bytes.len() + 1);
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut out = vec![0u8; 4 * bytes.len() + 64];
    let (_, read, first, _) = decoder.decode_to_utf8(&bytes[..cut], &mut out, false);
    assert_eq!(read, cut);
    let (_, _, second, _) = decoder.decode_to_utf8(&bytes[cut..], &mut out[first..], true);
    out.truncate(first + second);
    out
}

/// Returns the bytes, and whether all of the text has some.
fn encode(encoding: &'static Encoding, text: &str) -> (Vec<u8>, bool) {
    let mut encoder = encoding.new_encoder();
    let mut out = vec![0u8; 8 * text.len() + 64];
    let (result, _, written) =
        encoder.encode_from_utf8_without_replacement(text, &mut out, true);
    out.truncate(written);
    (out, matches!(result, EncoderResult::InputEmpty))
}

fn decode_records(encoding: &'static Encoding, request: &Request) -> Vec<u8> {
    if request.record == 0 {
        let out = decode(encoding, &request.bytes);
        assert!(out == decode_in_two(encoding, &request.bytes));
        return out;
    }
    let mut out = Vec::new();
    for record in request.bytes.chunks(request.record) {
        let text = decode(encoding, record);
        out.push(text.len() as u8);
        out.extend(text);
    }
    out
}

fn encode_records(encoding: &'static Encoding, request: &Request) -> Vec<u8> {
    let text = std::str::from_utf8(&request.bytes).expect("UTF-8");
    if request.record == 0 {
        let (mut out, all) = encode(encoding, text);
        out.insert(0, all as u8);
        return out;
    }
    let mut out = Vec::new();
    let mut buffer = [0u8; 4];
    for character in text.chars() {
        let (bytes, all) = encode(encoding, character.encode_utf8(&mut buffer));
        out.push(if all { bytes.len() as u8 } else { LACKS });
        if all {
            out.extend(bytes);
        }
    }
    out
}

/// The names of labels, lowercase, each on a line; an empty line if there is none.
fn names(labels: &[u8]) -> Vec<u8> {
    let mut out = String::new();
    for label in labels.split(|&b| b == b'\n') {
        if let Some(encoding) = Encoding::for_label(label) {
            out += &encoding.name().to_lowercase();
        }
        out.push('\n');
    }
    out.into_bytes()
}

fn answer(request: &Request) -> Vec<u8> {
    if request.operation == b'l' {
        return names(&request.bytes);
    }
    let encoding = Encoding::for_label(&request.label).expect("a label");
    match request.operation {
        b'd' => decode_records(encoding, request),
        _ => encode_records(encoding, request),
    }
}

fn main() -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    while let Some(request) = read_request(&mut input)? {
        let bytes = answer(&request);
        output.write_all(&(bytes.len() as u32).to_le_bytes())?;
        output.write_all(&bytes)?;
        output.flush()?;
    }
    Ok(())
}
