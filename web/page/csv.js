/**
 * csv.js: the records of a CSV file as places in its bytes, so that what is not repaired stays as
 * it is. They are those that `utf8ext import` reads (test/csv.json), and blank lines. The file is
 * UTF-8 except for some cells: delimiters, quotes and ends of lines are ASCII bytes.
 *
 * @typedef {{from: number, to: number}} Field with its quotes
 */

const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;
const BOM = [0xef, 0xbb, 0xbf];

/** Text in quotes that start a field, up to their end or that of the line, or in others of one
 * line. */
const QUOTED = /(^|[,;\t|])"(?:[^"]+|"")*("|$)|"[^"]*"/g;

/** What the first record has most often outside of quotes. */
function delimiterOf(bytes, from) {
  const unquoted = firstUnquoted(bytes, from);
  const count = (delimiter) => unquoted.split(delimiter).length;
  return [",", ";", "\t", "|"].reduce((most, next) => (count(next) > count(most) ? next : most));
}

/** The first record without what is in quotes, which can have line breaks. */
function firstUnquoted(bytes, at) {
  while (bytes[at] === LF || bytes[at] === CR) at++;
  let [unquoted, isOpen] = ["", false];
  for (;;) {
    const end = lineEnd(bytes, at);
    const text = (isOpen ? '"' : "") + latin1(bytes.subarray(at, end));
    unquoted += text.replace(QUOTED, "$1");
    isOpen = Array.from(text.matchAll(QUOTED)).some(([, , closing]) => closing === "");
    if (!isOpen || end === bytes.length) return unquoted;
    at = end;
  }
}

function latin1(bytes) {
  return new TextDecoder("latin1").decode(bytes);
}

/** Returns the offset after a line: after its LF, CR LF or CR, or the end of the file. */
export function lineEnd(bytes, at) {
  while (at < bytes.length && bytes[at] !== LF && bytes[at] !== CR) at++;
  if (bytes[at] === CR && bytes[at + 1] === LF) at++;
  return Math.min(at + 1, bytes.length);
}

/** Reads the start of a file: where its records begin, and the delimiter.
 * @param {Uint8Array} bytes
 * @param {string} name of the file
 * @returns {{from: number, delimiter: number}}
 */
export function dialect(bytes, name) {
  const { from } = lines(bytes);
  const end = lineEnd(bytes, from);
  const line = latin1(bytes.subarray(from, end));
  const separator = line.match(/^"?sep=(.)"?\r?\n?$/)?.[1];
  const delimiter = /\.(tsv|tab)$/i.test(name) ? "\t" : (separator ?? delimiterOf(bytes, from));
  return { from: separator ? end : from, delimiter: delimiter.charCodeAt(0) };
}

/** The start of a file whose lines are its only fields, without quotes. */
export function lines(bytes) {
  return { from: BOM.every((byte, i) => bytes[i] === byte) ? BOM.length : 0, delimiter: null };
}

/**
 * Yields the records, each a list of fields.
 * @param {Uint8Array} bytes
 * @param {{from: number, delimiter: number | null}} dialect
 * @returns {Generator<Field[]>}
 */
export function* records(bytes, { from, delimiter }) {
  for (let at = from, fields = []; at <= bytes.length;) {
    const to = fieldEnd(bytes, at, delimiter);
    fields.push({ from: at, to });
    at = to + 1;
    if (bytes[to] === delimiter) continue;
    if (bytes[to] === CR && bytes[at] === LF) at++;
    if (to < bytes.length || fields.length > 1 || fields[0].to > fields[0].from) yield fields;
    fields = [];
  }
}

/** Returns where a field ends: at a delimiter, the end of its line, or the end of the file. */
function fieldEnd(bytes, at, delimiter) {
  if (delimiter !== null && bytes[at] === QUOTE) at = quotesEnd(bytes, at + 1);
  while (at < bytes.length && bytes[at] !== delimiter && bytes[at] !== LF && bytes[at] !== CR) at++;
  return at;
}

/** Returns the offset after the closing quote. Two quotes are one in the text. */
function quotesEnd(bytes, at) {
  for (;;) {
    const end = bytes.indexOf(QUOTE, at);
    if (end < 0) return bytes.length;
    if (bytes[end + 1] !== QUOTE) return end + 1;
    at = end + 2;
  }
}

/** The bytes of a field's text: without its quotes, between which two quotes are one. What follows
 * the closing quote is text too.
 * @param {Uint8Array} raw */
export function unquoted(raw) {
  if (raw[0] !== QUOTE) return raw;
  const text = new Uint8Array(raw.length);
  let size = 0;
  let at = 1;
  for (; at < raw.length; at++) {
    if (raw[at] === QUOTE && raw[++at] !== QUOTE) break;
    text[size++] = raw[at];
  }
  text.set(raw.subarray(at), size);
  return text.subarray(0, size + raw.length - Math.min(at, raw.length));
}

/** A text as a field, in quotes if it was or has to be.
 * @param {string} text
 * @param {number} delimiter
 * @param {boolean} wasQuoted
 */
export function quoted(text, delimiter, wasQuoted) {
  const mustBe = /["\r\n]/.test(text) || text.includes(String.fromCharCode(delimiter));
  return wasQuoted || mustBe ? `"${text.replaceAll('"', '""')}"` : text;
}
