import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawNormal } from '../numerics/distributions.ts';
import { createRandom } from '../numerics/random.ts';
import { convexPerQuantile, greedySelection, inverseLoss, mostlyPretrained } from './methods.ts';
import { equalWeights, memberLosses, type Panel, panelLoss, type Weights } from './panel.ts';
import { selectWeights } from './select-weights.ts';
import { calibrateSpread, UNCALIBRATED } from './spread-calibration.ts';

const LEVELS = [0.1, 0.5, 0.9];
const ALL = LEVELS.map(() => [true, true, true]);

/** Returns five folds of member models that forecast the actual value, each with its own error. */
function panel(errors: readonly number[], supports: Panel['supports'] = ALL, rows = 8): Panel {
  const random = createRandom(5);
  const folds = Array.from({ length: 5 }, () =>
    Array.from({ length: rows }, () => {
      const actual = 100 + 10 * drawNormal(random);
      const values = errors.map((error) => {
        const center = actual + error * drawNormal(random);
        return LEVELS.map((level) => center + error * (level - 0.5) * 3);
      });
      return { actual, values };
    }),
  );
  return { levels: LEVELS, supports, folds, isPretrained: errors.map(() => false) };
}

function checkShares(weights: Weights, supports: Panel['supports']): void {
  weights.forEach((row, q) => {
    assert.ok(Math.abs(row.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-12);
    row.forEach((weight, i) => {
      assert.ok(weight >= 0 && (supports[q]?.[i] || weight === 0));
    });
  });
}

const METHODS = { inverseLoss, greedySelection, convexPerQuantile };

for (const [name, method] of Object.entries(METHODS)) {
  test(`${name} prefers the more accurate model, sums to 1 and skips unsupported quantiles`, () => {
    const clear = panel([1, 5, 5]);
    const weights = method(clear);
    checkShares(weights, ALL);
    for (const row of weights) assert.ok((row[0] as number) > 0.4, `${row}`);
    assert.ok(panelLoss(clear, weights) < panelLoss(clear, equalWeights(ALL)));
    const partial = [
      [false, true, true],
      [true, true, true],
      [false, true, true],
    ];
    checkShares(method(panel([1, 5, 5], partial)), partial);
  });

  test(`${name} returns valid weights for identical models and for models whose losses are all zero`, () => {
    const { folds, ...rest } = panel([2, 2, 2]);
    const twins = folds.map((rows) =>
      rows.map(({ actual, values }) => ({ actual, values: values.map(() => values[0] ?? []) })),
    );
    assert.ok(panelLoss({ ...rest, folds: twins }, method({ ...rest, folds: twins })) > 0);
    const perfect = folds.map((rows) =>
      rows.map(({ actual }) => ({ actual, values: [1, 2, 3].map(() => LEVELS.map(() => actual)) })),
    );
    checkShares(method({ ...rest, folds: perfect }), ALL);
  });
}

test('computes the losses of member models as calculated by hand', () => {
  const row = {
    actual: 10,
    values: [
      [8, 9, 12],
      [10, 10, 10],
    ],
  };
  const supports = LEVELS.map(() => [true, true]);
  const small: Panel = { levels: LEVELS, supports, folds: [[row]], isPretrained: [false, false] };
  const [first, second] = memberLosses(small);
  assert.ok(Math.abs((first as number) - (0.2 + 0.5 + 0.2) / 3) < 1e-15);
  assert.equal(second, 0);
});

test('selects a method only where it clearly beats equal weights on later folds', () => {
  const even = selectWeights(panel([3, 3, 3]), 'rolling_loss_selection_v2');
  assert.equal(even.method, 'equal');
  const clear = selectWeights(panel([1, 9, 9]), 'rolling_loss_selection_v2');
  assert.notEqual(clear.method, 'equal');
  assert.deepEqual(clear.priorWeights, equalWeights(ALL));
  assert.deepEqual(Object.keys(clear.innerScores), [
    'equal',
    'inverse_loss',
    'greedy_selection',
    'convex_per_quantile',
  ]);
  assert.ok((clear.innerScores[clear.method] as number) < (clear.innerScores.equal as number));
  assert.equal(selectWeights(panel([3, 3, 3]), 'rolling_pinball_v1').method, 'convex_per_quantile');
});

test('gives a pretrained model three fifths of the weights in the quantiles that it supports', () => {
  const outside = [
    [true, false, true],
    [true, true, true],
    [true, false, true],
  ];
  const even = { ...panel([4, 2, 4], outside), isPretrained: [false, true, false] };
  const { method, weights, innerScores } = selectWeights(even, 'rolling_loss_selection_v2');
  assert.equal(method, 'mostly_pretrained');
  assert.deepEqual(
    weights.map((row) => [...row]),
    [
      [0.5, 0, 0.5],
      [0.2, 0.6, 0.2],
      [0.5, 0, 0.5],
    ],
  );
  assert.ok('equal' in innerScores && 'mostly_pretrained' in innerScores);
});

test('does not give most of the weight to a pretrained model that is least accurate', () => {
  const poor = { ...panel([1, 30, 1]), isPretrained: [false, true, false] };
  const { method, weights, priorWeights } = selectWeights(poor, 'rolling_loss_selection_v2');
  assert.notEqual(method, 'mostly_pretrained');
  assert.deepEqual(priorWeights, mostlyPretrained(poor), 'what stood before the folds');
  assert.deepEqual(selectWeights(poor, 'rolling_pinball_v1').priorWeights, equalWeights(ALL));
  for (const row of weights) assert.ok((row[1] as number) < 0.35, `${row}`);
  const alone = { ...panel([3, 3, 3]), isPretrained: [true, true, true] };
  assert.deepEqual(mostlyPretrained(alone), equalWeights(ALL));
  assert.equal('mostly_pretrained' in selectWeights(alone, 'rolling_loss_selection_v2').innerScores, false);
});

test('a model without a quantile keeps no weight there, however large the values are compared with the losses', () => {
  const supports = [
    [false, true, true],
    [true, true, true],
    [false, true, true],
  ];
  const rows = Array.from({ length: 4 }, () => ({
    actual: 400,
    values: [[], [], []].map(() => [400.001, 400.002, 400.003]),
  }));
  const high: Panel = { levels: LEVELS, supports, folds: [rows, rows, rows], isPretrained: [true, false, false] };
  for (const method of Object.values(METHODS)) checkShares(method(high), supports);
  for (const score of Object.values(selectWeights(high, 'rolling_loss_selection_v2').innerScores))
    assert.ok(Number.isFinite(score));
});

test('scores a method on earlier folds independently of later ones', () => {
  const five = panel([1, 9, 9]);
  const four = { ...five, folds: five.folds.slice(0, 4) };
  const spoiled = (five.folds[4] ?? []).map((row) => ({ ...row, actual: -row.actual }));
  const turned = { ...five, folds: [...four.folds, spoiled] };
  // The weights scored on the fifth fold were fitted on the first four alone.
  assert.deepEqual(inverseLoss(four), inverseLoss({ ...turned, folds: turned.folds.slice(0, 4) }));
  assert.notDeepEqual(inverseLoss(five), inverseLoss(turned));
});

test('calibrates each side by the rank among n + 1 rows, shrinks the factor toward 1 and bounds it', () => {
  assert.equal(calibrateSpread([]), UNCALIBRATED);
  const rows = (reach: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({
      // Spread evenly up to `reach` times the upper distance, never below the median.
      actual: ((i + 0.5) / count) * reach,
      low: -1,
      median: 0,
      high: 1,
    }));
  const wide = calibrateSpread(rows(3, 150));
  // Rank 136 of 150 is 2.71; 150 rows count for 57 %.
  const trust = 150 ** 2 / (150 ** 2 + 130 ** 2);
  assert.ok(Math.abs(wide.upper - (3 * (135.5 / 150)) ** trust) < 1e-12, `${wide.upper}`);
  assert.ok(wide.lower < 1, 'no row lies below the median');
  assert.equal(wide.rows, 150);
  assert.ok(Math.abs(calibrateSpread(rows(3, 10)).upper - 1) < 0.02, 'ten rows hardly count');
  const extreme = calibrateSpread(rows(1e6, 100_000));
  assert.ok(extreme.upper <= 3 && extreme.lower >= 0.5);
  const flat = calibrateSpread([{ actual: 1, low: 0, median: 0, high: 0 }]);
  assert.deepEqual([flat.lower, flat.upper], [1, 1]);
});
