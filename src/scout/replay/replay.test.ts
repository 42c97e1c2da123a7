import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startEngine } from '../../compute/index.ts';
import { createRandom } from '../../engine/index.ts';
import { baseRate } from './base-rate.ts';
import { compare } from './compare.ts';
import { historyOf } from './history.ts';
import { planCutoffs } from './plan-cutoffs.ts';
import { replayCsv } from './replay-csv.ts';
import type { ReplayedQuestion } from './replay-forecast.ts';
import { checkCoherence, reportReplay } from './report.ts';
import { runReplay } from './run-replay.ts';

const engine = await startEngine({ threads: 2 });
after(() => engine.close());

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

test('cut-offs lie evenly between the first and the last row that leaves room', () => {
  assert.deepEqual(planCutoffs({ rows: 100, before: 40, after: 10, cutoffs: 3 }), [40, 65, 90]);
  assert.deepEqual(planCutoffs({ rows: 50, before: 40, after: 10, cutoffs: 1 }), [40]);
  assert.throws(() => planCutoffs({ rows: 50, before: 40, after: 10, cutoffs: 2 }), /has 50 rows.*take 51/);
});

test('a base rate counts the windows that ended before the cut-off, and one of each kind more', () => {
  // Over 2 rows: 100 to 110, 104 to 105, 110 to 100. Above +2 %: the first. Above -5 %: two of them.
  const past = [100, 104, 110, 105, 100];
  near(baseRate(past, 2, 2), 2 / 5);
  near(baseRate(past, 2, -5), 3 / 5);
  near(baseRate(past, 2, 10), 1 / 5);
  near(baseRate(past, 5, 0), 1 / 2);
});

const asked = (said: Partial<ReplayedQuestion>): ReplayedQuestion => ({
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
  ...said,
});

test('losses of both sides are compared on the same questions', () => {
  const { questions, ours, base_rate, difference, interval } = compare([
    asked({ probability: 0.8, base_rate: 0.5 }),
    asked({ probability: 0.4, base_rate: 0.25, happened: false }),
  ]);
  assert.equal(questions, 2);
  near(ours, -(Math.log(0.8) + Math.log(0.6)) / 2);
  near(base_rate, -(Math.log(0.5) + Math.log(0.75)) / 2);
  near(difference, ours - base_rate);
  assert.equal(interval, null, 'one cut-off says nothing about how cut-offs vary');
});

test('a higher threshold that was called likelier is found', () => {
  const [low, high] = [asked({ threshold: 90, probability: 0.6 }), asked({ threshold: 95, probability: 0.7 })];
  assert.equal(checkCoherence([low, high]).incoherent_pairs, 1);
  assert.equal(checkCoherence([high, low, asked({ threshold: 99, probability: 0.6 })]).incoherent_pairs, 1);
  assert.equal(checkCoherence([low, { ...high, horizon: 6 }]).incoherent_pairs, 0);
});

test('a replay asks every question at every cut-off and answers it by what came', async () => {
  const replayed = await replay();
  assert.deepEqual(
    replayed.map(({ cutoff, horizon }) => `${cutoff.slice(0, 10)} ${horizon}`),
    ['2020-04-09 2', '2020-04-09 5', '2020-05-29 2', '2020-05-29 5', '2020-07-13 2', '2020-07-13 5'],
  );
  for (const [i, { horizon, questions }] of replayed.entries()) {
    const cut = [100, 150, 195][i >> 1] as number;
    const [last, then] = [values[cut - 1], values[cut - 1 + horizon]] as [number, number];
    assert.equal(questions.length, 3);
    for (const question of questions) {
      assert.ok(Math.abs(question.threshold / last - (1 + question.change / 100)) < 1e-9);
      assert.equal(question.observed.value, then);
      assert.equal(question.happened, then > question.threshold);
      assert.ok(question.probability > 0 && question.probability < 1);
    }
  }
  const report = reportReplay(replayed);
  assert.equal(report.log_loss.questions, 18);
  assert.equal(report.ours.clusters, 3);
  assert.equal(report.coherence.incoherent_pairs, 0);
  near(report.log_loss.ours, report.ours.mean_log_loss ?? Number.NaN);
  near(report.log_loss.base_rate, report.base_rate.mean_log_loss ?? Number.NaN);
  near(report.by_horizon.reduce((sum, one) => sum + one.ours, 0) / 2, report.log_loss.ours);
  near(report.by_horizon_and_change.reduce((sum, one) => sum + one.ours, 0) / 6, report.log_loss.ours);
});

test('the same replay gives the same report and the same lines', async () => {
  const [one, two] = [await replay(), await replay()];
  assert.deepEqual(reportReplay(one), reportReplay(two));
  assert.equal(replayCsv(one), replayCsv(two));
  const lines = replayCsv(one).trimEnd().split('\r\n');
  assert.equal(lines.length, 19);
  assert.match(lines[1] ?? '', /^2020-04-09T00:00:00\.000Z,2,-2,/);
});

test('what was said depends on nothing that came later', async () => {
  const doubled = values.map((value, i) => (i < 150 ? value : 2 * value));
  const [before, changed] = [await replay(), await replay({ ...history, values: doubled })];
  const said = (replayed: typeof before) =>
    replayed
      .slice(0, 4)
      .flatMap(({ questions }) => questions.map(({ probability, base_rate }) => [probability, base_rate]));
  assert.deepEqual(said(changed), said(before));
  assert.ok(changed[2]?.questions.every(({ happened }) => happened));
});

test('a replay that is stopped ends with the reason, and one that fails with the fault', async () => {
  const stop = AbortSignal.abort(new Error('enough'));
  await assert.rejects(runReplay(engine, history, [100], settings, { signal: stop }), /enough/);
  await assert.rejects(runReplay(engine, history, [100], { ...settings, models: ['nobody'] }), /nobody/);
});

test('values that no percentage can be taken of are refused with their time', () => {
  const table = { timestamps: history.timestamps, columns: { close: values.with(3, 0) } };
  const rows = { table, cadence: history.cadence, valueField: 'close', provider: 'test', about: {} };
  assert.throws(() => historyOf(rows), /above 0; at 2020-01-04T00:00:00\.000Z stands 0/);
});
