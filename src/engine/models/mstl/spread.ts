import { sortedQuantile, studentQuantile } from '../../numerics/distributions.ts';
import type { Backtest } from './remainder.ts';

/** The errors of past forecasts have tails like those of Student's t with so many degrees of freedom. */
const FREEDOM = 8;
/** The mean absolute value of that distribution. */
const MEAN_ABSOLUTE = 0.8838;
/** The settings suit the past errors, so these are smaller than those of the future. */
const WIDENING = 1.1;
/** Student's t counts as the errors from so many origins. */
const STUDENT_STRENGTH = 20;
/** The mean of all steps counts as this many errors of a step. */
const STEP_STRENGTH = 4;

/** What the errors of past forecasts say about the errors of the next one. */
export interface PastSpread {
  /** The spread of each step. */
  readonly spread: Float64Array;
  /** Past errors in units of the spread, ascending. */
  readonly errors: Float64Array;
  readonly origins: number;
}

/**
 * Measures how far past forecasts were from what came.
 *
 * @param usual the spread of each position in the shorter season, relative to the mean
 */
export function spreadOf(backtest: Backtest, usual: Float64Array, length: number, horizon: number): PastSpread {
  const spread = stepSpread(backtest, usual, length, horizon);
  const usualAt = (t: number): number => usual[t % usual.length] as number;
  const inUnits: number[] = [];
  backtest.errors.forEach((one, i) => {
    for (let h = 0; h < one.length; h++) {
      const unit = ((spread[h] as number) * usualAt((backtest.origins[i] as number) + h)) / usualAt(length + h);
      const error = (one[h] as number) / unit;
      if (Number.isFinite(error)) inUnits.push(error);
    }
  });
  return { spread, errors: Float64Array.from(inUnits).sort(), origins: backtest.origins.length };
}

/**
 * Returns how many spreads each quantile lies above the center: the quantile of past errors, which need not be symmetric,
 * drawn toward that of Student's t.
 */
export function quantileScores({ errors, origins }: PastSpread, quantiles: readonly number[]): number[] {
  const share = errors.length > 0 ? origins / (origins + STUDENT_STRENGTH) : 0;
  return quantiles.map((quantile) => {
    const own = share > 0 ? share * sortedQuantile(errors, quantile) : 0;
    return own + (1 - share) * studentQuantile(quantile, FREEDOM);
  });
}

/**
 * Returns the spread of each step: the mean absolute error of past forecasts, relative to what is usual at the position
 * of its outcome, which never falls with the step; times what is usual at the position that is forecast.
 */
function stepSpread({ errors, origins }: Backtest, usual: Float64Array, length: number, horizon: number): Float64Array {
  const steps = errors[0]?.length ?? 0;
  const sums = new Float64Array(steps);
  const counts = new Float64Array(steps);
  let total = 0;
  let all = 0;
  errors.forEach((one, i) => {
    for (let h = 0; h < steps; h++) {
      const size = Math.abs(one[h] as number) / (usual[((origins[i] as number) + h) % usual.length] as number);
      if (Number.isNaN(size)) continue;
      sums[h] = (sums[h] as number) + size;
      counts[h] = (counts[h] as number) + 1;
      total += size;
      all++;
    }
  });
  const mean = all > 0 ? total / all : 0;
  const byStep = neverFalling(
    sums.map((sum, h) => (sum + STEP_STRENGTH * mean) / ((counts[h] as number) + STEP_STRENGTH)),
    counts.map((count) => count + STEP_STRENGTH),
  );
  return Float64Array.from({ length: horizon }, (_, h) => {
    const step = byStep[Math.min(h, steps - 1)] ?? 0;
    return (step * (usual[(length + h) % usual.length] as number) * WIDENING) / MEAN_ABSOLUTE;
  });
}

/** Returns the closest values that never fall, by pooling neighbors that do (weighted isotonic regression). */
function neverFalling(values: Float64Array, weights: Float64Array): Float64Array {
  const blocks: { mean: number; weight: number; length: number }[] = [];
  values.forEach((value, i) => {
    let block = { mean: value, weight: weights[i] as number, length: 1 };
    for (let last = blocks.at(-1); last !== undefined && last.mean > block.mean; last = blocks.at(-1)) {
      blocks.pop();
      const weight = last.weight + block.weight;
      block = {
        mean: (last.mean * last.weight + block.mean * block.weight) / weight,
        weight,
        length: last.length + block.length,
      };
    }
    blocks.push(block);
  });
  return Float64Array.from(blocks.flatMap(({ mean, length }) => Array.from({ length }, () => mean)));
}
