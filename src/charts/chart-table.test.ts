import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleChart } from '../../test/support/charts/sample-charts.ts';
import { chartTable } from './index.ts';

test('has the last rows of the history, then the steps with their quantiles and outcome', () => {
  const start = Date.UTC(2026, 0, 30);
  const table = chartTable({
    title: '',
    history: { timestamps: [start, start + 86_400_000], values: [1234.5, Number.NaN] },
    predictions: [
      { timestamp: start + 2 * 86_400_000, quantiles: { '0.9': 3, '0.025': -0.5, '0.5': 1e-9 } },
      { timestamp: start + 3 * 86_400_000, quantiles: { '0.025': 1, '0.5': 2, '0.9': Number.NaN } },
    ],
    outcome: [
      { timestamp: start + 2 * 86_400_000, actual: 2.25, replayed: true },
      { timestamp: start + 3 * 86_400_000, actual: 7 },
    ],
  });
  assert.deepEqual(table, {
    columns: ['Date', 'History', '2.5%', '50%', '90%', 'Outcome'],
    rows: [
      ['2026-01-30', '1,234.5', '', '', '', ''],
      ['2026-01-31', '', '', '', '', ''],
      ['2026-02-01', '', '\u22120.5', '1e\u22129', '3', '2.25 (known when made)'],
      ['2026-02-02', '', '1', '2', '', '7'],
    ],
  });
});

test('has as many rows of the history as requested, with times if rows are closer than a day', () => {
  const chart = sampleChart({ rows: 200, steps: 3, stepMs: 900_000, start: Date.UTC(2026, 0, 1) });
  assert.equal(chartTable(chart).rows.length, 33);
  assert.equal(chartTable(chart, { historyRows: Number.POSITIVE_INFINITY }).rows.length, 203);
  assert.equal(chartTable(chart, { historyRows: 0 }).rows.length, 3);
  assert.deepEqual(
    [chartTable(chart).columns[0], chartTable(chart).rows.at(-1)?.[0]],
    ['Time (UTC)', '2026-01-03 02:30'],
  );
});
