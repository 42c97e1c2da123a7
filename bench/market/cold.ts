// Sends the CPU milliseconds of the work that the first argument names. `json` and `csv` read 50,000 bars from their
// snapshot and render them; `stringify` is JSON.stringify of prebuilt rows. Each runs in its own process, because the
// rows of one would burden the garbage collector of the other.

import { BAR_HEADINGS } from '../../src/market/index.ts';
import { createSnapshotExports, freeze, readSnapshot, snapshotMigrations } from '../../src/snapshots/index.ts';
import { openTestDatabase } from '../../test/support/platform/database.ts';
import { median } from '../api/statistics.ts';
import { minuteBars } from './minute-bars.ts';

const [format = 'json', kind = 'pglite', rounds = '9'] = process.argv.slice(2);
const WARM_UP = 3;

const times: number[] = [];
await using prepared =
  format === 'stringify' ? prepareRows() : await prepareSnapshot(format === 'csv' ? 'csv' : 'json');
for (let round = 0; round < Number(rounds) + WARM_UP; round++) {
  const before = process.cpuUsage();
  await prepared.write();
  const { user, system } = process.cpuUsage(before);
  if (round >= WARM_UP) times.push((user + system) / 1000);
}
process.send?.(median(times));

function prepareRows() {
  const rows = minuteBars(50_000).map((bar) => ({ ...bar, timestamp: new Date(Number(bar.timestamp)).toISOString() }));
  return { write: async () => void Buffer.from(JSON.stringify(rows)), [Symbol.asyncDispose]: async () => {} };
}

async function prepareSnapshot(format: 'json' | 'csv') {
  const fixture = await openTestDatabase(kind === 'postgres' ? 'postgres' : 'pglite', {
    migrations: [snapshotMigrations],
  });
  const context = { database: fixture.database, clock: { now: () => new Date() } };
  const { id } = await freeze(context, { about: { symbol: 'X' }, table: tableOfBars() });
  const write = async (): Promise<void> => {
    const snapshot = await readSnapshot(context, id);
    if (snapshot === null) throw new Error('The snapshot does not exist.');
    const exported = createSnapshotExports(context).add(snapshot);
    const rendering = format === 'csv' ? exported.csv(BAR_HEADINGS) : exported.json({}, 'rows', BAR_HEADINGS);
    for await (const _ of rendering.chunks());
  };
  return { write, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() };
}

function tableOfBars() {
  const bars = minuteBars(50_000);
  const column = (name: string) => Float64Array.from(bars, (bar) => Number(bar[name as keyof typeof bar]));
  return {
    timestamps: column('timestamp'),
    columns: Object.fromEntries(Object.keys(BAR_HEADINGS).map((name) => [name, column(name)])),
  };
}
