/** main.js: takes what you paste, drop or choose, and shows what utf8ext finds in it. */
import {
  auditVerdict,
  repairSentence,
  showFailures,
  showFindings,
  showGroups,
} from "./auditview.js";
import { showBytes, showLegend } from "./bytesview.js";
import { byId, count, derivedName, h, number, save, sqlBlock, table } from "./dom.js";
import { Engine } from "./engine.js";
import { EXAMPLES } from "./examples.js";
import { fromHex } from "./hex.js";
import { kindClass } from "./kinds.js";
import {
  bestRepair,
  literalOf,
  saveRepaired,
  showCharsets,
  showMojibake,
  showRepairs,
  showSql,
  verdict,
} from "./textview.js";

/** The repairs of a longer text are those of the bytes around an error. */
const SHOWN_WHOLE = 16 << 10;
const engine = new Engine();

/** What is on the page: the name of the file if there is one, the scan of a text, and the window
 * of its bytes. */
const page = { name: null, blob: new Blob(), scan: null, window: null, at: 0 };

// ---- status -------------------------------------------------------------------------------

function say(message, isError = false) {
  const status = byId("status");
  status.textContent = message;
  status.classList.toggle("failed", isError);
  status.scrollIntoView({ block: "nearest" });
}

let latestRun = 0;

/** Runs an action with a progress bar, and shows its error if it fails. Ends what ran before. */
async function run(label, action) {
  const number = ++latestRun;
  const isLatest = () => number === latestRun;
  await ready;
  if (engine.isBusy) await restart();
  showBusy(label);
  try {
    await action((done) => isLatest() && byId("progress").setAttribute("value", done));
  } catch (error) {
    if (isLatest())
      say(page.name === null ? error.message : `${page.name}: ${error.message}`, true);
  } finally {
    if (isLatest()) byId("busy").hidden = true;
  }
}

/** Runs a short action, and shows its error if it fails. */
function attempt(action) {
  action().catch((error) => say(error.message, true));
}

function showBusy(label) {
  byId("busy").hidden = false;
  byId("busy-label").textContent = label;
  byId("progress").removeAttribute("value");
}

/** Ends what runs, and hands the new worker the file. */
function restart() {
  engine.stop();
  return engine.call("open", { blob: page.blob, name: page.name ?? "" });
}

// ---- input --------------------------------------------------------------------------------

/** Takes bytes or a file, and shows what is in them. */
function take(blob, name = null) {
  Object.assign(page, { name, blob, scan: null, window: null, at: 0 });
  byId("text-result").hidden = byId("database-result").hidden = true;
  return run("Reading", async (progress) => {
    const { type, wal } = await engine.call("open", { blob, name: name ?? "" });
    if (type === "empty")
      say(
        name === null
          ? "Nothing to check yet."
          : `${name} is empty: 0 bytes, which is well-formed UTF-8.`,
      );
    else if (type === "not a database")
      say(
        `${name} does not start as an SQLite database does: it is encrypted, damaged, or something else.`,
        true,
      );
    else if (type === "database") await showDatabase(wal, progress);
    else await showText(progress);
  });
}

function takeInput() {
  const input = /** @type {HTMLTextAreaElement} */ (byId("input")).value;
  const asHex = /** @type {HTMLInputElement} */ (byId("as-hex")).checked;
  try {
    return take(new Blob([asHex ? fromHex(input) : input]));
  } catch (error) {
    return say(`This is no hexadecimal text: ${error.message}.`, true);
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

// ---- text ---------------------------------------------------------------------------------

async function showText(progress) {
  page.scan = await engine.call("scan", {}, progress);
  say((page.name ? `${page.name}: ` : "") + verdict(page.scan));
  byId("text-result").hidden = false;
  showLegend(byId("legend"), page.scan.kinds);
  showErrors();
  await showAround(0);
}

/** The table of errors of a text that is too long to show as a whole. */
function showErrors() {
  const { errors, kinds } = page.scan;
  const total = Object.values(kinds).reduce((sum, times) => sum + times, 0);
  byId("errors").hidden = errors.length === 0 || page.blob.size <= SHOWN_WHOLE;
  if (byId("errors").hidden) return;
  const caption =
    errors.length < total
      ? `The first ${number(errors.length)} of ${count(total, "error")}`
      : count(total, "error");
  const rows = errors.map(({ offset, line, kind }, i) => [
    h(
      "button",
      { type: "button", class: "link", click: () => attempt(() => showAround(i)) },
      number(offset),
    ),
    number(line),
    h("span", { class: `badge ${kindClass(kind)}` }, kind),
  ]);
  byId("errors").replaceChildren(table(caption, ["byte", "line", "kind"], rows));
}

/** Shows the bytes around error number i, or the start of the text. */
async function showAround(i) {
  const error = page.scan.errors[i];
  page.at = i;
  const whole = page.blob.size <= SHOWN_WHOLE;
  const from = !error || (whole && i === 0) ? 0 : await engine.call("contextStart", error);
  await showFrom(from);
  await showExplained(whole);
}

async function showFrom(from) {
  page.window = await engine.call("units", { from });
  showBytes(byId("bytes"), page.window);
  const { errors } = page.scan;
  byId("window").textContent =
    `Bytes ${number(from)} to ${number(page.window.next)} of ${number(page.blob.size)}.`;
  enable("first", from > 0);
  enable("previous", page.at > 0);
  enable("next", page.at + 1 < errors.length);
  enable("more", page.window.next < page.blob.size);
  byId("windows").hidden = from === 0 && page.window.next === page.blob.size;
}

/** Enables or disables a button. If it had the focus, the heading above gets it. */
function enable(id, isEnabled) {
  const button = byId(id);
  if (!isEnabled && document.activeElement === button) byId("bytes-heading").focus();
  button.toggleAttribute("disabled", !isEnabled);
}

/** Repairs, charsets and mojibake: of the whole text if it is short, else of the bytes shown. */
async function showExplained(whole) {
  const from = whole ? 0 : page.window.from;
  const to = whole ? page.blob.size : page.window.next;
  const explained = await engine.call("explain", { from, to });
  const part = whole
    ? ""
    : `That is from ${number(page.scan.sample.to - page.scan.sample.from)} bytes of the file; the list is from the bytes shown.`;
  byId("repairs-section").hidden = explained.valid && page.scan.errors.length === 0;
  byId("part").hidden = whole;
  showRepairs(byId("repairs"), explained.repairs, downloadText);
  showCharsets(byId("charsets"), page.scan.detected, explained.candidates, part);
  showMojibake(byId("mojibake"), explained.mojibake, downloadText);
  showSql(byId("sql"), {
    literal: await literalOf(page.blob, page.name),
    repair: bestRepair(explained),
  });
}

function downloadText(policy) {
  return run(`Repairing with ${policy}`, async (progress) => {
    const blob = await engine.call("repairFile", { policy }, progress);
    saveRepaired(blob, page.name, policy);
    say(`Repaired with ${policy}: ${number(blob.size)} bytes. Your file is unchanged.`);
  });
}

// ---- databases ----------------------------------------------------------------------------

async function showDatabase(wal, progress) {
  byId("wal").hidden = !wal;
  byId("found").hidden = true;
  byId("database-result").hidden = false;
  await showAudit(progress);
}

function auditOptions() {
  return {
    policy: /** @type {HTMLSelectElement} */ (byId("policy")).value,
    suspects: /** @type {HTMLInputElement} */ (byId("suspects")).checked,
  };
}

async function showAudit(progress) {
  const options = auditOptions();
  const audit = await engine.call("audit", options, progress);
  say(`${page.name}: ${auditVerdict(audit)}`);
  showGroups(byId("groups"), audit.groups);
  showFindings(byId("findings"), audit.findings, audit.found);
  showFailures(byId("failures"), []);
  byId("found").hidden = audit.found.rows === 0;
  byId("repair-database").toggleAttribute("disabled", audit.found.repairable === 0);
  byId("audit-sql").replaceChildren(sqlBlock("SQL for this audit", auditSql(options)));
}

function auditSql({ policy, suspects }) {
  const call = `utf8_audit('main', '${policy}'${suspects ? ", 1" : ""})`;
  return [
    ".load ./utf8ext",
    `SELECT table_name, column_name, key, offset, error, errors, repair_sql FROM temp.${call};`,
    `SELECT repair_sql FROM temp.${call} WHERE repair_sql IS NOT NULL;`,
  ].join("\n");
}

function auditAgain() {
  return run("Auditing", showAudit);
}

function downloadDatabase() {
  return run("Repairing", async (progress) => {
    const result = await engine.call("repairDatabase", {}, progress);
    save(result.blob, derivedName(page.name, "repaired"));
    say(repairSentence(result));
    showFailures(byId("failures"), result.failures);
  });
}

function downloadScript(what) {
  return run("Writing SQL", async (progress) => {
    const blob = await engine.call("script", { what }, progress);
    save(blob, `${page.name}.${what}.sql`);
    say(`${page.name}.${what}.sql: ${number(blob.size)} bytes.`);
  });
}

// ---- events -------------------------------------------------------------------------------

async function fillPolicies() {
  const charsets = await engine.call("charsets");
  const group = h(
    "optgroup",
    { label: "charsets" },
    ...charsets.map(({ name }) => h("option", { value: name }, name)),
  );
  byId("policy").append(group);
  byId("version").textContent = await engine.call("version");
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
  byId("first").addEventListener("click", () => attempt(() => showFrom(0)));
  byId("previous").addEventListener("click", () => attempt(() => showAround(page.at - 1)));
  byId("next").addEventListener("click", () => attempt(() => showAround(page.at + 1)));
  byId("more").addEventListener("click", () => attempt(() => showFrom(page.window.next)));
  byId("stop").addEventListener("click", restart);
  byId("audit").addEventListener("click", auditAgain);
  byId("policy").addEventListener("change", auditAgain);
  byId("suspects").addEventListener("change", auditAgain);
  byId("repair-database").addEventListener("click", downloadDatabase);
  byId("repair-script").addEventListener("click", () => downloadScript("repair"));
  byId("undo-script").addEventListener("click", () => downloadScript("undo"));
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
  listenToDrops();
}

const ready = fillPolicies().catch((error) => say(error.message, true));
listen();
