import { BAR_ROWS } from '../../src/market/index.ts';
import { createSnapshotExports, freeze, readSnapshot, snapshotMigrations } from '../../src/snapshots/index.ts';
import { openTestDatabase } from '../../test/support/database.ts';
import { median } from '../api/statistics.ts';
import { minuteBars } from './minute-bars.ts';

const HEADS = { open: 'open', high: 'high', low: 'low', close: 'close', volume: 'volume' };

/**
 * CPU of this process, in milliseconds, for 50,000 bars read from their snapshot and written as JSON, beside
 * JSON.stringify of rows that are there already.
 */
export async function measureCold(kind: 'pglite' | 'postgres', rounds: number) {
  await using fixture = await openTestDatabase(kind, { migrations: [snapshotMigrations] });
  const context = { database: fixture.database, clock: { now: () => new Date() } };
  const bars = minuteBars(50_000);
  const column = (name: keyof typeof HEADS) => Float64Array.from(bars, (bar) => Number(bar[name]));
  const columns = Object.fromEntries(Object.keys(HEADS).map((name) => [name, column(name as keyof typeof HEADS)]));
  const table = { timestamps: Float64Array.from(bars, ({ timestamp }) => Number(timestamp)), columns };
  const { id } = await freeze(context, { about: { symbol: 'X' }, table });
  const rows = bars.map((bar) => ({ ...bar, timestamp: new Date(Number(bar.timestamp)).toISOString() }));

  const stringify: number[] = [];
  const json: number[] = [];
  const csv: number[] = [];
  for (let round = 0; round < rounds; round++) {
    stringify.push(await cpuOf(async () => void Buffer.from(JSON.stringify(rows))));
    json.push(await cpuOf(() => write('json')));
    csv.push(await cpuOf(() => write('csv')));
  }
  return { stringify: median(stringify), json: median(json), csv: median(csv) };

  async function write(format: 'json' | 'csv'): Promise<void> {
    const snapshot = await readSnapshot(context, id);
    if (snapshot === null) throw new Error('The snapshot is gone.');
    const rendering = createSnapshotExports(context).keep(snapshot).render(format, BAR_ROWS);
    for await (const _ of rendering.chunks());
  }
}

async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
