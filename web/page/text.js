/**
 * text.js: checks and repairs a text of any length. Runs in the worker.
 *
 * @typedef {{offset: number, line: number, length: number, kind: string}} TextError
 * @typedef {{size: number, codepoints: number, kinds: Record<string, number>, errors: TextError[],
 *   suspect: Suspect | null, decided: Decided, isMisread: boolean, sections: string,
 *   sample: {from: number, to: number}}} Scan errors: the first ERRORS_LISTED; isMisread: has it
 *   well-formed text that was or may have been misread; sections: in what its sections were, if in several
 *   encodings; sample: the bytes that decided, the chunk with the first error if the text is long
 * @typedef {{kind: string, offset: number, cause: string | null, call: string | null}} Suspect
 *   cause: the charset in which mojibake was misread
 * @typedef {{text: string, policies: string[], call: string}} Repair policies: all that have this
 *   result
 * @typedef {{cause: string, call: string | null}} Decided cause: what utf8_audit names, or
 *   utf8_detect of well-formed text; call: the SQL that repairs ?1 by that cause
 * @typedef {{offset: number, bytes: Uint8Array, notation: string | null, char: string | null,
 *   error: string | null}} Unit a code point or an ill-formed subpart
 */
import { chunks, read } from "./chunks.js";
import { lineEnd } from "./csv.js";
import rules from "./rules.js";

/** How many errors a scan lists. It counts all of them. */
const ERRORS_LISTED = 1000;
const CONVERTED_MAX = 256 << 20;
const UNITS = 256;
const CONTEXT = 96;
const EXCERPT = 4096;
const NEWLINE = 10;
const BOM = [0xef, 0xbb, 0xbf];

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
    decided: null,
    isMisread: false,
    sections: "",
    sample: null,
  };
  let line = 1;
  for await (const { at, bytes } of chunks(blob)) {
    scanChunk(db, result, at, bytes, line);
    line += countNewlines(bytes, bytes.length);
    progress(blob.size ? (at + bytes.length) / blob.size : 1);
  }
  if (blob.size <= rules.longest) result.sample = { from: 0, to: blob.size };
  const sample = await read(blob, result.sample.from, result.sample.to);
  result.decided = decide(db, sample, result);
  return result;
}

/**
 * What is decided about a text: what its bytes show, or its units if it is UTF-16 that lost its last
 * byte, or its characters beside NULs.
 * @param {import("./utf8ext.js").Database} db
 * @param {Uint8Array} bytes
 * @returns {Decided}
 */
function decide(db, bytes, scan) {
  const decided = decideValue(db, bytes, scan);
  if (!["binary", "unclear"].includes(decided.cause)) return decided;
  const cut = bytes.length === scan.size ? cutUnits(db, bytes) : null;
  const cause = cut ?? (decided.cause === "binary" ? causeWithoutNuls(db, bytes) : null);
  if (cause === null) return decided;
  if (isUtf8(cause)) return { cause, call: scan.suspect?.call ?? null };
  return { cause, call: isCharset(db, cause) ? callFor(cause, null) : "utf8_repair(?1)" };
}

/** The charset of UTF-16 that lost its last byte, or null. */
function cutUnits(db, bytes) {
  if (bytes.length % 2 === 0 || bytes.length < rules.units) return null;
  const charset = db.value("SELECT utf8_detect(?)", [bytes.subarray(0, -1)]);
  return charset.startsWith("utf-16") ? charset : null;
}

/** The cause of a text with few NULs without them, or null. EBCDIC with NULs has numbers. */
function causeWithoutNuls(db, bytes) {
  const text = bytes.filter((byte) => byte !== 0);
  const nuls = bytes.length - text.length;
  if (nuls === 0 || nuls * rules.nuls > bytes.length) return null;
  const cause = db.value("SELECT coalesce(utf8_cause(?1), utf8_detect(?1))", [text]);
  return cause === "binary" || /^utf-(16|32)/.test(cause) || isEbcdic(db, cause) ? null : cause;
}

function isEbcdic(db, charset) {
  return db.value(rules.isEbcdic, [charset]) === 1;
}

function isCharset(db, name) {
  return db.value("SELECT count(*) FROM utf8_charsets WHERE name = ?", [name]) === 1;
}

/**
 * What utf8_audit decides about the text as a value, or of well-formed text utf8_detect and what was
 * found in it.
 */
function decideValue(db, bytes, { errors, suspect }) {
  if (errors.length > 0) return audit(db, bytes);
  const cause = db.value("SELECT utf8_detect(?)", [bytes]);
  if (isUtf8(cause)) return { cause, call: suspect?.call ?? null };
  return { cause, call: cause === "binary" ? null : callFor(cause, null) };
}

/** Is this answer of utf8_detect UTF-8? */
function isUtf8(charset) {
  return ["ascii", "utf-8", "utf-8-bom"].includes(charset);
}

/**
 * What utf8_audit finds first in a text with an error or suspicious text, under the policy auto.
 * @param {import("./utf8ext.js").Database} db
 * @param {Uint8Array} bytes
 */
function audit(db, bytes) {
  db.run("CREATE TEMP TABLE IF NOT EXISTS audited(x)");
  try {
    db.value("INSERT INTO temp.audited VALUES (CAST(? AS TEXT))", [bytes]);
    const sql = `SELECT error, "offset", cause, repair_call
      FROM temp.utf8_audit('temp', 'auto', 1) WHERE table_name = 'audited'`;
    const [kind, offset, cause, call] = db.row(sql);
    return { kind, offset, cause, call };
  } finally {
    db.run("DELETE FROM temp.audited");
  }
}

/** A scan of a text whose sections were in several encodings: its repair is the text itself.
 * @param {Scan} scan */
export function withSections(scan, sections) {
  if (sections) scan.decided.call ??= "?1";
  return { ...scan, sections };
}

/** Adds one chunk to the result. */
function scanChunk(db, result, at, bytes, line) {
  result.codepoints += db.value("SELECT utf8_codepoints(?)", [bytes]);
  const firstError = db.value("SELECT utf8_error_offset(?)", [bytes]);
  result.sample ??= { from: at, to: at + bytes.length };
  if (firstError === null) {
    result.suspect ??= firstSuspect(db, at, bytes);
    result.isMisread ||= isMisread(db, bytes);
    return;
  }
  if (result.errors.length === 0) result.sample = { from: at, to: at + bytes.length };
  countKinds(db, result.kinds, bytes);
  listErrors(db, result.errors, at, bytes, line);
}

const LATIN = new RegExp(rules.latin);

/** Has well-formed text a part that was misread, or may it have one as its column shows? */
export function isMisread(db, bytes) {
  if (bytes.every((byte) => byte < 0x80)) return false;
  if (LATIN.test(new TextDecoder().decode(bytes))) return true;
  for (const part of parts(bytes)) if (db.value(rules.isMojibake, [part]) === 1) return true;
  return false;
}

/** Yields a text, and if it is too long to be read in multi-byte charsets, its lines with letters of East Asia, many
 * at once. @param {Uint8Array} bytes */
function* parts(bytes) {
  yield bytes;
  if (bytes.length <= rules.value) return;
  for (let start = eastAfter(bytes, 0); start < bytes.length; ) {
    const last = start + rules.value;
    const end =
      last < bytes.length ? bytes.lastIndexOf(NEWLINE, last - 1) + 1 : bytes.length;
    if (end > start) yield bytes.subarray(start, end);
    start = eastAfter(bytes, end > start ? end : lineEnd(bytes, start));
  }
}

/** Where U+3000 or what follows it starts, from `at` on; or the length. */
function eastAfter(bytes, at) {
  while (at < bytes.length && bytes[at] < 0xe3) at++;
  return at;
}

/** The first suspicious text after the byte order mark. @returns {Suspect | null} */
function firstSuspect(db, at, bytes) {
  if (at === 0 && BOM.every((byte, i) => bytes[i] === byte))
    return suspectAt(db, BOM.length, bytes.subarray(BOM.length));
  return suspectAt(db, at, bytes);
}

function suspectAt(db, at, bytes) {
  if (db.value("SELECT utf8_suspect(?)", [bytes]) === null) return null;
  const { kind, offset, cause, call } = audit(db, bytes);
  // A byte order mark is one only at the start of the text.
  if (kind === "bom" && at > 0)
    return { kind: "invisible", offset: at + offset, cause, call: null };
  return { kind, offset: at + offset, cause, call };
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
 * The lines around a place of a long text, to be shown: about EXCERPT bytes. In text that is cut at
 * an ASCII byte, such as Shift JIS, only the end of a line is surely the end of a character.
 * @param {Blob} blob
 * @param {number | null} offset of an error; null: the start of the text
 */
export async function excerpt(blob, offset) {
  if (offset === null) return { from: 0, to: Math.min(EXCERPT, blob.size) };
  const before = await read(blob, Math.max(0, offset - EXCERPT / 4), offset);
  const from = offset - before.length + (before.lastIndexOf(NEWLINE) + 1);
  const after = await read(blob, from, from + EXCERPT);
  const lines = after.lastIndexOf(NEWLINE) + 1;
  return { from, to: from + (lines > offset - from ? lines : after.length) };
}

/**
 * What utf8ext makes of a short text, or of a part of a long one.
 * @param {import("./utf8ext.js").Database} db
 * @param {Uint8Array} bytes
 * @param {Scan} scan of the whole text
 */
export function explain(db, bytes, { decided, errors }) {
  const found = candidates(db, bytes);
  const names = [
    ...(decided.call ? ["auto"] : []),
    ...(errors.length > 0 ? policies(db, decided, found) : []),
  ];
  const repairs = names.map((name) => repair(db, bytes, name, callFor(name, decided)));
  return { repairs: merged(repairs), candidates: found };
}

const POLICIES = ["subpart", "byte", "run", "cesu-8", "trim", "escape", "windows-1252"];

/** The policies, and for unclear text the charsets that are candidates. */
function policies(db, { cause }, found) {
  if (cause !== "unclear") return POLICIES;
  const sql = "SELECT count(*) FROM utf8_charsets WHERE name = ? AND kind LIKE '%-byte'";
  const isLegacy = (name) => db.value(sql, [name]) === 1;
  const charsets = found.map(({ name }) => name).filter(isLegacy);
  return [...charsets, ...POLICIES.filter((name) => !charsets.includes(name))];
}

function repair(db, bytes, policy, call) {
  return { policy, call, text: db.value(`SELECT CAST(${call} AS TEXT)`, [bytes]) };
}

/** Merges equal results. @returns {Repair[]} */
function merged(repairs) {
  const results = new Map();
  for (const { policy, call, text } of repairs) {
    if (results.has(text)) results.get(text).policies.push(policy);
    else results.set(text, { text, policies: [policy], call });
  }
  return [...results.values()];
}

/** The SQL that repairs ?1: by "auto", which is what was decided, a policy, or a charset. */
function callFor(name, decided) {
  if (name === "auto") return decided.call;
  if (name === "subpart") return "utf8_repair(?1)";
  return POLICIES.includes(name) ? `utf8_repair(?1, '${name}')` : `utf8_from(?1, '${name}')`;
}

/** The charset that utf8_detect names, then those at least half as plausible as the best. */
function candidates(db, bytes) {
  const sql = `WITH c(name, score) AS MATERIALIZED
      (SELECT name, utf8_detect_score(?1, name) FROM utf8_charsets)
    SELECT name, score, utf8_from(substr(?1, 1, 400), name) FROM c
    WHERE score > 0 AND score * 2 >= (SELECT max(score) FROM c)
    ORDER BY name <> utf8_detect(?1), score DESC, name LIMIT 6`;
  return Array.from(db.rows(sql, [bytes]), ([name, score, text]) => ({ name, score, text }));
}

/**
 * Repairs a whole file.
 * @param {import("./utf8ext.js").Database} db
 * @param {Blob} blob
 * @param {string} name a policy, "auto", or a charset
 * @param {Decided} decided about the file
 * @param {(done: number) => void} progress
 * @returns {Promise<Blob>}
 */
export async function repairFile(db, blob, name, decided, progress) {
  const call = callFor(name, decided);
  if (isConversion(call)) return convertFile(db, blob, call);
  const parts = [];
  for await (const { at, bytes } of chunks(blob)) {
    parts.push(new Blob([db.value(`SELECT ${call}`, [bytes])]));
    progress(blob.size ? (at + bytes.length) / blob.size : 1);
  }
  return new Blob(parts);
}

/** Does a call decode the whole value? */
function isConversion(call) {
  return call.startsWith("utf8_from");
}

/**
 * Returns a text as UTF-8 if some of its places are ill-formed or may have been misread; null if not, or
 * if it is too long to be in memory.
 * @param {import("./utf8ext.js").Database} db
 * @param {Blob} blob
 * @param {Scan} scan
 * @returns {Promise<Blob | null>}
 */
export async function mixed(db, blob, scan) {
  if (scan.size > CONVERTED_MAX) return null;
  if (!hasUnits(scan)) return isMixed(scan) ? blob : null;
  const text = await convertFile(db, blob, callFor(scan.decided.cause, null));
  for await (const { bytes } of chunks(text)) if (isMisread(db, bytes)) return text;
  return null;
}

/** Is a text in UTF-16 or UTF-32? @param {Scan} scan */
export function hasUnits({ decided }) {
  return /^utf-(16|32)/.test(decided.cause);
}

/** Is a text UTF-8 except for some places, or was some of it misread? @param {Scan} scan */
function isMixed({ errors, isMisread, decided: { cause, call } }) {
  if (errors.length === 0) return isMisread && isUtf8(cause);
  return call !== null && !isConversion(call);
}

/** Converts a file as one value: a charset may have states that reach across any chunk. */
async function convertFile(db, blob, call) {
  if (blob.size > CONVERTED_MAX)
    throw new RangeError("a file above 256 MB cannot be converted from a charset here");
  const bytes = await read(blob, 0, blob.size);
  return new Blob([db.value(`SELECT CAST(${call} AS BLOB)`, [bytes])]);
}
