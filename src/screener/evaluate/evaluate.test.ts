import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { meets } from '../../../test/support/screener/screener-oracle.ts';
import { SCREENER_COMPARISONS, SCREENER_FIELDS, type ScreenerCondition } from '../../contract/index.ts';
import { identityMigrations } from '../../identity/index.ts';
import type { Executor } from '../../platform/index.ts';
import { screenerMigrations } from '../migrations/index.ts';
import { storeMetrics } from '../run/store-metrics.ts';
import type { DailyMetricsTable } from '../tables.ts';
import { symbolsMatched } from './batch.ts';
import { compileFilter, namedColumns } from './compile-filter.ts';
import { evaluate, evaluateOn, previewFilter } from './evaluate.ts';
import { metricsIn } from './metrics-source.ts';
import type { FilterRules, StoredRules } from './rules.ts';

const OPTIONS = { migrations: [identityMigrations, screenerMigrations] };
const SESSION = '2024-03-28';

/** Few different numbers, so that they are often equal, and often missing. */
const cell = fc.option(fc.constantFrom(-1.5, -0, 0, 0.1, 0.30000000000000004, 1, 2, 1e-300, 1.7e308), { freq: 5 });
const COLUMNS = SCREENER_FIELDS.flatMap((field) => [field, `previous_${field}` as const]);

const row = fc.record({
  session: fc.constant(SESSION),
  recent_closes: fc.constant([]),
  shared: fc.boolean(),
  ...Object.fromEntries(COLUMNS.map((name) => [name, cell])),
}) as unknown as fc.Arbitrary<Omit<DailyMetricsTable, 'symbol'>>;

const number = cell.filter((value) => value !== null) as fc.Arbitrary<number>;
const field = fc.constantFrom(...SCREENER_FIELDS);
const op = fc.constantFrom(...SCREENER_COMPARISONS);
const condition: fc.Arbitrary<ScreenerCondition> = fc.oneof(
  fc.record({ field, op, value: number }),
  fc.record({ field, op, other_field: field }),
  fc.record({ field, op: fc.constant('between' as const), value: fc.tuple(number, number) }),
);

const SYMBOLS = ['A', 'B', 'BRK.B', '^GSPC', 'a', "O'K", '"}{,', 'Ä'];
const rules: fc.Arbitrary<FilterRules> = fc.record({
  universe: fc.oneof(fc.constant('all' as const), fc.subarray(SYMBOLS, { minLength: 1 })),
  combine: fc.constantFrom('all', 'any'),
  conditions: fc.array(condition, { minLength: 1, maxLength: 4 }),
});

forEachDatabase(
  'filters match what a second reading of them matches, with the values',
  OPTIONS,
  async ({ database }) => {
    const everything = fc.tuple(
      fc.array(row, { minLength: SYMBOLS.length, maxLength: SYMBOLS.length }),
      fc.array(rules, { minLength: 1, maxLength: 12 }),
    );
    await fc.assert(
      fc.asyncProperty(everything, async ([numbers, filters]) => {
        const rows = numbers.map((one, i) => ({ ...one, symbol: SYMBOLS[i] as string }));
        const stored = filters.map((filter, i): StoredRules => ({ id: `alt_${i}`, ...filter }));
        const { rows: results } = await sql<{ filter_id: string; symbols: string[] | null; shown: string[] }>`
        SELECT * FROM ${symbolsMatched(metricsIn(rows), stored)} AS r
      `.execute(database.query());
        const expected = stored.map((filter) => ({
          filter_id: filter.id,
          symbols: rows
            .filter((one) => meets(filter, one))
            .map(({ symbol }) => symbol)
            .sort(byCodePoint),
          shown: namedColumns(filter.conditions),
        }));
        assert.deepEqual(
          results.map((result) => ({ ...result, symbols: result.symbols ?? [] })),
          expected,
        );
        // One of them alone gives the same symbols, and the values that the filter names.
        const found = await evaluateOn(database, metricsIn(rows), stored.slice(0, 1));
        assert.deepEqual(
          found.map(({ symbol }) => symbol),
          expected[0]?.symbols,
        );
        for (const { symbol, values } of found) {
          const source = rows.find((one) => one.symbol === symbol) as unknown as Record<string, number | null>;
          assert.deepEqual(Object.keys(values), expected[0]?.shown);
          // Compared by ===, as zero has one sign once it was JSON.
          for (const [name, value] of Object.entries(values)) assert.ok(value === (source[name] ?? null), name);
        }
      }),
      { numRuns: 40 },
    );
  },
);

function byCodePoint(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

const EMPTY = Object.fromEntries(COLUMNS.map((name) => [name, null])) as unknown as DailyMetricsTable;

async function store(database: Executor & { transaction: unknown }, rows: readonly Partial<DailyMetricsTable>[]) {
  const transact = database.transaction as (work: (tx: never) => Promise<void>) => Promise<void>;
  const whole = rows.map((one) => ({ ...EMPTY, session: SESSION, shared: true, recent_closes: [], ...one }));
  await transact((tx) => storeMetrics(tx, whole as DailyMetricsTable[]));
}

forEachDatabase(
  'a session’s own rows are looked at, and a preview says how many there are',
  OPTIONS,
  async ({ database }) => {
    const rows = Array.from({ length: 12 }, (_, i) => ({
      symbol: `S${i}`,
      close: i,
      sma_20: 5,
      previous_close: 5 - i,
    }));
    await store(database, rows);
    await store(database, [{ session: '2024-03-27', symbol: 'OLD', close: 50 }]);
    const above = { universe: 'all', combine: 'all', conditions: [{ field: 'close', op: 'gte', value: 8 }] } as const;
    const { total, matches } = await previewFilter(database, SESSION, above, 3);
    assert.equal(total, 4);
    assert.deepEqual(matches, [
      { symbol: 'S10', values: { close: 10 } },
      { symbol: 'S11', values: { close: 11 } },
      { symbol: 'S8', values: { close: 8 } },
    ]);
    const crossing = { field: 'close', op: 'crosses_above', other_field: 'sma_20' } as const;
    await store(database, [{ symbol: 'X', close: 6, sma_20: 5, previous_close: 5, previous_sma_20: 5 }]);
    const crossed = await evaluate(database, SESSION, [
      { id: 'alt_1', universe: 'all', combine: 'all', conditions: [crossing] },
    ]);
    // The others have no number of the session before.
    assert.deepEqual(crossed, [
      { filterId: 'alt_1', symbol: 'X', values: { close: 6, sma_20: 5, previous_close: 5, previous_sma_20: 5 } },
    ]);
    assert.deepEqual(await previewFilter(database, '2024-03-26', above, 3), { total: 0, matches: [] });
  },
);

test('a comparison that nobody here knows is refused, not taken for another', () => {
  const condition = { field: 'close', op: 'outside' as 'gt', value: 1 } as const;
  assert.throws(
    () => compileFilter({ universe: 'all', combine: 'all', conditions: [condition] }),
    /"outside" is no comparison/,
  );
});

test('a name that is not a field never becomes SQL', () => {
  const hostile = 'close" IS NULL OR "close' as 'close';
  const bad: ScreenerCondition[] = [
    { field: hostile, op: 'gt', value: 1 },
    { field: 'close', op: 'gt', other_field: hostile },
    { field: 'symbol' as 'close', op: 'eq', value: 1 },
    { field: 'close', op: 'crosses_above', other_field: hostile },
  ];
  for (const one of bad) {
    assert.throws(() => compileFilter({ universe: 'all', combine: 'all', conditions: [one] }), /is not a field/);
  }
});
