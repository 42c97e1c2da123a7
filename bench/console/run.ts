// Measures the console on a service of its own with an empty embedded database: the bytes of scripts on each page, how
// long a first visitor needs from a query to a finished fan chart, and when the page of a series can be used.
//
//   npm run -s bench:console [-- --rounds 5] [--query nonfarm]

import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { launchChromium } from '../../test/support/api/chromium.ts';
import { startService } from '../../test/support/cli/service.ts';
import { median } from '../api/statistics.ts';
import { formatTable } from '../format-table.ts';
import { measureJourney } from './journey.ts';
import { ScriptBytes } from './script-bytes.ts';

const MAX_JOURNEY_MS = 15_000;
const MAX_INTERACTIVE_MS = 1_000;
const MAX_SCRIPT_BYTES = 45_000;
/** Pages of prices also load the library that draws candles. */
const MAX_BARS_SCRIPT_BYTES = 110_000;

/** Evaluates to the milliseconds since the start of the navigation as soon as the chart has its cursor. */
const READY = `new Promise((resolve) => {
  const look = () =>
    document.querySelector('main [data-ready]') ? resolve(performance.now()) : requestAnimationFrame(look);
  look();
})`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    query: { type: 'string', default: 'nonfarm' },
  },
});

await using service = await startService({ quiet: true });
await using browser = await launchChromium();
const scripts = new ScriptBytes();
const over: string[] = [];

function check(what: string, measured: number, limit: number, unit: string): void {
  if (measured > limit) over.push(`${what}: ${measured.toFixed(0)} ${unit} of ${limit}`);
}

console.log(`The console on an empty embedded database
${process.platform} ${process.arch}, ${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.versions.node}
`);

// The first visit, before anything else has warmed up the service.
const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
const page = await context.newPage();
const steps = await measureJourney(page, service.url, { query: values.query, scripts });
const totalMs = steps.reduce((sum, [, ms]) => sum + ms, 0);
console.log(`From typing “${values.query}” to a finished fan chart, first visit`);
console.log(
  formatTable([['step', 'ms'], ...steps.map(([step, ms]) => [step, ms.toFixed(0)]), ['total', totalMs.toFixed(0)]]),
);
check('from a query to a fan chart', totalMs, MAX_JOURNEY_MS, 'ms');

const line = '/series?source=economic_series&provider=bundled&series_id=us-employment-nonfarm';
const bars = '/series?source=market&provider=bundled&symbol=AAPL&timeframe=1D';
const series = [
  ['series (line)', line, MAX_SCRIPT_BYTES],
  ['series (bars)', bars, MAX_BARS_SCRIPT_BYTES],
] as const;
console.log(`\nThe page of a series until its chart can be used, browser without a cache, median of ${values.rounds}`);
for (const [name, address] of series) {
  const times: number[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    await using fresh = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    times.push(await measureInteractive(await fresh.newPage(), name, address));
  }
  console.log(`${name}: ${median(times).toFixed(0)} ms`);
  check(`${name} until it can be used`, median(times), MAX_INTERACTIVE_MS, 'ms');
}

const others = [
  ['start', '/'],
  ['search', `/search?q=${encodeURIComponent(values.query)}`],
  ['forecasts', '/forecasts'],
] as const;
for (const [name, address] of others) {
  await scripts.during(page, name, () => page.goto(`${service.url}${address}`, { waitUntil: 'networkidle' }));
}
console.log('\nScripts that a page loads');
const sizes = await scripts.sizes(service.url);
console.log(formatTable([['page', 'bytes (gzip)'], ...sizes.map(([name, bytes]) => [name, String(bytes)])]));
for (const [name, bytes] of sizes) {
  const limit = series.find(([other]) => other === name)?.[2] ?? MAX_SCRIPT_BYTES;
  check(`scripts of ${name}`, bytes, limit, 'bytes');
}

for (const line of over) console.log(`OVER THE LIMIT: ${line}`);
process.exitCode = over.length > 0 ? 1 : 0;

/** Opens the page of a series. @returns milliseconds from the start of the navigation until its chart has a cursor */
async function measureInteractive(fresh: Page, name: string, address: string): Promise<number> {
  return scripts.during(fresh, name, async () => {
    await fresh.goto(`${service.url}${address}`);
    // Playwright's own wait evaluates text in the page, which the policy of the page refuses.
    const session = await fresh.context().newCDPSession(fresh);
    const { result } = await session.send('Runtime.evaluate', { expression: READY, awaitPromise: true });
    return Number(result.value);
  });
}
