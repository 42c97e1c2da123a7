import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFrequency } from './check-frequency.ts';
import { FREQUENCIES, type Frequency } from './frequencies.ts';
import { futureTimestamps } from './future-timestamps.ts';
import { periodTimestamp } from './periods.ts';
import { SeriesError } from './series-error.ts';

const days = (...dates: string[]) => dates.map((date) => Date.parse(date));
const regular = (frequency: Frequency) => [
  ...futureTimestamps({ frequency, kind: 'plain' }, periodTimestamp(frequency, Date.UTC(2001, 0, 1)), 30),
];

function findProblem(frequency: Frequency, rows: readonly number[]): string | null {
  try {
    checkFrequency(frequency, rows);
    return null;
  } catch (error) {
    assert.ok(error instanceof SeriesError);
    return `${error.code} ${error.message}`;
  }
}

test('rows contradict every frequency but their own, and the message names their own', () => {
  for (const actual of FREQUENCIES) {
    const rows = regular(actual);
    for (const stated of FREQUENCIES) {
      const expected = `OTHER_FREQUENCY no two neighboring rows are one ${stated} period apart. The rows are ${actual}. Omit frequency or set it to ${actual}.`;
      assert.equal(findProblem(stated, rows), stated === actual ? null : expected);
    }
  }
});

test('one pair of neighboring rows one period apart is enough', () => {
  assert.equal(findProblem('1D', days('2024-01-01', '2024-02-01', '2024-03-01', '2024-03-02')), null);
  assert.equal(findProblem('1MS', days('2024-01-01', '2024-02-01', '2025-05-01', '2026-09-01')), null);
});

test('rows one period apart but off the grid do not contradict the frequency', () => {
  assert.equal(findProblem('1W-MON', days('2024-01-05', '2024-01-12', '2024-01-19')), null);
  assert.equal(findProblem('1MS', days('2024-01-15', '2024-02-15', '2024-03-15')), null);
  assert.equal(findProblem('1D', days('2024-01-05T05:00Z', '2024-01-06T05:00Z', '2024-01-07T05:00Z')), null);
});

test('explains rows that contradict the frequency and have none of their own', () => {
  assert.match(
    findProblem('1D', days('2024-01-01', '2024-01-03', '2024-01-05', '2024-01-07')) ?? '',
    /^OTHER_FREQUENCY no two .* one 1D period apart\. The rows are 2 days apart, and no frequency has that step/,
  );
  assert.match(
    findProblem('1D', days('2024-01-05', '2024-01-12', '2024-01-19')) ?? '',
    /^OTHER_FREQUENCY .* The rows are weekly, dated on Fridays\./,
  );
});

test('fewer than three rows contradict no frequency, and rows that are not a series are refused as such', () => {
  assert.equal(findProblem('1D', days('2024-01-01', '2024-02-01')), null);
  assert.match(findProblem('1MS', days('0001-01-01', '0001-02-01', '0001-03-01')) ?? '', /^OUT_OF_RANGE Row 1 /);
  assert.match(
    findProblem('1D', days('2024-01-01', '2024-02-01', '2024-02-01')) ?? '',
    /^DUPLICATE Row 3 .* of row 2\.$/,
  );
});
