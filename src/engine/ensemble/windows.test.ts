import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countReservedRows, planWindows } from './windows.ts';

test('plans the documented windows for the documented examples', () => {
  const examples = [
    { rows: 14, horizon: 6, season: 1, calibration: 2, folds: 3 },
    { rows: 24, horizon: 8, season: 4, calibration: 4, folds: 5 },
    // Half of 49 rows is less than two seasons and two rows, so the first fold is fitted on 24 rows and scores a third
    // of 25.
    { rows: 49, horizon: 18, season: 12, calibration: 8, folds: 5 },
    { rows: 80, horizon: 13, season: 52, calibration: 13, folds: 5 },
    { rows: 500, horizon: 30, season: 7, calibration: 30, folds: 5 },
    { rows: 1000, horizon: 1, season: 1, calibration: 3, folds: 5 },
  ];
  for (const { rows, horizon, season, calibration, folds } of examples) {
    const windows = planWindows(rows, horizon, season);
    assert.equal(windows.calibrationHorizon, calibration, `horizon of ${rows}`);
    assert.equal(windows.folds.length, folds, `folds of ${rows}`);
  }
});

test('places folds in order between the first training rows and the audit window', () => {
  for (const season of [1, 4, 7, 12, 52]) {
    for (let rows = 3; rows < 200; rows++) {
      for (const horizon of [1, 2, 6, 30, 365]) {
        const { minTraining, calibrationHorizon: scored, folds, audit, holdout } = planWindows(rows, horizon, season);
        const where = `${rows} rows, horizon ${horizon}, season ${season}`;
        assert.ok(scored <= countReservedRows(horizon), where);
        assert.deepEqual([...new Set(folds)], folds, where);
        assert.ok(holdout >= 0 && rows - holdout >= Math.min(rows, minTraining), where);
        if (audit === null) {
          assert.deepEqual([scored, folds], [0, []], where);
          continue;
        }
        assert.equal(audit + scored, rows, where);
        assert.ok((folds[0] as number) >= minTraining, where);
        assert.ok((folds.at(-1) as number) + scored <= audit, where);
      }
    }
  }
});

test('plans no window where there are too few rows', () => {
  assert.deepEqual(planWindows(8, 6, 1), {
    minTraining: 8,
    calibrationHorizon: 0,
    folds: [],
    audit: null,
    holdout: 0,
  });
});
