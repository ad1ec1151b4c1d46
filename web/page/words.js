/**
 * words.js: what each answer of utf8ext means, for people who have never heard of UTF-8. utf8ext
 * decides; the page has no rules of its own.
 */
import { number } from "./dom.js";

const LANGUAGES = {
  Arabic: { "windows-1256": "Windows-1256", "iso-8859-6": "ISO 8859-6", cp720: "CP720" },
  Baltic: { "windows-1257": "Windows-1257", "iso-8859-13": "ISO 8859-13", cp775: "CP775" },
  "Central European": {
    "windows-1250": "Windows-1250",
    "iso-8859-2": "ISO 8859-2",
    cp852: "CP852",
    "mac-latin2": "Mac Latin 2",
  },
  Chinese: { gbk: "GBK", gb18030: "GB 18030", big5: "Big5", "euc-tw": "EUC-TW", hz: "HZ" },
  Cyrillic: {
    "windows-1251": "Windows-1251",
    "koi8-r": "KOI8-R",
    "koi8-u": "KOI8-U",
    ibm866: "CP866",
    "iso-8859-5": "ISO 8859-5",
    cp855: "CP855",
    "x-mac-cyrillic": "Mac Cyrillic",
  },
  Greek: { "windows-1253": "Windows-1253", "iso-8859-7": "ISO 8859-7", cp737: "CP737" },
  Hebrew: { "windows-1255": "Windows-1255", "iso-8859-8": "ISO 8859-8", cp862: "CP862" },
  Japanese: { shift_jis: "Shift JIS", "euc-jp": "EUC-JP", "iso-2022-jp": "ISO-2022-JP" },
  Korean: { "euc-kr": "EUC-KR", johab: "Johab", "iso-2022-kr": "ISO-2022-KR" },
  Thai: { "windows-874": "Windows-874" },
  Turkish: { "windows-1254": "Windows-1254", "iso-8859-9": "ISO 8859-9", cp857: "CP857" },
  Vietnamese: { "windows-1258": "Windows-1258", viscii: "VISCII", "tcvn5712-1": "TCVN" },
  "Western European": {
    "windows-1252": "Windows-1252",
    "iso-8859-1": "Latin-1",
    "iso-8859-15": "Latin-9",
    cp437: "CP437",
    cp850: "CP850",
    cp858: "CP858",
    macintosh: "Mac Roman",
  },
};

/** The name of a charset as people write it: "Shift JIS". */
export function charsetName(charset) {
  const names = Object.values(LANGUAGES).find((names) => charset in names);
  return names?.[charset] ?? charset.toUpperCase();
}

/** "Japanese text in Shift JIS" */
function textIn(charset) {
  const entry = Object.entries(LANGUAGES).find(([, names]) => charset in names);
  return `${entry ? `${entry[0]} text` : "text"} in ${charsetName(charset)}`;
}

/** For each cause: one sentence about a text, the words for a value in a table, and what the repair
 * does. `lost` is a number of ill-formed places. */
const CAUSES = {
  binary: {
    sentence: () => "This does not look like text: leave it as it is",
    short: "not text",
    effect: "It is not changed.",
  },
  "cesu-8": {
    sentence: () => "Emoji and rare characters were written in two halves",
    short: "characters in two halves",
    effect: "The halves are joined, and nothing is lost. Java and Oracle write such text.",
  },
  surrogateescape: {
    sentence: () => "Bytes were escaped by Python, and the escapes were written",
    short: "bytes escaped by Python",
    effect: "The bytes are put back, and read as they were meant.",
  },
  "mutf-8": {
    sentence: () => "Some characters were written as only Java does",
    short: "written as Java does",
    effect: "They are written as everyone does, and nothing is lost.",
  },
  overlong: {
    sentence: () => "Some characters are disguised by too many bytes",
    short: "disguised characters",
    effect: "� stands for each. Attacks look like this, so do not undo it.",
  },
  cut: {
    sentence: () => "The text was cut off in the middle of a letter",
    short: "cut off",
    effect: "� stands where it was cut. The rest of that letter is not in the file.",
  },
  damaged: {
    sentence: (lost) =>
      lost === 1 ? "One letter was lost here" : `Letters were lost in ${number(lost)} places`,
    short: "letters lost",
    effect: "� stands for what was lost. No tool can bring it back; a backup can.",
  },
  unclear: {
    sentence: (lost) =>
      `${lost === 1 ? "One letter" : `Letters in ${number(lost)} places`} can be read in more than one way`,
    short: "more than one reading",
    effect: "� stands for each. If a reading below is right, take that one instead.",
  },
};

/** Words for a cause: of CAUSES, of a charset, or of "utf-8+" and a charset. */
function wordsFor(cause) {
  if (cause in CAUSES) return CAUSES[cause];
  if (cause.startsWith("mojibake ")) return misread(charsetName(cause.slice("mojibake ".length)));
  if (cause.startsWith("utf-8+")) return pasted(charsetName(cause.slice(6)));
  return {
    sentence: () => `This is ${textIn(cause)}, not UTF-8`,
    short: textIn(cause),
    effect: `Read as ${charsetName(cause)}, and written as UTF-8.`,
  };
}

function misread(name) {
  return {
    sentence: () => `This is mojibake: UTF-8 that was read as ${name}`,
    short: `misread as ${name}`,
    effect: "The misreading is undone. Text that was right is kept.",
  };
}

function pasted(name) {
  return {
    sentence: () => `Words in ${name} were pasted into UTF-8`,
    short: `${name} in UTF-8`,
    effect: `These words are read as ${name}. Everything else is kept.`,
  };
}

/** "This is Japanese text in Shift JIS, not UTF-8" */
export function causeSentence(cause, lost) {
  return wordsFor(cause).sentence(lost);
}

/** "Japanese text in Shift JIS", for a cell of a table */
export function causeShort(cause) {
  return wordsFor(cause).short;
}

/** What the repair by cause does. */
export function causeEffect(cause) {
  return wordsFor(cause).effect;
}

/** "This is mojibake: UTF-8 that was read as Windows-1252" */
export function mojibakeSentence(charset) {
  return `This is mojibake: UTF-8 that was read as ${charsetName(charset)}`;
}

const POLICIES = {
  auto: "all of the file by one cause",
  subpart: "one � for each error",
  byte: "one � for each byte",
  run: "one � for each run of errors",
  "cesu-8": "halves of characters joined",
  trim: "the cut end dropped",
  escape: "bytes written as \\xhh",
};

/** How the result of a policy or charset differs from the others: "one � for each byte" */
export function policyWords(policy) {
  return POLICIES[policy] ?? `read as ${charsetName(policy)}`;
}
