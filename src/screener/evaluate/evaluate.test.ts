import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { matchesFilter } from '../../../test/support/screener/match-filter.ts';
import { SCREENER_COMPARISONS, SCREENER_FIELDS, type ScreenerCondition } from '../../contract/index.ts';
import { identityMigrations } from '../../identity/index.ts';
import type { Executor } from '../../platform/index.ts';
import { screenerMigrations } from '../migrations/index.ts';
import { type DailyMetricsTable, METRIC_COLUMNS } from '../tables.ts';
import { compileFilter, listShownColumns, selectMatchedSymbols } from './compile-filter.ts';
import { previewFilter, previewFilterOn } from './evaluate.ts';
import type { FilterRules, SavedFilterRules } from './filter-rules.ts';
import { metricsFromRows, storeMetrics } from './metrics-source.ts';

const OPTIONS = { migrations: [identityMigrations, screenerMigrations] };
const SESSION = '2024-03-28';

/** Few different numbers, which are often equal and often missing. */
const cell = fc.option(fc.constantFrom(-1.5, -0, 0, 0.1, 0.30000000000000004, 1, 2, 1e-300, 1.7e308), { freq: 5 });

const row = fc.record({
  session: fc.constant(SESSION),
  recent_closes: fc.constant([]),
  shared: fc.boolean(),
  ...Object.fromEntries(METRIC_COLUMNS.map((name) => [name, cell])),
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
  'finds the same matches as an independent implementation, with the same values',
  OPTIONS,
  async ({ database }) => {
    const metricsAndFilters = fc.tuple(
      fc.array(row, { minLength: SYMBOLS.length, maxLength: SYMBOLS.length }),
      fc.array(rules, { minLength: 1, maxLength: 12 }),
    );
    await fc.assert(
      fc.asyncProperty(metricsAndFilters, async ([numbers, filters]) => {
        const rows = numbers.map((metrics, i) => ({ ...metrics, symbol: SYMBOLS[i] as string }));
        const stored = filters.map((filter, i): SavedFilterRules => ({ id: `alt_${i}`, ...filter }));
        const { rows: results } = await sql<{ filter_id: string; symbols: string[] | null; shown: string[] }>`
        SELECT * FROM ${selectMatchedSymbols(metricsFromRows(rows), stored)} AS r
      `.execute(database.query());
        const expected = stored.map((filter) => ({
          filter_id: filter.id,
          symbols: rows
            .filter((metrics) => matchesFilter(filter, metrics))
            .map(({ symbol }) => symbol)
            .sort(byCodePoint),
          shown: listShownColumns(filter.conditions),
        }));
        assert.deepEqual(
          results.map((result) => ({ ...result, symbols: result.symbols ?? [] })),
          expected,
        );
        // A single filter gives the same symbols, with the values of its columns.
        const [first = assert.fail()] = stored;
        const { matches: found } = await previewFilterOn(database, metricsFromRows(rows), first, null);
        assert.deepEqual(
          found.map(({ symbol }) => symbol),
          expected[0]?.symbols,
        );
        for (const { symbol, values } of found) {
          const source = rows.find((metrics) => metrics.symbol === symbol) as unknown as Record<string, number | null>;
          assert.deepEqual(Object.keys(values), expected[0]?.shown);
          // Compared by === because JSON does not keep the sign of zero.
          for (const [name, value] of Object.entries(values)) assert.ok(value === (source[name] ?? null), name);
        }
      }),
      { numRuns: 40, seed: 20 },
    );
  },
);

function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

const NO_METRICS = Object.fromEntries(METRIC_COLUMNS.map((name) => [name, null])) as unknown as DailyMetricsTable;

async function storeRows(database: Executor & { transaction: unknown }, rows: readonly Partial<DailyMetricsTable>[]) {
  const transact = database.transaction as (work: (tx: never) => Promise<void>) => Promise<void>;
  const complete = rows.map((metrics) => ({
    ...NO_METRICS,
    session: SESSION,
    shared: true,
    recent_closes: [],
    ...metrics,
  }));
  await transact((tx) => storeMetrics(tx, complete as DailyMetricsTable[]));
}

forEachDatabase(
  'evaluates the rows of the session only, and counts all matches in a preview',
  OPTIONS,
  async ({ database }) => {
    const rows = Array.from({ length: 12 }, (_, i) => ({
      symbol: `S${i}`,
      close: i,
      sma_20: 5,
      previous_close: 5 - i,
    }));
    await storeRows(database, rows);
    await storeRows(database, [{ session: '2024-03-27', symbol: 'OLD', close: 50 }]);
    const above = { universe: 'all', combine: 'all', conditions: [{ field: 'close', op: 'gte', value: 8 }] } as const;
    const { total, matches } = await previewFilter(database, SESSION, above, 3);
    assert.equal(total, 4);
    assert.deepEqual(matches, [
      { symbol: 'S10', values: { close: 10 } },
      { symbol: 'S11', values: { close: 11 } },
      { symbol: 'S8', values: { close: 8 } },
    ]);
    const crossing = { field: 'close', op: 'crosses_above', other_field: 'sma_20' } as const;
    await storeRows(database, [{ symbol: 'X', close: 6, sma_20: 5, previous_close: 5, previous_sma_20: 5 }]);
    const crossed = await previewFilter(
      database,
      SESSION,
      { universe: 'all', combine: 'all', conditions: [crossing] },
      10,
    );
    // The other symbols have no previous metrics.
    assert.deepEqual(crossed.matches, [
      { symbol: 'X', values: { close: 6, sma_20: 5, previous_close: 5, previous_sma_20: 5 } },
    ]);
    assert.deepEqual(await previewFilter(database, '2024-03-26', above, 3), { total: 0, matches: [] });
  },
);

test('refuses an unknown operator', () => {
  const condition = { field: 'close', op: 'outside' as 'gt', value: 1 } as const;
  assert.throws(
    () => compileFilter({ universe: 'all', combine: 'all', conditions: [condition] }),
    /"outside" is not an operator/,
  );
});

test('refuses column names that are not fields', () => {
  const injection = 'close" IS NULL OR "close' as 'close';
  const conditions: ScreenerCondition[] = [
    { field: injection, op: 'gt', value: 1 },
    { field: 'close', op: 'gt', other_field: injection },
    { field: 'symbol' as 'close', op: 'eq', value: 1 },
    { field: 'close', op: 'crosses_above', other_field: injection },
  ];
  for (const invalid of conditions) {
    assert.throws(() => compileFilter({ universe: 'all', combine: 'all', conditions: [invalid] }), /is not a field/);
  }
});

forEachDatabase('stores every field of the contract, and no other metric', OPTIONS, async ({ database }) => {
  const { rows } = await sql<{ column_name: string }>`
    SELECT column_name FROM information_schema.columns
    WHERE table_name = 'daily_metrics' AND data_type = 'double precision' ORDER BY ordinal_position`.execute(
    database.query(),
  );
  assert.deepEqual(
    rows.map(({ column_name }) => column_name),
    METRIC_COLUMNS,
  );
});
