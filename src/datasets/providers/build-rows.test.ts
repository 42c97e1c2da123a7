import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError } from '../../platform/index.ts';
import { buildRows } from './build-rows.ts';

const dates = (timestamps: Float64Array) => [...timestamps].map((at) => new Date(at).toISOString().slice(0, 10));
const observation = (date: string, value = 1, flag?: string) => ({ instant: Date.parse(date), value, flag });

test('dates periods by their last day and weeks by their Monday, whatever day the provider names', () => {
  const cases = [
    ['1ME', ['2023-12-01', '2024-02-01', '2024-03-31'], ['2023-12-31', '2024-02-29', '2024-03-31']],
    ['1QE', ['2023-10-01', '2024-01-01'], ['2023-12-31', '2024-03-31']],
    ['1YE', ['2023-07-01', '2024-12-31'], ['2023-12-31', '2024-12-31']],
    ['1D', ['2024-02-28', '2024-02-29'], ['2024-02-28', '2024-02-29']],
    ['1W-MON', ['2020-12-30', '2021-01-08', '2021-01-17'], ['2020-12-28', '2021-01-04', '2021-01-11']],
  ] as const;
  for (const [frequency, given, expected] of cases) {
    const { table } = buildRows(
      'fred',
      frequency,
      given.map((date) => observation(date)),
    );
    assert.deepEqual(dates(table.timestamps), expected);
  }
});

test('sorts rows, keeps missing values and flags, and counts observations outside 1800 to 2200', () => {
  const { table, flags, outside } = buildRows('dbnomics', '1YE', [
    observation('2001-01-01', Number.NaN),
    observation('2000-01-01', 7, 'p'),
    observation('1086-01-01', 3),
  ]);
  assert.deepEqual(dates(table.timestamps), ['2000-12-31', '2001-12-31']);
  assert.deepEqual(table.columns.value, Float64Array.of(7, Number.NaN));
  assert.deepEqual(flags, ['p', undefined]);
  assert.equal(outside, 1);
});

test('refuses two values of one period, infinite values and invalid dates', () => {
  const cases = [
    [observation('2024-01-01'), observation('2024-01-31')],
    [observation('2024-01-01', Number.POSITIVE_INFINITY)],
    [observation('2024-02-30x')],
  ];
  for (const observations of cases) {
    const isMalformed = (error: unknown) => error instanceof ProviderError && error.fault === 'MALFORMED';
    assert.throws(() => buildRows('fred', '1ME', observations), isMalformed);
  }
});
