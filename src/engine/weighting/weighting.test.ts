import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawNormal } from '../numerics/distributions.ts';
import { createRandom } from '../numerics/random.ts';
import { convexPerQuantile, weightByEvidence } from './methods.ts';
import { equalWeights, memberLosses, type Panel, type PanelFold, panelLoss, type Weights } from './panel.ts';
import { selectWeights } from './select-weights.ts';
import { calibrateSpread, startingCalibration } from './spread-calibration.ts';

const LEVELS = [0.1, 0.5, 0.9];
const ALL = LEVELS.map(() => [true, true, true]);

/** Returns five folds of member models that forecast the actual value, each with its own error. */
function panel(errors: readonly number[], supports: Panel['supports'] = ALL, rows = 8): Panel {
  const random = createRandom(5);
  const folds = Array.from({ length: 5 }, (_, f) => ({
    training: (f + 5) / 10,
    rows: Array.from({ length: rows }, () => {
      const actual = 100 + 10 * drawNormal(random);
      const values = errors.map((error) => {
        const center = actual + error * drawNormal(random);
        return LEVELS.map((level) => center + error * (level - 0.5) * 3);
      });
      return { actual, values };
    }),
  }));
  return { levels: LEVELS, supports, folds, prior: equalWeights(supports) };
}

/** Returns the folds with other rows. */
function changeRows(
  folds: readonly PanelFold[],
  change: (row: PanelFold['rows'][number]) => PanelFold['rows'][number],
) {
  return folds.map(({ rows, training }) => ({ training, rows: rows.map(change) }));
}

function checkShares(weights: Weights, supports: Panel['supports']): void {
  weights.forEach((row, q) => {
    assert.ok(Math.abs(row.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-12);
    row.forEach((weight, i) => {
      assert.ok(weight >= 0 && (supports[q]?.[i] || weight === 0));
    });
  });
}

const METHODS = { weightByEvidence, convexPerQuantile };

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
    const twins = changeRows(folds, ({ actual, values }) => ({ actual, values: values.map(() => values[0] ?? []) }));
    assert.ok(panelLoss({ ...rest, folds: twins }, method({ ...rest, folds: twins })) > 0);
    const perfect = changeRows(folds, ({ actual }) => ({
      actual,
      values: [1, 2, 3].map(() => LEVELS.map(() => actual)),
    }));
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
  const prior = equalWeights(supports);
  const small: Panel = { levels: LEVELS, supports, folds: [{ rows: [row], training: 1 }], prior };
  const [first, second] = memberLosses(small);
  assert.ok(Math.abs((first as number) - (0.2 + 0.5 + 0.2) / 3) < 1e-15);
  assert.equal(second, 0);
});

test('moves the weights away from the prior by the amount of evidence, until one model stands alone', () => {
  const prior = LEVELS.map(() => Float64Array.of(0.1, 0.8, 0.1));
  const weightOfBest = (rows: number): number => {
    const { method, weights, priorWeights } = selectWeights(
      { ...panel([4, 5, 5], ALL, rows), prior },
      'rolling_loss_selection_v2',
    );
    assert.equal(method, 'evidence');
    assert.deepEqual(priorWeights, prior);
    return weights[1]?.[0] as number;
  };
  const [few, some, many] = [weightOfBest(2), weightOfBest(30), weightOfBest(3000)];
  assert.ok(few < 0.5, `${few}`);
  assert.ok(some > few && many > some, `${some}, ${many}`);
  assert.ok(many > 0.999, `${many}`);
});

test('calls equal weights equal, and scores every method on later folds', () => {
  const { folds, ...rest } = panel([3, 3, 3]);
  const twins = changeRows(folds, ({ actual, values }) => ({ actual, values: values.map(() => values[0] ?? []) }));
  assert.equal(selectWeights({ ...rest, folds: twins }, 'rolling_loss_selection_v2').method, 'equal');
  const clear = selectWeights(panel([1, 9, 9]), 'rolling_loss_selection_v2');
  assert.deepEqual(Object.keys(clear.innerScores), ['equal', 'prior', 'evidence', 'convex_per_quantile']);
  assert.ok((clear.innerScores.evidence as number) < (clear.innerScores.equal as number));
  const convex = selectWeights(
    { ...panel([3, 3, 3]), prior: LEVELS.map(() => Float64Array.of(1, 0, 0)) },
    'rolling_pinball_v1',
  );
  assert.equal(convex.method, 'convex_per_quantile');
  assert.deepEqual(convex.priorWeights, equalWeights(ALL));
});

test('a fold that was fitted on few rows hardly counts as evidence', () => {
  const { folds, ...rest } = panel([3, 3, 3]);
  const better = (late: boolean) =>
    weightByEvidence({
      ...rest,
      folds: folds.map(({ rows, training }) => ({
        training,
        rows: rows.map(({ actual, values }) => ({
          actual,
          // The first model is right in the late folds or in the early ones.
          values: values.map((one, i) => (i === 0 && training > 0.6 === late ? LEVELS.map(() => actual) : one)),
        })),
      })),
    })[1]?.[0] as number;
  assert.ok(better(true) > 0.9, `${better(true)}`);
  assert.ok(better(false) < better(true) - 0.1, `${better(false)}`);
});

test('compares models by the quantiles that all of them support', () => {
  const supports = [
    [false, true, true],
    [true, true, true],
    [false, true, true],
  ];
  const { folds, ...rest } = panel([2, 2, 2], supports);
  const same = changeRows(folds, ({ actual, values }) => ({ actual, values: values.map(() => values[0] ?? []) }));
  const weights = weightByEvidence({ ...rest, folds: same });
  assert.ok(Math.abs((weights[1]?.[0] as number) - 1 / 3) < 1e-12, 'the median of all three is the same');
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
  const fold = { rows, training: 0.5 };
  const high: Panel = { levels: LEVELS, supports, folds: [fold, fold, fold], prior: equalWeights(supports) };
  for (const method of Object.values(METHODS)) checkShares(method(high), supports);
  for (const score of Object.values(selectWeights(high, 'rolling_loss_selection_v2').innerScores))
    assert.ok(Number.isFinite(score));
});

test('scores a method on earlier folds independently of later ones', () => {
  const five = panel([1, 9, 9]);
  const four = { ...five, folds: five.folds.slice(0, 4) };
  const spoiled = changeRows(five.folds.slice(4), (row) => ({ ...row, actual: -row.actual }));
  const turned = { ...five, folds: [...four.folds, ...spoiled] };
  // The weights scored on the fifth fold were fitted on the first four alone.
  assert.deepEqual(weightByEvidence(four), weightByEvidence({ ...turned, folds: turned.folds.slice(0, 4) }));
  assert.notDeepEqual(weightByEvidence(five), weightByEvidence(turned));
});

test('calibrates each side, shrinks the factor toward the starting width and bounds it', () => {
  assert.deepEqual(calibrateSpread([], 1.1), startingCalibration(1.1));
  const rows = (reach: number, count: number, weight = 1) =>
    Array.from({ length: count }, (_, i) => ({
      // Spread evenly up to `reach` times the upper distance, never below the median.
      actual: ((i + 0.5) / count) * reach,
      low: -1,
      median: 0,
      high: 1,
      weight,
    }));
  const wide = calibrateSpread(rows(3, 150), 1);
  // Nine tenths of 150 rows are 135 rows, of which the last lies at 2.69; 150 rows count for 57 %.
  const trust = 150 ** 2 / (150 ** 2 + 130 ** 2);
  assert.ok(Math.abs(wide.upper - (3 * (134.5 / 150)) ** trust) < 1e-12, `${wide.upper}`);
  assert.ok(wide.lower < 1, 'no row lies below the median');
  assert.equal(wide.rows, 150);
  assert.ok(Math.abs(calibrateSpread(rows(3, 10), 1.2).upper - 1.2) < 0.02, 'ten rows hardly count');
  assert.ok(calibrateSpread(rows(3, 150, 0.5), 1).upper < wide.upper, 'rows of early folds count less');
  const early = rows(3, 75, 0.1);
  const late = rows(1, 75, 0.9);
  assert.ok(calibrateSpread([...early, ...late], 1).upper < 1.1, 'late rows decide');
  const extreme = calibrateSpread(rows(1e6, 100_000), 1);
  assert.ok(extreme.upper <= 3 && extreme.lower >= 0.5);
  const flat = calibrateSpread([{ actual: 1, low: 0, median: 0, high: 0, weight: 1 }], 1.3);
  assert.deepEqual([flat.lower, flat.upper], [1.3, 1.3]);
});
