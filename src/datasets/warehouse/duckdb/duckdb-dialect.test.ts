import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type DuckdbDatabase, openDuckdb } from '../../../../test/support/datasets/duckdb-database.ts';
import { createSeededRandom, uniformBetween } from '../../../../test/support/platform/seeded-random.ts';
import { EARLIEST_INSTANT, FREQUENCIES, LATEST_INSTANT, periodStart } from '../../../calendar/index.ts';
import type { TimeFormat } from '../../../contract/index.ts';
import type { ColumnKind, FilterValue, WarehouseColumn } from '../engine.ts';
import { DUCKDB_DIALECT, quoteText } from './duckdb-dialect.ts';

let duckdb: DuckdbDatabase;
before(async () => {
  duckdb = await openDuckdb();
});
after(() => duckdb.close());

const column = (kind: ColumnKind, type: string, name = 'x'): WarehouseColumn => ({ name, kind, type });

/** Returns the microseconds of values of a type, one for each. */
async function readMicroseconds(values: readonly string[], type: string, kind: ColumnKind, format: TimeFormat | null) {
  const expression = DUCKDB_DIALECT.microseconds(column(kind, type), format);
  const rows = values.map((value, i) => `(${i}, CAST(${value} AS ${type}))`).join(', ');
  const read = await duckdb.query(`SELECT ${expression} FROM (VALUES ${rows}) v(i, x) ORDER BY i`);
  return read.map(([microseconds]) => (microseconds === null ? null : Number(microseconds)));
}

test('the first microsecond of a period is that of the calendar, from 1800 to 2200', async () => {
  const random = createSeededRandom(25);
  const instants = Array.from({ length: 500 }, () =>
    Math.floor(uniformBetween(random, EARLIEST_INSTANT, LATEST_INSTANT)),
  );
  // The edges of periods, and the microsecond before them.
  const edges = ['1900-01-01', '1969-12-29', '1970-01-01', '2000-01-01', '2000-02-29', '2000-01-03'].map(Date.parse);
  const times = [...instants, ...edges].flatMap((instant) => [
    instant * 1000,
    instant * 1000 + 999,
    instant * 1000 - 1,
  ]);
  const expressions = FREQUENCIES.map((frequency) => DUCKDB_DIALECT.periodStart('x', frequency));
  const rows = await duckdb.query(
    `SELECT ${expressions.join(', ')} FROM (SELECT unnest([${times.join(', ')}]::BIGINT[]) AS x, unnest(range(${times.length})) AS i) ORDER BY i`,
  );
  for (const [i, row] of rows.entries()) {
    const instant = Math.floor((times[i] ?? Number.NaN) / 1000);
    const expected = FREQUENCIES.map((frequency) => periodStart(frequency, instant) * 1000);
    assert.deepEqual(row.map(Number), expected, new Date(instant).toISOString());
  }
  assert.equal(rows.length, times.length);
  assert.deepEqual(await duckdb.query(`SELECT ${DUCKDB_DIALECT.periodStart('NULL::BIGINT', '1MS')}`), [[null]]);
});

test('times of every type become microseconds, rounded down', async () => {
  const read = (values: string[], type: string, kind: ColumnKind) => readMicroseconds(values, type, kind, null);
  const before = Date.parse('1960-01-01T00:00:01Z') * 1000;
  assert.deepEqual(
    await read([`'1969-12-31'`, `'2024-02-29'`, 'NULL', `'infinity'`, `'5881580-01-01'`], 'DATE', 'date'),
    [-86_400_000_000, Date.parse('2024-02-29') * 1000, null, null, null],
  );
  const microseconds = [`'1960-01-01 00:00:01.000001'`, `'infinity'`];
  assert.deepEqual(await read(microseconds, 'TIMESTAMP', 'datetime'), [before + 1, null]);
  assert.deepEqual(await read([`'1960-01-01 00:00:01.001'`], 'TIMESTAMP_MS', 'datetime'), [before + 1000]);
  assert.deepEqual(await read([`'1960-01-01 00:00:01'`], 'TIMESTAMP_S', 'datetime'), [before]);
  assert.deepEqual(await read([`'1960-01-01 02:00:01+02:00'`], 'TIMESTAMPTZ', 'timestamp'), [before]);
  const nanoseconds = [-1001, -1000, -1, 0, 1, 999, 1000].map((value) => `make_timestamp_ns(${value})`);
  assert.deepEqual(await read([...nanoseconds, 'NULL'], 'TIMESTAMP_NS', 'datetime'), [-2, -1, -1, 0, 0, 0, 1, null]);
});

test('integers become microseconds in their time format, and NULL if they are not in it', async () => {
  const read = (values: readonly (number | string)[], format: TimeFormat, type = 'BIGINT') =>
    readMicroseconds(values.map(String), type, 'integer', format);
  const at = (text: string) => Date.parse(text) * 1000;
  const years = [2024, 1, 9999, 0, -1, 10_000, '9223372036854775807', 'NULL'];
  assert.deepEqual(await read(years, 'year'), [at('2024-01-01'), at('0001-01-01'), at('9999-01-01'), ...nulls(5)]);
  assert.deepEqual(await read([1999], 'year', 'USMALLINT'), [at('1999-01-01')]);
  const days = [20240229, 19690101, 20230229, 20241301, 20240100, 2024, 202402, -20240229, 120240101, 'NULL'];
  assert.deepEqual(await read(days, 'yyyymmdd'), [at('2024-02-29'), at('1969-01-01'), ...nulls(8)]);
  assert.deepEqual(await read([20240229], 'yyyymmdd', 'INTEGER'), [at('2024-02-29')]);
  const seconds = [0, -1, 253402300799, 253402300800, -62135596801, '-9223372036854775808'];
  assert.deepEqual(await read(seconds, 'epoch_s'), [0, -1_000_000, 253402300799_000_000, ...nulls(3)]);
  assert.deepEqual(await read([2_147_483_647], 'epoch_s', 'INTEGER'), [2_147_483_647_000_000]);
  assert.deepEqual(await read([1, -1, 253402300800000], 'epoch_ms'), [1000, -1000, null]);
  assert.deepEqual(await read(['18446744073709551615', 5], 'epoch_ms', 'UBIGINT'), [null, 5000]);
});

function nulls(count: number): null[] {
  return Array.from({ length: count }, () => null);
}

test('the last value is that of the largest time, and the largest of several', async () => {
  const last = DUCKDB_DIALECT.lastValue(DUCKDB_DIALECT.toDouble('v'), 't');
  const read = (rows: string) => duckdb.query(`SELECT ${last} FROM (VALUES ${rows}) x(t, v)`);
  assert.deepEqual(await read('(1, 9), (2, 3), (2, 7), (2, 4), (3, NULL)'), [[7]]);
  assert.deepEqual(await read(`(DATE '2024-01-02', -1.5), (DATE '2024-01-01', 8.0)`), [[-1.5]]);
  assert.deepEqual(await read('(1, NULL::DOUBLE)'), [[null]]);
});

test('names and texts with quotes stay names and texts', async () => {
  for (const name of ['a"b', '"', 'x" FROM y; --', "it's", 'été', 'select']) {
    const [row] = await duckdb.query(
      `SELECT ${DUCKDB_DIALECT.quote(name)}, ${quoteText(name)} FROM (SELECT 5 AS ${DUCKDB_DIALECT.quote(name)})`,
    );
    assert.deepEqual(row, [5, name]);
  }
});

test('a placeholder has the type of its column, and one that takes every integer otherwise', () => {
  const placeholder = (kind: ColumnKind, type: string, value: FilterValue) =>
    DUCKDB_DIALECT.placeholder({ name: 'p0', column: column(kind, type), value });
  assert.equal(placeholder('integer', 'SMALLINT', 32_767), 'CAST($p0 AS SMALLINT)');
  assert.equal(placeholder('integer', 'SMALLINT', -32_768), 'CAST($p0 AS SMALLINT)');
  assert.equal(placeholder('integer', 'SMALLINT', 32_768), 'CAST($p0 AS BIGINT)');
  assert.equal(placeholder('integer', 'UINTEGER', -1), 'CAST($p0 AS BIGINT)');
  assert.equal(placeholder('integer', 'UBIGINT', '18446744073709551615'), 'CAST($p0 AS UBIGINT)');
  assert.equal(placeholder('integer', 'BIGINT', '18446744073709551615'), 'CAST($p0 AS HUGEINT)');
  assert.equal(placeholder('number', 'DECIMAL(18,3)', '1.5'), 'TRY_CAST($p0 AS DECIMAL(18,3))');
  assert.equal(placeholder('number', 'FLOAT', 1.5), 'TRY_CAST($p0 AS FLOAT)');
  assert.equal(placeholder('number', 'DOUBLE); DROP TABLE x', 1.5), 'TRY_CAST($p0 AS DOUBLE)');
  assert.throws(() => placeholder('other', 'STRUCT', 1));
});
