import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom, type MemberResult, type Prediction } from '../../engine/index.ts';
import { bandOf, levelsOf, measureOutcome, relativeLoss, type ScoredStep, scoreOutcome } from './score-outcome.ts';

type Quantiles = Readonly<Record<string, number>>;

const predict = (rows: readonly Quantiles[]): Prediction[] =>
  rows.map((quantiles, i) => ({ timestamp: new Date(Date.UTC(2026, 0, 1 + i)).toISOString(), quantiles }));

const member = (model: string, rows: readonly Quantiles[]): MemberResult => ({
  model,
  status: 'completed',
  reason: null,
  error: null,
  predictions: predict(rows),
});

const resultOf = (rows: readonly Quantiles[], members: readonly MemberResult[] = []) => ({
  predictions: predict(rows),
  members,
});

const near = (actual: number | null | undefined, expected: number): void =>
  assert.ok(
    typeof actual === 'number' && Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
    `${actual} is not ${expected}`,
  );

const FLAT = { '0.1': 8, '0.5': 9, '0.9': 12 };
const NAIVE = { '0.1': 5, '0.5': 10, '0.9': 20 };

test('scores two rows as computed by hand', () => {
  const forecast = { result: resultOf([FLAT, FLAT]), baseline: [NAIVE, NAIVE] };
  const rows = [
    { step: 1, actual: 10 },
    { step: 2, actual: 20 },
  ];
  // Twice the pinball loss of the first row: 0.4 + 1 + 0.4, of the second: 2.4 + 11 + 14.4; of the naive forecast:
  // 1 + 0 + 2 and 3 + 10 + 0.
  const metrics = measureOutcome(forecast, rows);
  assert.deepEqual([metrics.count, metrics.mae, metrics.coverage], [2, 6, { '0.8': 0.5 }]);
  near(metrics.average_wql, 29.6 / 3 / 30);
  near(metrics.relative_wql, 29.6 / 16);
  const { ensemble } = scoreOutcome(forecast, rows);
  assert.deepEqual(Object.keys(ensemble ?? {}), ['1', '2-5']);
  near(ensemble?.['1']?.loss, 1.8 / 3);
  near(ensemble?.['1']?.baseline_loss, 1);
  near(ensemble?.['2-5']?.loss, 27.8 / 3);
  near(ensemble?.['2-5']?.baseline_loss, 13 / 3);
  assert.deepEqual([ensemble?.['1']?.inside, ensemble?.['2-5']?.inside], [{ '0.8': 1 }, { '0.8': 0 }]);
  assert.deepEqual(ensemble?.['2-5']?.deciles, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
});

test('names the band of a step', () => {
  const steps = [1, 2, 5, 6, 20, 21, 60, 61, 365];
  assert.deepEqual(steps.map(bandOf), ['1', '2-5', '2-5', '6-20', '6-20', '21-60', '21-60', '61-365', '61-365']);
});

test('has no figures without rows', () => {
  const forecast = { result: resultOf([FLAT]), baseline: [NAIVE] };
  assert.deepEqual(measureOutcome(forecast, []), {
    count: 0,
    mae: null,
    average_wql: null,
    coverage: {},
    relative_wql: null,
  });
  assert.deepEqual(scoreOutcome(forecast, []), { ensemble: {} });
});

test('scores forecasts with a single quantile or without the median', () => {
  const median = { result: resultOf([{ '0.5': 9 }]), baseline: [{ '0.5': 11 }] };
  const rows = [{ step: 1, actual: 10 }];
  assert.deepEqual(measureOutcome(median, rows), {
    count: 1,
    mae: 1,
    average_wql: 0.1,
    coverage: {},
    relative_wql: 1,
  });
  const expected = { rows: 1, loss: 1, baseline_loss: 1, inside: {}, deciles: null };
  assert.deepEqual(scoreOutcome(median, rows), { ensemble: { 1: expected } });
  const outer = { result: resultOf([{ '0.1': 8, '0.9': 12 }]), baseline: [NAIVE] };
  const { mae, coverage, average_wql } = measureOutcome(outer, rows);
  assert.deepEqual([mae, coverage], [null, { '0.8': 1 }]);
  near(average_wql, 0.04);
  assert.equal(scoreOutcome(outer, rows).ensemble?.['1']?.deciles, null);
});

test('scores zeros and negative values', () => {
  const zero = { result: resultOf([{ '0.5': 0 }]), baseline: [{ '0.5': 2 }] };
  const { mae, average_wql, relative_wql } = measureOutcome(zero, [{ step: 1, actual: 0 }]);
  assert.deepEqual([mae, average_wql, relative_wql], [0, null, 0]);
  const below = { result: resultOf([{ '0.1': -12, '0.5': -9, '0.9': -8 }]), baseline: [{ ...NAIVE, '0.5': -10 }] };
  const mirrored = measureOutcome(below, [{ step: 1, actual: -10 }]);
  near(mirrored.average_wql, 1.8 / 3 / 10);
  assert.deepEqual(mirrored.coverage, { '0.8': 1 });
});

test('has no relative loss if the seasonal naive forecast was exact or lacks a value', () => {
  const rows = [{ step: 1, actual: 10 }];
  const result = resultOf([FLAT]);
  assert.equal(measureOutcome({ result, baseline: [{ '0.1': 10, '0.5': 10, '0.9': 10 }] }, rows).relative_wql, null);
  for (const baseline of [
    [],
    [{ '0.1': 5, '0.5': 10 }],
    [{ ...NAIVE, '0.9': Number.NaN }],
    // JSON turns an infinite value into null.
    [{ ...NAIVE, '0.9': null as unknown as number }],
  ]) {
    assert.equal(measureOutcome({ result, baseline }, rows).relative_wql, null);
    const tally = scoreOutcome({ result, baseline }, rows).ensemble?.['1'];
    assert.equal(tally?.baseline_loss, null);
    near(tally?.loss, 0.6);
  }
});

test('compares a member model with fewer levels on its own levels', () => {
  const result = resultOf(
    [FLAT],
    [
      member('toto', [{ '0.5': 9, '0.9': 12 }]),
      member('ets', [NAIVE]),
      { ...member('arima', []), status: 'failed', reason: 'failed' },
      member('theta', [{}]),
    ],
  );
  const scores = scoreOutcome({ result, baseline: [NAIVE] }, [{ step: 1, actual: 10 }]);
  assert.deepEqual(Object.keys(scores), ['ensemble', 'toto', 'ets']);
  near(scores.toto?.['1']?.loss, 1.4 / 2);
  near(scores.toto?.['1']?.baseline_loss, 2 / 2);
  assert.deepEqual([scores.toto?.['1']?.inside, scores.toto?.['1']?.deciles], [{}, null]);
  assert.equal(relativeLoss(scores.ets?.['1'] ?? { loss: 0, baseline_loss: 0 }), 1);
});

test('keeps the figures of huge values finite, so that they survive as JSON', () => {
  const huge = { '0.1': -Number.MAX_VALUE, '0.5': Number.MAX_VALUE, '0.9': Number.MAX_VALUE };
  const forecast = { result: resultOf([huge, huge], [member('ets', [FLAT, FLAT])]), baseline: [NAIVE, NAIVE] };
  const rows = [
    { step: 1, actual: 1e15 },
    { step: 2, actual: -1e15 },
  ];
  const { mae, average_wql, relative_wql } = measureOutcome(forecast, rows);
  assert.deepEqual([mae, average_wql], [null, null]);
  assert.ok(Number.isFinite(relative_wql) && (relative_wql as number) > 1e200);
  const scores = scoreOutcome(forecast, rows);
  assert.deepEqual(JSON.parse(JSON.stringify(scores)), scores);
  assert.equal(scores.ensemble?.['2-5']?.loss, Number.MAX_VALUE);
  const actual = { result: resultOf([FLAT, FLAT]), baseline: [NAIVE, NAIVE] };
  const sent = [1, 2].map((step) => ({ step, actual: 1.7e308 }));
  assert.equal(measureOutcome(actual, sent).average_wql, null, 'an infinite total is not a perfect score');
});

test('refuses a step that the forecast does not have', () => {
  const forecast = { result: resultOf([FLAT]), baseline: [NAIVE, NAIVE] };
  for (const step of [0, 2, -1]) {
    assert.throws(() => measureOutcome(forecast, [{ step, actual: 1 }]), RangeError);
    assert.throws(() => scoreOutcome(forecast, [{ step, actual: 1 }]), RangeError);
  }
});

/** The loss of one row by its definition: the larger of two products. */
function lossOf(quantiles: Quantiles, levels: readonly string[], actual: number): number {
  const losses = levels.map((level) => {
    const over = actual - (quantiles[level] as number);
    return Math.max(Number(level) * over, (Number(level) - 1) * over);
  });
  return (2 * losses.reduce((sum, loss) => sum + loss, 0)) / levels.length;
}

test('equals a second computation for generated forecasts with ties, zeros and gaps', () => {
  const random = createRandom(27);
  const all = ['0.05', '0.1', '0.25', '0.5', '0.75', '0.9', '0.95'];
  const draw = () => (random.uniform() < 0.3 ? Math.round(4 * random.uniform() - 2) : 20 * random.uniform() - 10);
  const drawRow = (levels: readonly string[]): Quantiles => {
    const values = Float64Array.from(levels, draw).sort();
    return Object.fromEntries(levels.map((level, i) => [level, values[i] as number]));
  };
  for (let run = 0; run < 30; run++) {
    const horizon = 1 + Math.floor(70 * random.uniform());
    const levels = all.filter(() => random.uniform() < 0.7);
    if (levels.length === 0) levels.push('0.5');
    const some = levels.filter(() => random.uniform() < 0.8);
    const rowsOf = (own: readonly string[]) => Array.from({ length: horizon }, () => drawRow(own));
    const [pooled, alone, baseline] = [rowsOf(levels), rowsOf(some), rowsOf(all)];
    const steps: ScoredStep[] = Array.from({ length: horizon }, (_, i) => ({ step: i + 1, actual: draw() })).filter(
      () => random.uniform() < 0.8,
    );
    const forecast = { result: resultOf(pooled, [member('ets', alone)]), baseline };
    const scores = scoreOutcome(forecast, steps);
    for (const [name, rows, own] of [['ensemble', pooled, levels] as const, ['ets', alone, some] as const]) {
      assert.deepEqual(levelsOf(predict(rows)), own);
      for (const [band, first, last] of [
        ['1', 1, 1] as const,
        ['6-20', 6, 20] as const,
        ['61-365', 61, 365] as const,
      ]) {
        const inBand = steps.filter(({ step }) => step >= first && step <= last);
        const tally = scores[name]?.[band];
        if (own.length === 0 || inBand.length === 0) {
          assert.equal(tally, undefined);
          continue;
        }
        const sum = (of: readonly Quantiles[]) =>
          inBand.reduce((total, { step, actual }) => total + lossOf(of[step - 1] as Quantiles, own, actual), 0);
        assert.equal(tally?.rows, inBand.length);
        near(tally?.loss, sum(rows));
        near(tally?.baseline_loss, sum(baseline));
        for (const [low, high, interval] of [['0.1', '0.9', '0.8'] as const, ['0.25', '0.75', '0.5'] as const]) {
          const isStated = own.includes(low) && own.includes(high);
          const inside = inBand.filter(({ step, actual }) => {
            const { [low]: from = 0, [high]: to = 0 } = rows[step - 1] as Quantiles;
            return from <= actual && actual <= to;
          });
          assert.equal(tally?.inside[interval], isStated ? inside.length : undefined);
        }
        if (tally?.deciles)
          near(
            tally.deciles.reduce((total, share) => total + share, 0),
            inBand.length,
          );
      }
    }
    const { count, mae, relative_wql } = measureOutcome(forecast, steps);
    const total = (of: readonly Quantiles[]) =>
      steps.reduce((sum, { step, actual }) => sum + lossOf(of[step - 1] as Quantiles, levels, actual), 0);
    assert.equal(count, steps.length);
    if (count > 0) near(relative_wql, total(pooled) / total(baseline));
    const errors = steps.map(({ step, actual }) => Math.abs(actual - (pooled[step - 1]?.['0.5'] ?? Number.NaN)));
    if (levels.includes('0.5') && count > 0) near(mae, errors.reduce((sum, error) => sum + error, 0) / count);
    else assert.equal(mae, null);
  }
});
