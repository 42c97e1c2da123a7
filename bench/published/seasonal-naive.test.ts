import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSeriesFile } from '../accuracy/series-file.ts';
import type { Definition } from './keys.ts';
import { publishedSeasonalNaive } from './seasonal-naive.ts';

/** The quantile 0.9 of the standard normal distribution. */
const Z90 = 1.2815515655446004;

function naive(line: string, definition: Definition): number[][] {
  const [series] = parseSeriesFile(line);
  assert.ok(series);
  return publishedSeasonalNaive({ ...series, window: 1, first: undefined }, definition).map((row) => [...row]);
}

function assertNear(actual: number | undefined, expected: number): void {
  assert.ok(actual !== undefined && Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);
}

test('repeats the last season; in the definition of Chronos every quantile is the point', () => {
  const rows = naive('a;QUARTERLY;4;6;1,2,3,4,5,6,7,8;1,1,1,1,1,1', 'chronos');
  assert.deepEqual(
    rows,
    [5, 6, 7, 8, 5, 6].map((value) => new Array(9).fill(value)),
  );
});

test('fills a gap with the value before it, and a gap at the start with the first value', () => {
  assert.equal(naive('a;DAILY;1;1;NA,2,7,NA;1', 'chronos')[0]?.[4], 7);
  assert.equal(naive('a;QUARTERLY;4;1;NA,2,7,NA;1', 'chronos')[0]?.[4], 2);
});

test('forecasts the mean of a history that is shorter than a season', () => {
  assert.equal(naive('a;MONTHLY;12;2;1,2,6;1,1', 'chronos')[1]?.[4], 3);
});

test('elsewhere has the intervals of statsforecast: normal, wider with each season', () => {
  // The changes are 2, -1 and 2, so their mean square is 3.
  for (const definition of ['gift', 'fev'] as const) {
    const rows = naive('a;DAILY;1;2;1,3,2,4;1,1', definition);
    assertNear(rows[0]?.[4], 4);
    assertNear(rows[0]?.[8], 4 + Z90 * Math.sqrt(3));
    assertNear(rows[1]?.[0], 4 - Z90 * Math.sqrt(6));
  }
  // The changes over two periods are 3 and 5. The third step lies in the second season.
  const seasonal = naive('a;DAILY;2;3;1,2,4,7;1,1,1', 'gift');
  assertNear(seasonal[1]?.[8], 7 + Z90 * Math.sqrt(17));
  assertNear(seasonal[2]?.[8], 4 + Z90 * Math.sqrt(34));
});

test('in fev-bench it sees the last thousand values', () => {
  const flat = new Array(1000).fill(3).join();
  assertNear(naive(`a;DAILY;1;1;900,${flat};1`, 'fev')[0]?.[8], 3);
  assert.ok((naive(`a;DAILY;1;1;900,${flat};1`, 'gift')[0]?.[8] ?? 0) > 30);
});
