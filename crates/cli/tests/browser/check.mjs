// Opens a report in Chromium and uses it as people do. Prints what is wrong and ends with 1.
//
//   node check.mjs BROWSER_DIR REPORT.html [SCREENSHOT_PREFIX]
import { statSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const [dir, file, shots] = process.argv.slice(2);
const require = createRequire(path.resolve(dir, 'package.json'));
const { default: puppeteer } = await import(require.resolve('puppeteer-core'));
const { HtmlValidate } = require('html-validate');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const VIEWS = ['overview', 'findings', 'tools', 'requirements', 'coverage', 'transcript'];
const wrong = [];
const opened = [];
const must = (holds, says) => { if (!holds) wrong.push(says); };
const settle = (page) => page.evaluate(() => new Promise((done) => setTimeout(() => requestAnimationFrame(() => done()), 200)));

const browser = await puppeteer.launch({
  executablePath: path.resolve(dir, 'chromium'),
  args: ['--disable-gpu', '--allow-file-access-from-files', ...(process.getuid() === 0 ? ['--no-sandbox'] : [])],
});

async function open(width, height, scheme) {
  const page = await browser.newPage();
  page.on('console', (m) => must(m.type() !== 'error', `console: ${m.text()}`));
  page.on('pageerror', (e) => wrong.push(`script: ${e.message}`));
  page.on('dialog', (d) => { wrong.push(`a dialog opened: ${d.message()}`); d.dismiss(); });
  page.on('request', (r) => must(/^(file|data|blob):/.test(r.url()), `asks the network for ${r.url()}`));
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.setViewport({ width, height, isMobile: width < 500, hasTouch: width < 500 });
  const began = Date.now();
  await page.goto(`file://${path.resolve(file)}`, { waitUntil: 'load' });
  opened.push(Date.now() - began);
  return page;
}

async function go(page, hash) {
  const began = Date.now();
  await page.evaluate((h) => { location.hash = h; }, hash);
  await settle(page);
  must(Date.now() - began < 5000, `#${hash} took ${Date.now() - began} ms`);
}

async function accessible(page, where) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  for (const v of found.violations.filter((v) => ['serious', 'critical'].includes(v.impact))) {
    wrong.push(`axe, ${where}: ${v.id} (${v.help}) at ${v.nodes.slice(0, 3).map((n) => n.target.join(' ')).join(' | ')}`);
  }
}

const status = (page, view) => page.$eval(`#${view} [role=status]`, (n) => n.textContent);
const first = (text) => Number(text.replaceAll(',', '').match(/\d+/)?.[0]);

async function filters(page) {
  await go(page, 'findings');
  const all = first(await status(page, 'findings'));
  must(all > 0, 'no finding is shown');
  const severity = await page.$eval('#findings .badge', (n) => n.textContent);
  await page.select('#findings .filters label:nth-of-type(3) select', severity);
  await settle(page);
  const badges = await page.$$eval('#findings .group > header > .badge', (list) => list.map((n) => n.textContent));
  must(badges.length && badges.every((b) => b === severity), `severity ${severity} shows ${[...new Set(badges)]}`);
  const word = (await page.$eval('#findings .group .id', (n) => n.textContent)).split('/')[1];
  await page.type('#findings input[type=search]', word);
  await settle(page);
  const ids = await page.$$eval('#findings .group .id', (list) => list.map((n) => n.textContent));
  must(ids.length && first(await status(page, 'findings')) <= all, `searching ${word} shows nothing`);
  await page.click('#findings .filters > button');
  await settle(page);
  must(first(await status(page, 'findings')) === all, 'reset does not bring everything back');
  await page.click('#findings [data-status=passed]');
  await settle(page);
  must(first(await status(page, 'findings')) > all, 'passed findings are not added');
  await page.select('#findings .filters label:last-of-type select', 'tool');
  await settle(page);
  must(await page.$('#findings .group h2'), 'grouping by tool shows nothing');
  await go(page, 'findings?q=no-such-word-anywhere');
  must(await page.$('#findings .empty'), 'an empty result is not said');
  await go(page, 'transcript');
  const calls = first((await status(page, 'transcript')).split('of')[1] || '');
  await page.type('#transcript input[type=search]', 'tools/list');
  await settle(page);
  const fewer = first((await status(page, 'transcript')).split('of')[1] || '');
  must(fewer > 0 && fewer < calls, `searching the transcript: ${fewer} of ${calls}`);
}

async function keys(page) {
  await page.reload();
  await page.keyboard.press('Tab');
  must(await page.evaluate(() => document.activeElement.className === 'skip'), 'Tab does not reach the skip link first');
  await page.keyboard.press('2');
  await settle(page);
  must(await page.evaluate(() => !document.getElementById('findings').hidden), 'key 2 does not open the findings');
  must(await page.evaluate(() => document.activeElement.id === 'h-findings'), 'the focus does not follow the view');
  await page.keyboard.press('/');
  must(await page.evaluate(() => document.activeElement.type === 'search'), '/ does not reach the search');
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('j');
  must(await page.evaluate(() => document.activeElement.tagName === 'SUMMARY'), 'j does not reach an entry');
  await page.keyboard.press('Enter');
  await settle(page);
  must(await page.evaluate(() => document.activeElement.parentElement.open && document.activeElement.nextElementSibling), 'Enter does not open it');
  await page.keyboard.press('?');
  must(await page.evaluate(() => document.getElementById('help').open), '? does not show the keys');
  await page.keyboard.press('Escape');
}

async function picture(page, name) {
  if (shots) await page.screenshot({ path: `${shots}-${name}.png` });
}

const size = statSync(file).size;
must(size < 10_000_000, `${size} bytes`);
const verdict = await new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: { 'require-sri': 'off', 'no-raw-characters': 'off' },
}).validateString(readFileSync(file, 'utf8').replace(/(<script type="application\/json"[^>]*>)[^<]*/, '$1{}'));
for (const m of verdict.results.flatMap((r) => r.messages)) wrong.push(`html-validate, line ${m.line}: ${m.ruleId}: ${m.message}`);

const laptop = await open(1280, 800, 'light');
must(await laptop.$eval('svg.chart[role=img]', (n) => n.querySelectorAll('polygon').length >= 5), 'there is no radar');
const paper = () => getComputedStyle(document.body).backgroundColor;
const light = await laptop.evaluate(paper);
for (const view of VIEWS) {
  await go(laptop, view);
  await accessible(laptop, `${view}, light`);
  await picture(laptop, `laptop-${view}`);
}
await filters(laptop);
await keys(laptop);
await accessible(laptop, 'an open finding');
await picture(laptop, 'laptop-open');
await laptop.emulateMediaType('print');
await laptop.evaluate(() => dispatchEvent(new Event('beforeprint')));
must(await laptop.$eval('#findings', (n) => getComputedStyle(n).display !== 'none'), 'findings are not printed');
must((await laptop.pdf({ format: 'A4' })).length > 1000, 'nothing is printed');
await laptop.close();

const dark = await open(1280, 800, 'dark');
must((await dark.evaluate(paper)) !== light, 'dark is not dark');
for (const view of VIEWS) {
  await go(dark, view);
  await accessible(dark, `${view}, dark`);
  await picture(dark, `dark-${view}`);
}
await dark.click('#theme');
must((await dark.evaluate(paper)) === light, 'the button does not turn on the light');
await dark.close();

const phone = await open(390, 844, 'light');
for (const view of VIEWS) {
  await go(phone, view);
  await phone.evaluate(() => document.querySelectorAll('section:not([hidden]) summary').forEach((s, n) => n < 3 && s.click()));
  await settle(phone);
  const [wide, room] = await phone.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  must(wide <= room && room === 390, `${view} is ${wide} px wide on ${room}`);
  await picture(phone, `phone-${view}`);
}
await browser.close();
// The best of three: the machine may be busy with something else.
must(Math.min(...opened) < 2000, `took ${opened.join(', ')} ms to open`);
if (shots) console.log(`${size} bytes, opened in ${opened.join(', ')} ms`);

wrong.forEach((line) => console.error(line));
process.exitCode = wrong.length ? 1 : 0;
