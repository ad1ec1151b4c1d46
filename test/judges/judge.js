// judge.js: compares utf8ext with Node's TextDecoder, which follows the WHATWG Encoding Standard.
//
//     node test/judges/judge.js build/answers.tsv
//
//   utf8_valid                 TextDecoder("utf-8", {fatal: true})
//   utf8_codepoints,
//   policy subpart             TextDecoder("utf-8"): one U+FFFD per maximal subpart
//   utf8_each                  TextDecoder("utf-8"), of well-formed text
//   policy windows-1252        TextDecoder("windows-1252"), of each byte from 80 on
//
// TextDecoder removes a leading EF BB BF unless ignoreBOM is set. In utf8ext only utf8_strip_bom
// does.
//
// Some versions of Node decode windows-1252 as ISO-8859-1 by mistake (nodejs/node, issue
// 56542). With these, windows-1252 is skipped.

"use strict";
const fs = require("fs");

const fatal = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lossy = new TextDecoder("utf-8", { ignoreBOM: true });
const windows1252 = new TextDecoder("windows-1252");
const has1252 = windows1252.decode(Uint8Array.of(0x80)) === "\u20ac";

const hexed = (text) => Buffer.from(text, "utf8").toString("hex").toUpperCase();
const codepoints = (text) => Array.from(text, (c) => c.codePointAt(0)).join(" ");

function decoded(bytes) {
  try {
    return fatal.decode(bytes);
  } catch {
    return null;
  }
}

function comparisons(row) {
  const bytes = Buffer.from(row.input, "hex");
  const text = decoded(bytes);
  const repaired = lossy.decode(bytes);
  const out = {
    "utf8_valid": (row.valid === "1") === (text !== null),
    "utf8_each": text === null || row.each_utf8 === codepoints(text),
    "utf8_codepoints": row.codepoints === String(Array.from(repaired).length),
    "policy subpart": row.subpart === hexed(repaired),
  };
  if (has1252 && bytes.length === 1 && bytes[0] >= 0x80) {
    out["policy windows-1252"] = row.windows1252 === hexed(windows1252.decode(bytes));
  }
  return out;
}

const lines = fs.readFileSync(process.argv[2], "latin1").trimEnd().split("\n");
const names = lines.shift().split("\t");
const wrong = new Map();
const first = new Map();
for (const line of lines) {
  const cells = line.split("\t");
  const row = Object.fromEntries(names.map((name, i) => [name, cells[i]]));
  for (const [name, agrees] of Object.entries(comparisons(row))) {
    wrong.set(name, (wrong.get(name) || 0) + (agrees ? 0 : 1));
    if (!agrees && !first.has(name)) first.set(name, row.input);
  }
}
if (!has1252) {
  console.log(`SKIPPED: Node: windows-1252: Node ${process.version} decodes it as ISO-8859-1`);
}
let failed = 0;
for (const [name, count] of wrong) {
  if (count > 0) failed++;
  console.log(count === 0 ? `ok Node: ${name}`
    : `not ok Node: ${name}: ${count} differ, first ${first.get(name)}`);
}
console.log(`Node ${process.version} on ${lines.length} inputs`);
console.log(`${wrong.size - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 || lines.length === 0 ? 1 : 0;
