/**
 * worker.js: runs SQLite beside the page, so that the page stays responsive.
 *
 * Messages: {id, name, argument} calls one of the functions below; the answers are {id, progress}
 * any number of times, then {id, result} or {id, error}.
 */
import { cellsFound, patched, patches, stageCells } from "./cells.js";
import { choose } from "./choices.js";
import * as database from "./database.js";
import { fileFormat } from "./format.js";
import { unified } from "./sections.js";
import * as text from "./text.js";
import { load } from "./utf8ext.js";
import { read } from "./chunks.js";

const sqlite = fetch(new URL("utf8ext.wasm", import.meta.url))
  .then(load)
  .catch((error) => {
    throw new Error(`SQLite did not start (${error.message}). It needs WebAssembly SIMD.`);
  });
const scratch = sqlite.then((loaded) => loaded.open());

/** The file in hand. db is its database, or null until it is needed again. cells: the table of a CSV
 * file. choices: what a person has decided since the last audit. */
const state = {
  blob: new Blob(),
  db: null,
  wal: false,
  groups: [],
  options: null,
  cells: null,
  choices: [],
};

const handlers = {
  /** What is loaded. */
  async version() {
    return (await scratch).value("SELECT utf8_debug()");
  },

  /** The names of all charsets. */
  async charsets() {
    const names = (await scratch).rows("SELECT name FROM utf8_charsets ORDER BY name");
    return Array.from(names, ([name]) => name);
  },

  /** Takes a file in hand. Returns what it is. */
  async open({ blob, name }) {
    state.db?.close();
    state.cells?.db.close();
    Object.assign(state, { blob, db: null, wal: false, groups: [], cells: null, choices: [] });
    if (blob.size === 0) return { type: "empty" };
    if (await database.isDatabase(blob))
      return { type: "database", wal: (state.wal = await database.isWal(blob)) };
    if (/\.(db3?|sqlite3?)$/i.test(name)) return { type: "not a database" };
    const format = await fileFormat(blob);
    if (format) return { type: "another format", format };
    const joined = await unified(blob);
    if (joined) state.blob = joined.blob;
    return { type: "text", blob: state.blob, sections: joined?.label ?? "" };
  },

  /** sections: what open() has returned. */
  async scan({ sections = "" }, progress) {
    return text.withSections(await text.scan(await scratch, state.blob, progress), sections);
  },

  /** Scans and repairs a short text that is not the file in hand. */
  async preview({ bytes }) {
    const db = await scratch;
    const scan = await text.scan(db, new Blob([bytes]), () => {});
    return { scan, repair: text.explain(db, bytes, scan).repairs[0] };
  },

  async units({ from }) {
    return text.units(await scratch, state.blob, from);
  },

  async contextStart({ offset }) {
    return text.contextStart(state.blob, offset);
  },

  async excerpt({ offset }) {
    return text.excerpt(state.blob, offset);
  },

  async explain({ from, to, scan }) {
    return text.explain(await scratch, await read(state.blob, from, to), scan);
  },

  /** Decides the cells of a CSV file, or the lines of another. Returns null if it is decoded as a whole,
   * if nothing is found in it, or if it is too large. */
  async cells({ name, scan }, progress) {
    const blob = await text.mixed(await scratch, state.blob, scan);
    if (!blob) return null;
    const { cause } = scan.decided;
    const bytes = await read(blob, 0, blob.size);
    const staged = stageCells(await sqlite, bytes, name, cause, progress);
    state.cells = staged && { ...staged, blob, charset: text.hasUnits(scan) ? cause : "" };
    return state.cells && cellsFound(state.cells);
  },

  /** Takes a reading of an unclear cell. */
  async chooseCell(choice) {
    choose(state.cells.db, choice);
    return cellsFound(state.cells);
  },

  async repairedCells() {
    return patched(state.cells.blob, patches(state.cells));
  },

  async repairFile({ policy, decided }, progress) {
    return text.repairFile(await scratch, state.blob, policy, decided, progress);
  },

  async audit(options, progress) {
    Object.assign(state, { options: null, choices: [] });
    const db = await openedDatabase((done) => progress(done / 4));
    const summary = database.audit(db, options, (done) => progress(0.25 + (done * 3) / 4));
    Object.assign(state, { groups: summary.groups, options });
    return { ...summary, findings: database.findings(db) };
  },

  /** Takes a reading of an unclear value. */
  async choose(choice, progress) {
    const db = await openedDatabase(progress);
    choose(db, choice);
    state.choices.push(choice);
    return { ...database.summary(db), findings: database.findings(db) };
  },

  /** Repairs what the last audit found, and audits the result. */
  async repairDatabase(_, progress) {
    const db = await openedDatabase(progress);
    state.db = null;
    try {
      const repaired = database.repairDatabase(db, progress);
      const blob = database.databaseFile(db, state.wal);
      const { found } = database.audit(db, state.options, progress);
      return { repaired, remaining: found.rows, blob };
    } finally {
      db.close();
    }
  },

  async script({ what }, progress) {
    return database.script(await openedDatabase(progress), state.options, what);
  },
};

/** Opens the file again after a repair changed its copy, and audits it, so that every action
 * starts from the original and what was chosen. */
async function openedDatabase(progress) {
  if (state.db) return state.db;
  state.db = await database.openDatabase(await sqlite, state.blob, progress);
  if (state.options && state.groups.length > 0) {
    database.audit(state.db, state.options, () => {});
    state.choices.forEach((choice) => choose(state.db, choice));
  }
  return state.db;
}

self.addEventListener("message", async ({ data: { id, name, argument } }) => {
  const progress = (done) => self.postMessage({ id, progress: done });
  try {
    self.postMessage({ id, result: await handlers[name](argument, progress) });
  } catch (error) {
    self.postMessage({ id, error: error.message });
  }
});
