/** textresult.js: the result for a text. */
import { showBytes, showLegend } from "./bytesview.js";
import { byId, count, h, number, table } from "./dom.js";
import { kindClass } from "./kinds.js";
import { attempt, engine, page, run, say } from "./session.js";
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

export async function showText(progress) {
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
  const { decided } = page.scan;
  const explained = await engine.call("explain", { from, to, decided });
  const part = whole
    ? ""
    : `That is from ${number(page.scan.sample.to - page.scan.sample.from)} bytes of the file; the list is from the bytes shown.`;
  byId("repairs-section").hidden = explained.valid && page.scan.errors.length === 0;
  byId("part").hidden = whole;
  showRepairs(byId("repairs"), explained.repairs, decided, downloadText);
  showCharsets(byId("charsets"), { candidates: explained.candidates, valid: page.scan.errors.length === 0, ...decided }, part);
  showMojibake(byId("mojibake"), explained.mojibake, downloadText);
  showSql(byId("sql"), {
    literal: await literalOf(page.blob, page.name),
    repair: bestRepair(explained, decided),
  });
}

function downloadText(policy) {
  return run(`Repairing with ${policy}`, async (progress) => {
    const blob = await engine.call("repairFile", { policy, decided: page.scan.decided }, progress);
    saveRepaired(blob, page.name, policy);
    say(`Repaired with ${policy}: ${number(blob.size)} bytes. Your file is unchanged.`);
  });
}

export function listenToText() {
  const listen = (id, action) => byId(id).addEventListener("click", () => attempt(action));
  listen("first", () => showFrom(0));
  listen("previous", () => showAround(page.at - 1));
  listen("next", () => showAround(page.at + 1));
  listen("more", () => showFrom(page.window.next));
}
