// chunks.test.mjs: web/page/chunks.js. Errors and repairs of a text are those of its chunks.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { sqlite } from "./module.mjs";

const source = readFileSync(new URL("../../web/page/chunks.js", import.meta.url), "utf8");
const { chunks } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
const db = sqlite.open();

async function split(text, size) {
  const list = [];
  for await (const chunk of chunks(new Blob([text]), size)) list.push(chunk);
  return list;
}

function errors(bytes, at) {
  const sql = "SELECT offset, length, error FROM utf8_each(?) WHERE error > '' ORDER BY offset";
  return Array.from(db.rows(sql, [bytes]), ([offset, length, kind]) => [at + offset, length, kind]);
}

/** Texts of ASCII, sequences, and pieces of sequences. */
function randomText(seed) {
  let state = seed;
  const below = (n) => (state = (state * 48271) % 2147483647) % n;
  const pieces = ["61", "0a", "c3a9", "e697a5", "f09f9880", "e6", "e697", "f09f98", "97", "ff"];
  pieces.push("c080", "eda0bd", "edb880", "eda0bdedb880", "c0af", "f4908080");
  return Buffer.from(Array.from({ length: below(60) }, () => pieces[below(16)]).join(""), "hex");
}

test("random texts in chunks of 1 to 40 bytes", async () => {
  const policies = ["subpart", "byte", "run", "cesu-8", "trim", "escape", "windows-1252"];
  for (let seed = 1; seed <= 2000; seed++) {
    const text = randomText(seed);
    const parts = await split(text, 1 + (seed % 40));
    assert.deepEqual(Buffer.concat(parts.map(({ bytes }) => bytes)), text);
    const found = parts.flatMap(({ at, bytes }) => errors(bytes, at));
    assert.deepEqual(found, errors(text, 0), text.toString("hex"));
    const policy = policies[seed % policies.length];
    const repair = (bytes) => db.value("SELECT utf8_repair(?, ?)", [bytes, policy]);
    const repaired = Buffer.concat(parts.map(({ bytes }) => repair(bytes)));
    assert.deepEqual(repaired, Buffer.from(repair(text)), `${policy} ${text.toString("hex")}`);
  }
});

test("an empty text is one empty chunk", async () => {
  const parts = await split("", 5);
  assert.deepEqual(parts, [{ at: 0, bytes: new Uint8Array(0), isLast: true }]);
});

test("a text without ASCII is one chunk", async () => {
  assert.equal((await split("日".repeat(1000), 5)).length, 1);
});

test("a chunk ends after an ASCII byte", async () => {
  const parts = await split("aé日a日本b😀", 8);
  const texts = parts.map(({ bytes }) => new TextDecoder().decode(bytes));
  assert.deepEqual(texts, ["aé日a", "日本b", "😀"]);
});
