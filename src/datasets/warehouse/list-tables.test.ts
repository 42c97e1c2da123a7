import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeriesDescription, Source, type WarehouseReference } from '../../contract/index.ts';
import { type DescribedQuery, describeSeries } from './describe-series.ts';
import type { ColumnKind, ValueRange, WarehouseColumn, WarehouseTable } from './engine.ts';
import { listTables } from './list-tables.ts';

function column(name: string, kind: ColumnKind, description?: string): WarehouseColumn {
  return { name, kind, type: kind.toUpperCase(), description };
}

function makeTable(
  columns: readonly WarehouseColumn[],
  ranges: Readonly<Record<string, ValueRange>> = {},
  fields: Partial<WarehouseTable> = {},
): WarehouseTable {
  return {
    name: 'local.flights',
    title: 'Flights',
    columns,
    rows: null,
    ranges: new Map(Object.entries(ranges)),
    lastUpdate: '2026-01-02T03:04:05.000Z',
    publisher: 'Bureau of Transportation Statistics',
    license: { name: 'Public domain', url: null },
    notes: 'A note.',
    ...fields,
  };
}

const DELAY = column('delay', 'integer', 'Delay in minutes');
const DAY = Date.UTC(2001, 0, 1);
const range = (min: number, max: number): ValueRange => ({ min, max });

/** Returns what a listed source reads, as a checked reference states it. */
function queryOf(table: WarehouseTable, source: WarehouseReference): DescribedQuery {
  const find = (name: string) => table.columns.find((one) => one.name === name) as WarehouseColumn;
  return {
    time: { column: find(source.time_field), format: source.time_format ?? null },
    value: find(source.value_field),
    aggregate: source.aggregate ?? null,
    filters: [],
    from: null,
    to: null,
  };
}

/** Returns the sources of the entries, after checking that the descriptions of all entries equal them. */
function sourcesOf(table: WarehouseTable): readonly WarehouseReference[] {
  return listTables(table).map(({ source, title, provider, frequency, span, units }) => {
    const reference = Source.parse(source) as WarehouseReference;
    assert.deepEqual(reference, source);
    const described = SeriesDescription.parse(describeSeries(table, queryOf(table, reference), null));
    const shown = { title: described.title, provider: described.provider, frequency: described.frequency };
    assert.deepEqual(
      { ...shown, span: described.span, units: described.units },
      { title, provider, frequency, span, units },
    );
    return reference;
  });
}

test('lists each numeric column of a table with times', () => {
  const table = makeTable(
    [column('origin', 'text'), DELAY, column('date', 'date'), column('distance', 'number'), column('late', 'boolean')],
    { date: range(DAY, DAY + 86_400_000 * 89) },
    { rows: 90 },
  );
  const [delay, distance, ...others] = listTables(table);
  assert.deepEqual(others, []);
  assert.equal(distance?.title, 'Flights: distance');
  assert.deepEqual(delay, {
    source: { type: 'warehouse_table', table: 'local.flights', time_field: 'date', value_field: 'delay' },
    title: 'Flights: delay',
    provider: 'local',
    frequency: '1D',
    span: { start: '2001-01-01T00:00:00.000Z', end: '2001-03-31T00:00:00.000Z' },
    units: '',
    keywords: [
      ...['local.flights', 'origin', 'delay', 'date', 'distance', 'late', 'bureau of transportation statistics'],
      ...['delay', 'delay in minutes'],
    ],
  });
  sourcesOf(table);
});

test('lists entries for accounts if the table is for accounts', () => {
  const table = makeTable([column('date', 'date'), DELAY]);
  assert.deepEqual(
    listTables(table, { audience: 'accounts' }).map(({ audience }) => audience),
    ['accounts'],
  );
  assert.ok(!('audience' in (listTables(table)[0] ?? {})));
});

test('combines the rows of a day if there are more rows than days', () => {
  const times = { at: range(DAY + 3_600_000, DAY + 86_400_000 * 2 - 1) };
  const columns = [column('at', 'datetime'), DELAY];
  const aggregateOf = (rows: number | null, ranges: Readonly<Record<string, ValueRange>>) =>
    sourcesOf(makeTable(columns, ranges, { rows }))[0]?.aggregate;
  assert.deepEqual(aggregateOf(3, times), { function: 'mean', frequency: '1D' });
  assert.equal(aggregateOf(2, times), undefined);
  assert.deepEqual(aggregateOf(2, {}), { function: 'mean', frequency: '1D' }, 'the range is not known');
  assert.deepEqual(aggregateOf(null, times), { function: 'mean', frequency: '1D' }, 'the rows are not known');
  const daily = (rows: number) => sourcesOf(makeTable([column('day', 'date'), DELAY], {}, { rows }))[0]?.aggregate;
  assert.equal(daily(10_000), undefined, 'as many days are possible');
  assert.deepEqual(daily(10_001), { function: 'mean', frequency: '1D' });
  const [combined] = listTables(makeTable(columns, times, { rows: 3 }));
  assert.equal(combined?.frequency, '1D');
  assert.deepEqual(combined?.span, { start: '2001-01-01T00:00:00.000Z', end: '2001-01-02T00:00:00.000Z' });
  const [single] = listTables(makeTable(columns, times, { rows: 2 }));
  assert.equal(single?.frequency, '');
  assert.deepEqual(single?.span, { start: '2001-01-01T01:00:00.000Z', end: '2001-01-02T23:59:59.999Z' });
});

test('combines the rows of public tables with times, but not of those with days', () => {
  const name = 'bigquery-public-data.weather.gsod';
  const aggregates = (['timestamp', 'date'] as const).map((kind) => {
    const table = makeTable([column('at', kind), DELAY], {}, { name, rows: 1_000 });
    return [listTables(table)[0]?.provider, sourcesOf(table)[0]?.aggregate, listTables(table)[0]?.span];
  });
  assert.deepEqual(aggregates, [
    ['bigquery', { function: 'mean', frequency: '1D' }, null],
    ['bigquery', undefined, null],
  ]);
});

test('takes integers for times only if their names and values are those of days or years', () => {
  const timeOf = (name: string, ranges: Readonly<Record<string, ValueRange>>, rows: number | null = null) => {
    const [source] = sourcesOf(makeTable([column(name, 'integer'), DELAY], ranges, { rows }));
    return source && [source.time_field, source.time_format, source.aggregate?.frequency];
  };
  assert.deepEqual(timeOf('Year', {}), ['Year', 'year', undefined]);
  assert.deepEqual(timeOf('year', { year: range(1990, 1999) }, 10), ['year', 'year', undefined]);
  assert.deepEqual(timeOf('year', { year: range(1990, 1999) }, 11), ['year', 'year', '1YE']);
  assert.deepEqual(timeOf('flight_date', { flight_date: range(20010101, 20010331) }, 90), [
    'flight_date',
    'yyyymmdd',
    undefined,
  ]);
  assert.deepEqual(timeOf('DAY', { DAY: range(20010101, 20010331) }, 91), ['DAY', 'yyyymmdd', '1D']);
  assert.equal(timeOf('day', { day: range(1, 31) }), undefined);
  assert.equal(timeOf('date', { date: range(20010101, 20010231) }), undefined, 'a day that does not exist');
  assert.equal(timeOf('date', {}), undefined);
  assert.equal(timeOf('holiday', { holiday: range(20010101, 20010331) }), undefined);
  assert.equal(timeOf('count', { count: range(20010101, 20010331) }), undefined);
});

test('prefers columns with times to integers, and days to years', () => {
  const all = [column('year', 'integer'), column('day', 'integer'), column('at', 'timestamp'), DELAY];
  const ranges = { day: range(20010101, 20010331) };
  assert.equal(sourcesOf(makeTable(all, ranges))[0]?.time_field, 'at');
  const integers = all.filter(({ kind }) => kind === 'integer');
  assert.deepEqual(
    sourcesOf(makeTable(integers, ranges)).map(({ time_field, value_field }) => [time_field, value_field]),
    [
      ['day', 'year'],
      ['day', 'delay'],
    ],
  );
});

test('lists at most 20 columns, and none that a reference cannot name', () => {
  const many = Array.from({ length: 30 }, (_, i) => column(`v${i}`, 'number'));
  assert.equal(sourcesOf(makeTable([column('date', 'date'), ...many])).length, 20);
  const strange = [
    column('a', 'number'),
    column('A', 'number'),
    column('x'.repeat(301), 'number'),
    column('', 'number'),
  ];
  assert.deepEqual(sourcesOf(makeTable([column('date', 'date'), ...strange])), []);
  assert.deepEqual(sourcesOf(makeTable([column('date', 'date'), column('Date', 'date'), DELAY])), []);
  assert.deepEqual(sourcesOf(makeTable([column('origin', 'text'), DELAY])), []);
});

test('a range outside the years 1800 to 2200 is not known', () => {
  const table = makeTable(
    [column('date', 'date'), DELAY],
    { date: range(Date.UTC(1, 0), Date.UTC(9999, 0)) },
    { rows: 9 },
  );
  assert.equal(listTables(table)[0]?.span, null);
  assert.equal(sourcesOf(table).length, 1);
});
