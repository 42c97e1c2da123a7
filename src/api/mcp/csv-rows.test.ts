import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsvRows } from './csv-rows.ts';

const ROWS = '2024-01-01,1\n2024-01-02,2.5\n';

test('reads rows with any heading, line end and separator', () => {
  const expected = { timestamps: ['2024-01-01', '2024-01-02'], values: [1, 2.5] };
  const headings = ['', 'time,value\n', 'Date,S&P 500\n', '\ndate,close_2024\n', 'a,b,c\n'];
  for (const heading of headings) assert.deepEqual(readCsvRows(heading + ROWS), expected, heading);
  assert.deepEqual(readCsvRows('"2024-01-01";1\r\n\r\n2024-01-02\t2.5'), expected);
});

test('refuses any other line that cannot be read, by its number', () => {
  for (const [text, message] of [
    ['2024-01-01,n/a', /line 1 has a second cell that is not a number/],
    ['31.12.2024,1', /line 1 has a timestamp/],
    ['time,value\nnot,this', /line 2 has a second cell/],
    [`${ROWS}time,value`, /line 3 has a second cell/],
    [`${ROWS}2024-01-03,1,000`, /line 3 has 3 cells/],
    [`${ROWS}2024-01-03,1e999`, /line 3 has a second cell/],
    ['time,value', /has no rows/],
    ['', /has no rows/],
  ] as const) {
    assert.throws(() => readCsvRows(text), message, text);
  }
});
