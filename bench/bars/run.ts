// Measures the bar store on the embedded database: 50,000 minute bars against JSON.stringify of the same rows, 500 days,
// the compression, and the days of many symbols.
//
//   npm run -s bench:bars [-- --rounds 15 --symbols 2000]

import { parseArgs } from 'node:util';
import { type BarFrequency, gridOf, periodEnd, sessionsBetween } from '../../src/calendar/index.ts';
import { marketMigrations } from '../../src/market/index.ts';
import { decodeChunk, encodeChunk } from '../../src/market/store/chunk-codec.ts';
import { readSeries } from '../../src/market/store/read-series.ts';
import { readDaysOfMany, storeDays } from '../../src/market/store/store-days.ts';
import { readStoreStats } from '../../src/market/store/store-size.ts';
import { createLog } from '../../src/platform/index.ts';
import { storeProvider } from '../../test/support/market/store-provider.ts';
import { openTestDatabase } from '../../test/support/platform/database.ts';
import { createSeededRandom } from '../../test/support/platform/seeded-random.ts';
import { formatTable } from '../format-table.ts';
import { summarize } from '../search/measure.ts';
import { compareHistories } from './history.ts';

const MAX_RATIO = 3;
const MAX_HISTORY_RATIO = 1.3;
const MINUTES = 50_000;
const BYTES_OF_BAR = 48;

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, symbols: { type: 'string', default: '2000' } },
});
const rounds = Number(options.rounds);
const random = createSeededRandom(1);

/** Returns a random walk in cents. */
function walk(times: ArrayLike<number>) {
  let cents = 15_000;
  return Array.from(times, (timestamp) => {
    const open = cents;
    cents = Math.max(100, cents + Math.round((random() - 0.5) * 20));
    const [high, low] = [Math.max(open, cents) + Math.round(random() * 5), Math.min(open, cents) - 5];
    const volume = Math.round(random() ** 4 * 200_000);
    return { timestamp, open: open / 100, high: high / 100, low: low / 100, close: cents / 100, volume };
  });
}

function minutesBefore(end: number): number[] {
  const grid = gridOf({ frequency: '1min', kind: 'exchange', hours: 'extended' });
  const times: number[] = [];
  for (let time = Date.UTC(2024, 5, 3, 8); time < end; time = grid.next(time)) times.push(time);
  return times.slice(-MINUTES);
}

async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const now = Date.UTC(2024, 10, 27, 22);
const rows = walk(minutesBefore(now));
await using fixture = await openTestDatabase('pglite', { migrations: [marketMigrations] });
const context = {
  database: fixture.database,
  clock: { now: () => new Date(now) },
  storeBytes: 2 ** 31,
  log: createLog('warn'),
};
const minutes = storeProvider(rows);
const dates = sessionsBetween(Date.UTC(2020, 0, 2), Date.UTC(2024, 10, 27));
const days = storeProvider(walk(dates));
const readLatest = (provider: typeof minutes, frequency: BarFrequency, limit: number) =>
  readSeries(
    context,
    provider,
    { symbol: 'X', frequency, adjustment: 'raw', side: 'trade' },
    { end: now, at: now, limit },
  );

const cold = await cpuOf(() => readLatest(minutes, '1min', MINUTES));
const { bars } = await readLatest(minutes, '1min', MINUTES);
if (bars.timestamps.length !== rows.length) throw new Error(`${bars.timestamps.length} bars`);
await readLatest(days, '1D', 500);
const requests = minutes.requests.length + days.requests.length;

const cpu = { stringify: [] as number[], minutes: [] as number[], days: [] as number[] };
for (let round = 0; round <= rounds; round++) {
  const measured = {
    stringify: await cpuOf(() => JSON.stringify(rows)),
    minutes: await cpuOf(() => readLatest(minutes, '1min', MINUTES)),
    days: await cpuOf(async () => {
      for (let i = 0; i < 20; i++) await readLatest(days, '1D', 500);
    }),
  };
  // The first round warms up.
  if (round === 0) continue;
  cpu.stringify.push(measured.stringify);
  cpu.minutes.push(measured.minutes);
  cpu.days.push(measured.days / 20);
}
if (minutes.requests.length + days.requests.length !== requests) throw new Error('A warm read sent a request.');
const median = { ...cpu, ...Object.fromEntries(Object.entries(cpu).map(([name, ms]) => [name, summarize(ms).median])) };
const ratio = Number(median.minutes) / Number(median.stringify);

const table = { timestamps: bars.timestamps.slice(0, 960), columns: { ...bars.columns } };
for (const name of ['open', 'high', 'low', 'close', 'volume'] as const)
  table.columns[name] = bars.columns[name].slice(0, 960);
const encoded = encodeChunk(table);
const perChunk = async (work: () => unknown) =>
  (await cpuOf(() => {
    for (let i = 0; i < 500; i++) work();
  })) / 500;
const [encodeMs, decodeMs] = [await perChunk(() => encodeChunk(table)), await perChunk(() => decodeChunk(encoded))];
const { bytes } = await readStoreStats(context);

console.log(`CPU on ${process.platform} ${process.arch}, Node ${process.versions.node}, median of ${rounds} rounds\n`);
console.log(
  formatTable([
    ['', 'CPU ms', 'times'],
    [`JSON.stringify of ${MINUTES} rows`, Number(median.stringify).toFixed(1), '1.00'],
    [`${MINUTES} minutes from the store`, Number(median.minutes).toFixed(1), ratio.toFixed(2)],
    [`${MINUTES} minutes, first read`, cold.toFixed(1), ''],
    ['500 days from the store', Number(median.days).toFixed(2), ''],
    ['compress a day of 960 minutes', encodeMs.toFixed(2), ''],
    ['restore a day of 960 minutes', decodeMs.toFixed(2), ''],
  ]),
);
const perBar = encoded.length / 960;
console.log(`\n${perBar.toFixed(1)} bytes a minute, ${(BYTES_OF_BAR / perBar).toFixed(1)} times smaller than doubles`);
console.log(`${(bytes / (rows.length + 520)).toFixed(1)} bytes a bar in the store`);

const symbols = Array.from({ length: Number(options.symbols) }, (_, i) => `S${i}`);
const { bars: year } = await readLatest(days, '1D', 400);
const requested = { start: year.timestamps[0] ?? 0, end: periodEnd('1D', year.timestamps.at(-1) ?? 0), at: now };
const all = new Map(symbols.map((symbol) => [symbol, year]));
const fill = await cpuOf(() => storeDays(context, days, all, requested));
const read = await cpuOf(() => readDaysOfMany(context, days, symbols, requested));
const again = await cpuOf(() => storeDays(context, days, all, requested));
console.log(
  `${symbols.length} symbols of 400 days: stored in ${fill.toFixed(0)} ms of CPU, read in ${read.toFixed(0)}, compared in ${again.toFixed(0)}`,
);
const { bundled, stored, requests: asked } = await compareHistories('pglite', rounds);
const historyRatio = stored / bundled;
console.log(
  `500 days over HTTP: ${stored.toFixed(2)} ms of CPU from the store, ${bundled.toFixed(2)} ms bundled, ${historyRatio.toFixed(2)}x; ${asked} requests to the provider`,
);
const isOver = ratio > MAX_RATIO || historyRatio > MAX_HISTORY_RATIO || asked > 0;
if (isOver) console.log('\nOVER THE LIMIT');
process.exitCode = isOver ? 1 : 0;
