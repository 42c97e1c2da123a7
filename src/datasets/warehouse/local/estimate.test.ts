import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openWarehouseFolder, type WarehouseFolder } from '../../../../test/support/datasets/warehouse-folder.ts';
import type { TimeFormat } from '../../../contract/index.ts';
import { buildQuery } from '../build-query.ts';
import { DUCKDB_DIALECT } from '../duckdb/duckdb-dialect.ts';
import type { FilterValue, WarehouseColumn, WarehouseQuery } from '../engine.ts';
import { estimateRead, findConditions, findGroups } from './estimate.ts';
import type { TableFile } from './find-table-files.ts';
import { type LocalTable, OPERATOR_ORIGIN, readLocalTable } from './local-table.ts';
import { FooterReader } from './parquet-footer.ts';

/** How many random reads are compared with DuckDB, and how many of them are of the same file. */
const READS = Number(process.env.ALMANAC_ESTIMATED_READS ?? 40);
const READS_PER_FILE = 40;

let folder: WarehouseFolder;
let reader: FooterReader;
const random = createRandom(20_251);
const randomFiles: { readonly path: string; readonly table: LocalTable }[] = [];
before(async () => {
  folder = await openWarehouseFolder();
  reader = new FooterReader();
  for (let i = 0; i < READS; i += READS_PER_FILE) {
    const path = await writeRandomFile(`random${i}.parquet`, random);
    randomFiles.push({ path, table: await describe([folder.file(`random${i}.parquet`)]) });
  }
});
after(async () => {
  await reader.close();
  folder[Symbol.dispose]();
});

const DAY_MS = 86_400_000;

function describe(files: readonly TableFile[], format: 'parquet' | 'csv' = 'parquet'): Promise<LocalTable> {
  const head = { delimiter: ',', header: ['t', 'v'], kinds: ['date', 'number'] as const };
  const readers = { readFooter: (file: TableFile) => reader.read(file), readHead: async () => head };
  return readLocalTable('x', { format, files }, readers, { ...OPERATOR_ORIGIN, isBundled: false });
}

function columnOf(table: LocalTable, name: string): WarehouseColumn {
  const column = table.columns.find((known) => known.name === name);
  assert.ok(column, name);
  return column;
}

interface Wanted {
  readonly time?: string;
  readonly format?: TimeFormat;
  readonly value?: string;
  readonly filters?: Readonly<Record<string, readonly FilterValue[]>>;
  readonly from?: number;
  readonly to?: number;
}

function queryOf(
  table: LocalTable,
  { time = 't', format, value = 'v', filters = {}, from, to }: Wanted,
): WarehouseQuery {
  return {
    time: { column: columnOf(table, time), format: format ?? null },
    value: columnOf(table, value),
    filters: Object.entries(filters).map(([name, values]) => ({ column: columnOf(table, name), values })),
    from: from ?? null,
    to: to ?? null,
    aggregate: null,
    maxRows: 100,
  };
}

/** A generator with a seed, so that a failure can be repeated. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

const GROUP_ROWS = 2048;
const GROUPS = 12;

/** Columns of every kind whose values grow, with jumps, NULLs, NaN, and text longer than statistics keep. */
const COLUMNS = {
  day: `DATE '2000-01-01' + (k // 2)::INTEGER`,
  moment: `TIMESTAMP '2000-01-01' + INTERVAL (k * 977) SECOND + INTERVAL (i % 1000) MICROSECOND`,
  nanos: `(TIMESTAMP '2000-01-01' + INTERVAL (k * 61) SECOND + INTERVAL (i % 1000) MICROSECOND)::TIMESTAMP_NS`,
  instant: `(TIMESTAMP '2000-01-01' + INTERVAL (k * 977) SECOND)::TIMESTAMPTZ`,
  year: `(1800 + k // 64)::SMALLINT`,
  digits: `(strftime(DATE '2000-01-01' + (k // 2)::INTEGER, '%Y%m%d'))::INTEGER`,
  seconds: `(946684800 + k * 977)::BIGINT`,
  short: `chr((65 + k // 1024)::INTEGER) || chr((65 + k % 7)::INTEGER)`,
  long: `repeat('é', 70) || lpad((k // 8)::VARCHAR, 9, '0')`,
  number: `CASE WHEN i % 500 = 0 THEN 'NaN'::DOUBLE ELSE k / 8 END`,
  single: `((k // 4) / 10)::FLOAT`,
  decimal: `((k // 4) / 100)::DECIMAL(12,2)`,
  big: `(9007199254740992 + k // 4)::UBIGINT`,
  flag: `k >= 12000`,
  v: `i::DOUBLE`,
} as const;

async function writeRandomFile(name: string, random: (below: number) => number): Promise<string> {
  const jitter = 1 + random(3_000);
  const nulls = 3 + random(9);
  const values = Object.entries(COLUMNS).map(([column, sql]) =>
    column === 'v'
      ? `${sql} AS v`
      : `CASE WHEN i % ${nulls} = 1 OR (i >= 4096 AND i < 6144) THEN NULL ELSE ${sql} END AS ${column}`,
  );
  const rows = GROUP_ROWS * GROUPS - random(1_000);
  const source = `SELECT i, i + hash(i * ${1 + random(1_000)}) % ${jitter} AS k FROM range(${rows}) t(i)`;
  return folder.copy(name, `SELECT ${values.join(', ')} FROM (${source}) ORDER BY i`, `, ROW_GROUP_SIZE ${GROUP_ROWS}`);
}

const TIMES: readonly { readonly time: string; readonly format?: TimeFormat }[] = [
  { time: 'day' },
  { time: 'moment' },
  { time: 'nanos' },
  { time: 'instant' },
  { time: 'year', format: 'year' },
  { time: 'digits', format: 'yyyymmdd' },
  { time: 'seconds', format: 'epoch_s' },
];
const FILTERS = ['day', 'moment', 'year', 'digits', 'short', 'long', 'number', 'single', 'decimal', 'big', 'flag'];

test('no row that DuckDB finds is in a row group that is left out', async () => {
  const pruned = new Map<string, number>();
  let matches = 0;
  for (const { path, table } of randomFiles) {
    const [file] = table.files;
    assert.ok(file);
    const bounds = await findBounds(path);
    for (let round = 0; round < READS_PER_FILE; round++) {
      const time = TIMES[random(TIMES.length)] ?? { time: 'day' };
      const [lowest, highest] = bounds.get(time.time) ?? assert.fail(time.time);
      const at = () => lowest + Math.floor(((highest - lowest) / 997) * random(997)) + random(3) - 1;
      const wanted: Wanted = {
        ...time,
        ...(random(3) === 0 ? {} : { from: at() }),
        ...(random(3) === 0 ? {} : { to: at() }),
        filters: random(2) === 0 ? {} : await someValues(path, FILTERS[random(FILTERS.length)] ?? 'day', random),
      };
      const query = queryOf(table, wanted);
      const groups = new Set(findGroups(file, findConditions(query)));
      const found = await matchingGroups(path, query);
      for (const group of found) assert.ok(groups.has(group), `${group} of ${JSON.stringify(wanted)}`);
      if (found.length > 0) matches++;
      const names = [time.time, ...Object.keys(wanted.filters ?? {})];
      for (const used of names) pruned.set(used, (pruned.get(used) ?? 0) + (GROUPS - groups.size > 1 ? 1 : 0));
    }
  }
  assert.ok(matches > READS / 4, `${matches} queries select rows`);
  for (const { time } of TIMES) assert.ok((pruned.get(time) ?? 0) > 0, `row groups are left out by ${time}`);
});

test('filters of every kind leave row groups out', async () => {
  const [{ path, table } = assert.fail()] = randomFiles;
  const [file] = table.files;
  assert.ok(file);
  for (const name of FILTERS.filter((column) => column !== 'number')) {
    const query = queryOf(table, { time: 'day', filters: await someValues(path, name, () => 0) });
    const groups = findGroups(file, findConditions(query));
    const found = await matchingGroups(path, query);
    assert.ok(found.length > 0 && found.every((group) => groups.includes(group)), name);
    // Nine bytes of the long text are behind what is kept of it, and the one row group without values is always left out.
    assert.ok(
      groups.length < (name === 'long' || name === 'flag' ? GROUPS : GROUPS - 3),
      `${name}: ${groups.length} left`,
    );
  }
});

test('values that DuckDB rounds to the type of a column are not left out', async () => {
  const path = await folder.copy(
    'rounded.parquet',
    "SELECT DATE '2024-01-01' AS t, 1 AS v, 0.13::DECIMAL(10,2) AS d, 0.1::FLOAT AS f, 9007199254740995 AS i",
  );
  const table = await describe([folder.file('rounded.parquet')]);
  for (const filters of [{ d: [0.126] }, { d: ['0.1349'] }, { f: [0.1] }, { i: ['9007199254740995'] }]) {
    const query = queryOf(table, { filters });
    assert.deepEqual(await matchingGroups(path, query), [0], JSON.stringify(filters));
    assert.equal(estimateRead(table, query).files.length, 1, JSON.stringify(filters));
  }
});

/** Returns the first and last instant of each column with times, roughly. */
async function findBounds(path: string): Promise<Map<string, readonly [number, number]>> {
  const instants = TIMES.map(({ time, format }) => {
    if (format === 'year') return `make_timestamp(${time}, 1, 1, 0, 0, 0)`;
    if (format === 'epoch_s') return `make_timestamp(${time} * 1000000)`;
    return format === undefined ? `${time}::TIMESTAMP` : 'day::TIMESTAMP';
  });
  const bounds = instants.flatMap((sql, i) => [`epoch_ms(min(${sql})) AS a${i}`, `epoch_ms(max(${sql})) AS b${i}`]);
  const [row] = await folder.query(`SELECT ${bounds.join(', ')} FROM '${path}'`);
  return new Map(
    TIMES.map(({ time }, i) => [time, [Number(row?.[`a${i}`]) - DAY_MS, Number(row?.[`b${i}`]) + DAY_MS]]),
  );
}

/** Returns a filter with values that the column has. */
async function someValues(path: string, column: string, random: (below: number) => number) {
  const sql = /day|moment/.test(column) ? `epoch_ms(date_trunc('millisecond', ${column}::TIMESTAMP))` : column;
  const text = column === 'decimal' || column === 'big' ? `${sql}::VARCHAR` : sql;
  const rows = await folder.query(
    `SELECT ${text} AS v FROM '${path}' WHERE ${column} IS NOT NULL LIMIT ${1 + random(3)} OFFSET ${random(15_000)}`,
  );
  const values = rows.map(({ v }) => (typeof v === 'bigint' ? Number(v) : (v as FilterValue)));
  return { [column]: values.filter((value) => !Number.isNaN(value)) };
}

/** Returns the row groups with rows that DuckDB selects. */
async function matchingGroups(path: string, query: WarehouseQuery): Promise<number[]> {
  const { sql, parameters } = buildQuery(query, `read_parquet('${path}', file_row_number = true)`, {
    ...DUCKDB_DIALECT,
    placeholder: (parameter) => {
      const { column, value } = parameter;
      const literal = typeof value === 'string' ? `'${value}'` : String(value);
      const instants = { date: 'DATE', datetime: 'TIMESTAMP', timestamp: 'TIMESTAMPTZ' } as const;
      const type = instants[column.kind as keyof typeof instants];
      if (type !== undefined) return `CAST(make_timestamp(${value} * 1000) AS ${type})`;
      return DUCKDB_DIALECT.placeholder(parameter).replace(`$${parameter.name}`, literal);
    },
  });
  assert.ok(parameters.length >= 0);
  const where = sql.slice(sql.indexOf(' FROM '), sql.indexOf(' ORDER BY '));
  const rows = await folder.query(`SELECT DISTINCT file_row_number // ${GROUP_ROWS} AS g${where}`);
  return rows.map(({ g }) => Number(g));
}

test('counts the columns of the query in the row groups that are left, and the footers of their files', async () => {
  const select = (start: number) =>
    `SELECT DATE '2024-01-01' + (i + ${start})::INTEGER AS t, i AS v, 'x' || i AS s, i AS unused FROM range(4096) t(i)`;
  await folder.copy('days/a.parquet', select(0), ', ROW_GROUP_SIZE 2048');
  await folder.copy('days/b.parquet', select(4096), ', ROW_GROUP_SIZE 2048');
  const table = await describe([folder.file('days/a.parquet'), folder.file('days/b.parquet')]);
  const [a, b] = table.files;
  const sizeOf = (file: typeof a, name: string, group: number) => file?.columns.get(name)?.bytes[group] ?? Number.NaN;
  const all = estimateRead(table, queryOf(table, {}));
  const both = [a, b].flatMap((file) => [0, 1].map((group) => sizeOf(file, 't', group) + sizeOf(file, 'v', group)));
  const footers = (a?.footerBytes ?? 0) + (b?.footerBytes ?? 0);
  assert.equal(
    all.bytes,
    both.reduce((sum, size) => sum + size, footers),
  );
  const day = Date.UTC(2024, 0, 1) + 5000 * DAY_MS;
  const one = estimateRead(table, queryOf(table, { from: day, to: day + 1, filters: { s: ['x904'] } }));
  assert.deepEqual(one.files, [b]);
  assert.equal(one.bytes, sizeOf(b, 't', 0) + sizeOf(b, 'v', 0) + sizeOf(b, 's', 0) + (b?.footerBytes ?? 0));
  assert.deepEqual(estimateRead(table, queryOf(table, { to: 0 })), { bytes: 0, files: [] });
  assert.equal(table.rows, 8192);
  assert.deepEqual(table.ranges.get('t'), { min: Date.UTC(2024, 0, 1), max: Date.UTC(2024, 0, 1) + 8191 * DAY_MS });
});

test('leaves out files by partitions, and counts whole CSV files', async () => {
  const fileOf = (name: string, size: number, day: string | null, place: string) => ({
    ...{ path: name, name, size, modifiedNs: 0n, inode: 0n },
    partitions: new Map([
      ['day', day],
      ['place', place],
    ]),
  });
  const files = [fileOf('a', 1, '2024-01-01', 'é'), fileOf('b', 10, '2024-01-02', 'z'), fileOf('c', 100, null, 'z')];
  const table = await describe(files, 'csv');
  const estimate = (wanted: Wanted) => estimateRead(table, queryOf(table, wanted)).bytes;
  assert.equal(estimate({}), 111);
  assert.equal(estimate({ time: 'day' }), 11, 'rows without a time are not selected');
  assert.equal(estimate({ time: 'day', from: Date.UTC(2024, 0, 1) + 1 }), 10);
  assert.equal(estimate({ time: 'day', to: Date.UTC(2024, 0, 1) + 1 }), 1);
  assert.equal(estimate({ filters: { place: ['é', 'q'] } }), 1);
  assert.equal(estimate({ filters: { place: ['z'], day: [Date.UTC(2024, 0, 2)] } }), 10);
  assert.deepEqual(table.ranges.get('day'), { min: Date.UTC(2024, 0, 1), max: Date.UTC(2024, 0, 2) });
  assert.equal(table.rows, null);
});
