import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forecastRandomWalk } from '../../../test/support/scout/random-walk.ts';
import type { Engine } from '../../compute/index.ts';
import { createRandom } from '../../engine/index.ts';
import { planCutoffs, toReplayHistory } from './history.ts';
import { computeBaseRate, type ReplayedQuestion } from './replay-forecast.ts';
import { buildReplayReport, checkCoherence, compareLosses, formatReplayCsv } from './report.ts';
import { runReplay } from './run-replay.ts';

/** An engine without threads. */
const fakeEngine = (forecast: Engine['forecast']): Engine => ({
  models: [],
  forecast,
  isOpen: () => true,
  close: async () => {},
});
const engine = fakeEngine(forecastRandomWalk);

const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);

const random = createRandom(5);
let price = 100;
const values = Float64Array.from({ length: 200 }, () => {
  price *= 1 + 0.02 * (random.uniform() - 0.5);
  return price;
});
const history = {
  cadence: { frequency: '1D', kind: 'plain' } as const,
  timestamps: Float64Array.from(values, (_, i) => Date.UTC(2020, 0, 1 + i)),
  values,
};
const settings = { horizons: [2, 5], changes: [-2, 0, 2], rows: 60, models: ['ets', 'theta'], checkpoints: {} };
const replay = (replayed = history) => runReplay(engine, replayed, [100, 150, 195], settings);

test('spaces cutoffs evenly between the first and the last possible row', () => {
  assert.deepEqual(planCutoffs({ rows: 100, before: 40, after: 10, cutoffs: 3 }), [40, 65, 90]);
  assert.deepEqual(planCutoffs({ rows: 50, before: 40, after: 10, cutoffs: 1 }), [40]);
  assert.throws(() => planCutoffs({ rows: 50, before: 40, after: 10, cutoffs: 2 }), /has 50 rows, .* needs 51/);
});

test('computes a base rate from the windows before the cutoff, plus one yes and one no', () => {
  // Over 2 rows: 100 to 110, 104 to 105, 110 to 100. The first is above +2%, the first two are above -5%.
  const past = [100, 104, 110, 105, 100];
  near(computeBaseRate(past, 2, 2), 2 / 5);
  near(computeBaseRate(past, 2, -5), 3 / 5);
  near(computeBaseRate(past, 2, 10), 1 / 5);
  near(computeBaseRate(past, 5, 0), 1 / 2);
});

const makeQuestion = (fields: Partial<ReplayedQuestion>): ReplayedQuestion => ({
  cutoff: '2020-01-01T00:00:00.000Z',
  horizon: 5,
  change: 0,
  threshold: 100,
  observed: { timestamp: '2020-01-06T00:00:00.000Z', value: 101 },
  probability: 0.5,
  part: 'interior',
  ensemble_probability: 0.5,
  past_share: 0.5,
  base_rate: 0.5,
  happened: true,
  ...fields,
});

test('compares the losses of the forecasts with those of the base rates on the same questions', () => {
  const { questions, ours, base_rate, difference, interval } = compareLosses([
    makeQuestion({ probability: 0.8, base_rate: 0.5 }),
    makeQuestion({ probability: 0.4, base_rate: 0.25, happened: false }),
  ]);
  assert.equal(questions, 2);
  near(ours, -(Math.log(0.8) + Math.log(0.6)) / 2);
  near(base_rate, -(Math.log(0.5) + Math.log(0.75)) / 2);
  near(difference, ours - base_rate);
  assert.equal(interval, null, 'a single cutoff has no variation');
});

test('counts a higher threshold with a higher probability as incoherent', () => {
  const [low, high] = [
    makeQuestion({ threshold: 90, probability: 0.6 }),
    makeQuestion({ threshold: 95, probability: 0.7 }),
  ];
  assert.equal(checkCoherence([low, high]).incoherent_pairs, 1);
  assert.equal(checkCoherence([high, low, makeQuestion({ threshold: 99, probability: 0.6 })]).incoherent_pairs, 1);
  assert.equal(checkCoherence([low, { ...high, horizon: 6 }]).incoherent_pairs, 0);
});

test('creates every question at every cutoff and resolves it by the later value', async () => {
  const replayed = await replay();
  assert.deepEqual(
    replayed.map(({ cutoff, horizon }) => `${cutoff.slice(0, 10)} ${horizon}`),
    ['2020-04-09 2', '2020-04-09 5', '2020-05-29 2', '2020-05-29 5', '2020-07-13 2', '2020-07-13 5'],
  );
  for (const [i, { horizon, questions }] of replayed.entries()) {
    const cut = [100, 150, 195][i >> 1] as number;
    const [last, outcome] = [values[cut - 1], values[cut - 1 + horizon]] as [number, number];
    assert.equal(questions.length, 3);
    for (const question of questions) {
      assert.ok(Math.abs(question.threshold / last - (1 + question.change / 100)) < 1e-9);
      assert.equal(question.observed.value, outcome);
      assert.equal(question.happened, outcome > question.threshold);
      assert.ok(question.probability > 0 && question.probability < 1);
    }
  }
  const report = buildReplayReport(replayed);
  assert.equal(report.log_loss.questions, 18);
  assert.equal(report.ours.clusters, 3);
  assert.equal(report.coherence.incoherent_pairs, 0);
  near(report.log_loss.ours, report.ours.mean_log_loss ?? Number.NaN);
  near(report.log_loss.base_rate, report.base_rate.mean_log_loss ?? Number.NaN);
  near(report.by_horizon.reduce((sum, { ours }) => sum + ours, 0) / 2, report.log_loss.ours);
  near(report.by_horizon_and_change.reduce((sum, { ours }) => sum + ours, 0) / 6, report.log_loss.ours);
});

test('gives the same report and the same lines for the same replay', async () => {
  const [first, second] = [await replay(), await replay()];
  assert.deepEqual(buildReplayReport(first), buildReplayReport(second));
  assert.equal(formatReplayCsv(first), formatReplayCsv(second));
  const lines = formatReplayCsv(first).trimEnd().split('\r\n');
  assert.equal(lines.length, 19);
  assert.match(lines[1] ?? '', /^2020-04-09T00:00:00\.000Z,2,-2,/);
});

test('computes probabilities without values after the cutoff', async () => {
  const doubled = values.map((value, i) => (i < 150 ? value : 2 * value));
  const [before, changed] = [await replay(), await replay({ ...history, values: doubled })];
  const probabilities = (replayed: typeof before) =>
    replayed
      .slice(0, 4)
      .flatMap(({ questions }) => questions.map(({ probability, base_rate }) => [probability, base_rate]));
  assert.deepEqual(probabilities(changed), probabilities(before));
  assert.ok(changed[2]?.questions.every(({ happened }) => happened));
});

test('rejects with the reason of the signal or with the error of a forecast', async () => {
  const stop = AbortSignal.abort(new Error('stopped by the test'));
  await assert.rejects(runReplay(engine, history, [100], settings, { signal: stop }), /stopped by the test/);
  const failing = fakeEngine(async () => {
    throw new Error('the forecast failed');
  });
  await assert.rejects(runReplay(failing, history, [100], settings), /the forecast failed/);
});

test('refuses values of 0 or below with their time', () => {
  const table = { timestamps: history.timestamps, columns: { close: values.with(3, 0) } };
  const rows = { table, cadence: history.cadence, valueField: 'close', provider: 'test', about: {} };
  assert.throws(() => toReplayHistory(rows), /above 0\. The value at 2020-01-04T00:00:00\.000Z is 0/);
});
