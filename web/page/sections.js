/**
 * sections.js: a file in two encodings, as `utf8ext` reads it (python/tests/doors.py). Another shell has
 * appended to it, or files were joined. Each section is decoded as what it is.
 */
import { read } from "./chunks.js";
import rules from "./rules.js";

const MARKS = rules.marks;

/**
 * Returns a file as UTF-8 and what its sections are ("utf-16le, utf-8 from line 4"), or null if it has one.
 * @param {Blob} blob
 * @returns {Promise<{blob: Blob, label: string} | null>}
 */
export async function unified(blob) {
  if (blob.size > rules.longest) return null;
  const bytes = await read(blob, 0, blob.size);
  // Each byte is a character, and those that are looked for are the same as in Latin-1.
  const data = { bytes, text: new TextDecoder("latin1").decode(bytes) };
  const sections = mayHaveSections(data.text) ? Array.from(sectionsOf(data)) : [];
  return sections.length < 2 ? null : joined(data, sections);
}

function mayHaveSections(text) {
  return text.includes("\0") || MARKS.some(([mark]) => text.indexOf(mark, 1) > 0);
}

function joined({ bytes }, sections) {
  const names = [];
  let [text, line] = ["", 1];
  const pieces = sections.map(({ charset, start, end }) => {
    const section = bytes.subarray(start, end);
    const name = charset === "utf-8" && isMarked(section) ? "utf-8-bom" : charset;
    names.push(start > 0 ? `${name} from line ${line.toLocaleString("en")}` : name);
    text = new TextDecoder(charset).decode(section);
    line += text.split("\n").length - 1;
    if (charset !== "utf-8") return text;
    return isMarked(section) ? section.subarray(MARKS[2][0].length) : section;
  });
  return { blob: new Blob(pieces), label: names.join(", ") };
}

function isMarked(section) {
  return section[0] === 0xef && section[1] === 0xbb && section[2] === 0xbf;
}

function* sectionsOf(data) {
  for (let start = 0; start < data.bytes.length;) {
    const charset = charsetAt(data.text, start);
    const end = charset === "utf-8" ? endOfBytes(data, start) : endOfUnits(data, start, charset);
    yield { charset, start, end };
    start = end;
  }
}

/** What a section is in, by its byte order mark or where its NULs are. All text of 8 bits is "utf-8". */
function charsetAt(text, at) {
  const marked = MARKS.find(([mark]) => text.startsWith(mark, at));
  return marked?.[1] ?? unitsAt(text, at) ?? "utf-8";
}

/** The form of UTF-16 that starts here, or null: of half of its units a byte is NUL. */
function unitsAt(text, at) {
  const piece = text.slice(at, at + 4 * rules.short);
  if (!piece.slice(0, rules.units).includes("\0")) return null;
  const nuls = [0, 0]; // at even and at odd places
  for (let i = 0; i < piece.length; i++) if (piece[i] === "\0") nuls[i % 2]++;
  const enough = Math.max(Math.floor(piece.length / 4), 4);
  if (nuls[1] >= enough && nuls[0] === 0) return "utf-16le";
  return nuls[0] >= enough && nuls[1] === 0 ? "utf-16be" : null;
}

/** Where a section in UTF-16 ends: text of 8 bits starts after a line of it, or another mark is there. */
function endOfUnits({ bytes, text }, start, charset) {
  for (const match of matches(rules.stretch[charset], text, start)) {
    const at = match.index + 2;
    const stretch = match[1].slice(0, match[1].lastIndexOf("\n") + 1) || match[1];
    if ((at - start) % 2 === 0 && isBytes(bytes, at, stretch)) return at;
  }
  const isStart = (at) =>
    at > 0 && (at - start) % 2 === 0 && ["\n\0", "\0\n"].includes(text.slice(at - 2, at));
  const marks = MARKS.slice(0, 2).map(([mark]) => text.indexOf(mark, start + 2));
  return Math.min(text.length, ...marks.filter(isStart));
}

/** Is a stretch text of 8 bits? As letters of UTF-16, spaces and ends of lines would be rare. */
function isBytes(bytes, at, stretch) {
  if (stretch.length < rules.short || !isUtf8(bytes.subarray(at, at + stretch.length)))
    return false;
  for (let i = 1; i < stretch.length; i += 2) if (" \n,;\t.".includes(stretch[i])) return true;
  return false;
}

/** Where text of 8 bits ends: UTF-16 starts at the start of a line, or a new mark. */
function endOfBytes({ bytes, text }, start) {
  for (const match of matches(rules.next, text, start)) {
    const at = match.index + 1;
    if (text.startsWith(MARKS[2][0], at)) return at;
    const section = bytes.subarray(start, at);
    if (!section.includes(0) && isUtf8(section) && startsUnits(text, at)) return at;
  }
  return text.length;
}

/** Does UTF-16 start here? After a byte order mark, its ends of lines are enough. */
function startsUnits(text, at) {
  if (!MARKS.slice(0, 2).some(([mark]) => text.startsWith(mark, at)))
    return unitsAt(text, at) !== null;
  return text.indexOf("\n\0", at) >= 0 || text.indexOf("\0\n", at) >= 0;
}

function* matches(pattern, text, start) {
  const search = new RegExp(pattern, "g");
  search.lastIndex = start;
  for (let match; (match = search.exec(text));) yield match;
}

function isUtf8(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes) !== null;
  } catch {
    return false;
  }
}
