// wasm.mjs: the kernels of the WebAssembly module, through SQL in Node.
//
//     make wasm && node --no-liftoff bench/wasm.mjs
//
// Without --no-liftoff, Node measures the code of its quick first compiler for a while.
// Each text is one value of 16 MB in a table. Both kernels take turns for ROUNDS rounds; a figure
// is the median of the process's own time on the processor. "fetch" only reads the value.
import { readFileSync } from "node:fs";
import { load } from "../build/wasm/utf8ext.js";

const SIZE = 16 << 20;
const ROUNDS = Number(process.env.ROUNDS ?? 15);
const KERNELS = ["scalar", "simd128"];

function repeated(text) {
  const bytes = Buffer.from(text);
  return Buffer.alloc(SIZE - (SIZE % bytes.length), bytes);
}

function damaged(every) {
  const bytes = repeated(MIXED);
  for (let i = every / 2; i < bytes.length; i += every) bytes[i] = 0xff;
  return bytes;
}

const MIXED = "The naïve café, Привет мир, नमस्ते, 日本語のテキスト, 한국어 and 😀🎉. ";
const TEXTS = {
  ascii: repeated("The quick brown fox jumps over the lazy dog, 0123456789. "),
  cyrillic: repeated("Съешь же ещё этих мягких французских булок, да выпей чаю. "),
  chinese: repeated("天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏。"),
  mixed: repeated(MIXED),
  "one error in 1 KB": damaged(1024),
  "one error in 16 bytes": damaged(16),
};
const WORK = {
  fetch: "SELECT x < x'00' FROM t WHERE rowid = ?",
  utf8_valid: "SELECT utf8_valid(x) FROM t WHERE rowid = ?",
  utf8_codepoints: "SELECT utf8_codepoints(x) FROM t WHERE rowid = ?",
  utf8_repair: "SELECT utf8_repair(x) < x'00' FROM t WHERE rowid = ?",
};

async function open(kernel) {
  const binary = readFileSync(new URL("../build/wasm/utf8ext.wasm", import.meta.url));
  const db = (await load(binary, { environment: { UTF8EXT_KERNEL: kernel } })).open();
  db.run("CREATE TABLE t(x)");
  for (const text of Object.values(TEXTS)) db.value("INSERT INTO t VALUES (?)", [text]);
  return db;
}

/** Microseconds of user time. */
function time(db, sql, row) {
  const start = process.cpuUsage().user;
  db.value(sql, [row]);
  return process.cpuUsage().user - start;
}

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

const databases = await Promise.all(KERNELS.map(open));
console.log("| MB/s | scalar | simd128 | ratio |\n|---|---|---|---|");
for (const [work, sql] of Object.entries(WORK)) {
  Object.keys(TEXTS).forEach((name, i) => {
    const samples = KERNELS.map(() => []);
    for (let round = 0; round < ROUNDS; round++)
      databases.forEach((db, k) => samples[k].push(time(db, sql, i + 1)));
    const [scalar, simd128] = samples.map((times) => Math.round(SIZE / median(times)));
    console.log(`| ${work}, ${name} | ${scalar} | ${simd128} | ${(simd128 / scalar).toFixed(2)} |`);
  });
}
