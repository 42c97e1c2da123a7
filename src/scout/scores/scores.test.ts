import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../engine/index.ts';
import { percentileInterval } from './bootstrap.ts';
import { buildBins, computeCalibrationError } from './calibration.ts';
import { brierScore, logScore } from './question-scores.ts';
import { summarize } from './summarize.ts';
import { type ScoredQuestion, tallyQuestions } from './tally.ts';

const near = (actual: number | null | undefined, expected: number, tolerance = 1e-9): void =>
  assert.ok(typeof actual === 'number' && Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);

test('computes the log score as minus the logarithm of the probability of the outcome', () => {
  near(logScore(0.5, true), Math.LN2);
  near(logScore(0.8, true), 0.22314355131421);
  near(logScore(0.8, false), 1.6094379124341);
  near(logScore(0.065, false), 0.067208749693936);
});

test('clamps certainty to one in a million', () => {
  near(logScore(1, true), 1.0000005e-6, 1e-12);
  near(logScore(0, true), 13.815510557964);
  near(logScore(1, false), 13.815510557964);
  assert.equal(logScore(1e-9, true), logScore(0, true));
  assert.ok(logScore(0, false) > 0);
});

test('computes the Brier score as the squared distance', () => {
  near(brierScore(0.8, true), 0.04);
  near(brierScore(0.8, false), 0.64);
  assert.equal(brierScore(1, true), 0);
  assert.equal(brierScore(0, true), 1);
});

test('refuses a probability outside 0 to 1', () => {
  for (const p of [-0.01, 1.01, Number.NaN]) {
    assert.throws(() => logScore(p, true), RangeError);
    assert.throws(() => brierScore(p, true), RangeError);
  }
});

/** Four questions, three of them yes. */
const FOUR: readonly ScoredQuestion[] = [
  { probability: 0.9, happened: true },
  { probability: 0.8, happened: true },
  { probability: 0.85, happened: false },
  { probability: 0.2, happened: true },
];

test('summarizes questions as computed by hand', () => {
  const summary = summarize(FOUR);
  assert.equal(summary.questions, 4);
  assert.equal(summary.resolved_yes, 3);
  // (0.1053605 + 0.2231436 + 1.8971200 + 1.6094379) / 4
  near(summary.mean_log_loss, 0.958765487, 1e-8);
  // (0.01 + 0.04 + 0.7225 + 0.64) / 4
  near(summary.brier, 0.353125);
  near(summary.base_rate, 0.75);
  // 1 - 0.9587655 / 0.6931472
  near(summary.skill_vs_half, -0.383206, 1e-6);
  // The loss of the constant probability 0.75 is 0.5623351.
  near(summary.skill_vs_base_rate, -0.704972, 1e-6);
  near(summary.brier_skill_vs_base_rate, 1 - 0.353125 / 0.1875);
  // One in [0.2, 0.3) is off by 0.8, two in [0.8, 0.9) have the mean 0.825 and the share 0.5, one in [0.9, 1] is off by 0.1.
  near(summary.calibration_error, (0.8 + 2 * 0.325 + 0.1) / 4);
});

test('fills bins that include their lower edge, the last one both edges, with Wilson intervals', () => {
  const bins = buildBins(
    tallyQuestions([
      { probability: 0, happened: false },
      { probability: 0.1, happened: false },
      { probability: 1, happened: true },
      ...Array.from({ length: 10 }, (_, i) => ({ probability: 0.35, happened: i < 4 })),
    ]),
  );
  assert.deepEqual(
    bins.map(({ questions }) => questions),
    [1, 1, 0, 10, 0, 0, 0, 0, 0, 1],
  );
  assert.deepEqual(bins[2], {
    from: 0.2,
    to: 0.3,
    questions: 0,
    mean_probability: null,
    share_yes: null,
    interval: null,
  });
  near(bins[3]?.share_yes, 0.4);
  near(bins[3]?.mean_probability, 0.35);
  // Wilson's 95% interval of 4 in 10 is 0.1682 to 0.6873, that of 0 in 1 is 0 to 0.7935.
  near(bins[3]?.interval?.low, 0.16818, 1e-5);
  near(bins[3]?.interval?.high, 0.687326, 1e-5);
  near(bins[0]?.interval?.low, 0);
  near(bins[0]?.interval?.high, 0.793451, 1e-5);
});

test('returns no figures without questions and no skill against the base rate when all outcomes are the same', () => {
  const none = summarize([]);
  assert.equal(none.questions, 0);
  assert.deepEqual([none.mean_log_loss, none.base_rate, none.calibration_error], [null, null, null]);
  assert.equal(none.intervals.mean_log_loss, null);
  assert.equal(computeCalibrationError(tallyQuestions([])), null);
  const allYes = summarize([
    { probability: 0.9, happened: true },
    { probability: 0.7, happened: true },
  ]);
  assert.equal(allYes.skill_vs_base_rate, null);
  assert.equal(allYes.intervals.skill_vs_base_rate, null);
  assert.notEqual(allYes.intervals.mean_log_loss, null);
});

const random = createRandom(3);
const MANY: readonly ScoredQuestion[] = Array.from({ length: 400 }, (_, i) => {
  const probability = random.uniform();
  return { probability, happened: random.uniform() < probability, cluster: `c${i % 40}` };
});

test('computes intervals that contain the figure and depend only on the seed', () => {
  const summary = summarize(MANY);
  assert.deepEqual(summarize(MANY), summary);
  assert.notDeepEqual(summarize(MANY, { seed: 2 }).intervals, summary.intervals);
  const { mean_log_loss: loss, intervals } = summary;
  assert.ok(loss !== null && intervals.mean_log_loss !== null);
  assert.ok(intervals.mean_log_loss.low < loss && loss < intervals.mean_log_loss.high);
});

test('returns no interval for a skill if too few draws contain both outcomes', () => {
  // With two outcomes half of the draws have equal outcomes, and all others are the same two questions.
  const two = summarize([
    { probability: 0.9, happened: true },
    { probability: 0.6, happened: false },
  ]);
  assert.notEqual(two.skill_vs_base_rate, null);
  assert.deepEqual([two.intervals.skill_vs_base_rate, two.intervals.brier_skill_vs_base_rate], [null, null]);
  assert.notEqual(two.intervals.mean_log_loss, null);
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    assert.equal(summarize(FOUR.slice(1, 3), { seed }).intervals.skill_vs_base_rate, null, `seed ${seed}`);
  }
  const { low, high } = summarize(FOUR).intervals.skill_vs_base_rate as { low: number; high: number };
  assert.ok(low < high);
});

test('returns an interval only if at least half of the draws have a figure', () => {
  const drawn = [0.1, 0.2, 0.3, 0.4];
  assert.notEqual(percentileInterval([...drawn, null, null, null, null]), null);
  assert.equal(percentileInterval([...drawn, null, null, null, null, null]), null);
  assert.deepEqual(percentileInterval([0.5, 0.5, 0.5]), { low: 0.5, high: 0.5 });
  assert.equal(percentileInterval([0.5, 0.5, 0.5, null]), null);
  assert.equal(percentileInterval([]), null);
});

test('computes an interval for a mean that matches its standard error', () => {
  const summary = summarize(
    MANY.map(({ cluster: _, ...alone }) => alone),
    { draws: 4000 },
  );
  const losses = MANY.map(({ probability, happened }) => logScore(probability, happened));
  const mean = losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
  const variance = losses.reduce((sum, loss) => sum + (loss - mean) ** 2, 0) / losses.length;
  const width = 2 * 1.96 * Math.sqrt(variance / losses.length);
  const { low, high } = summary.intervals.mean_log_loss as { low: number; high: number };
  assert.ok(Math.abs((high - low) / width - 1) < 0.1, `${high - low} beside ${width}`);
});

test('draws the questions of a cluster together, so that copies do not narrow an interval', () => {
  const width = (rows: readonly ScoredQuestion[]): number => {
    const { low, high } = summarize(rows).intervals.brier as { low: number; high: number };
    return high - low;
  };
  const alone = MANY.slice(0, 50).map((row, i) => ({ ...row, cluster: `${i}` }));
  const copied = alone.flatMap((row) => Array<ScoredQuestion>(5).fill(row));
  near(width(copied), width(alone), 1e-12);
  assert.ok(width(copied.map(({ cluster: _, ...row }) => row)) < 0.6 * width(alone));
  assert.equal(summarize(copied.map((row) => ({ ...row, cluster: 'one' }))).intervals.brier, null);
});
