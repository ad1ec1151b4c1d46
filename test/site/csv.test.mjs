// csv.test.mjs: web/page/csv.js reads the files of test/csv.json as `utf8ext import` does
// (python/tests/test_csv.py), and writes fields that it reads again.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const root = new URL("../../", import.meta.url);
const source = readFileSync(new URL("web/page/csv.js", root), "utf8");
const { dialect, quoted, records, unquoted } = await import(
  `data:text/javascript,${encodeURIComponent(source)}`
);
const cases = JSON.parse(readFileSync(new URL("test/csv.json", root), "utf8"));

function read(bytes, form) {
  const text = ({ from, to }) => new TextDecoder().decode(unquoted(bytes.subarray(from, to)));
  const isBlank = ([{ from, to }, ...others]) => from === to && others.length === 0;
  return Array.from(records(bytes, form))
    .filter((fields) => !isBlank(fields)) // rows of the page, where the command skips them
    .map((fields) => fields.map(text));
}

for (const { name, file = "a.csv", text, delimiter, records: expected } of cases) {
  test(name, () => {
    const bytes = new TextEncoder().encode(text);
    const form = dialect(bytes, file);
    assert.equal(String.fromCharCode(form.delimiter), delimiter);
    assert.deepEqual(read(bytes, form), expected);
  });

  test(`${name}: written and read again`, () => {
    const code = delimiter.charCodeAt(0);
    const write = (field) => quoted(field, code, field === "");
    const lines = expected.map((fields) => fields.map(write).join(delimiter));
    const bytes = new TextEncoder().encode(lines.join("\n"));
    assert.deepEqual(read(bytes, { from: 0, delimiter: code }), expected);
  });
}
