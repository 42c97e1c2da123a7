import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSubject, formatExactNumber, formatHeadline, formatQuestion } from './question-text.ts';

const INDEX = { type: 'market', symbol: '^GSPC', timeframe: '1D' } as const;
const CPI = { type: 'economic_series', provider: 'bundled', series_id: 'us-cpi' } as const;

test('names the series, the threshold and the period in a question', () => {
  const terms = { op: 'gt', threshold: 1250, frequency: '1D', timestamp: Date.UTC(2010, 2, 12) } as const;
  const index = describeSubject(INDEX, 'S&P 500 index');
  assert.equal(formatQuestion(index, terms), 'Will ^GSPC close above 1,250 on 2010-03-12?');
  assert.equal(formatHeadline(index, terms), '^GSPC closes above 1,250 on 2010-03-12');
  const high = describeSubject({ ...INDEX, value_field: 'high' }, null);
  assert.equal(formatHeadline(high, { ...terms, op: 'lte' }), 'The high of ^GSPC is at or below 1,250 on 2010-03-12');
  const cpi = describeSubject(CPI, 'Consumer prices\n of the US');
  const periods = {
    '1W-MON': 'in the week of 2010-03-12',
    '1MS': 'in March 2010',
    '1ME': 'in March 2010',
    '1QE': 'in Q1 2010',
    '1YE': 'in 2010',
    '1h': 'in the 1h from 00:00 UTC on 2010-03-12',
  } as const;
  for (const [frequency, period] of Object.entries(periods)) {
    const other = { ...terms, op: 'gte', frequency: frequency as keyof typeof periods } as const;
    assert.equal(formatQuestion(cpi, other), `Will Consumer prices of the US be at or above 1,250 ${period}?`);
  }
});

test('names series without a title, and shortens long names', () => {
  assert.equal(describeSubject(null, null).name, 'The series');
  const file = {
    type: 'workspace_csv',
    workspace_id: 'ws',
    csv_id: 'csv',
    time_field: 't',
    value_field: '\ud83d\ude00'.repeat(100),
  } as const;
  const { name, entity } = describeSubject(file, 'x'.repeat(500));
  assert.ok(name.length <= 120 && name.isWellFormed());
  assert.equal(entity.name, name);
});

test('names the column of a file once', () => {
  const column = 'Umsatz (EUR)';
  const file = {
    type: 'workspace_csv',
    workspace_id: 'ws',
    csv_id: 'csv',
    time_field: 't',
    value_field: column,
  } as const;
  for (const [title, name] of [
    ['sales: Umsatz (EUR)', 'Umsatz (EUR) of sales'],
    ['sales', 'Umsatz (EUR) of sales'],
    ['Umsatz (EUR)', 'Umsatz (EUR)'],
    ['Umsatz (EUR) of the shop', 'Umsatz (EUR) of the shop'],
    ['Umsatz (EUR): Umsatz (EUR)', 'Umsatz (EUR)'],
  ] as const)
    assert.equal(describeSubject(file, title).name, name);
});

test('formats numbers exactly, with thousands separators', () => {
  const cases = [
    [1250, '1,250'],
    [-0.5, '-0.5'],
    [0, '0'],
    [1e15, '1,000,000,000,000,000'],
    [1e-9, '1e-9'],
    [1234567.891, '1,234,567.891'],
    [-123456, '-123,456'],
    [1.5e-7, '1.5e-7'],
    [0.30000000000000004, '0.30000000000000004'],
    [123456789.12345678, '123,456,789.12345678'],
  ] as const;
  for (const [value, text] of cases) assert.equal(formatExactNumber(value), text);
});
