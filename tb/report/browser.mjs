// A page in headless Chromium, and what tests ask of it.
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { page as file } from './pages.mjs';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
let browser = null;
export const start = async () => { browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: FLAGS }); };
export const stop = async () => { if (browser) await browser.close(); };

// Opens a page, works on it, and holds it to what every page must keep: nothing said on the console, no error, nothing asked of
// the network.
export async function onPage(name, options, work) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, colorScheme: 'light', ...options });
  const tab = await context.newPage();
  tab.setDefaultTimeout(20000);
  const said = [];
  const asked = [];
  tab.on('console', (message) => said.push(message.text()));
  tab.on('pageerror', (error) => said.push(error.message));
  tab.on('request', (request) => asked.push(request.url()));
  await tab.goto(`file://${file(name)}`);
  await tab.locator('#summary').waitFor();
  await work(tab);
  assert.deepEqual(said, [], `${name}: console`);
  assert.deepEqual(asked.filter((url) => !url.startsWith('file://') && !url.startsWith('data:')), [], `${name}: requests`);
  assert.equal(asked.filter((url) => url.startsWith('file://')).length, 1, `${name}: one file`);
  await context.close();
}

// Pixels of strong colour in a chart: grid, axes and texts are grey.
export const colouredPixels = (canvas) => canvas.evaluate((element) => {
  // A copy: the page's own canvas stays as it is.
  const copy = document.createElement('canvas');
  [copy.width, copy.height] = [element.width, element.height];
  const context = copy.getContext('2d', { willReadFrequently: true });
  context.drawImage(element, 0, 0);
  const { data } = context.getImageData(0, 0, copy.width, copy.height);
  let coloured = 0;
  for (let k = 0; k < data.length; k += 4)
    if (data[k + 3] > 128 && Math.max(data[k], data[k + 1], data[k + 2]) - Math.min(data[k], data[k + 1], data[k + 2]) > 60) ++coloured;
  return coloured;
});

// Every chart holds something: canvases have coloured pixels, bars have parts; every section has something to show.
export async function expectFullCharts(tab, atLeast) {
  const charts = tab.locator('.chart canvas');
  for (let k = 0; k < await charts.count(); ++k) {
    await charts.nth(k).scrollIntoViewIfNeeded();
    assert.ok(await colouredPixels(charts.nth(k)) > 30, `chart ${await charts.nth(k).locator('xpath=ancestor::*[@id][1]').getAttribute('id')} is empty`);
  }
  assert.ok(await charts.count() >= atLeast, `${await charts.count()} charts, expected ${atLeast}`);
  const empty = await tab.evaluate(() => [
    ...[...document.querySelectorAll('.bars')].filter((bars) => !bars.querySelector('.bar span')).map((bars) => bars.getAttribute('aria-label')),
    ...[...document.querySelectorAll('main > section')].filter((s) => !s.querySelector('table tbody tr, .chart, .bars, li, .absent, .problem')).map((s) => s.id)]);
  assert.deepEqual(empty, []);
}

export const cells = (table, column) => table.locator(`tbody tr td:nth-child(${column})`).allInnerTexts();
export const tableOf = (tab, caption) => tab.locator('.data-table', { has: tab.locator(`caption:text-is("${caption}")`) });
// Moves the mouse across a chart until a tooltip shows; its text.
export async function hover(tab, id) {
  const area = tab.locator(`#${id} .u-over`);
  await area.scrollIntoViewIfNeeded();
  const box = await area.boundingBox();
  for (let x = 0.02; x < 1; x += 0.02)
    for (const y of [0.1, 0.3, 0.5, 0.7, 0.9]) {
      await tab.mouse.move(box.x + x * box.width, box.y + y * box.height);
      if (await tab.locator('#tip').isVisible()) return { text: await tab.locator('#tip').innerText(), x: box.x + x * box.width, y: box.y + y * box.height };
    }
  assert.fail(`${id}: no tooltip anywhere`);
}
