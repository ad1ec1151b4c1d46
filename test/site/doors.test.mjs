// doors.test.mjs: what the page says of the files of python/tests/doors.py, and the text that it
// downloads, are those of the command, which test_doors.py compares with the same table.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { download, inPage, settled } from "./browser.mjs";

const python = process.env.PYTHON ?? "python3";
const files = JSON.parse(execFileSync(python, ["python/tests/doors.py"], { maxBuffer: 1 << 24 }));

/** The term after the page's sentence: "utf-8", "windows-1252, cut". */
async function termOf(page) {
  const term = page.locator("#status .term");
  return (await term.count()) > 0 ? term.textContent() : "";
}

/** What the page has to call a file: what its parts are in or its charset, or else the causes of its
 * cells or lines. "" if several charsets have the same letters. */
function expectedTerms(label) {
  if (label.includes(" from line ")) return [label];
  const [charset, ...lines] = label.split(", ");
  if (lines.length === 0) return [charset];
  return lines.map((line) =>
    line.replace(/^\d+ lines? (in )?/, "").replace("misread in", "mojibake"),
  );
}

/** The text after the page has repaired it; what was given where it has nothing to repair. */
async function textOf(page, { data }) {
  const button = page.locator("#best button.main");
  const bytes = (await page.isVisible("#best-section"))
    ? (await download(page, button)).bytes
    : Buffer.from(data, "hex");
  return new TextDecoder().decode(bytes);
}

async function compare(page, name, file) {
  const before = await page.textContent("#status");
  const buffer = Buffer.from(file.data, "hex");
  await page.setInputFiles("#file", { name, mimeType: "text/plain", buffer });
  const status = await settled(page, before);
  const what = `${name}, ${file.name}: ${status}`;
  assert(status.startsWith(name), what);
  if (file.label === "binary")
    return assert.match(status, /look like text| is (an?|text in) /, what);
  if (file.data === "") return assert.match(status, / is empty: 0 bytes/, what);

  const terms = (await termOf(page)).split(file.label.includes(" from line ") ? "\n" : ", ");
  const expected = file.name === "NULs" ? ["nul"] : expectedTerms(file.label);
  if (file.label) assert.deepEqual(new Set(terms), new Set(expected), what);
  const isRight = ["ascii", "utf-8", "utf-8-bom"].includes(file.label) && file.name !== "NULs";
  assert.equal(status.includes("Nothing is wrong"), isRight, what);
  assert.equal(/ (is|are) unclear/.test(status), file.unclear, what);
  const loses = file.text?.includes("\uFFFD") && !buffer.includes("\uFFFD");
  assert.equal(/ loses? a character/.test(status), Boolean(loses), what);
  if (file.text === null)
    return assert.deepEqual(await textOf(page, file), buffer.toString(), what);
  if (file.name !== "NULs") assert.equal(await textOf(page, file), file.text, what);
}

/** Files whose cells or lines are decided are looked at as both. */
for (const [ending, chosen] of [
  ["csv", files],
  ["txt", files.filter(({ label }) => label.includes(", "))],
]) {
  inPage(`files.${ending}: the page decides them as the command does`, async (page) => {
    assert(files.length >= 60 && chosen.length >= 10);
    for (const [number, file] of chosen.entries()) await compare(page, `${number}.${ending}`, file);
  });
}
