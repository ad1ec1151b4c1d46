/**
 * text.js: checks and repairs a text of any length. Runs in the worker.
 *
 * @typedef {{offset: number, line: number, length: number, kind: string}} TextError
 * @typedef {{size: number, codepoints: number, kinds: Record<string, number>, errors: TextError[],
 *   suspect: {kind: string, offset: number} | null, detected: string,
 *   sample: {from: number, to: number}}} Scan errors: the first ERRORS_LISTED; sample: the bytes
 *   that detection looked at, the chunk with the first error
 * @typedef {{offset: number, bytes: Uint8Array, notation: string | null, char: string | null,
 *   error: string | null}} Unit a code point or an ill-formed subpart
 */
import { chunks, read } from "./chunks.js";

/** How many errors a scan lists. It counts all of them. */
const ERRORS_LISTED = 1000;
const CONVERTED_MAX = 256 << 20;
const UNITS = 256;
const CONTEXT = 96;
const NEWLINE = 10;

/**
 * Finds all errors.
 * @param {import("./utf8ext.js").Database} db
 * @param {Blob} blob
 * @param {(done: number) => void} progress called with 0..1
 * @returns {Promise<Scan>}
 */
export async function scan(db, blob, progress) {
  const result = {
    size: blob.size,
    codepoints: 0,
    kinds: {},
    errors: [],
    suspect: null,
    detected: "",
    sample: null,
  };
  let line = 1;
  for await (const { at, bytes } of chunks(blob)) {
    scanChunk(db, result, at, bytes, line);
    line += countNewlines(bytes, bytes.length);
    progress(blob.size ? (at + bytes.length) / blob.size : 1);
  }
  result.detected = detect(db, await read(blob, result.sample.from, result.sample.to));
  return result;
}

/**
 * The charset that the bytes suggest: utf8_detect's answer, or "damaged utf-8" instead of a legacy
 * charset if there are more than twice as many sequences of two or more bytes as errors. Text in
 * a legacy charset has few bytes that are well-formed UTF-8 by chance.
 * @param {import("./utf8ext.js").Database} db
 * @param {Uint8Array} bytes
 * @returns {string}
 */
function detect(db, bytes) {
  const sql = `SELECT utf8_detect(?1), utf8_codepoints(?1), utf8_codepoints(utf8_repair(?1, 'subpart', '')),
    (SELECT kind LIKE '%-byte' FROM utf8_charsets WHERE name = utf8_detect(?1))`;
  const [detected, steps, wellFormed, isLegacy] = db.row(sql, [bytes]);
  const sequences = wellFormed - bytes.reduce((sum, byte) => sum + Number(byte < 0x80), 0);
  return isLegacy && sequences > 2 * (steps - wellFormed) ? DAMAGED : detected;
}

const DAMAGED = "damaged utf-8";

/** Adds one chunk to the result. */
function scanChunk(db, result, at, bytes, line) {
  result.codepoints += db.value("SELECT utf8_codepoints(?)", [bytes]);
  const firstError = db.value("SELECT utf8_error_offset(?)", [bytes]);
  result.sample ??= { from: at, to: at + bytes.length };
  if (firstError === null) {
    result.suspect ??= firstSuspect(db, at, bytes);
    return;
  }
  if (result.errors.length === 0) result.sample = { from: at, to: at + bytes.length };
  countKinds(db, result.kinds, bytes);
  listErrors(db, result.errors, at, bytes, line);
}

function firstSuspect(db, at, bytes) {
  const [kind, offset] = db.row("SELECT utf8_suspect(?1), utf8_suspect_offset(?1)", [bytes]);
  // A byte order mark is one only at the start of the text.
  return kind === null
    ? null
    : { kind: kind === "bom" && at > 0 ? "invisible" : kind, offset: at + offset };
}

function countKinds(db, kinds, bytes) {
  const sql = "SELECT error, count(*) FROM utf8_each(?) WHERE error > '' GROUP BY error";
  for (const [kind, count] of db.rows(sql, [bytes])) kinds[kind] = (kinds[kind] ?? 0) + count;
}

function listErrors(db, errors, at, bytes, line) {
  const sql =
    "SELECT offset, length, error FROM utf8_each(?) WHERE error > '' ORDER BY offset LIMIT ?";
  const room = ERRORS_LISTED - errors.length;
  let counted = 0;
  for (const [offset, length, kind] of db.rows(sql, [bytes, room])) {
    line += countNewlines(bytes.subarray(counted, offset), offset - counted);
    counted = offset;
    errors.push({ offset: at + offset, line, length, kind });
  }
}

function countNewlines(bytes, end) {
  let count = 0;
  for (let i = bytes.indexOf(NEWLINE); i >= 0 && i < end; i = bytes.indexOf(NEWLINE, i + 1))
    count++;
  return count;
}

/**
 * Reads the units from `from` on, which must be a boundary: 0, the offset of an error, or `next`.
 * @param {import("./utf8ext.js").Database} db
 * @param {Blob} blob
 * @param {number} from
 * @returns {Promise<{from: number, units: Unit[], next: number}>}
 */
export async function units(db, blob, from) {
  const bytes = await read(blob, from, from + 4 * UNITS + 8);
  const sql =
    "SELECT offset, bytes, notation, char, error FROM utf8_each(?) ORDER BY offset LIMIT ?";
  const list = [];
  for (const [offset, unit, notation, char, error] of db.rows(sql, [bytes, UNITS])) {
    list.push({ offset: from + offset, bytes: unit, notation, char, error });
  }
  const last = list.at(-1);
  return { from, units: list, next: last ? last.offset + last.bytes.length : from };
}

/** Returns a boundary up to CONTEXT bytes before an error: after an ASCII byte, or the error. */
export async function contextStart(blob, offset) {
  const before = await read(blob, Math.max(0, offset - CONTEXT), offset);
  if (offset <= CONTEXT && before.length === offset) return 0;
  const ascii = before.findIndex((byte) => byte < 0x80);
  return ascii < 0 ? offset : offset - before.length + ascii + 1;
}

/**
 * What utf8ext makes of a short text, or of a part of a long one.
 * @param {import("./utf8ext.js").Database} db
 * @param {Uint8Array} bytes
 */
export function explain(db, bytes) {
  const valid = db.value("SELECT utf8_valid(?)", [bytes]) === 1;
  const detected = detect(db, bytes);
  return {
    valid,
    repairs: valid ? [] : repairs(db, bytes, detected),
    candidates: candidates(db, bytes),
    mojibake: valid ? mojibake(db, bytes) : null,
  };
}

const POLICIES = ["subpart", "byte", "run", "cesu-8", "trim", "escape", "windows-1252"];

function repairs(db, bytes, detected) {
  const list = POLICIES.map((policy) => repair(db, bytes, policy));
  if (!POLICIES.includes(detected) && !["binary", "utf-8", "ascii", DAMAGED].includes(detected)) {
    list.push(repair(db, bytes, detected));
  }
  return list;
}

function repair(db, bytes, name) {
  const call = repairCall(db, name);
  const text = db.value(`SELECT CAST(${call("?1")} AS TEXT)`, [bytes]);
  return { policy: name, text, call: call("X") };
}

/**
 * Returns the SQL that repairs with a policy or a charset, as a function of its argument.
 * @param {import("./utf8ext.js").Database} db
 * @param {string} name
 */
export function repairCall(db, name) {
  const quoted = `'${name.replaceAll("'", "''")}'`;
  if (name === "subpart") return (x) => `utf8_repair(${x})`;
  return isPolicy(db, name)
    ? (x) => `utf8_repair(${x}, ${quoted})`
    : (x) => `utf8_from(${x}, ${quoted})`;
}

function isPolicy(db, name) {
  try {
    db.value("SELECT utf8_repair('', ?)", [name]);
    return true;
  } catch {
    return false;
  }
}

function candidates(db, bytes) {
  const sql = `SELECT name, utf8_detect_score(?1, name) AS score, utf8_from(substr(?1, 1, 400), name)
    FROM utf8_charsets WHERE score > 0 ORDER BY name <> utf8_detect(?1), score DESC, name LIMIT 6`;
  return Array.from(db.rows(sql, [bytes]), ([name, score, text]) => ({ name, score, text }));
}

function mojibake(db, bytes) {
  const sql = `SELECT utf8_mojibake(?1), CAST(utf8_demojibake(?1) AS TEXT), utf8_suspect(?1),
    utf8_suspect_offset(?1)`;
  const [charset, text, kind, offset] = db.row(sql, [bytes]);
  const cleaned =
    kind === null ? null : db.value(`SELECT CAST(${cleanCall(kind)("?1")} AS TEXT)`, [bytes]);
  return {
    charset,
    text,
    suspect: kind === null ? null : { kind, offset, text: cleaned, call: cleanCall(kind)("X") },
  };
}

/** Returns the SQL that removes a kind of suspicious text. */
function cleanCall(kind) {
  if (kind === "bom") return (x) => `utf8_strip_bom(${x})`;
  if (kind === "mojibake") return (x) => `utf8_demojibake(${x})`;
  return (x) => `utf8_strip(${x}, '${kind}')`;
}

/**
 * Repairs a whole file.
 * @param {import("./utf8ext.js").Database} db
 * @param {Blob} blob
 * @param {string} name a policy, "demojibake", or a charset
 * @param {(done: number) => void} progress
 * @returns {Promise<Blob>}
 */
export async function repairFile(db, blob, name, progress) {
  if (name !== "demojibake" && !isPolicy(db, name)) return convertFile(db, blob, name);
  const call = name === "demojibake" ? (x) => `utf8_demojibake(${x})` : repairCall(db, name);
  const parts = [];
  for await (const { at, bytes } of chunks(blob)) {
    parts.push(new Blob([db.value(`SELECT ${call("?1")}`, [bytes])]));
    progress(blob.size ? (at + bytes.length) / blob.size : 1);
  }
  return new Blob(parts);
}

/** Converts a file as one value: a charset may have states that reach across any chunk. */
async function convertFile(db, blob, charset) {
  if (blob.size > CONVERTED_MAX)
    throw new RangeError("a file above 256 MB cannot be converted from a charset here");
  const bytes = await read(blob, 0, blob.size);
  return new Blob([db.value("SELECT CAST(utf8_from(?1, ?2) AS BLOB)", [bytes, charset])]);
}
