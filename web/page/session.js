/** session.js: the file in hand, the worker that looks at it, and the status line. */
import { byId, h } from "./dom.js";
import { Engine } from "./engine.js";

export const engine = new Engine();

/** What is on the page: the bytes, the name of their file if they have one, the audit of a database,
 * the scan of a text, the cells of a CSV file, the window of its bytes, and the number of the error in
 * it. */
export const page = {
  name: null,
  blob: new Blob(),
  audit: null,
  scan: null,
  cells: null,
  window: null,
  at: 0,
};

/** Shows a message in the status line, with the exact term for it if there is one. */
export function say(message, isError = false, term = "") {
  const status = byId("status");
  status.replaceChildren(message, ...(term ? [" ", h("code", { class: "term" }, term)] : []));
  status.classList.toggle("failed", isError);
  status.scrollIntoView({ block: "nearest" });
}

let latestRun = 0;

/** Runs an action with a progress bar, and shows its error if it fails. Ends what ran before. */
export async function run(label, action) {
  const number = ++latestRun;
  const isLatest = () => number === latestRun;
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
export function attempt(action) {
  action().catch((error) => say(error.message, true));
}

function showBusy(label) {
  byId("busy").hidden = false;
  byId("busy-label").textContent = label;
  byId("progress").removeAttribute("value");
}

/** Ends what runs, and hands the new worker the file. */
export function restart() {
  engine.stop();
  return engine.call("open", { blob: page.blob, name: page.name ?? "" });
}
