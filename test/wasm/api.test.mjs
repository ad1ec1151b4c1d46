// api.test.mjs: web/wasm/utf8ext.js, the JavaScript API.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { load, SQLiteError } from "../../build/wasm/utf8ext.js";
import { bytes, loadKernel, sqlite } from "./module.mjs";

/** Opens a database for one test. */
function withDatabase(t, content) {
  const db = sqlite.open(content);
  t.after(() => db.connection && db.close());
  return db;
}

test("values of every type go in and come out", (t) => {
  const db = withDatabase(t);
  const values = [
    null,
    0,
    -1,
    1.5,
    2 ** 53 - 1,
    9223372036854775807n,
    "naïve 😀",
    "",
    new Uint8Array(0),
    bytes("00ff"),
  ];
  for (const value of values) assert.deepEqual(db.value("SELECT ?", [value]), value);
  assert.equal(db.value("SELECT typeof(?)", [1]), "integer");
  assert.equal(db.value("SELECT typeof(?)", [1.5]), "real");
  assert.equal(db.value("SELECT typeof(?)", [""]), "text");
  assert.equal(db.value("SELECT typeof(?)", [new Uint8Array(0)]), "blob");
});

test("text keeps NUL and a byte order mark", (t) => {
  const db = withDatabase(t);
  assert.equal(db.value("SELECT ?", ["\uFEFFa\0b"]), "\uFEFFa\0b");
});

test("ill-formed text is an error, not U+FFFD", (t) => {
  const db = withDatabase(t);
  assert.throws(
    () => db.value("SELECT CAST(x'ff' AS TEXT) AS name"),
    /^TypeError: column name is ill-formed UTF-8/,
  );
  assert.equal(db.value("SELECT 1"), 1);
});

test("row() and value() of no row are undefined", (t) => {
  const db = withDatabase(t);
  assert.equal(db.row("SELECT 1 WHERE 0"), undefined);
  assert.equal(db.value("SELECT 1 WHERE 0"), undefined);
  assert.equal(db.value("-- nothing"), undefined);
});

test("errors have SQLite's message and code", (t) => {
  const db = withDatabase(t);
  assert.throws(
    () => db.value("SELECT utf8_valid('', 'utf-9')"),
    (error) => {
      assert(error instanceof SQLiteError);
      assert.match(
        error.message,
        /^utf8_valid: argument 2 \(dialect\) is 'utf-9'; accepted: utf-8/,
      );
      return error.code === 1;
    },
  );
  assert.throws(
    () => db.value("SELECT ?"),
    /^RangeError: the statement has 1 parameters, but got 0 values/,
  );
  assert.throws(() => db.run("SELECT 1; SELEC 2"), /syntax error/);
});

test("run() runs all statements of a script", (t) => {
  const db = withDatabase(t);
  db.run("CREATE TABLE t(x); -- é\nINSERT INTO t VALUES (1), (2);\n\nINSERT INTO t VALUES (3);; ");
  assert.deepEqual(Array.from(db.rows("SELECT x FROM t")), [[1], [2], [3]]);
});

test("a loop that ends early leaves no statement behind", (t) => {
  const db = withDatabase(t);
  db.run("CREATE TABLE t(x); INSERT INTO t VALUES (1), (2)");
  for (const _ of db.rows("SELECT x FROM t")) break;
  db.run("DROP TABLE t");
});

test("bytes() is a database that open() accepts, and open() copies", (t) => {
  const db = withDatabase(t);
  db.run("CREATE TABLE t(x); INSERT INTO t VALUES (CAST(x'ff' AS TEXT))");
  const file = db.bytes();
  const copy = file.slice();
  const other = withDatabase(t, file);
  other.run("UPDATE t SET x = utf8_repair(x)");
  assert.deepEqual(file, copy);
  assert.equal(other.value("SELECT x FROM t"), "\uFFFD");
  assert.equal(withDatabase(t, other.bytes()).value("SELECT count(*) FROM utf8_audit"), 0);
});

test("openStream() takes a file in parts, and refuses one that has grown", async (t) => {
  const db = withDatabase(t);
  db.run("CREATE TABLE t(x); INSERT INTO t VALUES (5)");
  const file = db.bytes();
  async function* parts() {
    for (let at = 0; at < file.length; at += 1000) yield file.subarray(at, at + 1000);
  }
  const other = await sqlite.openStream(file.length, parts());
  t.after(() => other.close());
  assert.equal(other.value("SELECT x FROM t"), 5);
  await assert.rejects(sqlite.openStream(file.length - 1, parts()), /the file has grown/);
});

test("a file that is not a database is an error at the first statement", (t) => {
  const db = withDatabase(t, bytes("a5".repeat(4096)));
  assert.throws(() => db.value("SELECT count(*) FROM sqlite_master"), /file is not a database/);
});

test("databases grow beyond the memory they were opened with", (t) => {
  const db = withDatabase(t);
  db.run("CREATE TABLE t(x); INSERT INTO t VALUES (1)");
  const other = withDatabase(t, db.bytes());
  other.run("INSERT INTO t VALUES (randomblob(40000000))");
  assert.equal(other.value("SELECT max(length(x)) FROM t"), 40000000);
  assert(other.bytes().length > 40000000);
});

test("there are no files", (t) => {
  const db = withDatabase(t);
  assert.throws(() => db.run("ATTACH 'file.db' AS f"), /unable to open database/);
  assert.throws(() => db.run("VACUUM INTO 'file.db'"), /unable to open database/);
});

test("VACUUM and large sorts work without files", (t) => {
  const db = withDatabase(t);
  db.run(
    "CREATE TABLE t(x); WITH n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n WHERE i < 200000) INSERT INTO t SELECT randomblob(20) FROM n",
  );
  assert.equal(db.value("SELECT count(*) FROM (SELECT x FROM t ORDER BY x)"), 200000);
  db.run("DELETE FROM t; VACUUM");
  assert(db.bytes().length < 20000);
});

test("watch() is called while a statement runs, and stops it", (t) => {
  const db = withDatabase(t);
  let calls = 0;
  db.watch(() => ++calls === 3, 1000);
  const endless = "WITH n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
  assert.throws(
    () => db.value(endless),
    (error) => error.code === 9 && error.message === "interrupted",
  );
  assert.equal(calls, 3);
});

test("time and randomness come from the host", (t) => {
  const db = withDatabase(t);
  const now = db.value("SELECT unixepoch('now')");
  assert(Math.abs(now - Date.now() / 1000) < 60);
  assert.notDeepEqual(db.value("SELECT randomblob(16)"), db.value("SELECT randomblob(16)"));
});

test("schemas are not trusted", (t) => {
  assert.equal(withDatabase(t).value("PRAGMA trusted_schema"), 0);
});

test("modules and connections are independent", async (t) => {
  const other = (await loadKernel()).open();
  t.after(() => other.close());
  const db = withDatabase(t);
  db.run("CREATE TABLE t(x)");
  assert.throws(() => other.value("SELECT * FROM t"), /no such table/);
  assert.throws(() => withDatabase(t).value("SELECT * FROM t"), /no such table/);
});

test("load() accepts bytes, a compiled module and a response", async () => {
  const binary = readFileSync(new URL("../../build/wasm/utf8ext.wasm", import.meta.url));
  const sources = [binary, await WebAssembly.compile(binary), new Response(binary)];
  for (const source of sources)
    assert.equal((await load(source)).open().value("SELECT utf8_valid('é')"), 1);
  await assert.rejects(load(new Response("", { status: 404 })), /HTTP status 404/);
});

test("the SIMD128 kernel is the default", (t) => {
  assert.match(withDatabase(t).value("SELECT utf8_debug()"), /kernel simd128/);
});
