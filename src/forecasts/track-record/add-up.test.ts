import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tally } from '../outcomes/score-outcome.ts';
import { RecordTotal } from './add-up.ts';

const tally = (fields: Partial<Tally> = {}): Tally => ({
  rows: 1,
  loss: 1,
  baseline_loss: 2,
  inside: { '0.8': 1 },
  deciles: null,
  ...fields,
});

const near = (actual: number | null | undefined, expected: number): void =>
  assert.ok(typeof actual === 'number' && Math.abs(actual - expected) <= 1e-12, `${actual} is not ${expected}`);

test('compares each forecast over all its rows and takes the geometric mean over forecasts', () => {
  const total = new RecordTotal();
  total.add({ '1': tally({ loss: 1, baseline_loss: 4 }), '2-5': tally({ rows: 4, loss: 3, baseline_loss: 4 }) });
  total.add({ '1': tally({ loss: 9, baseline_loss: 1 }) });
  const { forecasts, rows, compared, relative_wql, bands } = total.summarize();
  assert.deepEqual([forecasts, rows, compared], [2, 6, 2]);
  near(relative_wql, Math.sqrt((4 / 8) * 9));
  assert.deepEqual(
    bands.map((band) => [band.steps, band.forecasts, band.rows]),
    [
      ['1', 2, 2],
      ['2-5', 1, 4],
    ],
  );
  near(bands[0]?.relative_wql, Math.sqrt(9 / 4));
  near(bands[1]?.relative_wql, 3 / 4);
});

test('does not compare with a baseline that is exact or unknown, but counts the rows', () => {
  const total = new RecordTotal();
  total.add({ '1': tally({ baseline_loss: 0 }) });
  total.add({ '1': tally({ baseline_loss: null }), '2-5': tally() });
  total.add({});
  const { forecasts, rows, compared, relative_wql, coverage } = total.summarize();
  assert.deepEqual([forecasts, rows, compared, relative_wql, coverage[0]?.rows], [2, 3, 0, null, 3]);
});

test('keeps one exact or exploded forecast from deciding the mean', () => {
  const mean = (...tallies: readonly Partial<Tally>[]) => {
    const total = new RecordTotal();
    for (const fields of tallies) total.add({ '1': tally(fields) });
    return total.summarize().relative_wql;
  };
  near(mean({ loss: 0 }), 0.001);
  near(mean({ loss: Number.MAX_VALUE, baseline_loss: 0.01 }), 1_000);
  near(mean({ loss: 0 }, { loss: Number.MAX_VALUE }), 1);
  // The sums of two huge losses are infinite and have no ratio.
  const both = new RecordTotal();
  const huge = tally({ loss: Number.MAX_VALUE, baseline_loss: Number.MAX_VALUE });
  both.add({ '1': huge, '2-5': huge });
  assert.deepEqual([both.summarize().compared, both.summarize().relative_wql], [0, null]);
});

test('adds up intervals over the forecasts that state them, in ascending order', () => {
  const total = new RecordTotal();
  total.add({ '1': tally({ rows: 8, inside: { '0.95': 8, '0.8': 6 } }) });
  total.add({ '1': tally({ rows: 2, inside: { '0.8': 2, '0.5': 1 } }) });
  const { coverage } = total.summarize();
  assert.deepEqual(
    coverage.map(({ interval, nominal, inside, rows, share }) => [interval, nominal, inside, rows, share]),
    [
      ['0.5', 0.5, 1, 2, 0.5],
      ['0.8', 0.8, 8, 10, 0.8],
      ['0.95', 0.95, 8, 8, 1],
    ],
  );
  // Wilson's interval of 8 in 10 is 0.4902 to 0.9433.
  assert.ok(Math.abs((coverage[1]?.low ?? 0) - 0.49016) < 1e-5 && Math.abs((coverage[1]?.high ?? 0) - 0.94332) < 1e-5);
});

test('adds up tenths and leaves out forecasts without them', () => {
  const total = new RecordTotal();
  total.add({ '1': tally({ deciles: [0.5, 0.5, 0, 0, 0, 0, 0, 0, 0, 0] }), '2-5': tally() });
  total.add({ '2-5': tally({ deciles: [0, 1, 0, 0, 0, 0, 0, 0, 0, 2] }) });
  const { deciles } = total.summarize();
  assert.deepEqual(
    deciles.map(({ rows }) => rows),
    [0.5, 1.5, 0, 0, 0, 0, 0, 0, 0, 2],
  );
  assert.deepEqual(deciles[9], { from: 0.9, to: 1, rows: 2, share: 0.5 });
});
