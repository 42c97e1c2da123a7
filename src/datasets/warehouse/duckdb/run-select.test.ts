import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openDuckdb } from '../../../../test/support/datasets/duckdb-database.ts';
import type { ColumnKind, FilterValue } from '../engine.ts';
import type { DuckdbQuery } from './child-messages.ts';
import { DUCKDB_DIALECT, quoteText } from './duckdb-dialect.ts';
import { parquetTable } from './duckdb-tables.ts';
import { openInstance, runSelect } from './run-select.ts';

const folder = mkdtempSync(join(tmpdir(), 'almanac-run-select-'));
const tempFolder = join(folder, 'temp');
mkdirSync(tempFolder);
after(() => rmSync(folder, { recursive: true, force: true }));

const table = join(folder, 'table.parquet');
const secret = join(folder, 'secret.csv');
writeFileSync(secret, 'a\nsecret\n');
before(async () => {
  const duckdb = await openDuckdb();
  await duckdb.query(`COPY (
    SELECT CAST(r AS TINYINT) AS small, CAST(r AS UBIGINT) AS large, r / 10 AS float64,
      CAST(r / 10 AS FLOAT) AS float32, CAST(r / 8 AS DECIMAL(18, 3)) AS decimals, r % 2 = 0 AS even, 'n' || r AS name,
      DATE '1969-12-30' + CAST(r AS INTEGER) AS day, make_timestamp((r - 2) * 1000) AS datetime,
      make_timestamp_ns((r - 2) * 1000000) AS nanoseconds,
      CAST(make_timestamp((r - 2) * 1000) AS TIMESTAMPTZ) AS instant
    FROM range(5) t(r)) TO ${quoteText(table)}`);
  duckdb.close();
});

const select = async (query: DuckdbQuery, signal: AbortSignal = new AbortController().signal) => {
  const instance = await openInstance(tempFolder);
  try {
    return await runSelect(query, instance, signal);
  } finally {
    instance.closeSync();
  }
};

const run = (sql: string, signal?: AbortSignal) => select({ sql, parameters: [], files: [table], threads: 2 }, signal);

type Comparison = readonly [name: string, kind: ColumnKind, type: string, value: FilterValue, operator?: string];

/** Returns, for each comparison with a parameter, the values of `small` in the rows that it selects. One query does all. */
async function findRows(comparisons: readonly Comparison[]): Promise<number[][]> {
  const parameters = comparisons.map(([name, kind, type, value], i) => ({
    name: `p${i}`,
    column: { name, kind, type },
    value,
  }));
  const selects = parameters.map((parameter, i) => {
    const condition = `${DUCKDB_DIALECT.quote(parameter.column.name)} ${comparisons[i]?.[4] ?? '='}`;
    return `SELECT small AS t, ${i} AS v FROM ${parquetTable([table])} WHERE ${condition} ${DUCKDB_DIALECT.placeholder(parameter)}`;
  });
  const sql = `${selects.join(' UNION ALL ')} ORDER BY 1 DESC`;
  const { times, values } = await select({ sql, parameters, files: [table], threads: 1 });
  return comparisons.map((_, i) => [...times].filter((_, row) => values[row] === i));
}

test('returns both columns as doubles, oldest first, and NaN for NULL', async () => {
  const rows = await run(
    'SELECT r AS t, CASE WHEN r % 3 = 0 THEN NULL ELSE r / 2 END AS v FROM range(5000) x(r) ORDER BY 1 DESC',
  );
  assert.deepEqual(
    rows.times,
    Float64Array.from({ length: 5000 }, (_, i) => i),
  );
  assert.deepEqual(
    rows.values,
    Float64Array.from({ length: 5000 }, (_, i) => (i % 3 === 0 ? Number.NaN : i / 2)),
  );
  const huge = await run('SELECT CAST(-5 AS HUGEINT) AS t, CAST(NULL AS DOUBLE) AS v');
  assert.deepEqual(huge, { times: Float64Array.of(-5), values: Float64Array.of(Number.NaN) });
  assert.deepEqual(await run('SELECT 1 AS t, 1 AS v WHERE false'), {
    times: new Float64Array(),
    values: new Float64Array(),
  });
  await assert.rejects(run('SELECT r AS t, r AS v FROM range(100001) x(r)'), /more than 100000 rows/);
});

test('binds parameters of every kind', async () => {
  const cases: readonly (readonly [Comparison, found: number[]])[] = [
    [['small', 'integer', 'TINYINT', 3], [3]],
    [
      ['small', 'integer', 'TINYINT', 1_700_000_000_000, '<'],
      [0, 1, 2, 3, 4],
    ],
    [
      ['large', 'integer', 'UBIGINT', -1, '>'],
      [0, 1, 2, 3, 4],
    ],
    [['large', 'integer', 'UBIGINT', '18446744073709551615'], []],
    [['float64', 'number', 'DOUBLE', 0.3], [3]],
    [['float32', 'number', 'FLOAT', 0.3], [3]],
    [['float32', 'number', 'FLOAT', 1e300], []],
    [['decimals', 'number', 'DECIMAL(18,3)', '0.375'], [3]],
    [['decimals', 'number', 'DECIMAL(18,3)', 1e30], []],
    [
      ['even', 'boolean', 'BOOLEAN', false],
      [1, 3],
    ],
    [['name', 'text', 'VARCHAR', 'n2'], [2]],
    [['name', 'text', 'VARCHAR', `n2' OR '1' = '1`], []],
    [['day', 'date', 'DATE', Date.UTC(1969, 11, 31)], [1]],
    [['datetime', 'datetime', 'TIMESTAMP', -1], [1]],
    [['nanoseconds', 'datetime', 'TIMESTAMP_NS', -1, '<'], [0]],
    [['instant', 'timestamp', 'TIMESTAMPTZ', 1], [3]],
  ];
  const found = await findRows(cases.map(([comparison]) => comparison));
  for (const [i, [comparison, expected]] of cases.entries()) assert.deepEqual(found[i], expected, comparison.join());
});

test('opens no other file and changes nothing', async () => {
  const files = readdirSync(folder);
  const other = quoteText(secret);
  const copy = quoteText(join(folder, 'copy.csv'));
  const refused = [
    [`SELECT 1 AS t, content AS v FROM read_text(${other})`, /Permission Error/],
    [`SELECT 1 AS t, 1 AS v FROM read_blob('/proc/self/environ')`, /Permission Error/],
    [`SELECT 1 AS t, a AS v FROM read_csv(${other})`, /Permission Error/],
    [`SELECT 1 AS t, file AS v FROM glob(${quoteText(`${folder}/*`)})`, /Permission Error/],
    [`SELECT 1 AS t, 1 AS v FROM read_parquet('https://example.com/x.parquet')`, /Permission Error/],
    [`SELECT 1 AS t, getenv('PATH') AS v`, /does not exist/],
    [`SELECT 1 AS t, 1 AS v FROM query('SET threads = 8')`, /single SELECT/],
    [`SELECT 1 AS t, 1 AS v FROM duckdb_extensions()`, /Permission Error/],
    [`COPY (SELECT 1) TO ${copy}`, /Only SELECT|Permission Error/],
    [`COPY (SELECT 1) TO ${quoteText(table)}`, /Only SELECT|Permission Error/],
    [`ATTACH ${copy}`, /Only SELECT/],
    ['INSTALL httpfs', /Only SELECT/],
    ['LOAD httpfs', /Only SELECT/],
    ['SET threads = 8', /Only SELECT/],
    ['RESET lock_configuration', /Only SELECT/],
    ['PRAGMA enable_profiling', /Only /],
    ['CREATE TABLE x (a INTEGER)', /Only SELECT/],
    ['EXPLAIN SELECT 1, 2', /Only SELECT/],
    ['SELECT 1 AS t, 1 AS v; SELECT 2 AS t, 2 AS v', /Only one statement/],
    ['SELECT 1 AS t', /two columns/],
  ] as const;
  // Opening an instance takes most of the time, and several can be opened at once.
  await Promise.all(
    refused.map(([sql, error]) => assert.rejects(run(sql), (thrown: Error) => error.test(thrown.message), sql)),
  );
  assert.deepEqual(readdirSync(folder), files);
  assert.equal((await run(`SELECT small AS t, 1 AS v FROM ${parquetTable([table])}`)).times.length, 5);
});

/** Conditions that hold inside every query. */
const SETTINGS = [
  // DuckDB counts a megabyte as 10^6 bytes and shows mebibytes.
  `current_setting('memory_limit') = '488.2 MiB'`,
  `current_setting('max_temp_directory_size') = '953.6 MiB'`,
  `current_setting('temp_directory') = ${quoteText(tempFolder)}`,
  `current_setting('threads') = 2`,
  `current_setting('TimeZone') = 'UTC'`,
  `NOT current_setting('enable_external_access')`,
  `current_setting('lock_configuration')`,
  `NOT current_setting('autoinstall_known_extensions')`,
  `NOT current_setting('autoload_known_extensions')`,
  `NOT current_setting('allow_community_extensions')`,
  `NOT current_setting('allow_unsigned_extensions')`,
  `NOT current_setting('allow_persistent_secrets')`,
  `list_sort(current_setting('allowed_paths')) = [${quoteText(table)}]`,
  `list_sort(current_setting('allowed_directories')) = [${quoteText(`${tempFolder}/`)}]`,
  // Days begin in UTC.
  `epoch_us(date_trunc('day', make_timestamptz(1704070800000000))) = 1704067200000000`,
  `epoch_us(CAST(DATE '2024-07-01' AS TIMESTAMPTZ)) = 1719792000000000`,
];

for (const zone of [undefined, 'America/New_York', 'Asia/Kathmandu']) {
  test(`the settings apply inside the query${zone === undefined ? '' : ` if the service runs in ${zone}`}`, async (context) => {
    const before = process.env.TZ;
    context.after(() => {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    });
    if (zone !== undefined) {
      process.env.TZ = zone;
      assert.notEqual(new Date(2024, 0, 1).getTimezoneOffset(), 0, 'the zone is in effect');
    }
    const columns = SETTINGS.map((condition, i) => `(${i}, CASE WHEN ${condition} THEN 1 ELSE 0 END)`);
    const { times, values } = await run(`SELECT t, v FROM (VALUES ${columns.join(', ')}) x(t, v) ORDER BY 1 DESC`);
    assert.deepEqual([...times], [...SETTINGS.keys()]);
    assert.deepEqual(
      SETTINGS.filter((_, i) => values[i] !== 1),
      [],
    );
  });
}

test('opens files whose names have the characters of patterns and quotes', async () => {
  for (const name of ["it's.parquet", 'a[b]*?.parquet']) {
    const file = join(folder, name);
    copyFileSync(table, file);
    const sql = `SELECT small AS t, 1 AS v FROM ${parquetTable([file])}`;
    const query = { sql, parameters: [], files: [file], threads: 1 } as const;
    const rows = await select(query);
    assert.equal(rows.times.length, 5, name);
  }
});

test('an interrupt ends a query that has begun, and one that has not', async () => {
  const controller = new AbortController();
  const endless = 'SELECT 1 AS t, count(*) AS v FROM range(10000000) a, range(10000000) b';
  const running = run(endless, controller.signal);
  setImmediate(() => controller.abort());
  await assert.rejects(running);
  await assert.rejects(run(endless, AbortSignal.abort()), { name: 'AbortError' });
  assert.deepEqual(readdirSync(tempFolder), []);
});
