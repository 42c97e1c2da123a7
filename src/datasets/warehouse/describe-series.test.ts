import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeriesDescription } from '../../contract/index.ts';
import { type DescribedQuery, describeSeries } from './describe-series.ts';
import type { WarehouseColumn, WarehouseTable } from './engine.ts';

const DATE: WarehouseColumn = { name: 'date', kind: 'date', type: 'DATE' };
const HOUR: WarehouseColumn = { name: 'hour', kind: 'timestamp', type: 'TIMESTAMP' };
const YEAR: WarehouseColumn = { name: 'year', kind: 'integer', type: 'INT64' };
const DELAY: WarehouseColumn = { name: 'delay', kind: 'integer', type: 'INT64', description: ' In\nminutes ' };
const ORIGIN: WarehouseColumn = { name: 'origin', kind: 'text', type: 'STRING', description: 'Airport' };
const TABLE: WarehouseTable = {
  name: 'local.flights',
  title: 'Flights',
  columns: [DATE, HOUR, YEAR, { name: 'distance', kind: 'number', type: 'FLOAT64' }, DELAY, ORIGIN],
  rows: 90,
  ranges: new Map([
    ['date', { min: Date.UTC(2001, 0, 15), max: Date.UTC(2001, 2, 31) }],
    ['hour', { min: Date.UTC(2001, 0, 15, 7), max: Date.UTC(2001, 2, 31, 8) + 0.5 }],
    ['year', { min: 1990, max: 2001 }],
  ]),
  lastUpdate: '2026-01-02T03:04:05.000Z',
  publisher: 'BTS',
  license: { name: 'Public domain', url: null },
  notes: 'A note.',
};
const QUERY: DescribedQuery = {
  time: { column: DATE, format: null },
  value: DELAY,
  aggregate: null,
  filters: [],
  from: null,
  to: null,
};

const describe = (query: Partial<DescribedQuery> = {}, bytes: number | null = 5) =>
  SeriesDescription.parse(describeSeries(TABLE, { ...QUERY, ...query }, bytes));

test('describes a series from the metadata of its table', () => {
  assert.deepEqual(describe(), {
    provider: 'local',
    title: 'Flights: delay',
    frequency: '1D',
    time_field: 'timestamp',
    values: [
      { field: 'delay', label: 'In minutes', units: '' },
      { field: 'year', label: 'year', units: '' },
      { field: 'distance', label: 'distance', units: '' },
    ],
    dimensions: [{ field: 'origin', label: 'Airport', required: false }],
    units: '',
    last_update: '2026-01-02T03:04:05.000Z',
    span: { start: '2001-01-15T00:00:00.000Z', end: '2001-03-31T00:00:00.000Z' },
    rows: 90,
    reporting_period: 'daily',
    vintage: 'revised',
    estimated_bytes: 5,
    publisher: 'BTS',
    license: { name: 'Public domain', url: null },
    notes: 'A note.',
  });
  assert.equal(describe({}, null).estimated_bytes, null);
});

test('states the rows and the span of whole tables only', () => {
  const filter = { column: ORIGIN, values: ['SFO'] };
  for (const narrowed of [{ filters: [filter] }, { from: 0 }, { to: 0 }]) {
    const { rows, span, frequency } = describe(narrowed);
    assert.deepEqual([rows, span, frequency], [null, null, '1D']);
  }
});

test('an aggregate decides the frequency, and dates the span by its periods', () => {
  const monthly = describe({ aggregate: { function: 'mean', frequency: '1ME' } });
  assert.deepEqual([monthly.frequency, monthly.reporting_period, monthly.rows], ['1ME', 'month_end', null]);
  assert.deepEqual(monthly.span, { start: '2001-01-31T00:00:00.000Z', end: '2001-03-31T00:00:00.000Z' });
  const hourly = describe({ time: { column: HOUR, format: null }, aggregate: { function: 'sum', frequency: '4h' } });
  assert.deepEqual([hourly.frequency, hourly.reporting_period], ['4h', 'interval']);
  assert.deepEqual(hourly.span, { start: '2001-01-15T04:00:00.000Z', end: '2001-03-31T08:00:00.000Z' });
  const time = { column: YEAR, format: 'year' } as const;
  const yearly = describe({ time, aggregate: { function: 'last', frequency: '1YE' } });
  assert.deepEqual(yearly.span, { start: '1990-12-31T00:00:00.000Z', end: '2001-12-31T00:00:00.000Z' });
});

test('the frequency of times and integers without an aggregate is not known', () => {
  const times = describe({ time: { column: HOUR, format: null } });
  assert.deepEqual([times.frequency, times.reporting_period, times.rows], ['', 'varies', 90]);
  assert.deepEqual(times.span, { start: '2001-01-15T07:00:00.000Z', end: '2001-03-31T08:00:00.000Z' });
  const years = describe({ time: { column: YEAR, format: 'year' } });
  assert.deepEqual([years.frequency, years.span, years.rows], ['', null, 90]);
  assert.ok(!years.values.some(({ field }) => field === 'year'));
});

test('the chosen value comes first, even if it is not a number', () => {
  const { values, title } = describe({ value: ORIGIN, aggregate: { function: 'count', frequency: '1D' } });
  assert.deepEqual(
    values.map(({ field }) => field),
    ['origin', 'year', 'distance', 'delay'],
  );
  assert.equal(title, 'Flights: origin');
});
