/** dom.js: makes elements. Text is always set as text, so no input is ever read as HTML. */

/**
 * @param {string} name
 * @param {Record<string, string | boolean | number | ((event: Event) => void)>} [attributes]
 *   a function listens to the event; true sets an empty attribute, false none
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== false) element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children);
  return element;
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/** A button that copies a text. */
export function copyButton(label, text) {
  const button = h(
    "button",
    { type: "button", class: "small", "aria-label": `Copy ${label}` },
    "Copy",
  );
  button.addEventListener("click", async () => {
    button.textContent = (await copy(text)) ? "Copied" : "Not allowed";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  return button;
}

/** Copies a text. Returns whether the browser allowed it. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** A block of SQL with a button that copies it. */
export function sqlBlock(label, sql) {
  return h(
    "div",
    { class: "sql" },
    h("pre", { tabindex: 0, "aria-label": label }, h("code", {}, sql)),
    copyButton(label, sql),
  );
}

/** A table in a box that scrolls sideways. On a phone each row is a card (style.css), so the roles
 * of a table are written out. */
export function table(caption, headers, rows) {
  const head = headers.map((header) => h("th", { scope: "col", role: "columnheader" }, header));
  const body = rows.map((cells) => h("tr", { role: "row" }, ...cells.map(cell)));
  function cell(content, i) {
    return h("td", { role: "cell", "data-label": headers[i] }, h("div", {}, content));
  }
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h(
      "table",
      { role: "table" },
      h("caption", {}, caption),
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, ...head)),
      h("tbody", { role: "rowgroup" }, ...body),
    ),
  );
}

/** Saves a blob as a file of this name. */
export function save(blob, name) {
  const url = URL.createObjectURL(blob);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

const NUMBERS = new Intl.NumberFormat("en");

export function number(value) {
  return NUMBERS.format(value);
}

/** "1 error", "1,234 errors" */
export function count(value, noun) {
  return `${number(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** "shop.repaired.db" of "shop.db" */
export function derivedName(name, mark) {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? `${name.slice(0, dot)}.${mark}${name.slice(dot)}` : `${name}.${mark}`;
}
