/** textresult.js: the result for a text. */
import { showBytes, showLegend } from "./bytesview.js";
import { byId, count, h, number, table } from "./dom.js";
import { focusReadings } from "./auditview.js";
import { cellsVerdict, showCells } from "./cellsview.js";
import { kindClass } from "./kinds.js";
import { attempt, engine, page, run, say } from "./session.js";
import {
  bytesWords,
  charsetWords,
  differences,
  literalOf,
  saveRepaired,
  showBest,
  showCharsets,
  showOthers,
  showSql,
  verdict,
} from "./textview.js";

/** The repairs of a longer text are those of the bytes around an error. */
const SHOWN_WHOLE = 16 << 10;

/** @param {{blob: Blob, sections: string}} opened the file as the worker has it */
export async function showText({ blob, sections }, progress) {
  page.blob = blob;
  page.scan = await engine.call("scan", { sections }, progress);
  // Pasted text is one value, and a file is its cells or lines.
  page.cells =
    page.name === null
      ? null
      : await engine.call("cells", { name: page.name, scan: page.scan }, progress);
  const { sentence, term } = page.cells ? cellsVerdict(page.cells, sections) : verdict(page.scan);
  say(`${page.name ? `${page.name}: ` : ""}${sentence}.`, false, term);
  byId("text-result").hidden = false;
  byId("bytes-words").textContent = bytesWords(page.scan);
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

/** Repairs and charsets: of the whole text if it is short, else of the lines around an error. */
async function showExplained(whole) {
  const { scan } = page;
  const place = scan.errors[page.at] ?? scan.suspect;
  const part = whole
    ? { from: 0, to: page.blob.size }
    : await engine.call("excerpt", { offset: place?.offset ?? null });
  const { repairs, candidates } = await engine.call("explain", { ...part, scan });
  byId("part").hidden = whole || page.cells !== null;
  showRepairs(repairs);
  byId("charsets-words").textContent = charsetWords(scan, candidates);
  showCharsets(byId("charsets"), candidates, whole ? "" : sampleNote(scan));
  showSql(
    byId("sql"),
    await literalOf(page.blob, page.name),
    scan.sections ? null : scan.decided.call,
    scan.errors.length > 0,
  );
}

function sampleNote({ sample }) {
  return (
    `${number(sample.to - sample.from)} bytes of the file decided. ` +
    "The list is from the lines shown above."
  );
}

/** The likely repair first, the others after a line that says how they differ. For a CSV file,
 * the cells are the first. */
function showRepairs(repairs) {
  const best = page.cells ? undefined : repairs.find(({ policies }) => policies.includes("auto"));
  const others = repairs.filter((repair) => repair !== best);
  byId("best-section").hidden = !best && !page.cells;
  byId("others").hidden = others.length === 0;
  byId("others").toggleAttribute("open", !page.cells && page.scan.decided.cause === "unclear");
  if (best) showBest(byId("best"), best, page.scan, downloadText);
  if (page.cells) showCells(byId("best"), page.cells, downloadCells, chooseCell);
  byId("others-words").textContent = others.map(differences).join(" · ");
  showOthers(byId("repairs"), others, downloadText);
}

function chooseCell(choice) {
  return run("Choosing", async (progress) => {
    page.cells = await engine.call("chooseCell", choice, progress);
    const { sentence, term } = cellsVerdict(page.cells, page.scan.sections);
    say(`${page.name}: ${sentence}.`, false, term);
    showCells(byId("best"), page.cells, downloadCells, chooseCell);
    focusReadings(choice.id);
  });
}

function downloadCells() {
  return run("Repairing", async () => {
    saveRepaired(await engine.call("repairedCells"), page.name, "repaired");
    const { restored, lost } = page.cells.found;
    const noun = page.cells.isLines ? "line" : "cell";
    say(`${count(restored + lost, noun)} repaired. Your file is unchanged.`);
  });
}

function downloadText(policy) {
  return run("Repairing", async (progress) => {
    const blob = await engine.call("repairFile", { policy, decided: page.scan.decided }, progress);
    saveRepaired(blob, page.name, policy === "auto" && !page.cells ? "repaired" : policy);
    say(`Repaired: ${number(blob.size)} bytes. Your file is unchanged.`);
  });
}

export function listenToText() {
  const listen = (id, action) => byId(id).addEventListener("click", () => attempt(action));
  listen("first", () => showFrom(0));
  listen("previous", () => showAround(page.at - 1));
  listen("next", () => showAround(page.at + 1));
  listen("more", () => showFrom(page.window.next));
}
