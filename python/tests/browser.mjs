// browser.mjs: opens pages in headless Chromium and prints what it finds, as JSON.
//
//     NODE_PATH=... node browser.mjs page.html ...     one array, one object for each page
//
// Each page is opened at the width of a phone, in light and in dark colours.

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(`${process.env.NODE_PATH}/`);
const { chromium } = require('playwright-core');
const axe = require('axe-core');

const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];

async function open(browser, file, colorScheme) {
  // axe is a script, which the page's own policy forbids: hence bypassCSP.
  const context = await browser.newContext({
    viewport: { width: 360, height: 800 }, colorScheme, bypassCSP: true });
  const page = await context.newPage();
  const seen = { requests: 0, messages: [] };
  page.on('request', () => { seen.requests += 1; });
  page.on('console', message => seen.messages.push(message.text()));
  page.on('dialog', dialog => { seen.messages.push(dialog.message()); dialog.dismiss(); });
  await page.goto(pathToFileURL(file).href);
  return { page, context, seen };
}

// In dark colours, only the contrast can differ.
async function violations(page, colorScheme) {
  await page.addScriptTag({ content: axe.source });
  const rules = colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {};
  const result = await page.evaluate(options => axe.run(options), rules);
  return result.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
}

async function inspect(browser, file, colorScheme) {
  const { page, context, seen } = await open(browser, file, colorScheme);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  const scripts = await page.evaluate(() => document.scripts.length);
  const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const found = { width, scripts, background, ...seen, violations: await violations(page, colorScheme) };
  await context.close();
  return found;
}

// With the page's own policy in force: a style that it does not allow would be reported.
async function refusals(browser, file) {
  const page = await browser.newPage();
  const refused = [];
  page.on('console', message => refused.push(message.text()));
  await page.goto(pathToFileURL(file).href);
  const margin = await page.evaluate(() => getComputedStyle(document.body).marginTop);
  await page.close();
  return { refused, styled: margin === '0px' };
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: QUIET });
const pages = [];
for (const file of process.argv.slice(2)) {
  pages.push({
    light: await inspect(browser, file, 'light'),
    dark: await inspect(browser, file, 'dark'),
    ...await refusals(browser, file),
  });
}
await browser.close();
console.log(JSON.stringify(pages));
