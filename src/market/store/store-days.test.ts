import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { dailyBars } from '../../../test/support/market/memory-provider.ts';
import { storeProvider, storeScene } from '../../../test/support/market/store-provider.ts';
import { countStatements } from '../../../test/support/platform/counted-database.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { DAY_MS } from '../../calendar/index.ts';
import type { BarTable } from '../bars.ts';
import { checkBars } from '../check-bars.ts';
import { marketMigrations } from '../migrations/index.ts';
import { NO_BARS } from './bar-tables.ts';
import { readDaysOfMany, storeDays } from './store-days.ts';

const OPTIONS = { migrations: [marketMigrations] };
const at = (time: string) => Date.parse(time);

/** Returns the days from one date to another, both included, with prices multiplied by a factor. */
function days(from: string, to: string, factor = 1): BarTable {
  const query = { frequency: '1D', session: 'regular', end: at(to) + 1, start: at(from), limit: 10_000 } as const;
  const { bars } = checkBars(dailyBars('2023-01-03', '2024-12-31'), query, at('2030-01-01'));
  const scale = (values: Float64Array) => values.map((value) => value * factor);
  const { open, high, low, close, volume } = bars.columns;
  return {
    timestamps: bars.timestamps,
    columns: { open: scale(open), high: scale(high), low: scale(low), close: scale(close), volume },
  };
}

const asked = (start: string, end: string, time: string) => ({ start: at(start), end: at(end) + 1, at: at(time) });
const SYMBOLS = Array.from({ length: 600 }, (_, i) => `S${i}`);
const ofAll = (table: BarTable) => new Map(SYMBOLS.map((symbol) => [symbol, table]));

forEachDatabase('stores and reads the days of many symbols in few statements', OPTIONS, async (fixture) => {
  const { database, statements } = countStatements(fixture.database);
  const provider = storeProvider([]);
  const { context } = storeScene(database, provider, '2024-11-26T22:00:00Z');
  const first = await storeDays(
    context,
    provider,
    ofAll(days('2023-06-01', '2024-11-26')),
    asked('2023-06-01', '2024-11-26', '2024-11-26T22:00Z'),
  );
  assert.deepEqual(first, []);
  assert.ok(statements() < 20, `${statements()} statements`);
  const before = statements();
  const read = await readDaysOfMany(context, provider, SYMBOLS, { start: at('2024-01-01'), end: at('2024-12-01') });
  assert.equal(statements() - before, 2);
  assert.equal(read.size, SYMBOLS.length);
  const { bars, from, to, checkedOn } = read.get('S555') ?? assert.fail();
  assert.deepEqual([from, to, checkedOn], [at('2024-01-01'), at('2024-11-26') + 1, at('2024-11-26')]);
  assert.deepEqual(bars, days('2024-01-02', '2024-11-26'));
  assert.equal((await readDaysOfMany(context, provider, ['NONE'], { start: 0, end: at('2024-12-01') })).size, 0);
});

forEachDatabase('a new session is added, and symbols whose prices changed are named', OPTIONS, async ({ database }) => {
  const provider = storeProvider(dailyBars('2023-01-03', '2024-12-31'));
  const { context, logged, read } = storeScene(database, provider, '2024-11-27T22:00:00Z');
  const fill = new Map(['A', 'B', 'C'].map((symbol) => [symbol, days('2024-01-02', '2024-11-26')]));
  await storeDays(context, provider, fill, asked('2024-01-02', '2024-11-26', '2024-11-26T22:00Z'));
  const next = asked('2024-11-22', '2024-11-27', '2024-11-27T22:00Z');
  const changed = await storeDays(
    context,
    provider,
    new Map([
      ['A', days('2024-11-22', '2024-11-27')],
      ['B', days('2024-11-22', '2024-11-27', 0.5)],
      ['C', NO_BARS],
      ['NEW', days('2024-11-26', '2024-11-27')],
      ['NEVER', NO_BARS],
    ]),
    next,
  );
  assert.deepEqual(changed, ['B', 'C']);
  assert.equal(logged.length, 2);
  const stored = await readDaysOfMany(context, provider, ['A', 'B', 'C', 'NEW', 'NEVER'], {
    start: at('2024-11-20'),
    end: at('2024-12-31'),
  });
  assert.deepEqual([...stored.keys()], ['A', 'NEW']);
  assert.deepEqual(stored.get('A')?.bars, days('2024-11-20', '2024-11-27'));
  provider.takeRequests();
  assert.equal((await read({ symbol: 'A', adjustment: 'split', limit: 200 })).bars.timestamps.length, 200);
  assert.equal(provider.takeRequests(), 0, 'a single read needs no request');
  await read({ symbol: 'B', adjustment: 'split', limit: 200 });
  assert.equal(provider.takeRequests(), 1);
});

forEachDatabase('two dates, the new one and the one that has settled, are enough', OPTIONS, async ({ database }) => {
  const provider = storeProvider([]);
  const { context } = storeScene(database, provider, '2024-11-20T22:00:00Z');
  const only = (date: string, factor = 1) => new Map([['A', days(date, date, factor)]]);
  const fill = new Map([['A', days('2024-01-02', '2024-11-15')]]);
  await storeDays(context, provider, fill, asked('2024-01-02', '2024-11-15', '2024-11-15T22:00Z'));
  // Each session with the one that settles with it.
  const sessions = [
    ['2024-11-18', '2024-11-13'],
    ['2024-11-19', '2024-11-14'],
    ['2024-11-20', '2024-11-15'],
    ['2024-11-21', '2024-11-18'],
  ] as const;
  for (const [session, settling] of sessions) {
    const time = `${session}T22:00Z`;
    const unchecked = await storeDays(context, provider, only(session), asked(session, session, time));
    assert.deepEqual(unchecked, ['A'], 'nothing shows that the new session is on the same basis');
    assert.deepEqual(await storeDays(context, provider, only(settling), asked(settling, settling, time)), []);
    assert.deepEqual(await storeDays(context, provider, only(session), asked(session, session, time)), []);
  }
  const { bars, to } =
    (await readDaysOfMany(context, provider, ['A'], { start: at('2024-11-01'), end: at('2024-12-01') })).get('A') ??
    assert.fail();
  assert.deepEqual([bars, to], [days('2024-11-01', '2024-11-21'), at('2024-11-21') + 1]);
  const { rows } = await sql`SELECT coverage->'settledTo' AS settled FROM bar_series`.execute(database.query());
  assert.deepEqual(rows, [{ settled: at('2024-11-18') + 1 }]);
  // A split is not taken for a correction of the days that are not settled.
  const split = asked('2024-11-19', '2024-11-19', '2024-11-22T22:00Z');
  assert.deepEqual(await storeDays(context, provider, only('2024-11-19', 0.5), split), ['A']);
  assert.equal((await readDaysOfMany(context, provider, ['A'], { start: 0, end: at('2025-01-01') })).size, 0);
});

forEachDatabase('days after a hole are not joined with those before it', OPTIONS, async ({ database }) => {
  const provider = storeProvider([]);
  const { context } = storeScene(database, provider, '2024-11-20T22:00:00Z');
  const raw = { adjustment: 'raw' } as const;
  const put = (from: string, to: string) =>
    storeDays(context, provider, new Map([['A', days(from, to)]]), { ...asked(from, to, `${to}T22:00Z`), ...raw });
  await put('2024-01-02', '2024-11-01');
  await put('2024-11-18', '2024-11-20');
  const stored = async (end: string) =>
    (await readDaysOfMany(context, provider, ['A'], { start: at('2024-10-01'), end: at(end), ...raw })).get('A');
  assert.equal((await stored('2024-12-01'))?.from, at('2024-11-18'));
  // The last three days before the hole had not settled when they were read.
  assert.deepEqual((await stored('2024-11-10'))?.to, at('2024-10-29') + 1);
  assert.equal((await stored('2024-11-10'))?.bars.timestamps.length, 21);
  assert.equal((at('2024-11-18') - at('2024-10-29')) / DAY_MS, 20);
});

forEachDatabase('a session without a bar needs no comparison, but the next bar does', OPTIONS, async ({ database }) => {
  const provider = storeProvider([]);
  const { context } = storeScene(database, provider, '2024-11-20T22:00:00Z');
  const put = (table: BarTable, from: string, to: string) =>
    storeDays(context, provider, new Map([['A', table]]), asked(from, to, `${to}T22:00Z`));
  await put(days('2024-01-02', '2024-11-15'), '2024-01-02', '2024-11-15');
  assert.deepEqual(await put(NO_BARS, '2024-11-18', '2024-11-18'), []);
  const stored = async () =>
    (await readDaysOfMany(context, provider, ['A'], { start: at('2024-11-01'), end: at('2024-12-01') })).get('A');
  const { bars, to, checkedOn } = (await stored()) ?? assert.fail();
  assert.deepEqual([to, checkedOn], [at('2024-11-18') + 1, at('2024-11-15')]);
  assert.deepEqual(bars, days('2024-11-01', '2024-11-15'));
  assert.deepEqual(await put(days('2024-11-19', '2024-11-19'), '2024-11-19', '2024-11-19'), ['A']);
  assert.equal((await stored())?.to, at('2024-11-18') + 1);
});
