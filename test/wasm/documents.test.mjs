// documents.test.mjs: the SQL examples of the documents and the test vectors give the same results
// in WebAssembly, under each kernel. test/docs.py describes the examples.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { bytes, loadKernel } from "./module.mjs";

const KERNELS = ["scalar", "simd128"];
const DOCUMENTS = ["README.md", "docs/functions.md", "docs/audit.md", "docs/detection.md"];

function read(path) {
  return readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
}

/** Yields each statement of a document with the lines that it should print. */
function* examples(path) {
  for (const [, block] of read(path).matchAll(/^```sql\n(.*?)^```/gms)) {
    const sql = block.replace(/^(\.load .*|--.*)?\n/, "").replace(/^\n--.*\n/gm, "\n");
    for (const [, statement, lines] of sql.matchAll(
      /(\S.*?;)[ \t]*((?:--[^\n]*)?\n(?:--(?: [^\n]*)?\n)*)/gs,
    )) {
      const expected = lines
        .split("\n")
        .filter((line) => line.startsWith("--"))
        .map((line) => line.slice(3));
      yield { statement, expected };
    }
  }
}

function printed(value) {
  if (value === null) return "NULL";
  return value instanceof Uint8Array ? `x'${Buffer.from(value).toString("hex")}'` : String(value);
}

function run(db, statement) {
  const lines = [];
  try {
    for (const row of db.rows(statement)) lines.push(...row.map(printed).join("|").split("\n"));
  } catch (error) {
    lines.push(`Error: ${error.message}`);
  }
  return lines;
}

/** A number does not say whether it was 1 or 1.0. */
function withoutZero(lines) {
  return lines.map((line) => line.replace(/(?<![.\d])(\d+)\.0(?![.\d])/g, "$1"));
}

for (const kernel of KERNELS) {
  for (const path of DOCUMENTS) {
    test(`${kernel}: the examples of ${path}`, async () => {
      const db = (await loadKernel(kernel)).open();
      let count = 0;
      for (const { statement, expected } of examples(path)) {
        count++;
        if (!expected.includes("..."))
          assert.deepEqual(withoutZero(run(db, statement)), withoutZero(expected), statement);
      }
      assert(count > 3, `${count} examples`);
    });
  }

  test(`${kernel}: the vectors of test/vectors.tsv`, async () => {
    const db = (await loadKernel(kernel)).open();
    const vectors = read("test/vectors.tsv")
      .split("\n")
      .filter((line) => /^[0-9a-f]*\t/.test(line));
    assert.equal(vectors.length, 111);
    for (const [input, valid, repaired, codepoints] of vectors.map((line) => line.split("\t"))) {
      const row = db.row(
        "SELECT utf8_valid(?1), lower(hex(utf8_repair(?1))), utf8_codepoints(?1)",
        [bytes(input)],
      );
      assert.deepEqual(row, [Number(valid), repaired, Number(codepoints)], input);
    }
  });
}

test("both kernels agree on random texts in SQL", async () => {
  const databases = await Promise.all(
    KERNELS.map(async (kernel) => (await loadKernel(kernel)).open()),
  );
  const sql =
    "SELECT utf8_error(?1), utf8_error_offset(?1), utf8_codepoints(?1), utf8_repair(?1), utf8_suspect(?1), utf8_detect(?1)";
  for (let seed = 1; seed <= 400; seed++) {
    const text = randomText(seed);
    const [scalar, simd128] = databases.map((db) => db.row(sql, [text]));
    assert.deepEqual(simd128, scalar, `seed ${seed}`);
  }
});

/** Well-formed text of up to 2,000 bytes with some bytes changed. */
function randomText(seed) {
  let state = seed;
  const below = (n) => (state = (state * 48271) % 2147483647) % n;
  const pieces = ["a", "é", "日本", "😀", "plain text, ", "\u200B"];
  const text = Buffer.from(
    Array.from({ length: below(300) }, () => pieces[below(pieces.length)]).join(""),
  );
  for (let i = below(4); i > 0 && text.length > 0; i--) text[below(text.length)] = below(256);
  return text;
}
