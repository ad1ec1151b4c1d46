// browser.mjs: serves build/site, and starts Chromium, before the tests of a file.
import assert from "node:assert/strict";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import test, { after, before } from "node:test";

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

function startChromium() {
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

/** The browser and the server of the tests. */
export const running = { browser: null, site: null };

before(async () => {
  [running.browser, running.site] = await Promise.all([startChromium(), listen()]);
});

after(async () => {
  await running.browser.close();
  running.site.server.close();
});

/** Runs a test with a page of its own. Errors of the page's scripts and dialogs fail it. */
export function inPage(name, options, run = options) {
  test(name, async () => {
    const { browser, site } = running;
    const page = await openPage(browser, site.address, run === options ? {} : options);
    await run(page);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}

/** Clicks, and returns the downloaded file. */
export async function download(page, locator) {
  const [file] = await Promise.all([page.waitForEvent("download"), locator.click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}
