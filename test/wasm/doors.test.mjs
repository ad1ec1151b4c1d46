// doors.test.mjs: what the page says of the files of python/tests/doors.py, and the text that it
// downloads, are those of the command, which test_doors.py compares with the same table. Runs the page's
// worker and its words in Node.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import test from "node:test";

const python = process.env.PYTHON || "python3";
const files = JSON.parse(execFileSync(python, ["python/tests/doors.py"], { maxBuffer: 1 << 24 }));
const site = new URL("../../build/site/", import.meta.url);

const calls = new Map();
let receive = null;
globalThis.fetch = async (url) => {
  const type = String(url).endsWith(".wasm") ? "application/wasm" : "application/json";
  return new Response(readFileSync(url), { headers: { "content-type": type } });
};
globalThis.self = {
  addEventListener: (_, listener) => (receive = listener),
  postMessage({ id, progress, result, error }) {
    if (progress === undefined) calls.get(id)(error === undefined ? result : new Error(error));
  },
};
await import(new URL("worker.js", site));
const { verdict } = await import(new URL("textview.js", site));
const { cellsVerdict } = await import(new URL("cellsview.js", site));

/** Calls a function of worker.js, as engine.js does. */
async function call(name, argument = {}) {
  const id = calls.size;
  const result = await new Promise((resolve) => {
    calls.set(id, resolve);
    receive({ data: { id, name, argument } });
  });
  if (result instanceof Error) throw result;
  return result;
}

/** What the page says of a file, and the text that it downloads or has nothing to repair in. */
async function look(name, data) {
  const opened = await call("open", { blob: new Blob([data]), name });
  if (opened.type !== "text") return { type: opened.type, sentence: opened.format ?? "" };
  const scan = await call("scan", opened);
  const cells = await call("cells", { name, scan });
  const said = cells ? cellsVerdict(cells, opened.sections) : verdict(scan);
  const repair = { policy: "auto", decided: scan.decided };
  const blob = cells
    ? await call("repairedCells")
    : scan.decided.call
      ? await call("repairFile", repair)
      : opened.blob;
  return { type: "text", ...said, text: new TextDecoder().decode(await blob.arrayBuffer()) };
}

/** What the page has to call a file: what its sections are in or its charset, and else the causes of its
 * cells or lines, with the charset of UTF-16 and UTF-32. */
function expectedTerms(label) {
  const [charset, ...lines] = label.split(", ");
  if (lines.length === 0 || label.includes(" from line ")) return [label];
  const causes = lines.map((line) =>
    line.replace(/^\d+ lines? (in )?/, "").replace("misread in", "mojibake"),
  );
  return /^utf-(16|32)/.test(charset) ? [charset, ...causes] : causes;
}

async function compare(name, file) {
  const data = Buffer.from(file.data, "hex");
  const { type, sentence, term, text } = await look(name, data);
  if (file.data === "") return assert.equal(type, "empty");
  if (file.label === "binary")
    return assert(type === "another format" || term === "binary", `${sentence}, ${term}`);
  // The page also shows suspicious text, which the command shows with --suspects.
  if (file.name === "NULs") return assert.equal(term, "nul");

  const terms = file.label.includes(" from line ") ? [term] : term.split(", ");
  if (file.label) assert.deepEqual(new Set(terms), new Set(expectedTerms(file.label)));
  const isRight = ["ascii", "utf-8", "utf-8-bom"].includes(file.label);
  assert.equal(sentence.startsWith("Nothing is wrong"), isRight, sentence);
  assert.equal(/ (is|are) unclear/.test(sentence), file.unclear, sentence);
  const loses = file.text?.includes("\uFFFD") && !data.includes("\uFFFD");
  assert.equal(/ loses? a character/.test(sentence), Boolean(loses), sentence);
  assert.equal(text, file.text ?? data.toString());
}

test("there are 60 files", () => assert(files.length >= 60));
for (const file of files) {
  for (const name of ["a.csv", "a.txt"]) test(`${file.name}, ${name}`, () => compare(name, file));
}
