// site.test.mjs: the page in headless Chromium. test/site/fixtures.py makes the files.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import {
  axeSource,
  choose,
  download,
  enterHex,
  fixture,
  inPage,
  listen,
  openPage,
  running,
  settled,
} from "./browser.mjs";

// ---- text ---------------------------------------------------------------------------------

inPage("pasted text: well-formed, and its mojibake is undone", async (page) => {
  await page.fill("#input", "cafÃ© naïve");
  await page.click("text=Check");
  assert.equal(
    await settled(page, ""),
    "This is mojibake: UTF-8 that was read as Windows-1252. mojibake, windows-1252",
  );
  assert.equal(await page.textContent("#best .sample"), "café naïve");
  assert.equal(await page.textContent("#best code"), "utf8_demojibake(X)");
  assert(await page.isHidden("#others"));
});

inPage("hexadecimal: each error has its bytes, its kind and its place", async (page) => {
  await enterHex(page, "x'41e28241c0afeda080f4908080ff80e282'");
  assert.equal(
    await page.textContent("#bytes-words"),
    "13 errors: the first is incomplete at byte 1, line 1",
  );
  await page.click("#bytes-section summary");
  const errors = await page.locator(".unit.error").allTextContents();
  assert.equal(errors.length, 13);
  assert.match(errors[0], /^E2 82.*incomplete at byte 1$/);
  assert.match(errors[12], /^E2 82.*truncated at byte 15$/);
  const kinds = await page.locator("#legend .badge").allTextContents();
  assert.equal(kinds.length, 7);
});

/** The card of the result that a policy is the first of. */
function card(page, words) {
  return page.locator("#repairs .card", { has: page.locator("h3", { hasText: words }) });
}

inPage("the other repairs are merged, and say how they differ", async (page) => {
  await enterHex(page, "4772c3b6c39f6520c363626572e2808b");
  assert(await page.isHidden("#repairs"));
  await page.click("#others summary");
  const escaped = card(page, /^bytes written as/);
  assert.equal(await escaped.locator(".text").textContent(), "Größe \\xc3cberU+200B");
  const western = card(page, /^read as Windows-1252/);
  assert.equal(await western.locator("code").textContent(), "utf8_repair(X, 'windows-1252')");
  const texts = await page.locator("#text-result .card .sample").allTextContents();
  assert.equal(new Set(texts).size, texts.length);
  assert.equal(
    await page.textContent("#others-words"),
    "bytes written as \\xhh · read as Windows-1252",
  );
});

/** [bytes, the headline with its term, the readable text] */
const HEADLINES = [
  [
    "93fa967b8cea82c58365835883678140098dec90ac82b582dc82b7",
    "This is Japanese text in Shift JIS, not UTF-8. shift_jis",
    "日本語でテスト\u3000\t作成します",
  ],
  [
    "cff0e8e2e5f22c20eae0ea20e4e5ebe03f",
    "This is Cyrillic text in Windows-1251, not UTF-8. windows-1251",
    "Привет, как дела?",
  ],
  ["4772c3b6c39f6520c363626572", "One letter was lost here. damaged", "Größe \uFFFDcber"],
  [
    "d09fd180d0b8d0b2d0b5d182d1",
    "The text was cut off in the middle of a letter. cut",
    "Привет\uFFFD",
  ],
  ["eda0bdedb880", "Emoji and rare characters were written in two halves. cesu-8", "😀"],
  ["fffe47007200f600df006500", "This is text in UTF-16, not UTF-8. utf-16", "Größe"],
  ["2e2ec0af", "Some characters are disguised by too many bytes. overlong", "..\uFFFD\uFFFD"],
  [
    "6966202861e280ae29207b",
    /^This text hides something\. At byte 5 is a character that turns .* bidi control$/,
    "if (a) {",
  ],
  [
    "1b2442467c4b5c386c1b2842",
    "This is Japanese text in ISO-2022-JP, not UTF-8. iso-2022-jp",
    "日本語",
  ],
];

inPage("the headline is the cause in words, and the readable text comes first", async (page) => {
  for (const [hex, headline, text] of HEADLINES) {
    const status = await enterHex(page, hex);
    if (headline instanceof RegExp) assert.match(status, headline);
    else assert.equal(status, headline);
    assert.equal(await page.textContent("#best .sample"), text, status);
    const [best, bytes] = await Promise.all(
      ["#best", "#bytes-section"].map((id) => page.locator(id).boundingBox()),
    );
    assert(best.y < bytes.y);
  }
});

inPage("text with nothing wrong has no repair, and neither has what is not text", async (page) => {
  assert.equal(await enterHex(page, "c3a9"), "Nothing is wrong with this text: 2 bytes. utf-8");
  assert(await page.isHidden("#best-section"));
  assert.equal(
    await enterHex(page, "00010203ff00fe0004050600"),
    "This does not look like text: leave it as it is. binary",
  );
  assert(await page.isHidden("#best-section"));
  assert.equal(await page.locator("#repairs .card code").first().textContent(), "utf8_repair(X)");
});

inPage("examples fill the input and are checked", async (page) => {
  await page.click("text=Shift JIS");
  assert.match(await settled(page, ""), /Shift JIS, not UTF-8/);
  assert.match(await page.textContent("#sql"), /utf8_from\(x'93fa/);
});

inPage("unclear text is not decoded, and its readings are open", async (page) => {
  await enterHex(page, Buffer.from("Molière", "latin1").toString("hex"));
  assert.equal(await page.textContent("#best .sample"), "Moli\uFFFDre");
  assert.equal(await card(page, "read as Latin-1").locator(".text").textContent(), "Molière");
  assert(await card(page, "read as Latin-1").isVisible());
});

inPage("pasted words are repaired by cause, and the rest is kept", async (page) => {
  const text = "où ? déjà payé, et pas réglé / ";
  const bytes = Buffer.concat([Buffer.from(text), Buffer.from("déjà réglé", "latin1")]);
  assert.equal(
    await enterHex(page, bytes.toString("hex")),
    "Words in Latin-1 were pasted into UTF-8. utf-8+iso-8859-1",
  );
  assert.equal(await page.textContent("#best code"), "utf8_repair(X, 'iso-8859-1')");
  assert.equal(await page.textContent("#best .sample"), text + "déjà réglé");
});

inPage("input that is not hexadecimal text gets one clear line", async (page) => {
  assert.equal(
    await enterHex(page, "41 4z"),
    "This is not hexadecimal text: “z” is not a hexadecimal digit.",
  );
  assert.equal(
    await enterHex(page, "41 4"),
    "This is not hexadecimal text: 3 digits are not a whole number of bytes.",
  );
});

// ---- files --------------------------------------------------------------------------------

inPage("a dropped CSV file: errors by line; each download is the native repair", async (page) => {
  const data = await page.evaluateHandle(
    (content) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(content)], "orders.csv"));
      return transfer;
    },
    Array.from(readFileSync(fixture("orders.csv"))),
  );
  await page.dispatchEvent("#drop", "drop", { dataTransfer: data });
  assert.match(
    await settled(page, ""),
    /^orders\.csv: 17 cells in 9 rows are broken or misread: 10 restored, 4 lose a character, 3 are unclear\. /,
  );
  assert.match(
    await page.textContent("#bytes-words"),
    /^\d+ errors: the first is incomplete at byte 89, line 3$/,
  );
  const best = await download(page, page.locator("#text-result button").first());
  assert.equal(best.name, "orders.repaired.csv");
  assert.deepEqual(best.bytes, readFileSync(fixture("orders.csv.cells.expected")));
  await page.click("#others summary");
  for (const policy of ["auto", "byte", "run", "cesu-8", "escape"]) {
    const { name, bytes } = await download(
      page,
      page.getByLabel(`Download the text repaired with ${policy}`, { exact: true }),
    );
    assert.equal(name, `orders.${policy}.csv`);
    assert.deepEqual(bytes, readFileSync(fixture(`orders.csv.${policy}.expected`)), policy);
  }
});

inPage("cells of a CSV file are repaired by cause, and all other bytes are kept", async (page) => {
  assert.equal(
    await choose(page, "mixed.csv"),
    "mixed.csv: 5 cells in 4 rows are broken or misread: 4 restored, 1 loses a character. windows-1252, cut",
  );
  const cells = await page.locator("#best tbody tr").nth(1).locator("td").allTextContents();
  assert.deepEqual(cells.slice(0, 4), ["2", "note", 'a "xE9"; b', 'a "xé"; b']);
  const { bytes } = await download(page, page.locator("#best button"));
  assert.deepEqual(bytes, readFileSync(fixture("mixed.csv.cells.expected")));
  assert.equal(
    bytes.toString(),
    'id;city;note\r\n1;München;"a ""xé""; b"\r\n2;Köln;naïve\r\n' +
      "3;Düsseldorf und Umgebung;x\r\n4;Grü\uFFFD;\r\n",
  );
});

inPage("a long text: a table of errors, windows around them, and a conversion", async (page) => {
  assert.match(await choose(page, "sjis.txt"), /This is Japanese text in Shift JIS/);
  assert.match(
    await page.textContent("#best .sample"),
    /^日本語のテキストです。表示と構造。\r\n日/,
  );
  await page.click("#bytes-section summary");
  assert.match(await page.textContent("#errors caption"), /The first 1,000 of 36,000 errors/);
  await page.locator("#errors button").nth(100).click();
  await page.waitForFunction(
    () => !document.getElementById("window").textContent.startsWith("Bytes 0 "),
  );
  assert((await page.locator(".unit.error").count()) > 10);
  const { bytes } = await download(page, page.getByLabel("Download the repaired text"));
  assert.deepEqual(bytes, readFileSync(fixture("sjis.txt.shift_jis.expected")));
});

inPage("a file in two encodings is read section by section", async (page) => {
  const utf16 = Buffer.from("\ufeffid,name\n1,Jürgen Groß\n", "utf16le");
  const file = Buffer.concat([utf16, Buffer.from("2,Zoë, Zürich im Süden\n")]);
  await page.setInputFiles("#file", { name: "two.csv", mimeType: "text/csv", buffer: file });
  assert.equal(
    await settled(page, ""),
    "two.csv: This file is in more than one encoding. utf-16le, utf-8 from line 3",
  );
  const { bytes } = await download(page, page.locator("#best button.main"));
  assert.equal(bytes.toString(), "id,name\n1,Jürgen Groß\n2,Zoë, Zürich im Süden\n");
});

inPage("errors are found at the ends of chunks, and repaired there", async (page) => {
  await choose(page, "edges.txt");
  assert.match(
    await page.textContent("#bytes-words"),
    /^3 errors: the first is incomplete at byte 4,194,303/,
  );
  await page.click("#others summary");
  const { bytes } = await download(
    page,
    page.getByLabel("Download the text repaired with run", { exact: true }),
  );
  assert.deepEqual(bytes, readFileSync(fixture("edges.txt.run.expected")));
});

inPage("100 MB of text do not freeze the page", async (page) => {
  await page.evaluate(() => {
    window.longest = 0;
    let last = performance.now();
    setInterval(
      () =>
        ([window.longest, last] = [
          Math.max(window.longest, performance.now() - last),
          performance.now(),
        ]),
      10,
    );
  });
  assert.match(await choose(page, "large.txt"), /^large\.txt: .+\. unclear$/);
  assert.match(
    await page.textContent("#bytes-words"),
    /^1 error: the first is invalid byte at byte 74,447,759, line 1,240,796$/,
  );
  assert((await page.evaluate(() => window.longest)) < 500);
});

inPage("what is neither text nor a database gets one clear line", async (page) => {
  assert.equal(
    await choose(page, "empty.txt"),
    "empty.txt is empty: 0 bytes, which is well-formed UTF-8.",
  );
  assert.equal(
    await choose(page, "secret.db"),
    "secret.db does not start as an SQLite database does: it is encrypted, damaged, or something else.",
  );
  assert.equal(await choose(page, "broken.db"), "broken.db: file is not a database");
});

// ---- databases ----------------------------------------------------------------------------

for (const [policy, outcome] of [
  ["subpart", "3,010 broken or misread values: 3,010 lose a character"],
  ["auto", "3,011 broken or misread values: 9 restored, 3,002 are unclear"],
  ["windows-1252", "3,010 broken or misread values: 3,010 restored"],
]) {
  inPage(
    `the repaired database is byte for byte that of the loadable extension: ${policy}`,
    async (page) => {
      await choose(page, "shop.db");
      if (policy !== "auto") {
        await page.selectOption("#policy", policy);
        await page.locator("#audit-sql", { hasText: policy }).waitFor();
      }
      const found = await page.textContent("#status");
      assert.equal(found, `shop.db: ${outcome}. Searched: 7 tables and the schema, in UTF-8.`);
      const { name, bytes } = await download(page, page.locator("#repair-database"));
      assert.equal(name, "shop.repaired.db");
      assert.match(
        await settled(page, found),
        policy === "auto"
          ? /^9 values repaired in a copy\. A new audit finds 3,002 values\. Your file is unchanged\.$/
          : /^3,010 values repaired in a copy.*\. A new audit finds nothing\. Your file is unchanged\.$/,
      );
      assert.deepEqual(bytes, readFileSync(fixture(`shop.db.${policy}.expected`)));
    },
  );
}

inPage(
  "the audit shows places, bytes and repairs, and names of tables are never HTML",
  async (page) => {
    await choose(page, "shop.db");
    assert.match(
      await page.textContent("#groups"),
      /<img src=x onerror=alert\(1\)><b>c<\/b>.*invalid byte/,
    );
    assert.equal(await page.locator("main img, main script, main table table").count(), 0);
    const cells = await page.locator("#findings tbody tr").first().locator("td").allTextContents();
    assert.deepEqual(cells.slice(0, 5), ["people", "name", "17", "JosE9", "José"]);
    assert.match(cells[5], /truncated/);
    assert.match(
      cells[6],
      /UPDATE "main"\."people" SET "name" = utf8_from\("name", 'windows-1252'\) WHERE rowid = 17 /,
    );
  },
);

inPage("misread text is found, and other suspicious text if asked for", async (page) => {
  const before = await choose(page, "suspects.db");
  assert.match(before, /^suspects\.db: 1 broken or misread value: 1 restored\./);
  assert.match(await page.textContent("#groups"), /txmisread as Windows-1252mojibake/);
  await page.check("#suspects");
  assert.match(
    await settled(page, before),
    /^suspects\.db: 2 broken, misread or suspicious values: 2 restored\./,
  );
});

for (const [name, policy, message] of [
  ["unique.db", "subpart", "strict_one.name, key 2: UNIQUE constraint failed: strict_one.name"],
  ["keys.db", "subpart", "person: 1 row would no longer match a foreign key"],
]) {
  inPage(`a repair that fails repairs nothing: ${name}`, async (page) => {
    page.on("download", () => page.problems.push("a download"));
    await choose(page, name);
    await page.selectOption("#policy", policy);
    await page.locator("#audit-sql", { hasText: policy }).waitFor();
    const before = await page.textContent("#status");
    await page.click("#repair-database");
    assert.equal(await settled(page, before), `${name}: ${message}; nothing was repaired`);
    assert(await page.isVisible("#findings"));
  });
}

inPage("SQL scripts repair and undo", async (page) => {
  await choose(page, "shop.db");
  const repair = await download(page, page.locator("#repair-script"));
  assert.equal(repair.name, "shop.db.repair.sql");
  assert.match(repair.bytes.toString(), /^BEGIN;\nUPDATE "main"\."people".*COMMIT;\n$/s);
  const undo = await download(page, page.locator("#undo-script"));
  assert.match(
    undo.bytes.toString(),
    /^BEGIN;\nUPDATE "main"\."misread".*x'4a6f73e9'.*COMMIT;\n$/s,
  );
});

inPage("databases in UTF-16 and in WAL mode", async (page) => {
  assert.match(
    await choose(page, "utf16.db"),
    /1 broken or misread value: 1 loses a character. Searched: 1 table and the schema, in UTF-16le/,
  );
  assert(await page.isHidden("#wal"));
  const before = await choose(page, "wal.db");
  assert(await page.isVisible("#wal"));
  const { bytes } = await download(page, page.locator("#repair-database"));
  await settled(page, before);
  assert.deepEqual(Array.from(bytes.subarray(18, 20)), [2, 2]);
});

inPage("tables are found whatever the schema writes as their type and name", async (page) => {
  assert.equal(
    await choose(page, "schema.db"),
    "schema.db: 2 broken or misread values: 2 are unclear. Searched: 2 tables and the schema, in UTF-8.",
  );
});

inPage("a damaged page does not hide the other tables", async (page) => {
  assert.match(await choose(page, "damaged.db"), /3,0\d\d broken or misread values/);
  assert.match(await page.textContent("#groups"), /unreadable: .*malformed/);
});

// ---- the page -----------------------------------------------------------------------------

inPage("the start page shows three damages, before and after", async (page) => {
  const changes = await page.locator("#common .change dd").allTextContents();
  assert.deepEqual(changes, [
    "lâ€™Ã©tÃ© au cafÃ©",
    "l’été au café",
    "Sch\uFFFDne Gr\uFFFD\uFFFDe aus M\uFFFDnchen",
    "Schöne Grüße aus München",
    "Crème brûlée 6,50 €, caf\uFFFD cr\uFFFDme 3 \uFFFD",
    "Crème brûlée 6,50 €, café crème 3 €",
  ]);
  await page.locator("#common button").nth(1).click();
  assert.match(
    await settled(page, ""),
    /^This is Western European text in Windows-1252, not UTF-8\./,
  );
  assert.equal(await page.textContent("#best .sample"), "Schöne Grüße aus München");
  assert(await page.isHidden("#common"));
});

inPage("the keyboard is enough", async (page) => {
  await page.locator("#input").focus();
  await page.keyboard.type("4a6f73e9");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.match(await settled(page, ""), /^One letter can be read/);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "pasted words");
});

inPage("the keyboard reaches the repair, the other ways, and the bytes", async (page) => {
  await enterHex(page, "4772c3b6c39f6520c363626572");
  await page.locator("#status").focus();
  const reached = [];
  for (let i = 0; i < 6; i++) {
    await page.keyboard.press("Tab");
    reached.push(await page.evaluate(() => document.activeElement.textContent.slice(0, 8)));
  }
  assert.deepEqual(reached.slice(0, 4), ["Größe \uFFFDc", "Download", "Copy", "Other wa"]);
  await page.locator("#bytes-section summary").focus();
  await page.keyboard.press("Enter");
  assert(await page.isVisible("#bytes"));
});

inPage("the first stop of the keyboard skips to the result", async (page) => {
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "status");
});

inPage("Stop ends what runs, and the page still works", async (page) => {
  await page.setInputFiles("#file", fixture("large.txt"));
  await page.click("#stop");
  assert.equal(await settled(page, ""), "large.txt: Stopped.");
  assert.match(await enterHex(page, "ff"), /\.\s/);
});

async function checkAccessibility(page, what) {
  // The page's policy lets no script in; Playwright's evaluate() is not bound by it.
  await page.evaluate(readFileSync(axeSource, "utf8"));
  const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
  assert.deepEqual(
    violations.map(({ id, nodes }) => [id, nodes[0].html]),
    [],
    what,
  );
}

/** What a reader may look at, each with the id of what comes first. */
const VIEWS = [
  ["start", null, "common"],
  [
    "text",
    (page) => enterHex(page, "41e28241c0afeda080f4908080ff80e282" + "61".repeat(200)),
    "best",
  ],
  ["unclear", (page) => enterHex(page, "4d6f6c69e87265"), "repairs"],
  ["CSV", (page) => choose(page, "orders.csv"), "best"],
  ["database", (page) => choose(page, "keys.db"), "findings"],
];

/** Can a reader see the headline and the button of the likely repair without scrolling? */
async function isInView(page) {
  const button = page.locator("#best button.main:visible, #repair-database:visible").first();
  const [status, main] = [await page.locator("#status").boundingBox(), await button.boundingBox()];
  return status.y >= 0 && main.y + main.height <= page.viewportSize().height;
}

/** Opens all that is closed, checks the width and axe, and takes a screenshot if SHOTS names a
 * directory. */
async function checkView(page, name, width) {
  const shot = (part) =>
    process.env.SHOTS && page.screenshot({ path: `${process.env.SHOTS}/${name}-${part}.png` });
  await shot("top");
  for (const summary of await page.locator("main > div > details > summary:visible").all())
    await summary.click();
  const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
  assert(scrollWidth <= width, `${name}: ${scrollWidth}`);
  await checkAccessibility(page, name);
  await shot("open");
}

// 200 per cent zoom of a window of 1200 pixels is a window of 600 CSS pixels with 2 device pixels.
for (const [width, deviceScaleFactor, colorScheme] of [
  [360, 1, "light"],
  [768, 1, "dark"],
  [1200, 1, "light"],
  [600, 2, "light"],
]) {
  const options = { viewport: { width, height: 800 }, deviceScaleFactor, colorScheme };
  for (const [name, open, first] of VIEWS) {
    const what = `${name}, ${width} pixels, ${colorScheme}: nothing is cut off, axe finds no barrier`;
    inPage(what, options, async (page) => {
      await open?.(page);
      await page.locator(`#${first}`).waitFor();
      if (open) assert(await isInView(page), "the headline and what to click first are in view");
      await checkView(page, `${name}-${width}`, width);
    });
  }
}

// Slow, so only once.
inPage("axe finds no barrier in a table of 500 rows", async (page) => {
  await choose(page, "shop.db");
  assert.equal(await page.locator("#findings tbody tr").count(), 500);
  await checkAccessibility(page, "500 rows");
});

inPage(
  "rows are cards on a phone, and still a table to a screen reader",
  { viewport: { width: 360, height: 740 } },
  async (page) => {
    await choose(page, "shop.db");
    await page.locator("#found").waitFor();
    assert((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
    await choose(page, "mixed.csv");
    const row = page.getByRole("table").getByRole("row").nth(1);
    assert.equal(await row.getByRole("cell").count(), 5);
    assert.equal(await row.evaluate((tr) => getComputedStyle(tr).display), "block");
    const label = await row
      .getByRole("cell")
      .nth(3)
      .evaluate((td) => getComputedStyle(td, "::before").content);
    assert.match(label, /after/);
  },
);

inPage("dark mode", { colorScheme: "dark" }, async (page) => {
  assert.equal(
    await page.evaluate(() => getComputedStyle(document.body).backgroundColor),
    "rgb(21, 23, 26)",
  );
});

inPage("print shows the result and no input", async (page) => {
  await enterHex(page, "ff");
  await page.emulateMedia({ media: "print" });
  assert(await page.isHidden("#input"));
  assert(await page.isVisible("#best, #repairs"));
});

test("no request leaves the origin, and none can", async () => {
  const foreign = { requests: 0 };
  const other = await listen((request, response) => {
    foreign.requests++;
    response.writeHead(200, { "access-control-allow-origin": "*" }).end();
  });
  const { browser, site } = running;
  const page = await openPage(browser, site.address);
  const requests = [];
  page.context().on("request", (request) => requests.push(request.url()));
  await enterHex(page, "ff");
  await choose(page, "shop.db");
  const left = requests.filter((url) => !url.startsWith(site.address) && !url.startsWith("blob:"));
  assert.deepEqual(left, []);

  const send = (address) =>
    fetch(address).then(
      () => "sent",
      () => "blocked",
    );
  assert.equal(await page.evaluate(send, other.address), "blocked");
  assert.equal(page.workers().length, 1);
  assert.equal(await page.workers()[0].evaluate(send, other.address), "blocked");
  assert.equal(foreign.requests, 0);
  assert.equal((await fetch(other.address)).status, 200);
  other.server.close();
  await page.context().close();
});
