// Measures how smoothly the chart of 50,000 one-minute bars moves in a browser without a GPU: the time between frames
// while the chart is dragged for three seconds, with all bars in view, a tenth and a hundredth of them.
//
//   npm run -s bench:frames [-- --seconds 3]
//
// The bars come from a provider on this machine, through the service, as those of any provider do.

import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { DAY_MS } from '../../src/calendar/index.ts';
import { launchChromium } from '../../test/support/api/chromium.ts';
import { startService } from '../../test/support/cli/service.ts';
import { startAlpacaServer } from '../../test/support/market/alpaca-server.ts';
import { KEYS } from '../../test/support/market/loopback-market.ts';
import { createHistory } from '../../test/support/market/market-history.ts';
import { percentile } from '../api/statistics.ts';
import { formatTable } from '../format-table.ts';

const MAX_MEDIAN_MS = 33;
const MAX_P95_MS = 50;
/** Sessions of 390 minutes: somewhat more than 50,000, so that older bars are read while the chart is dragged. */
const CALENDAR_DAYS = 200;
const BARS = 50_000;

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '3' } } });
const dragMs = Number(values.seconds) * 1000;

const dateOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);
const from = dateOf(Date.now() - CALENDAR_DAYS * DAY_MS);
const history = createHistory({ symbol: 'AAPL', from, minutesFrom: from, to: dateOf(Date.now() - DAY_MS) });
await using provider = await startAlpacaServer({
  histories: [history],
  keyId: KEYS.alpacaId,
  secret: KEYS.alpacaSecret,
});
await using service = await startService({
  quiet: true,
  environment: {
    ALMANAC_MARKET_PROVIDERS: 'alpaca',
    ALMANAC_ECONOMIC_PROVIDERS: 'none',
    ALMANAC_ALPACA_KEY_ID: KEYS.alpacaId,
    ALMANAC_ALPACA_SECRET: KEYS.alpacaSecret,
    ALMANAC_ALPACA_URL: provider.url,
    ALMANAC_ALPACA_TRADING_URL: provider.url,
    ALMANAC_ALPACA_REQUESTS_PER_MINUTE: '6000',
  },
});
await using browser = await launchChromium();

console.log(
  `Dragging ${BARS} bars for ${dragMs / 1000} s, 1440 x 900, no GPU
${process.platform} ${process.arch}, ${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.versions.node}, Chromium ${browser.version()}
`,
);

const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
const rows = [['bars in view', 'frames', 'median', '95th', 'longest']];
let isOver = false;
for (const [label, zooms] of [
  ['50,000', 0],
  ['5,000', 5],
  ['500', 10],
] as const) {
  await page.goto(`${service.url}/series?source=market&symbol=AAPL&timeframe=1min&limit=${BARS}`);
  await page.waitForSelector('main [data-ready]', { timeout: 60_000 });
  // Each click zooms in by 1.6.
  for (let i = 0; i < zooms; i += 1) await page.click('text=Zoom in');
  await page.waitForTimeout(500);
  const frames = Float64Array.from(await measureDrag(page)).sort();
  const [median, high] = [percentile(frames, 0.5), percentile(frames, 0.95)];
  const format = (ms: number | undefined) => `${(ms ?? 0).toFixed(1)} ms`;
  rows.push([label, String(frames.length), format(median), format(high), format(frames.at(-1))]);
  isOver ||= median > MAX_MEDIAN_MS || high > MAX_P95_MS;
}
console.log(formatTable(rows));
if (isOver) console.log(`\nOVER THE LIMIT: median ${MAX_MEDIAN_MS} ms, 95th percentile ${MAX_P95_MS} ms`);
process.exitCode = isOver ? 1 : 0;

/** Drags the chart back and forth. @returns the milliseconds between frames */
async function measureDrag(opened: Page): Promise<number[]> {
  const box = await opened.locator('#chart-live').boundingBox();
  if (box === null) throw new Error('The page has no chart.');
  const [middle, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await opened.mouse.move(middle, y);
  await opened.mouse.down();
  await opened.evaluate(`{
    window.frames_ = [];
    let before = performance.now();
    const record = (now) => {
      window.frames_.push(now - before);
      before = now;
      window.recording = requestAnimationFrame(record);
    };
    window.recording = requestAnimationFrame((now) => { before = now; window.recording = requestAnimationFrame(record); });
  }`);
  const start = performance.now();
  for (let at = 0; at < dragMs; at = performance.now() - start) {
    await opened.mouse.move(middle + (box.width / 3) * Math.sin((at / 1000) * Math.PI), y);
  }
  const frames = await opened.evaluate<number[]>(`cancelAnimationFrame(window.recording), window.frames_`);
  await opened.mouse.up();
  return frames;
}
