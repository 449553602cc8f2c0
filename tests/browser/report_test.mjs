// Reports as a reader meets them: loaded in Chromium from a file. Usage: report_test.mjs PROGRAM PLAYWRIGHT
// Exit code 77 when there is no browser here.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { foldRows, hostileReport, plainReport, polesReport } from './results.mjs';

const program = resolve(process.argv[2]);
const playwright = resolve(process.argv[3]);
const chromiumPath = '/usr/bin/chromium';
if (!existsSync(playwright) || !existsSync(chromiumPath)) {
  console.log('no Playwright or no chromium: skipped');
  process.exit(77);
}
const { chromium } = await import(pathToFileURL(playwright));

const folder = mkdtempSync(join(tmpdir(), 'microslip-browser-'));
const run = (...words) => execFileSync(program, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
  executablePath: chromiumPath, viewport: { width: 1400, height: 900 },
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

// A page that must not complain, and must not ask for anything but itself.
async function open(file) {
  const page = await context.newPage();
  page.complaints = [];
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) page.complaints.push(message.text()); });
  page.on('pageerror', (error) => page.complaints.push(String(error)));
  page.on('dialog', (dialog) => { page.complaints.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
  page.on('request', (request) => { if (request.url() !== pathToFileURL(file).href && !/^(data|blob):/.test(request.url())) page.complaints.push(`request ${request.url()}`); });
  const start = Date.now();
  await page.goto(pathToFileURL(file).href);
  page.loaded = Date.now() - start;
  return page;
}
const drawAll = (page) => page.evaluate(async () => {
  for (const figure of document.querySelectorAll('figure[data-figure]')) await window.microslipReport.draw(figure);
});
// x and y of the traces of a figure, as Plotly has them.
const traces = (page, title) => page.evaluate((wanted) => {
  const figure = [...document.querySelectorAll('figure')].find((f) => f.querySelector('h3').textContent === wanted);
  return figure.querySelector('.live').data.map((t) => ({ x: Array.from(t.x), y: Array.from(t.y), name: t.name, dash: t.line && t.line.dash, type: t.type, z: t.z }));
}, title);
const figure = (page, title) => page.locator('figure', { has: page.locator('h3', { hasText: new RegExp(`^${title}$`) }) });
const csv = (path) => readFileSync(path, 'utf8').trim().split('\n').slice(1).map((line) => line.split(',').map(Number));

const tests = {
  async 'loads, asks for nothing, complains about nothing'() {
    const page = await open(join(folder, 'plain/report.html'));
    await drawAll(page);
    assert.deepEqual(page.complaints, []);
    assert.equal(await page.locator('figure.on').count(), 4);
    assert.match(await page.locator('.warnings').innerText(), /fold: did not complete: no convergence, the curve ended early/);
    assert.match(await page.locator('.lead').innerText(), /A sine of one micrometre/);
    assert.match(await figure(page, 'Missing').innerText(), /cannot be drawn: .*no column "nothing"/);
    await page.close();
  },

  async 'the data in the page are those of the table'() {
    const page = await open(join(folder, 'plain/report.html'));
    await drawAll(page);
    const rows = csv(join(folder, 'plain/history.csv'));
    const [sine, decay] = await traces(page, 'Displacement');
    assert.deepEqual(sine.x, rows.map((row) => row[0]));
    assert.deepEqual(sine.y, rows.map((row) => row[1]));
    assert.deepEqual(decay.y, rows.map((row) => row[2]));
    const [map] = await traces(page, 'Map');
    assert.equal(map.type, 'heatmap');
    assert.deepEqual(map.z[3].map(Number), [0, 3, 6, 9, 12, 15, 18]);
    await page.close();
  },

  async 'a loop and a folded curve are drawn whole'() {
    const page = await open(join(folder, 'plain/report.html'));
    await drawAll(page);
    const [loop] = await traces(page, 'Loop');
    assert.deepEqual(loop.x.map((x, i) => [x, loop.y[i]]), csv(join(folder, 'plain/loop.csv')));
    // On the screen: one path that ends where it begins and goes all the way to both tips.
    const path = await figure(page, 'Loop').locator('.scatterlayer path.js-line').getAttribute('d');
    const numbers = path.match(/-?[\d.]+,-?[\d.]+/g).map((pair) => pair.split(',').map(Number));
    assert.equal(path.match(/M/g).length, 1);
    assert.ok(Math.hypot(numbers[0][0] - numbers.at(-1)[0], numbers[0][1] - numbers.at(-1)[1]) < 1, path.slice(0, 100));
    const spread = Math.max(...numbers.map((p) => p[0])) - Math.min(...numbers.map((p) => p[0]));
    const plotWidth = (await figure(page, 'Loop').locator('.nsewdrag').first().boundingBox()).width;
    assert.ok(spread > 0.8 * plotWidth, `${spread} of ${plotWidth} px`);

    const parts = await traces(page, 'Fold');
    assert.deepEqual(parts.map((part) => part.dash), ['solid', 'dash']);
    const rows = foldRows();
    const unstable = rows.map((row, i) => (row[2] === 0 ? i : -1)).filter((i) => i >= 0);
    const [first, last] = [unstable[0], unstable.at(-1)];
    // The dashed part reaches from the last stable point to the next one: no gap.
    assert.deepEqual(parts[1].x.filter((x) => !Number.isNaN(x)), rows.slice(first - 1, last + 2).map((row) => row[0]));
    assert.deepEqual(parts[0].x.filter((x) => !Number.isNaN(x)), rows.filter((row) => row[2] === 1).map((row) => row[0]));
    await page.close();
  },

  async 'hovering shows values with units'() {
    const page = await open(join(folder, 'plain/report.html'));
    await drawAll(page);
    await figure(page, 'Loop').scrollIntoViewIfNeeded();
    const place = await page.evaluate(() => {
      const live = [...document.querySelectorAll('figure')].find((f) => f.querySelector('h3').textContent === 'Loop').querySelector('.live');
      const box = live.getBoundingClientRect(), { xaxis, yaxis } = live._fullLayout;
      return { x: box.left + xaxis._offset + xaxis.d2p(2), y: box.top + yaxis._offset + yaxis.d2p(Math.sqrt(2)) };
    });
    await page.mouse.move(place.x - 30, place.y + 60);
    await page.mouse.move(place.x, place.y, { steps: 4 });
    const label = figure(page, 'Loop').locator('.hoverlayer .hovertext');
    await label.filter({ hasText: /deflection: 2 m/ }).first().waitFor({ timeout: 5000 }); // of the tip, when the pointer rests
    assert.match(await label.first().textContent(), /force: 1\.414\d? N/);
    assert.equal(await page.evaluate(() => window.microslipReport.engineering(-1.23456e-7)), '−123.46×10⁻⁹');
    await page.close();
  },

  async 'ticks are in engineering notation at every zoom'() {
    const page = await open(join(folder, 'plain/report.html'));
    await drawAll(page);
    const look = () => page.evaluate(() => {
      const live = document.querySelector('figure .live');
      return { title: live.querySelector('.ytitle').textContent, ticks: [...live.querySelectorAll('.ytick text')].map((t) => t.textContent) };
    });
    const whole = await look(); // up to 1e5
    assert.match(whole.title, /\(m\) ×10³$/);
    assert.ok(whole.ticks.length >= 3 && whole.ticks.every((t) => /^\d{1,3}$/.test(t)), whole.ticks.join(' '));
    const small = await page.evaluate(() => window.microslipReport.engineeringTicks(-1e-9, 2.2e-9, 4));
    assert.deepEqual(small.texts, ['−1', '0', '1', '2']);
    assert.equal(small.note, '×10⁻⁹');
    assert.equal(await page.evaluate(() => window.microslipReport.engineeringTicks(0, 2, 4)), null, 'plain numbers are left alone');
    // A logarithmic axis has decades, and the linear one its factor again.
    const title = (pattern) => page.waitForFunction((p) => new RegExp(p).test(document.querySelector('figure .live .ytitle').textContent), pattern, { timeout: 5000 });
    await figure(page, 'Displacement').getByRole('button', { name: 'y: linear' }).click();
    await title('\\(m\\)$');
    await figure(page, 'Displacement').getByRole('button', { name: 'y: log' }).click();
    await title('×10³$');
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  async 'the legend names the method'() {
    const page = await open(join(folder, 'plain/report.html'));
    await drawAll(page);
    assert.equal(await figure(page, 'Displacement').locator('.legendtitletext').textContent(), 'Newmark');
    assert.match(await figure(page, 'Loop').locator('.legendtext').first().textContent(), /^shooting/);
    assert.match(await figure(page, 'Loop').locator('.still').innerHTML(), /shooting/);
    await page.close();
  },

  async 'curves can be switched off, axes can be logarithmic'() {
    const page = await open(join(folder, 'plain/report.html'));
    await drawAll(page);
    const shown = figure(page, 'Displacement');
    await shown.scrollIntoViewIfNeeded();
    assert.equal(await shown.locator('.scatterlayer path.js-line').count(), 2);
    await shown.locator('.legendtoggle').first().click();
    await page.waitForFunction(() => document.querySelector('figure .live').querySelectorAll('.scatterlayer path.js-line').length === 1, null, { timeout: 5000 });
    const state = () => page.evaluate(() => document.querySelector('figure .live')._fullLayout.yaxis.type);
    assert.equal(await state(), 'linear');
    await shown.getByRole('button', { name: 'y: linear' }).click();
    await shown.getByRole('button', { name: 'y: log' }).waitFor();
    assert.equal(await state(), 'log');
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  async 'a click picks a pole for the study file'() {
    polesReport(join(folder, 'poles'));
    run('report', 'poles');
    const page = await open(join(folder, 'poles/report.html'));
    await drawAll(page);
    const shown = figure(page, 'Poles'), panel = shown.locator('.picks');
    await shown.scrollIntoViewIfNeeded();
    const click = async (x, y) => {
      const place = await shown.locator('.live').evaluate((live, [px, py]) => {
        const box = live.getBoundingClientRect(), { xaxis, yaxis } = live._fullLayout;
        return { x: box.left + xaxis._offset + xaxis.d2p(px), y: box.top + yaxis._offset + yaxis.d2p(py) };
      }, [x, y]);
      await page.mouse.move(place.x + 1, place.y - 30);
      await page.mouse.move(place.x + 1, place.y + 1, { steps: 4 }); // not quite on it
      await page.waitForTimeout(400); // two quick clicks are a double one
      await page.mouse.click(place.x + 1, place.y + 1);
    };
    const line = (text) => panel.locator('code').filter({ hasText: new RegExp(`^${text.replace(/[[\].]/g, '\\$&')}$`) }).waitFor({ timeout: 5000 });
    const rows = async () => (await panel.locator('tbody tr').allInnerTexts()).map((row) => row.split('\t').map((cell) => cell.trim()).slice(0, 4));
    assert.match(await panel.innerText(), /A click on a pole picks it/);
    assert.equal(await panel.locator('code:visible').count(), 0);

    const ranges = () => shown.locator('.live').evaluate((live) => [live._fullLayout.xaxis.range, live._fullLayout.yaxis.range]);
    const before = await ranges();
    await click(400.6, 6);
    await line('near_hz = [400.6]');
    await click(100.4, 4); // below a mark
    await line('near_hz = [100.4, 400.6]');
    assert.match(await panel.locator('thead').innerText(), /order\s+frequency \((Hz|1\/s)\)\s+damping ratio\s+nearest mode of this fit/);
    const unit = (await panel.locator('thead').innerText()).match(/\((.*?)\)/)[1];
    assert.deepEqual(await rows(), [['4', '100.4', '0.011', `mode 1, 100 ${unit} (+0.4 %)`], ['6', '400.6', '0.05', `mode 2, 250 ${unit} (+60 %)`]]);
    assert.match(await panel.innerText(), /Not in the line: mode 2 of this fit/);
    const drawn = () => shown.locator('.live').evaluate((live) => { const trace = live.data.at(-1); return [trace.name, ...trace.x]; });
    assert.deepEqual(await drawn(), ['picked', 400.6, 100.4]);

    await click(101, 10); // of the same mode
    await line('near_hz = [101, 400.6]');
    assert.match(await panel.innerText(), /stands in the line once/);
    await click(101, 10);
    await line('near_hz = [100.4, 400.6]');
    await panel.getByRole('button', { name: 'all modes of this fit' }).click();
    await line('near_hz = [100, 250, 400.6]');
    assert.deepEqual((await rows())[1], ['fit', '250', '0.02', 'mode 2']);
    assert.doesNotMatch(await panel.innerText(), /Not in the line/);

    assert.deepEqual(await ranges(), before, 'nothing moves');
    await panel.getByRole('button', { name: 'copy' }).click();
    await panel.getByRole('button', { name: /copied|marked/ }).waitFor({ timeout: 5000 });
    assert.equal(await page.evaluate(() => getSelection().toString().trim()), 'near_hz = [100, 250, 400.6]');
    await panel.getByRole('button', { name: 'Take this pole out' }).first().click();
    await line('near_hz = [250, 400.6]');
    await panel.getByRole('button', { name: 'clear' }).click();
    assert.match(await panel.innerText(), /A click on a pole picks it/);
    assert.deepEqual(await drawn(), ['picked']);
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  async 'without Plotly a sentence tells how poles are chosen'() {
    polesReport(join(folder, 'still'));
    run('report', 'still');
    const path = join(folder, 'still/report.html');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/<script type="application\/gzip"[^]*?<\/script>/g, ''));
    const page = await open(path);
    await drawAll(page);
    assert.equal(await page.locator('figure.on').count(), 0);
    assert.equal(await figure(page, 'Poles').locator('.picks').innerText(), 'near_hz chooses.');
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  async 'hostile words do nothing'() {
    const bads = ['</script><script>window.hurt = 1; alert(1)</script>', '"><img src=x onerror="window.hurt = 1">', "' onmouseover='window.hurt=1' $&{{%{x}}}", '<a href="javascript:window.hurt=1">x</a>', '\u2028]]>--><!--'];
    for (const [i, text] of [...bads, bads.join('') + 'long '.repeat(2000)].entries()) {
      hostileReport(join(folder, `hostile-${i}`), text);
      run('report', `hostile-${i}`);
      const page = await open(join(folder, `hostile-${i}/report.html`));
      await drawAll(page);
      await page.locator('.picks button').first().click();
      assert.equal(await page.locator('.picks tbody tr').count(), 3);
      assert.deepEqual(page.complaints, []);
      assert.equal(await page.evaluate(() => window.hurt), undefined);
      assert.equal(await page.locator('img, main a[href^="javascript"], main script:not([type])').count(), 0);
      assert.equal(await page.locator('figure.on').count(), 1);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${wide} px too wide`);
      await page.close();
    }
  },

  async 'printing makes pages with static pictures'() {
    const page = await open(join(folder, 'plain/report.html'));
    await drawAll(page);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('figure .still:visible').count(), 4);
    assert.equal(await page.locator('figure .live:visible').count(), 0);
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    const pages = pdf.match(/\/Type\s*\/Page[^s]/g).length;
    assert.ok(pages >= 2 && pages <= 12, `${pages} pages`);
    assert.ok(!/\/Subtype\s*\/Image/.test(pdf), 'figures are vectors');
    await page.close();
  },

  async 'fits a telephone'() {
    const page = await open(join(folder, 'plain/report.html'));
    await page.setViewportSize({ width: 390, height: 800 });
    await drawAll(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${wide} px too wide`);
    await page.close();
  },

  async 'runs are overlaid under their names'() {
    plainReport(join(folder, 'after-results'), { title: 'After', scale: 2 });
    plainReport(join(folder, 'inches'), { title: 'Inches', units: { length: 'in', force: 'lbf', time: 's' } });
    run('report', 'plain', 'after-results', 'inches', '--out', 'overlay.html');
    const page = await open(join(folder, 'overlay.html'));
    await drawAll(page);
    assert.deepEqual(page.complaints, []);
    const lines = await traces(page, 'Displacement');
    assert.deepEqual(lines.map((line) => line.name), ['plain: sine', 'plain: decay', 'after: sine', 'after: decay']);
    assert.equal(lines[2].y[7], 2 * lines[0].y[7]);
    assert.match(await figure(page, 'Displacement').innerText(), /inches is not in this figure: the units of y differ, m and in/);
    await page.close();
  },

  // A million samples: in the page within seconds on a loaded machine, all peaks in sight, details on zooming.
  async 'a million samples load and zoom'() {
    const samples = 1000000, rows = ['time,q'];
    for (let i = 0; i < samples; ++i) rows.push(`${i * 1e-3},${i === 123456 ? 5 : i === 777777 ? -7 : (Math.sin(0.05 * i)).toFixed(9)}`);
    plainReport(join(folder, 'long'));
    const report = JSON.parse(readFileSync(join(folder, 'long/report.json')));
    report.analyses = report.analyses.slice(0, 1);
    const [history] = report.analyses;
    history.tables = [{ part: '', file: 'history.csv', rows: samples, columns: [{ name: 'time', unit: 's' }, { name: 'q', unit: 'm' }] }];
    history.figures = [{ ...history.figures[0], curves: [{ table: '', x: 'time', y: 'q' }] }];
    writeFileSync(join(folder, 'long/report.json'), JSON.stringify(report));
    writeFileSync(join(folder, 'long/history.csv'), rows.join('\n') + '\n');
    run('report', 'long');
    assert.ok(statSync(join(folder, 'long/report.html')).size < 10e6);
    const page = await open(join(folder, 'long/report.html'));
    assert.ok(page.loaded < 5000, `${page.loaded} ms to load`);
    const start = Date.now();
    await drawAll(page);
    const drawn = Date.now() - start;
    assert.ok(drawn < 5000, `${drawn} ms to draw`);
    const [first] = await traces(page, 'Displacement');
    assert.ok(first.x.length <= 4004, `${first.x.length} points`);
    assert.ok(first.y.includes(5) && first.y.includes(-7));
    const zoomed = await page.evaluate(async () => {
      const live = document.querySelector('figure .live');
      const start = performance.now();
      await window.Plotly.relayout(live, { 'xaxis.range[0]': 123.4, 'xaxis.range[1]': 123.5 });
      return { x: Array.from(live.data[0].x), y: Array.from(live.data[0].y), ms: performance.now() - start };
    });
    const inside = (points) => points.x.filter((x) => x >= 123.4 && x <= 123.5).length;
    assert.equal(inside(zoomed), 101); // every sample of the part in sight
    assert.ok(inside(first) < 10);
    const peak = zoomed.x.findIndex((x) => Math.abs(x - 123.456) < 1e-9);
    assert.equal(zoomed.y[peak], 5);
    assert.ok(zoomed.ms < 3000, `${zoomed.ms} ms to zoom`);
    assert.deepEqual(page.complaints, []);
    await page.close();
  },
};

plainReport(join(folder, 'plain'));
run('report', 'plain');
if (!readFileSync(join(folder, 'plain/report.html'), 'utf8').includes('id="engine-basic"')) {
  console.log('the program was built without Plotly: skipped');
  process.exit(77);
}
let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  const start = Date.now();
  try {
    await test();
    console.log(`ok    ${name} (${Date.now() - start} ms)`);
  } catch (error) {
    ++failed;
    console.log(`WRONG ${name}\n${error.stack}`);
  }
}
await context.close();
rmSync(folder, { recursive: true, force: true });
process.exit(failed ? 1 : 0);
