/**
 * format.js: files that people take for text files, by their first bytes. formats.json names them, also
 * for the command, whose tests are in python/tests/doors.py.
 */
const loaded = fetch(new URL("formats.json", import.meta.url)).then((response) => response.json());

/** How many bytes at the start of a file show its format. */
const HEAD = 512;
const DBASE = [0x02, 0x03, 0x04, 0x05, 0x30, 0x31, 0x32, 0x43, 0x83, 0x8b, 0x8c, 0xf5, 0xfb];
const EBCDIC_SIZE = 32;
const EBCDIC =
  /[@K\\`akmz}~\r\x15\x25\x81-\x89\x91-\x99\xa2-\xa9\xc1-\xc9\xd1-\xd9\xe2-\xe9\xf0-\xf9]/g;

/**
 * What a file is, and what reads it; null for text.
 * @param {Blob} blob
 * @returns {Promise<string | null>}
 */
export async function fileFormat(blob) {
  const formats = await loaded;
  const bytes = new Uint8Array(await blob.slice(0, HEAD).arrayBuffer());
  const head = String.fromCharCode(...bytes);
  if (head.startsWith("PK\x03\x04")) return formats.zip.find(([name]) => head.includes(name))[1];
  if (isDbase(bytes)) return formats.dbase;
  return startOf(head, formats) ?? (isEbcdic(head) ? formats.ebcdic : null);
}

function startOf(head, { starts }) {
  // Such as ORC, BZh and MZ.
  if (/^[A-Za-z]{3}/.test(head) && !/[\0-\x08\x0e-\x1a]/.test(head)) return null;
  const found = starts.find(([hex]) => head.startsWith(fromHex(hex)));
  return found?.[1] ?? null;
}

function fromHex(hex) {
  return hex.replace(/../g, (digits) => String.fromCharCode(parseInt(digits, 16)));
}

/** The header of a dBase table has a date, and its size is 32 bytes for each field, and 1 or 264 more. */
function isDbase(bytes) {
  if (bytes.length < 33 || !DBASE.includes(bytes[0])) return false;
  const size = bytes[8] + 256 * bytes[9];
  const isDate = bytes[2] >= 1 && bytes[2] <= 12 && bytes[3] >= 1 && bytes[3] <= 31;
  return isDate && size > 64 && [1, 8].includes(size % 32);
}

/** Is it text in EBCDIC? Its space is `@`; the space and the digits of ASCII are control characters. */
function isEbcdic(head) {
  if (head.length < EBCDIC_SIZE || /[ 0-9]/.test(head)) return false;
  const count = (pattern) => head.match(pattern)?.length ?? 0;
  return count(/@/g) * 20 > head.length && count(EBCDIC) * 10 > head.length * 9;
}
