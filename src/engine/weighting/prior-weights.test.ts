import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FREQUENCIES } from '../../calendar/index.ts';
import { MODEL_CATALOG } from '../models/catalog.ts';
import { countZeroShare, helpfulModels, priorOf } from './frequency-priors.ts';
import { equalWeights } from './panel.ts';
import { priorWeights, priorWidth, spreadWeights } from './prior-weights.ts';

const TOTO = { id: 'toto', isPretrained: true, isSpreadPooled: false };
const fitted = (...ids: string[]) => ids.map((id) => ({ id, isPretrained: false, isSpreadPooled: id === 'mstl' }));
const CLOSE = 1e-12;
const YEARLY = { frequency: '1YE', zeroShare: 0, season: 1 } as const;

/** All quantiles, and one that toto does not support. */
const SUPPORTS = [
  [false, true, true],
  [true, true, true],
];

test('gives the pretrained model a share that grows with the rows, and the others the rest', () => {
  const members = [TOTO, ...fitted('theta', 'prophet', 'arima')];
  const supports = SUPPORTS.map(([toto]) => [toto === true, true, true, true]);
  const shareAt = (rows: number) =>
    priorWeights(members, supports, { ...YEARLY, rows }).map((row) => [...row]) as [number[], number[]];
  const [outside, median] = shareAt(20);
  assert.ok(Math.abs((median[0] as number) - (0.5 + (0.5 * 20) / 1020)) < CLOSE);
  assert.ok(Math.abs((median[1] as number) / (median[3] as number) - 1.6) < CLOSE, 'theta and arima');
  assert.ok(Math.abs((outside[1] as number) - 0.4) < CLOSE && outside[0] === 0);
  assert.ok((shareAt(5000)[1][0] as number) > 0.85);
});

test('gives the shares of models that take no part to the pretrained one', () => {
  const shareOfToto = (...ids: string[]) => {
    const members = [TOTO, ...fitted(...ids)];
    const supports = [members.map(() => true)];
    return priorWeights(members, supports, { frequency: '1h', rows: 300, zeroShare: 0.7, season: 1 })[0]?.[0] as number;
  };
  assert.ok(Math.abs(shareOfToto('intermittent') - 0.2) < CLOSE);
  assert.ok(shareOfToto('theta', 'seasonal_naive') > 0.95, 'neither helps on sparse series');
});

test('gives a model that the prior does not name a small share', () => {
  const members = [TOTO, ...fitted('theta', 'ets')];
  const [, median] = priorWeights(members, SUPPORTS, { ...YEARLY, rows: 20 });
  assert.ok((median?.[2] as number) > 0 && (median?.[2] as number) < 0.03, `${median}`);
  const [, alone] = priorWeights([TOTO, ...fitted('ets', 'mine')], SUPPORTS, { ...YEARLY, rows: 20 });
  assert.ok(
    Math.abs((alone?.[1] as number) - (alone?.[2] as number)) < CLOSE,
    'two such models share the rest equally',
  );
});

test('gives equal weights without a pretrained model, and to pretrained models alone', () => {
  const series = { frequency: '1D', rows: 100, zeroShare: 0, season: 1 } as const;
  const all = SUPPORTS.map(() => [true, true]);
  assert.deepEqual(priorWeights(fitted('ets', 'theta'), all, series), equalWeights(all));
  assert.deepEqual(priorWeights([TOTO, { ...TOTO, id: 'other' }], all, series), equalWeights(all));
});

test('takes the spread from the pretrained model, and from fitted ones whose spread is pooled', () => {
  const members = [TOTO, ...fitted('theta', 'prophet')];
  const weights = [Float64Array.of(0, 0.3, 0.7), Float64Array.of(0.2, 0.2, 0.6)];
  const { weights: spread, anchors } = spreadWeights(members, SUPPORTS, weights) ?? { weights: [], anchors: [] };
  assert.deepEqual(spread, [weights[0], Float64Array.of(1, 0, 0)]);
  assert.deepEqual(anchors, [1, 1], 'beyond the quantiles of the pretrained model, its outermost one is scaled');
  assert.equal(spreadWeights(fitted('ets', 'theta'), SUPPORTS, weights), null);
  const [outside, median] = spreadWeights([TOTO, ...fitted('theta', 'mstl')], SUPPORTS, weights)?.weights ?? [];
  assert.deepEqual(outside, Float64Array.of(0, 0, 1));
  assert.ok(Math.abs((median?.[0] as number) - 0.25) < CLOSE && median?.[1] === 0);
  const none = [Float64Array.of(0, 1, 0), Float64Array.of(0, 1, 0)];
  assert.deepEqual(spreadWeights(members, SUPPORTS, none)?.weights[1], Float64Array.of(1, 0, 0));
});

test('has a prior for every frequency, of models that exist', () => {
  const ids = MODEL_CATALOG.map(({ id }) => id);
  for (const frequency of FREQUENCIES) {
    for (const [zeroShare, season] of [0, 0.29, 0.3, 1].flatMap(
      (zeros) =>
        [
          [zeros, 1],
          [zeros, 7],
        ] as const,
    )) {
      const { fitted: shares } = priorOf({ frequency, zeroShare, season });
      const helpful = helpfulModels({ frequency, zeroShare });
      assert.ok(Object.keys(shares).every((id) => helpful.includes(id)));
      assert.equal('intermittent' in shares && Object.keys(shares).length === 1, zeroShare >= 0.3);
      assert.ok(Math.abs(Object.values(shares).reduce((sum, share) => sum + share, 0) - 1) < CLOSE, frequency);
      for (const id of Object.keys(shares)) assert.ok(ids.includes(id), id);
      for (const rows of [3, 20, 1000]) {
        const width = priorWidth({ frequency, rows, zeroShare, season });
        assert.ok(width >= 1 && width < 2, `${frequency}, ${rows} rows: ${width}`);
      }
    }
  }
});

test('counts zeros among the observed rows', () => {
  assert.equal(countZeroShare([0, 1, Number.NaN, -0, 5]), 0.5);
  assert.equal(countZeroShare([]), 0);
});
