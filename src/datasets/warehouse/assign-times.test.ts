import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { columnOf } from '../../../test/support/datasets/warehouse-tables.ts';
import { FREQUENCIES, type Frequency, futureTimestamps, periodStart, periodTimestamp } from '../../calendar/index.ts';
import { Fault, type TimeFormat } from '../../contract/index.ts';
import { assignTimes, type TimedRows } from './assign-times.ts';
import type { WarehouseQuery } from './engine.ts';

const queryOf = (choices: Partial<WarehouseQuery> = {}): WarehouseQuery => ({
  time: { column: columnOf('at', 'timestamp'), format: null },
  value: columnOf('price', 'number'),
  filters: [],
  from: null,
  to: null,
  aggregate: null,
  maxRows: 100,
  ...choices,
});
const inFormat = (format: TimeFormat) => queryOf({ time: { column: columnOf('at', 'integer'), format } });
const every = (frequency: Frequency) => queryOf({ aggregate: { function: 'sum', frequency } });

/** Gives the raw times the values 1, 2, … and returns the rows as text, by their days. */
function assign(times: readonly number[], query = queryOf(), values?: readonly number[]): TimedRows {
  const all = values ?? times.map((_, row) => row + 1);
  return assignTimes({ times: Float64Array.from(times), values: Float64Array.from(all) }, query);
}

const micros = (...texts: string[]) => texts.map((text) => Date.parse(text) * 1_000);

function format({ timestamps, values, frequency }: TimedRows): string {
  const rows = Array.from(timestamps, (time, row) => `${new Date(time).toISOString().slice(0, 10)}=${values[row]}`);
  return `${frequency} ${rows.join(' ')}`;
}

function refused(...parameters: Parameters<typeof assign>): string {
  try {
    return format(assign(...parameters));
  } catch (error) {
    assert.ok(error instanceof Fault, String(error));
    assert.equal(error.status, 422);
    return error.message;
  }
}

test('keeps rows that have the timestamps of a frequency', () => {
  const start = fc.integer({ min: Date.UTC(1801, 0, 1), max: Date.UTC(2100, 0, 1) });
  const count = fc.integer({ min: 3, max: 40 });
  fc.assert(
    fc.property(fc.constantFrom(...FREQUENCIES), start, count, (frequency, instant, rows) => {
      const cadence = { frequency, kind: 'plain' } as const;
      const times = [...futureTimestamps(cadence, periodTimestamp(frequency, instant), rows)];
      const raw = times.map((time) => time * 1_000);
      assert.deepEqual(
        { ...assign(raw), values: null },
        { timestamps: Float64Array.from(times), values: null, frequency },
      );
      const starts = times.map((time) => periodStart(frequency, time) * 1_000);
      assert.deepEqual(assign(starts, every(frequency)), assign(raw));
    }),
    { seed: 25, numRuns: 100 },
  );
});

test('converts integers by their format', () => {
  assert.equal(format(assign([2001, 2002, 2003], inFormat('year'))), '1YE 2001-12-31=1 2002-12-31=2 2003-12-31=3');
  const days = [20231230, 20231231, 20240101];
  assert.equal(format(assign(days, inFormat('yyyymmdd'))), '1D 2023-12-30=1 2023-12-31=2 2024-01-01=3');
  const seconds = ['2024-01-01', '2024-02-01', '2024-03-01'].map((day) => Date.parse(day) / 1_000);
  assert.equal(format(assign(seconds, inFormat('epoch_s'))), '1MS 2024-01-01=1 2024-02-01=2 2024-03-01=3');
  const ms = seconds.map((second) => second * 1_000);
  assert.equal(format(assign(ms, inFormat('epoch_ms'))), '1MS 2024-01-01=1 2024-02-01=2 2024-03-01=3');
});

test('dates rows by their periods if each row has its own', () => {
  const fridays = micros('2024-01-05', '2024-01-12', '2024-01-19');
  assert.equal(format(assign(fridays)), '1W-MON 2024-01-01=1 2024-01-08=2 2024-01-15=3');
  const closes = micros('2024-01-01T16:30:00.123Z', '2024-01-02T16:30:00.123Z', '2024-01-03T16:30:00.123Z');
  assert.equal(format(assign(closes)), '1D 2024-01-01=1 2024-01-02=2 2024-01-03=3');
});

test('leaves out rows without a value, also if another row has the same time', () => {
  const times = micros('2024-01-01', '2024-01-02', '2024-01-02', '2024-01-03', '2024-01-05');
  const values = [1, Number.NaN, 2, Number.NaN, 5];
  assert.equal(format(assign(times, queryOf(), values)), '1D 2024-01-01=1 2024-01-02=2 2024-01-05=5');
  assert.throws(() => assign(times.slice(0, 2), every('1D'), [Number.NaN, 0]), /is infinite/, 'infinities that cancel');
  assert.equal(format(assign([], every('1D'))), '1D ');
});

test('refuses rows that are not ascending, which no engine returns', () => {
  assert.throws(() => assign(micros('2024-01-03', '2024-01-01', '2024-01-02')), /not ascending/);
});

test('keeps only periods that begin and end within the range', () => {
  const fridays = micros('2024-01-05', '2024-01-12', '2024-01-19', '2024-01-26');
  const between = (from: string, to: string) =>
    format(assign(fridays, queryOf({ from: Date.parse(from), to: Date.parse(to) })));
  assert.equal(between('2024-01-02', '2024-01-27'), '1W-MON 2024-01-08=2 2024-01-15=3');
  assert.equal(between('2024-01-01', '2024-01-29'), '1W-MON 2024-01-01=1 2024-01-08=2 2024-01-15=3 2024-01-22=4');
  assert.equal(between('2024-01-02', '2024-01-03'), '1W-MON ');
});

test('shows the first time that is not one', () => {
  assert.equal(
    refused([20011231, 20011345, 20011346], inFormat('yyyymmdd')),
    'source.time_field: the column "at" contains 20011345, which is not a time between the years 1800 and 2200 in the format yyyymmdd. Choose another time_format, or leave such rows out with start and end.',
  );
  const yearly = { ...every('1YE'), time: inFormat('year').time };
  assert.match(refused([Number.NaN, 0], yearly), /"at" contains integers that are not times .* in the format year\./);
  assert.equal(
    refused(micros('1799-12-31T23:59:59Z', '1900-01-01')),
    'source.time_field: the column "at" contains 1799-12-31T23:59:59.000Z outside the years 1800 to 2200. Leave such rows out with start and end.',
  );
  assert.match(refused([9e18]), /contains 9000000000000000000 microseconds since 1970 outside/);
  assert.match(refused([Number.NaN]), /contains times outside the years/);
});

test('refuses infinite values with their time', () => {
  const times = micros('2024-01-01', '2024-01-02', '2024-01-03');
  assert.match(
    refused(times, queryOf(), [1, Number.NEGATIVE_INFINITY, 3]),
    /^source\.value_field: the value of "price" at 2024-01-02T00:00:00\.000Z is infinite/,
  );
});

test('shows the first period that has two rows, and how to read one', () => {
  const remedy = 'Select one row for each period with filters, or combine the rows of each period with aggregate.';
  assert.equal(
    refused(micros('2024-01-01', '2024-01-02', '2024-01-02', '2024-01-03', '2024-01-03')),
    `source: several rows have the time 2024-01-02T00:00:00.000Z. ${remedy}`,
  );
  assert.match(refused([2001, 2001], inFormat('year')), /several rows have the time 2001-01-01T00:00:00\.000Z/);
  const weeks = Array.from({ length: 20 }, (_, week) => Date.UTC(2024, 0, 5 + 7 * week) * 1_000);
  const shared = [...weeks, ...micros('2024-02-07')].sort((one, other) => one - other);
  assert.equal(
    refused(shared),
    `source: the rows at 2024-02-07T00:00:00.000Z and 2024-02-09T00:00:00.000Z lie in the same week. ${remedy}`,
  );
  assert.match(refused(micros('2024-01-01', '2024-01-01'), every('1D')), /several rows have the time/);
});

test('refuses times without a frequency and shows what was seen', () => {
  assert.equal(
    refused(micros('2024-01-01T00:00:00Z', '2024-01-01T00:00:17Z', '2024-01-01T00:00:34Z', '2024-01-09', '2024-03-09')),
    'source.time_field: the times of the column "at" have no frequency. From 2024-01-01T00:00:00.000Z on, rows are 17 seconds, 691166 seconds, 60 days apart. Combine the rows of each period with aggregate, or select one series with filters.',
  );
  assert.match(refused([1900, 1910, 1920, 1930], inFormat('year')), /rows are 3652 days, 3653 days apart/);
  assert.match(refused([0, 1_500, 86_400_000], inFormat('epoch_ms')), /rows are 1500 milliseconds, 86398500 mil/);
  const squares = Array.from({ length: 30 }, (_, row) => Date.UTC(2024, 0, 1 + row * row) * 1_000);
  assert.match(
    refused(squares.with(3, (squares[3] as number) + 3.6e9)),
    /^source\.time_field: 2024-01-10T01:00:00\.000Z is not 00:00 UTC, as the times of nearly all other rows are\./,
  );
  const early = micros('1800-01-03', '1800-01-10', '1800-01-17').map((time) => time - 86_400e6);
  assert.match(refused(early), /the week of the row at 1800-01-02T00:00:00\.000Z begins before the year 1800/);
});

test('a frequency is inferred from at least three rows', () => {
  const few = /^source: 2 rows have a value, and a frequency is inferred from at least 3\./;
  assert.match(refused(micros('2024-01-01', '2024-01-02')), few);
  assert.match(refused(micros('2024-01-01', '2024-01-02', '2024-01-03'), queryOf(), [1, 2, Number.NaN]), few);
  assert.match(refused([]), /^source: 0 rows have a value/);
});
