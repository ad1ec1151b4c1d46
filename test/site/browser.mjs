// browser.mjs: serves build/site, and starts Chromium.
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";

const packages = createRequire(join(process.cwd(), "build/site-test/"));
const { chromium } = packages("playwright-core");
export const axeSource = packages.resolve("axe-core/axe.min.js");

export const fixture = (name) => join("build/site-test/files", name);

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

function serve(request, response) {
  const path = join("build/site", request.url === "/" ? "index.html" : request.url);
  if (!existsSync(path)) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": TYPES[extname(path)] });
  createReadStream(path).pipe(response);
}

/** Starts a server on a free port. Returns it and its address. */
export async function listen(handler = serve) {
  const server = createServer(handler);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, address: `http://127.0.0.1:${server.address().port}/` };
}

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function startChromium() {
  return chromium.launch({ executablePath: process.env.CHROMIUM, args: FLAGS });
}

/** Opens the page, and waits until SQLite has started. */
export async function openPage(browser, address, options = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(error.message));
  page.on("dialog", (dialog) => page.problems.push(`dialog: ${dialog.message()}`));
  await page.goto(address);
  await page.locator("#version:not(:empty)").waitFor({ timeout: 60000 });
  return page;
}

/** Waits until nothing runs and the status is not `before`; returns the status. */
export async function settled(page, before) {
  await page.waitForFunction(
    (old) =>
      document.getElementById("busy").hidden &&
      document.getElementById("status").textContent !== old,
    before,
    { timeout: 120000 },
  );
  return page.textContent("#status");
}

/** Chooses a file. */
export async function choose(page, name) {
  const before = await page.textContent("#status");
  await page.setInputFiles("#file", fixture(name));
  return settled(page, before);
}

/** Enters bytes in hexadecimal. */
export async function enterHex(page, hex) {
  const before = await page.textContent("#status");
  await page.check("#as-hex");
  await page.fill("#input", hex);
  await page.click("text=Check");
  return settled(page, before);
}
