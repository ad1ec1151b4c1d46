/**
 * utf8ext.js: SQLite with utf8ext in JavaScript: browsers, workers, Node.
 *
 *     import { load } from "./utf8ext.js";
 *     const sqlite = await load(await fetch("utf8ext.wasm"));
 *     const db = sqlite.open(bytesOfADatabase);   // or open(): an empty one
 *     for (const [table, error] of db.rows("SELECT table_name, error FROM temp.utf8_audit")) ...
 *     const repaired = db.bytes();
 *     db.close();
 *
 * All calls are synchronous, so a page runs them in a worker. Databases live in memory: the bytes
 * that you pass are copied and never changed.
 *
 * @typedef {null | number | bigint | string | Uint8Array} Value an SQL value. INTEGER becomes a
 *   bigint if no number can represent it. Pass bytes to utf8ext as Uint8Array: a string is always
 *   well-formed once it is UTF-8.
 */

const SQLITE_ROW = 100;
const SQLITE_DONE = 101;
const SQLITE_INTEGER = 1;
const SQLITE_FLOAT = 2;
const SQLITE_TEXT = 3;
const SQLITE_BLOB = 4;
const SQLITE_UTF8 = 1;
const SQLITE_STATIC = 0;
const SQLITE_SERIALIZE_NOCOPY = 1;

/** An error that SQLite reports. `code` is its extended result code. */
export class SQLiteError extends Error {
  /** @param {string} message @param {number} code */
  constructor(message, code) {
    super(message);
    this.name = "SQLiteError";
    this.code = code;
  }
}

/**
 * Compiles the module and returns it.
 * @param {Response | BufferSource | WebAssembly.Module} source utf8ext.wasm
 * @param {{environment?: Record<string, string>}} [options] environment variables, such as
 *   UTF8EXT_KERNEL
 * @returns {Promise<SQLite>}
 */
export async function load(source, { environment = {} } = {}) {
  const host = new Host(environment, await webCrypto());
  const compiled = source instanceof WebAssembly.Module ? source : await compile(source);
  const instance = await WebAssembly.instantiate(compiled, host.imports());
  host.exports = /** @type {any} */ (instance.exports);
  host.exports._initialize();
  return new SQLite(host);
}

/** Node has had the global crypto since version 19. */
async function webCrypto() {
  return globalThis.crypto ?? (await import("node:crypto")).webcrypto;
}

/** @param {Response | BufferSource} source */
async function compile(source) {
  if (!(globalThis.Response && source instanceof Response)) return WebAssembly.compile(source);
  if (!source.ok) throw new Error(`utf8ext.wasm cannot be loaded: HTTP status ${source.status}`);
  return WebAssembly.compile(await source.arrayBuffer());
}

/** What the module imports, and its memory. */
class Host {
  /** @param {Record<string, string>} environment @param {Crypto} crypto */
  constructor(environment, crypto) {
    this.crypto = crypto;
    /** @type {any} */ this.exports = null;
    this.environment = Object.entries(environment).map((pair) => encode(pair.join("=") + "\0"));
    /** @type {Map<number, () => boolean>} */ this.watchers = new Map();
  }

  /** The bytes of the memory. Not valid after the next call, which may move them. */
  get memory() {
    return new Uint8Array(this.exports.memory.buffer);
  }

  get words() {
    return new DataView(this.exports.memory.buffer);
  }

  imports() {
    return {
      host: {
        now: () => Date.now(),
        random: (at, size) => this.fillRandom(at, size),
        progress: (connection) => Number(this.watchers.get(connection)?.() ?? false),
      },
      env: { emscripten_notify_memory_growth() {} },
      wasi_snapshot_preview1: {
        environ_sizes_get: (count, size) => this.environmentSizes(count, size),
        environ_get: (pointers, at) => this.copyEnvironment(pointers, at),
      },
    };
  }

  /** @param {number} at @param {number} size at most 65536, as getRandomValues() accepts */
  fillRandom(at, size) {
    this.crypto.getRandomValues(this.memory.subarray(at, at + size));
  }

  environmentSizes(count, size) {
    this.words.setUint32(count, this.environment.length, true);
    this.words.setUint32(
      size,
      this.environment.reduce((sum, text) => sum + text.length, 0),
      true,
    );
    return 0;
  }

  copyEnvironment(pointers, at) {
    for (const text of this.environment) {
      this.words.setUint32(pointers, at, true);
      this.memory.set(text, at);
      pointers += 4;
      at += text.length;
    }
    return 0;
  }

  /** Copies bytes into new memory, followed by a NUL, for sqlite3_free(). */
  copyIn(bytes) {
    const at = this.exports.sqlite3_malloc64(BigInt(bytes.length + 1)) >>> 0;
    if (at === 0) throw new SQLiteError("out of memory", 7);
    const memory = this.memory;
    memory.set(bytes, at);
    memory[at + bytes.length] = 0;
    return at;
  }

  /** Returns a copy of `size` bytes. */
  copyOut(at, size) {
    return this.memory.slice(at >>> 0, (at >>> 0) + size);
  }

  /** Returns the text at a pointer, up to its NUL. SQLite's messages may quote ill-formed text. */
  message(at) {
    const start = at >>> 0;
    return new TextDecoder().decode(this.memory.slice(start, this.memory.indexOf(0, start)));
  }
}

/** A loaded module. */
export class SQLite {
  /** @param {Host} host */
  constructor(host) {
    this.host = host;
  }

  /**
   * Opens a database: a copy of these bytes, or an empty one.
   * @param {Uint8Array} [bytes]
   * @returns {Database}
   */
  open(bytes) {
    const at = bytes ? this.host.copyIn(bytes) : 0;
    return this.openAt(at, bytes ? bytes.length : 0);
  }

  /**
   * Opens a database of `size` bytes whose parts come one after the other, so that a large file
   * is in memory once.
   * @param {number} size
   * @param {AsyncIterable<Uint8Array>} parts
   * @returns {Promise<Database>}
   */
  async openStream(size, parts) {
    const { host } = this;
    const at = host.exports.sqlite3_malloc64(BigInt(size + 1)) >>> 0;
    if (at === 0) throw new SQLiteError("out of memory", 7);
    let filled = 0;
    for await (const part of parts) {
      if (part.length > size - filled) throw new RangeError("the file has grown");
      host.memory.set(part, at + filled);
      filled += part.length;
    }
    return this.openAt(at, filled);
  }

  /** Opens the bytes at `at`, which SQLite frees. */
  openAt(at, size) {
    const { host } = this;
    const slot = host.exports.malloc(4) >>> 0;
    const code = host.exports.utf8wasm_open(slot, at, BigInt(size));
    const connection = host.words.getUint32(slot, true);
    host.exports.free(slot);
    const db = new Database(host, connection);
    if (code !== 0) {
      const error = db.error();
      db.close();
      throw error;
    }
    return db;
  }
}

/** A connection. */
export class Database {
  /** @param {Host} host @param {number} connection */
  constructor(host, connection) {
    this.host = host;
    this.connection = connection;
  }

  /**
   * Runs one statement, and yields its rows. Ill-formed TEXT is an error, since a string cannot
   * hold it: select CAST(c AS BLOB), or let utf8ext repair it.
   * @param {string} sql
   * @param {Value[]} [parameters] for ?1, ?2, ...
   * @returns {Generator<any[]>} rows of Values
   */
  *rows(sql, parameters = []) {
    const { statement } = this.prepare(sql);
    if (statement === 0) return;
    const row = new Statement(this, statement);
    try {
      row.bind(parameters);
      while (row.step()) yield row.values();
    } finally {
      row.finalize();
    }
  }

  /**
   * Returns the first row of a statement, or undefined.
   * @param {string} sql
   * @param {Value[]} [parameters]
   * @returns {any[] | undefined}
   */
  row(sql, parameters) {
    for (const row of this.rows(sql, parameters)) return row;
    return undefined;
  }

  /**
   * Returns the first value of a statement's first row, or undefined.
   * @param {string} sql
   * @param {Value[]} [parameters]
   */
  value(sql, parameters) {
    return this.row(sql, parameters)?.[0];
  }

  /**
   * Runs all statements of a script. Their rows are dropped.
   * @param {string} sql
   */
  run(sql) {
    for (let rest = encode(sql); rest.length > 0;) {
      const { statement, length } = this.prepareBytes(rest);
      rest = rest.subarray(length);
      if (statement === 0) continue;
      const script = new Statement(this, statement);
      try {
        while (script.step());
      } finally {
        script.finalize();
      }
    }
  }

  /** @returns {Uint8Array} the database as a file */
  bytes() {
    const { host } = this;
    const main = host.copyIn(encode("main"));
    const size = host.copyIn(new Uint8Array(8));
    const serialize = (flags) => host.exports.sqlite3_serialize(this.connection, main, size, flags);
    const at = serialize(SQLITE_SERIALIZE_NOCOPY);
    const copied = at === 0 ? serialize(0) : 0; // a database that was created empty
    const bytes = host.copyOut(at || copied, Number(host.words.getBigInt64(size, true)));
    for (const memory of [main, size, copied]) host.exports.sqlite3_free(memory);
    return bytes;
  }

  /**
   * Calls a function again and again while statements run; if it returns true, the statement
   * ends with the error "interrupted".
   * @param {() => boolean} callback
   * @param {number} [steps] instructions of SQLite's virtual machine between two calls
   */
  watch(callback, steps = 100000) {
    this.host.watchers.set(this.connection, callback);
    this.host.exports.utf8wasm_watch(this.connection, steps);
  }

  close() {
    this.host.watchers.delete(this.connection);
    this.host.exports.sqlite3_close_v2(this.connection);
    this.connection = 0;
  }

  /** The error of the last call. */
  error() {
    const { host, connection } = this;
    const code = host.exports.sqlite3_extended_errcode(connection);
    return new SQLiteError(host.message(host.exports.sqlite3_errmsg(connection)), code);
  }

  /** @param {string} sql */
  prepare(sql) {
    return this.prepareBytes(encode(sql));
  }

  /** Compiles the first statement of the SQL. Returns it and its length in bytes. */
  prepareBytes(sql) {
    const { host } = this;
    const text = host.copyIn(sql);
    const slots = host.copyIn(new Uint8Array(8));
    const code = host.exports.sqlite3_prepare_v2(
      this.connection,
      text,
      sql.length + 1,
      slots,
      slots + 4,
    );
    const statement = host.words.getUint32(slots, true);
    const length = host.words.getUint32(slots + 4, true) - text;
    host.exports.sqlite3_free(slots);
    host.exports.sqlite3_free(text);
    if (code !== 0) throw this.error();
    return { statement, length: Math.max(length, 1) };
  }
}

/** A statement while it runs. */
class Statement {
  /** @param {Database} db @param {number} pointer */
  constructor(db, pointer) {
    this.db = db;
    this.pointer = pointer;
    /** @type {number[]} */ this.bound = [];
  }

  /** @param {Value[]} values */
  bind(values) {
    const accepted = this.db.host.exports.sqlite3_bind_parameter_count(this.pointer);
    if (values.length !== accepted) {
      throw new RangeError(
        `the statement has ${accepted} parameters, but got ${values.length} values`,
      );
    }
    values.forEach((value, i) => this.bindValue(i + 1, value));
  }

  /** @param {number} index @param {Value} value */
  bindValue(index, value) {
    const { exports } = this.db.host;
    if (value === null) exports.sqlite3_bind_null(this.pointer, index);
    else if (typeof value === "bigint" || Number.isSafeInteger(value)) {
      exports.sqlite3_bind_int64(this.pointer, index, BigInt(value));
    } else if (typeof value === "number") exports.sqlite3_bind_double(this.pointer, index, value);
    else this.bindBytes(index, value);
  }

  /** @param {number} index @param {string | Uint8Array} value */
  bindBytes(index, value) {
    const { host } = this.db;
    const isText = typeof value === "string";
    const bytes = isText ? encode(value) : value;
    const at = host.copyIn(bytes);
    this.bound.push(at);
    const size = BigInt(bytes.length);
    const code = isText
      ? host.exports.sqlite3_bind_text64(this.pointer, index, at, size, SQLITE_STATIC, SQLITE_UTF8)
      : host.exports.sqlite3_bind_blob64(this.pointer, index, at, size, SQLITE_STATIC);
    if (code !== 0) throw this.db.error();
  }

  /** Returns false after the last row. */
  step() {
    const code = this.db.host.exports.sqlite3_step(this.pointer);
    if (code !== SQLITE_ROW && code !== SQLITE_DONE) throw this.db.error();
    return code === SQLITE_ROW;
  }

  /** @returns {Value[]} */
  values() {
    const count = this.db.host.exports.sqlite3_column_count(this.pointer);
    return Array.from({ length: count }, (_, column) => this.value(column));
  }

  /** @param {number} column @returns {Value} */
  value(column) {
    const { exports } = this.db.host;
    switch (exports.sqlite3_column_type(this.pointer, column)) {
      case SQLITE_INTEGER:
        return fromInt64(exports.sqlite3_column_int64(this.pointer, column));
      case SQLITE_FLOAT:
        return exports.sqlite3_column_double(this.pointer, column);
      case SQLITE_TEXT:
        return this.text(column);
      case SQLITE_BLOB:
        return this.bytes(column, exports.sqlite3_column_blob(this.pointer, column));
      default:
        return null;
    }
  }

  /** @param {number} column */
  text(column) {
    const { host } = this.db;
    const bytes = this.bytes(column, host.exports.sqlite3_column_text(this.pointer, column));
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      const name = host.message(host.exports.sqlite3_column_name(this.pointer, column));
      throw new TypeError(`column ${name} is ill-formed UTF-8: select CAST(... AS BLOB)`);
    }
  }

  bytes(column, at) {
    return this.db.host.copyOut(
      at,
      this.db.host.exports.sqlite3_column_bytes(this.pointer, column),
    );
  }

  finalize() {
    this.db.host.exports.sqlite3_finalize(this.pointer);
    for (const at of this.bound) this.db.host.exports.sqlite3_free(at);
  }
}

/** @param {bigint} value */
function fromInt64(value) {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** @param {string} text */
function encode(text) {
  return new TextEncoder().encode(text);
}
