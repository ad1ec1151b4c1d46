/** main.js: takes what you paste, drop or choose, and shows what utf8ext finds in it. */
import { commonCard } from "./commonview.js";
import { fillPolicies, listenToDatabase, showDatabase } from "./databaseresult.js";
import { byId, h } from "./dom.js";
import { COMMON, EXAMPLES } from "./examples.js";
import { fromHex } from "./hex.js";
import { engine, page, restart, run, say } from "./session.js";
import { listenToText, showText } from "./textresult.js";

/** Takes bytes or a file, and shows what is in them. */
async function take(blob, name = null) {
  await ready;
  Object.assign(page, { name, blob, scan: null, cells: null, window: null, at: 0 });
  for (const id of ["common", "text-result", "database-result"]) byId(id).hidden = true;
  await run("Reading", async (progress) => {
    const opened = await engine.call("open", { blob, name: name ?? "" });
    const { type } = opened;
    if (type === "text") await showText(opened, progress);
    else if (type === "database") await showDatabase(opened.wal, progress);
    else say(REFUSALS[type](name, opened), type !== "empty");
    byId("status").scrollIntoView({ block: "start" });
  });
}

const REFUSALS = {
  empty: (name) =>
    name === null
      ? "Nothing to check yet."
      : `${name} is empty: 0 bytes, which is well-formed UTF-8.`,
  "not a database": (name) =>
    `${name} does not start as an SQLite database does: ` +
    "it is encrypted, damaged, or something else.",
  "another format": (name, { format }) => `${name ?? "This"} is ${format}.`,
};

function takeInput() {
  const input = /** @type {HTMLTextAreaElement} */ (byId("input")).value;
  const asHex = /** @type {HTMLInputElement} */ (byId("as-hex")).checked;
  try {
    return take(new Blob([asHex ? fromHex(input) : input]));
  } catch (error) {
    return say(`This is not hexadecimal text: ${error.message}.`, true);
  }
}

function takeExample({ hex }) {
  /** @type {HTMLTextAreaElement} */ (byId("input")).value = hex.replace(/..\B/g, "$& ");
  /** @type {HTMLInputElement} */ (byId("as-hex")).checked = true;
  return takeInput();
}

function takeFiles(files) {
  if (files.length > 0) take(files[0], files[0].name);
  if (files.length > 1) say("One file at a time: this is the first one.");
}

/** Asks the worker what it is, which also waits until SQLite has started. */
async function start() {
  await fillPolicies();
  await showCommon();
  byId("version").textContent = await engine.call("version");
}

/** Shows the commonest damages before and after the repair. */
async function showCommon() {
  for (const { hex } of COMMON) {
    const bytes = fromHex(hex);
    const preview = await engine.call("preview", { bytes });
    byId("common-cards").append(commonCard(bytes, preview, () => takeExample({ hex })));
  }
}

function listenToDrops() {
  addEventListener("dragover", (event) => {
    event.preventDefault();
    byId("drop").classList.add("over");
  });
  addEventListener("dragleave", () => byId("drop").classList.remove("over"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    byId("drop").classList.remove("over");
    takeFiles(event.dataTransfer?.files ?? []);
  });
}

function listen() {
  byId("check").addEventListener("submit", (event) => {
    event.preventDefault();
    takeInput();
  });
  byId("file").addEventListener("change", ({ target }) =>
    takeFiles(/** @type {HTMLInputElement} */ (target).files),
  );
  byId("stop").addEventListener("click", restart);
  byId("examples").append(
    ...EXAMPLES.map((example) =>
      h(
        "li",
        {},
        h(
          "button",
          { type: "button", class: "small", click: () => takeExample(example) },
          example.name,
        ),
      ),
    ),
  );
  listenToText();
  listenToDatabase();
  listenToDrops();
}

const ready = start().catch((error) => say(error.message, true));
listen();
