// choices.test.mjs: what is unclear stays until a reader chooses one of its readings.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { choose, download, fixture, inPage, settled } from "./browser.mjs";

/** Runs SQL on a database with the shell, and returns what it prints. */
function query(bytes, sql) {
  writeFileSync(fixture("chosen.db"), bytes);
  const { stdout, stderr } = spawnSync(process.env.SQLITE3 ?? "sqlite3", [
    fixture("chosen.db"),
    sql,
  ]);
  assert.equal(stderr.toString(), "");
  return stdout.toString();
}

const NAMES = "SELECT hex(name), hex(town) FROM staff";
const UNCHANGED = "416E6E|4265726E\n4131E9|4231E9\n4132E9|526F6D\n4133E9|556C6D\n";

/** The button of a reading in row n of the findings, or the one after it. */
const reading = (page, row, text) =>
  page.locator("#findings tbody tr").nth(row).locator("li", { hasText: text }).getByRole("button");

inPage("unclear values stay, and their readings are buttons", async (page) => {
  assert.equal(
    await choose(page, "staff.db"),
    "staff.db: 4 broken or misread values: 4 are unclear. Searched: 1 table and the schema, in UTF-8.",
  );
  assert(await page.isDisabled("#repair-database"));
  const texts = await page.locator("#readings-1 button.small").allTextContents();
  assert(texts.length > 1 && texts.length <= 4, String(texts));
  assert.equal(texts[0], "A1é");
  const labels = await page.locator("#readings-1 button.link").allTextContents();
  assert.deepEqual(new Set(labels), new Set(["for all like it"]));
});

inPage("a choice is for one value", async (page) => {
  const before = await choose(page, "staff.db");
  await reading(page, 0, "A1é").first().click();
  assert.match(await settled(page, before), /: 1 restored, 3 are unclear\./);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "A1é");
  assert.equal(await page.locator("[aria-pressed=true]").count(), 1);
  const { bytes } = await download(page, page.locator("#repair-database"));
  assert.equal(query(bytes, NAMES), UNCHANGED.replace("4131E9", "4131C3A9"));
});

inPage("a choice is for all like it in the column, and can be changed", async (page) => {
  let status = await choose(page, "staff.db");
  await reading(page, 0, "A1é").last().click();
  status = await settled(page, status);
  assert.match(status, /: 3 restored, 1 is unclear\./);
  const buttons = page.locator("#findings tbody tr").nth(2).locator("li button.small");
  const second = await buttons.nth(1).textContent();
  assert.notEqual(second, "A2é");
  await reading(page, 2, second).first().click();
  await page.locator("[aria-pressed=true]", { hasText: second }).waitFor();
  const row = page.locator("#groups tbody tr").first().locator("td");
  assert.deepEqual((await row.allTextContents()).slice(3), ["3", "3", "0"]);

  const { bytes } = await download(page, page.locator("#repair-database"));
  assert.match(
    await settled(page, status),
    /^3 values repaired in a copy\. A new audit finds 1 value\./,
  );
  const chosen = UNCHANGED.replace("4131E9", "4131C3A9")
    .replace("4132E9", Buffer.from(second).toString("hex").toUpperCase())
    .replace("4133E9", "4133C3A9");
  assert.equal(query(bytes, NAMES), chosen);

  const repair = await download(page, page.locator("#repair-script"));
  assert(repair.bytes.toString().includes(`SET "name" = '${second}' WHERE rowid = 3`));
  assert(!repair.bytes.toString().includes('"town"'));
  const undo = await download(page, page.locator("#undo-script"));
  assert.equal(query(bytes, `${undo.bytes}; ${NAMES}`), UNCHANGED);
});

inPage("cells of a CSV file: misread ones are restored, unclear ones wait", async (page) => {
  const status = await choose(page, "unclear.csv");
  assert.match(
    status,
    /^unclear\.csv: 4 cells in 3 rows are broken or misread: 2 restored, 2 are unclear\. /,
  );
  const first = await download(page, page.locator("#best button.main"));
  assert.equal(
    first.bytes.toString("latin1"),
    "id;name;town\n1;A1\xe9;Gen\xc3\xa8ve\n2;A2\xe9;K\xc3\xb6ln\n3;Ann;M\xc3\xbcnchen\n",
  );
  await page.locator("#best li", { hasText: "A1é" }).getByRole("button").last().click();
  assert.match(await settled(page, status), /: 4 restored\. /);
  const { bytes } = await download(page, page.locator("#best button.main"));
  assert.equal(bytes.toString(), "id;name;town\n1;A1é;Genève\n2;A2é;Köln\n3;Ann;München\n");
});
