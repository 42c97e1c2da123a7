import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  type BigqueryScene,
  createBigqueryScene,
  describe,
  queryOf,
} from '../../../../test/support/datasets/bigquery-scene.ts';
import type { Cell } from '../../../../test/support/datasets/bigquery-values.ts';
import { DAY_MS, EARLIEST_INSTANT, periodStart } from '../../../calendar/index.ts';
import { AGGREGATE_FREQUENCIES, AGGREGATE_FUNCTIONS, type TimeFormat } from '../../../contract/index.ts';

/** Rows before and after 1970, at both ends of the years that are read, and around the ends of periods. */
const INSTANTS: readonly number[] = [
  EARLIEST_INSTANT,
  Date.UTC(1899, 11, 31, 23, 59, 59),
  Date.UTC(1968, 1, 29, 5, 4, 3),
  Date.UTC(1969, 11, 28, 23, 59, 59),
  Date.UTC(1969, 11, 29),
  Date.UTC(1969, 11, 31, 23, 59, 59),
  0,
  Date.UTC(1970, 0, 4, 23, 59, 59),
  Date.UTC(1970, 0, 5),
  Date.UTC(2023, 11, 31, 20, 0, 1),
  Date.UTC(2024, 1, 29, 3, 59, 59),
  Date.UTC(2024, 1, 29, 4),
  Date.UTC(2024, 3, 1),
  Date.UTC(2024, 3, 1, 0, 4, 59),
  Date.UTC(2200, 11, 31, 23, 59, 59),
];
/** Some rows have no value: every fourth one, alternately NULL and NaN. */
const hasValue = (_: unknown, i: number) => i % 4 !== 3;
const VALUES = INSTANTS.map((_, i) => i * 1.5 - 4);
const READ = INSTANTS.map((instant, i) => ({ instant, value: VALUES[i] ?? Number.NaN })).filter(hasValue);
const midnightOf = (instant: number) => Math.floor(instant / DAY_MS) * DAY_MS;
const yearOf = (instant: number) => new Date(instant).getUTCFullYear();
const isoOf = (instant: number) => new Date(instant).toISOString().slice(0, 19);

/** For each column: the cell of an instant, and the instant that the cell states. */
const TIMES: readonly {
  readonly name: string;
  readonly type: string;
  readonly format: TimeFormat | null;
  readonly cell: (instant: number) => Cell;
  readonly stated: (instant: number) => number;
}[] = [
  { name: 'day', type: 'DATE', format: null, cell: (i) => isoOf(i).slice(0, 10), stated: midnightOf },
  { name: 'local', type: 'DATETIME', format: null, cell: isoOf, stated: (i) => i },
  { name: 'at', type: 'TIMESTAMP', format: null, cell: (i) => `${isoOf(i)}Z`, stated: (i) => i },
  { name: 'year', type: 'INTEGER', format: 'year', cell: yearOf, stated: (i) => Date.UTC(yearOf(i), 0, 1) },
  {
    name: 'digits',
    type: 'INT64',
    format: 'yyyymmdd',
    cell: (i) => Number(isoOf(i).slice(0, 10).replaceAll('-', '')),
    stated: midnightOf,
  },
  { name: 'seconds', type: 'INT64', format: 'epoch_s', cell: (i) => i / 1_000, stated: (i) => i },
  { name: 'ms', type: 'INT64', format: 'epoch_ms', cell: (i) => i, stated: (i) => i },
];

const TABLE = {
  dataset: 'times',
  table: 'all',
  fields: [...TIMES.map(({ name, type }) => ({ name, type })), { name: 'value', type: 'FLOAT64' }],
  rows: INSTANTS.map((instant, i) => [
    ...TIMES.map(({ cell }) => cell(instant)),
    hasValue(instant, i) ? (VALUES[i] ?? null) : i % 8 === 3 ? null : 'NaN',
  ]),
};

const WRONG_CELLS = [
  ...['9223372036854775807', '-9223372036854775808'],
  ...[0, 99, 1_799, 2_201, 20_240_230, 17_991_231, 22_010_101, 20_241_301, -20_240_101],
];
/** Integers that are not times in any format, and one that is. */
const WRONG = {
  dataset: 'times',
  table: 'wrong',
  fields: [
    { name: 'digits', type: 'INTEGER' },
    { name: 'value', type: 'FLOAT' },
  ],
  rows: [...WRONG_CELLS.map((cell) => [cell, 1]), [20_240_229, 7]],
};
const NAME = 'bigquery-public-data.times.all';

let scene: BigqueryScene;
before(async () => {
  scene = await createBigqueryScene({ tables: [TABLE, WRONG] });
});
after(() => scene[Symbol.asyncDispose]());

function combine(name: (typeof AGGREGATE_FUNCTIONS)[number], group: readonly (readonly [number, number])[]) {
  const sum = group.reduce((total, [, value]) => total + value, 0);
  if (name === 'count') return group.length;
  if (name === 'sum') return sum;
  if (name === 'mean') return sum / group.length;
  const latest = Math.max(...group.map(([time]) => time));
  return Math.max(...group.filter(([time]) => time === latest).map(([, value]) => value));
}

for (const { name, format, stated } of TIMES) {
  test(`combines the rows of every period by the column ${name}`, async () => {
    const table = await describe(scene.engine, NAME);
    for (const [i, frequency] of AGGREGATE_FREQUENCIES.entries()) {
      const groups = Map.groupBy(
        READ.map(({ instant, value }): readonly [number, number] => [stated(instant), value]),
        ([time]) => periodStart(frequency, time),
      );
      const starts = [...groups.keys()].sort((a, b) => a - b);
      // The functions do not depend on the type of the times.
      const functions = name === 'at' ? AGGREGATE_FUNCTIONS : AGGREGATE_FUNCTIONS.slice(i % 4, (i % 4) + 1);
      for (const aggregate of functions) {
        const fields = { time: name, format, value: 'value', aggregate: { function: aggregate, frequency } };
        const { times, values } = await scene.engine.read(table, queryOf(table, fields), { estimatedBytes: 1 });
        assert.deepEqual(
          [...times],
          starts.map((start) => start * 1_000),
          `${frequency} ${aggregate}`,
        );
        assert.deepEqual(
          [...values],
          starts.map((start) => combine(aggregate, groups.get(start) ?? [])),
          `${frequency} ${aggregate}`,
        );
      }
    }
  });
}

test('returns times as they are without an aggregate: microseconds, or the integers of the table', async () => {
  const table = await describe(scene.engine, NAME);
  for (const { name, format, stated, cell } of TIMES) {
    const query = queryOf(table, { time: name, format, value: 'value' });
    const { times } = await scene.engine.read(table, query, { estimatedBytes: 1 });
    const expected = READ.map(({ instant }) => (format === null ? stated(instant) * 1_000 : Number(cell(instant))));
    assert.deepEqual([...times], expected, name);
  }
});

test('bounds are compared with the column in its own unit', async () => {
  const table = await describe(scene.engine, NAME);
  const bounds: readonly (readonly [from: number | null, to: number | null])[] = [
    [0, null],
    [1, Date.UTC(2024, 1, 29, 4)],
    [Date.UTC(1969, 11, 31, 23, 59, 59), Date.UTC(2024, 3, 1, 0, 0, 1)],
    [null, Date.UTC(1970, 0, 4, 23, 59, 59, 1)],
  ];
  for (const { name, format, stated } of TIMES) {
    for (const [from, to] of bounds) {
      const query = queryOf(table, { time: name, format, value: 'value', from, to });
      const { times } = await scene.engine.read(table, query, { estimatedBytes: 1 });
      const isWithin = (instant: number) => instant >= (from ?? -Infinity) && instant < (to ?? Infinity);
      assert.equal(
        times.length,
        READ.filter(({ instant }) => isWithin(stated(instant))).length,
        `${name} ${from} ${to}`,
      );
    }
  }
});

test('integers that are not times are one row without a time', async () => {
  const table = await describe(scene.engine, 'bigquery-public-data.times.wrong');
  const aggregate = { function: 'count', frequency: '1D' } as const;
  for (const format of ['yyyymmdd', 'year', 'epoch_s', 'epoch_ms'] as const) {
    const query = queryOf(table, { time: 'digits', value: 'value', format, aggregate });
    const { times, values } = await scene.engine.read(table, query, { estimatedBytes: 1 });
    assert.ok(Number.isNaN(times[0]), format);
    if (format !== 'yyyymmdd') continue;
    assert.deepEqual([...times.slice(1)], [Date.UTC(2024, 1, 29) * 1_000]);
    assert.deepEqual([...values], [WRONG_CELLS.length, 1]);
  }
});
