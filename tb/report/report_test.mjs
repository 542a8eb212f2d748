// The pages of dve-sim report in headless Chromium: node report_test.mjs DVE_SIM FOLDER. Makes its runs in FOLDER.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test, before, after } from 'node:test';
import { cells, colouredPixels, expectFullCharts, hover, onPage, start, stop, tableOf } from './browser.mjs';
import { LARGE, here, makePages, page, root } from './pages.mjs';

before(async () => { makePages(); await start(); });
after(stop);
const dataOf = (tab) => tab.evaluate(() => JSON.parse(document.getElementById('data').textContent));
const background = (tab) => tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
const themeIs = (tab, theme) => tab.waitForFunction((wanted) => document.documentElement.dataset.theme === wanted, theme);

test('uPlot in the tree is that of the package', () => {
  for (const file of ['uPlot.iife.min.js', 'uPlot.min.css'])
    assert.ok(fs.readFileSync(path.join(root, 'platform/page/uplot', file)).equals(fs.readFileSync(path.join(here, 'node_modules/uplot/dist', file))), file);
});

test('a run: every chart is there, the largest bucket is what the report says', () => onPage('full', {}, async (tab) => {
  await expectFullCharts(tab, 2);
  const report = JSON.parse(fs.readFileSync(path.join(path.dirname(page('full')), 'full/report.json')));
  const bar = tab.locator('#cycles .bar').first();
  assert.match(await bar.getAttribute('aria-label'), new RegExp(`^dve: busy ${Math.round(100 * report.engines.dve.busy / report.engines.dve.cycles)} %`));
  assert.equal(await tab.locator('#cycles .bar').count(), 3, 'dve, pool, act');
  const resources = await tab.locator('#roofline .bar-label').allInnerTexts();
  assert.deepEqual(resources.slice(0, -1).map((text) => text.split('\n')[0].trim()), Object.keys(report.roofline_ns));
}));

test('a bar says its parts to the mouse and to the keyboard', () => onPage('run', {}, async (tab) => {
  await tab.locator('#cycles .bar span').first().hover();
  const shown = await tab.locator('#tip').innerText();
  assert.match(shown, /^dve\s+busy\s+[\d\s\u202f]+cycles \(\d+ %\)$/);
  await tab.mouse.move(0, 0);
  assert.ok(await tab.locator('#tip').isHidden());
  await tab.locator('#cycles .bar').first().focus();
  await tab.keyboard.press('ArrowRight');
  assert.equal(await tab.locator('#tip').innerText(), shown);
  await tab.keyboard.press('ArrowRight');
  assert.match(await tab.locator('#tip').innerText(), /issue gap/);
  assert.match(await tab.locator('#live').textContent(), /dve, issue gap/);
  await tab.keyboard.press('Escape');
  assert.ok(await tab.locator('#tip').isHidden());
}));

test('bandwidth: values under the mouse, arrow keys, series on and off', () => onPage('hbm', {}, async (tab) => {
  await expectFullCharts(tab, 2);
  const chart = tab.locator('#bandwidth-ports');
  assert.match((await hover(tab, 'bandwidth-ports')).text, /^[\d.]+ to [\d.]+ \u00b5s[\s\S]*dve\.read0\s+[\d.]+ GB\/s/);
  await chart.focus();
  await tab.keyboard.press('ArrowRight');
  assert.match(await tab.locator('#tip').innerText(), /^0 to [\d.]+/);
  const names = await tab.locator('#bandwidth .legend label').allInnerTexts();
  for (const name of ['dma0', 'dma1', 'dve.write', 'sbuf.0']) assert.ok(names.some((text) => text.trim().startsWith(name)), `${name} in ${names}`);
  const full = await colouredPixels(chart.locator('canvas'));
  for (const box of await tab.locator('#bandwidth .legend').first().locator('input').all()) await box.uncheck();
  assert.ok(await colouredPixels(chart.locator('canvas')) < full / 10, 'nothing is drawn without series');
}));

test('the bytes drawn are the bytes moved', () => onPage('hbm', {}, async (tab) => {
  const { run } = await dataOf(tab);
  const sum = (name) => run.bandwidth[name].bytes.reduce((a, b) => a + b, 0);
  for (const [name, read, written] of [...run.ports, ...run.banks])
    if (run.bandwidth[name]) assert.equal(sum(name), read + written, name);
  assert.ok(sum('dma0') > 0 && sum('dma1') > 0 && sum('sbuf.0') > 0);
}));

test('without time charts are absent, and the page says why', () => onPage('functional', {}, async (tab) => {
  assert.equal(await tab.locator('.chart').count(), 0);
  for (const id of ['cycles', 'roofline', 'bandwidth']) assert.match(await tab.locator(`#${id} .absent`).innerText(), /no time/);
  await expectFullCharts(tab, 0);
}));

test('a failed point alone shows its reason', () => onPage('failed', {}, async (tab) => {
  assert.match(await tab.locator('#summary').innerText(), /There is no run to show \(error\): place\.x = psum/);
}));

test('tables sort by number and by text, by mouse and keyboard', () => onPage('net', {}, async (tab) => {
  const table = tableOf(tab, 'Layers');
  const { run } = await dataOf(tab);
  const byTime = run.layers.slice().sort((a, b) => b.run.time_ns - a.run.time_ns).map((layer) => layer.name);
  await table.locator('thead button', { hasText: 'time of one' }).click();
  assert.deepEqual(await cells(table, 1), byTime);
  assert.equal(await table.locator('th[aria-sort]').getAttribute('aria-sort'), 'descending');
  await table.locator('thead button', { hasText: 'time of one' }).press('Enter');
  assert.deepEqual(await cells(table, 1), byTime.slice().reverse());
  await table.locator('thead button', { hasText: 'layer' }).click();
  assert.deepEqual(await cells(table, 1), byTime.slice().sort((a, b) => a.localeCompare(b, 'en', { numeric: true })));
}));

test('a network: charts of all layers, one closer by click, by table, by point', () => onPage('net', {}, async (tab) => {
  await expectFullCharts(tab, 3);
  const { run } = await dataOf(tab);
  assert.equal(await tab.locator('#layers .bar').count(), run.layers.length);
  const last = run.layers[run.layers.length - 1];
  await tab.locator('#layers .bar-label button', { hasText: last.name }).click();
  assert.match(await tab.locator('#layer-parts > p').first().innerText(), new RegExp(`^${last.name}, ${last.shape}`));
  await tab.locator('#table tbody button').first().click();
  assert.match(await tab.locator('#layer-parts > p').first().innerText(), new RegExp(`^${run.layers[0].name},`));
  assert.equal(await tab.locator('#table tr.chosen').count(), 1);
  await expectFullCharts(tab, 3);
  await tab.locator('#roofline-chart').focus();
  await tab.keyboard.press('ArrowRight');
  const least = run.layers.slice().sort((a, b) => a.run.roofline[0][1] - b.run.roofline[0][1])[0];
  assert.match(await tab.locator('#tip').innerText(), new RegExp(`^${least.name}\\b`));
  await tab.keyboard.press('Enter');
  assert.match(await tab.locator('#layer-parts > p').first().innerText(), new RegExp(`^${least.name},`));
  await tab.locator('#layers select').first().selectOption('dma0');
  assert.match(await tab.locator('#layers .bar').first().getAttribute('aria-label'), /busy/);
}));

test('a sweep: the front drawn is the front of the summary', () => onPage('points', {}, async (tab) => {
  await expectFullCharts(tab, 1);
  const { sweep, summary } = await dataOf(tab);
  const numbers = (text) => text.trim().split(/[ ,]+/).map(Number).sort((a, b) => a - b);
  const drawn = numbers(await tab.locator('#scatter').getAttribute('data-front'));
  assert.deepEqual(drawn, sweep.trade_off.front.slice().sort((a, b) => a - b));
  assert.deepEqual(drawn, numbers(summary.find((s) => s.includes('Pareto')).split(': ')[1].replace('.', '')));
  assert.equal(await tab.locator('#scatter').getAttribute('data-points'), '9');
  assert.deepEqual(await cells(tableOf(tab, 'Points that did not end well, and why'), 1), ['9', '10', '11']);
}));

test('a sweep: hover, click, other columns, filter', () => onPage('points', {}, async (tab) => {
  const { text, x, y } = await hover(tab, 'scatter-chart');
  const number = /^point (\d+)/.exec(text)[1];
  assert.match(text, /time\s+[\d.]+ \u00b5s/);
  await tab.mouse.click(x, y);
  assert.equal(await tab.locator('#point h3').innerText(), `Point ${number}`);
  assert.equal((await tab.locator('#table tr.chosen td').first().innerText()).trim(), number);
  await tab.getByLabel('Across').selectOption({ label: 'place.x' });
  assert.ok(await colouredPixels(tab.locator('#scatter-chart canvas')) > 30);
  await tab.getByLabel('Across').selectOption({ label: 'cycles' });
  const table = tableOf(tab, 'All points');
  await table.locator('input').fill('timing.dve.fill_drain>=144 place.x=psum ok');
  assert.deepEqual(await cells(table, 1), ['7', '8']);
  assert.match(await table.locator('.count').innerText(), /^2 of 12/);
  assert.match(await tab.locator('#points .legend').innerText(), /filtered out/);
  assert.ok(numbersIn(await tab.locator('#scatter').getAttribute('data-front')).every((k) => k === 7 || k === 8));
  await table.locator('input').fill('');
  assert.match(await table.locator('.count').innerText(), /^12 of 12/);
}));
const numbersIn = (text) => text.split(' ').filter(Boolean).map(Number);

test('10,000 points: under 2 MB, charted, filtered, paged', () => onPage('large', {}, async (tab) => {
  const size = fs.statSync(page('large')).size;
  assert.ok(size < 2e6, `${size} bytes`);
  await expectFullCharts(tab, 1);
  assert.equal(await tab.locator('#scatter').getAttribute('data-points'), String(LARGE - LARGE / 50));
  assert.equal(await tab.locator('h1').innerText(), 'Zehntausend Punkte \u2264 2 MB </script><b>');
  assert.match((await cells(tableOf(tab, 'Points that did not end well, and why'), 3))[0], /expected <\/script> & "others"$/);
  const table = tableOf(tab, 'All points');
  await table.locator('thead button', { hasText: /^time/ }).click();
  await table.locator('thead button', { hasText: /^time/ }).click();
  const { sweep } = await dataOf(tab);
  const times = sweep.columns.find((c) => c.name === 'time_ns').n;
  const fastest = times.map((t, k) => [t, k]).filter(([t]) => t !== null).sort((a, b) => a[0] - b[0]);
  assert.equal((await cells(table, 1))[0].replace('\u202f', ''), String(fastest[0][1]));
  await table.locator('button:text-is("Next")').click();
  assert.match(await table.locator('.count').innerText(), /page 2 of 200/);
  assert.equal((await cells(table, 1))[0].replace('\u202f', ''), String(fastest[50][1]));
  await hover(tab, 'scatter-chart');
}));

test('two runs, two networks, two sweeps', async () => {
  await onPage('run_compared', {}, async (tab) => {
    await expectFullCharts(tab, 4);
    assert.match(await tab.locator('#summary').innerText(), /B against A\s+B takes [\d.]+ times as long as A/);
    const keys = await cells(tableOf(tab, 'Keys with other values'), 1);
    for (const key of ['generation', 'place.x', 'place.dy', 'place.dx']) assert.ok(keys.includes(key), `${key} in ${keys}`);
  });
  await onPage('net_compared', {}, async (tab) => {
    await expectFullCharts(tab, 5);
    assert.equal((await cells(tableOf(tab, 'Layers of A'), 10)).filter((text) => /%|same/.test(text)).length, 4);
    await tab.locator('#layers select').first().selectOption('B');
    assert.equal(await tab.locator('#layers .bar').count(), 4);
  });
  await onPage('points_compared', {}, async (tab) => {
    await expectFullCharts(tab, 2);
    assert.match((await hover(tab, 'pairs-chart')).text, /B against A/);
    assert.equal((await cells(tableOf(tab, 'Points of both sweeps'), 1)).length, 12);
  });
});

test('dark and light: as the system says, until somebody chooses', () => onPage('run', { colorScheme: 'dark' }, async (tab) => {
  assert.equal(await background(tab), 'rgb(18, 22, 27)');
  await tab.emulateMedia({ colorScheme: 'light' });
  await themeIs(tab, 'light');
  assert.equal(await background(tab), 'rgb(255, 255, 255)');
  await tab.locator('#theme').focus();
  await tab.keyboard.press('Enter');
  assert.equal(await background(tab), 'rgb(18, 22, 27)');
  assert.equal(await tab.locator('#theme').innerText(), 'Light');
  await expectFullCharts(tab, 2);
  await tab.emulateMedia({ colorScheme: 'dark' });
  await tab.emulateMedia({ colorScheme: 'light' });
  assert.equal(await background(tab), 'rgb(18, 22, 27)', 'a choice stays');
}));

test('on a phone nothing is wider than the screen', async () => {
  for (const name of ['full', 'net_compared', 'points_compared', 'large'])
    await onPage(name, { viewport: { width: 360, height: 740 }, hasTouch: true }, async (tab) => {
      await expectFullCharts(tab, 1);
      assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth) <= 360, name);
      const wide = await tab.locator('.chart').evaluateAll((charts) => charts.filter((c) => c.getBoundingClientRect().right > 360).map((c) => c.id));
      assert.deepEqual(wide, [], name);
    });
});

test('all of it is reached with Tab', () => onPage('points', {}, async (tab) => {
  const wanted = new Set(await tab.evaluate(() => [...document.querySelectorAll('button:not([disabled]):not([hidden]), select, input, .chart, .bar[tabindex], nav a')].map((e, k) => { e.dataset.stop = k; return String(k); })));
  for (let k = 0; k < 400 && wanted.size > 0; ++k) {
    await tab.keyboard.press('Tab');
    wanted.delete(await tab.evaluate(() => document.activeElement.dataset.stop));
  }
  assert.deepEqual([...wanted], []);
}));

test('every link of the navigation leads to its section', () => onPage('net', {}, async (tab) => {
  for (const link of await tab.locator('nav a').all()) assert.equal(await tab.locator(await link.getAttribute('href')).count(), 1);
}));
