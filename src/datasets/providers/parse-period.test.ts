import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePeriod } from './parse-period.ts';

const PERIODS: readonly (readonly [text: string, stated: string, start: string])[] = [
  ['2023', '1YE', '2023-01-01'],
  ['2023-A1', '1YE', '2023-01-01'],
  ['0099', '1YE', '0099-01-01'],
  ['2024-S1', 'half-yearly', '2024-01-01'],
  ['2024S2', 'half-yearly', '2024-07-01'],
  ['2024-H2', 'half-yearly', '2024-07-01'],
  ['2024-Q1', '1QE', '2024-01-01'],
  ['2024Q4', '1QE', '2024-10-01'],
  ['2024-B6', 'two-monthly', '2024-11-01'],
  ['2024-02', '1ME', '2024-02-01'],
  ['2024M12', '1ME', '2024-12-01'],
  ['2024-M02', '1ME', '2024-02-01'],
  ['2024-W01', '1W-MON', '2024-01-01'],
  ['2021-W01', '1W-MON', '2021-01-04'],
  ['2020-W53', '1W-MON', '2020-12-28'],
  ['2026W53', '1W-MON', '2026-12-28'],
  ['2025-W01', '1W-MON', '2024-12-30'],
  ['2024-02-29', '1D', '2024-02-29'],
  ['2024-12-31', '1D', '2024-12-31'],
];

for (const [text, stated, start] of PERIODS) {
  test(`reads the period ${text}`, () => {
    const period = parsePeriod(text);
    assert.ok(period);
    assert.equal('frequency' in period.stated ? period.stated.frequency : period.stated.unsupported, stated);
    assert.equal(new Date(period.instant).toISOString().slice(0, 10), start);
  });
}

test('refuses texts that name no period', () => {
  const texts = [
    '',
    '24',
    '2024-13',
    '2024-00',
    '2024-Q5',
    '2024-S3',
    '2024-W00',
    '2021-W53',
    '2024-W54',
    '2023-02-29',
  ];
  for (const text of [...texts, '2024-2', '2024-1-1', ' 2024', '2024-01-01T00:00:00Z', '٢٠٢٤']) {
    assert.equal(parsePeriod(text), null, text);
  }
});
