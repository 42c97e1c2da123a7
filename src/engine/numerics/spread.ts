import { exp, log, pow } from './elementary.ts';

/** The share of a recent change of the variance that lasts. */
const LASTING_SHARE = 0.4;
/** Residuals lose half of their weight after two seasons, but not before this many periods. */
const MIN_HALF_LIFE = 8;
/** The limits of the factor. A factor outside them would be based on too few data. */
const MIN_FACTOR = 0.5;
const MAX_FACTOR = 2.5;

/**
 * Returns the factor on the standard deviation that the last one-step residuals suggest. Models assume that errors have
 * a constant variance, but in most real series it changes over time.
 *
 * @param residuals oldest first; NaN at a gap
 */
export function recentSpread(residuals: Float64Array, season: number): number {
  const decay = pow(0.5, 1 / Math.max(2 * season, MIN_HALF_LIFE));
  let weighted = 0;
  let weights = 0;
  let plain = 0;
  let count = 0;
  let weight = 1;
  for (let t = residuals.length - 1; t >= 0; t--) {
    const square = (residuals[t] as number) ** 2;
    if (Number.isNaN(square)) continue;
    weighted += weight * square;
    weights += weight;
    plain += square;
    count++;
    weight *= decay;
  }
  const ratio = plain > 0 ? weighted / weights / (plain / count) : 1;
  return clampFactor(pow(ratio, LASTING_SHARE / 2));
}

/** Keeps a factor on the standard deviation within its range. */
export function clampFactor(factor: number): number {
  return Math.max(MIN_FACTOR, Math.min(MAX_FACTOR, factor));
}

/** The spread of each step above and below its center. */
export interface SidedSpread {
  readonly above: Float64Array;
  readonly below: Float64Array;
}

/**
 * Widens the spread on the side to which a series has been drifting by up to `share`, and narrows the other side by the
 * same amount. Models damp a drift because that reduces the average error, so actual values lie more often on the side
 * of the drift.
 *
 * @param drift average change per period over the whole past, in the units of `deviation`
 */
export function skewSpread(deviation: Float64Array, drift: number, share: number): SidedSpread {
  const above = new Float64Array(deviation.length);
  const below = new Float64Array(deviation.length);
  for (let h = 0; h < deviation.length; h++) {
    const spread = deviation[h] as number;
    // A drift that exceeds the spread counts as much as one that equals it.
    const strength = spread > 0 ? Math.max(-1, Math.min(1, (drift * (h + 1)) / spread)) : 0;
    above[h] = spread * (1 + share * strength);
    below[h] = spread * (1 - share * strength);
  }
  return { above, below };
}

/** Returns the slope per period of the least squares line through the observed values; 0 if it is undefined. */
export function leastSquaresSlope(values: Float64Array): number {
  let count = 0;
  let meanTime = 0;
  let mean = 0;
  let timeSquares = 0;
  let products = 0;
  for (let t = 0; t < values.length; t++) {
    const value = values[t] as number;
    if (Number.isNaN(value)) continue;
    count++;
    const offTime = t - meanTime;
    meanTime += offTime / count;
    mean += (value - mean) / count;
    timeSquares += offTime * (t - meanTime);
    products += offTime * (value - mean);
  }
  return timeSquares > 0 ? products / timeSquares : 0;
}

/** Absolute errors of a fitted model's forecasts from past origins: sum and count for each number of steps ahead. */
export interface PastErrors {
  readonly sum: Float64Array;
  readonly count: Float64Array;
}

/** Creates empty sums and counts for this many steps. */
export function createPastErrors(steps: number): PastErrors {
  return { sum: new Float64Array(steps), count: new Float64Array(steps) };
}

/** Limits on the numbers of origins and steps that are measured: enough for a mean, at a bounded cost. */
export const MAX_MEASURED_ORIGINS = 1000;
export const MAX_STEPS = 100;

/**
 * Returns factors on the variance of later steps: how much faster past errors grew than the model predicts. Formulas
 * for the spread assume independent errors; if errors are dependent, only past errors show how fast they grow. Absolute
 * errors are used instead of squares, so that one outlier does not decide. Because steps overlap, `count` errors of a
 * step count as `count / step` independent errors; the model's own prediction counts as one more. No factor is below 1,
 * because past errors are in-sample.
 *
 * @param theory the standard deviation of each step according to the model, relative to that of the first step
 * @param cap the largest factor; later steps have few independent errors
 */
export function spreadGrowth(past: PastErrors, theory: Float64Array, cap: number): Float64Array {
  const factors = new Float64Array(theory.length).fill(1);
  const first = (past.sum[0] as number) / (past.count[0] as number);
  let factor = 1;
  for (let h = 0; h < theory.length; h++) {
    const count = past.count[h] ?? 0;
    const expected = theory[h] as number;
    if (count >= 3 && first > 0 && expected > 0) {
      const ratio = (past.sum[h] as number) / count / first / expected;
      const independent = count / (h + 1);
      factor = exp((2 * log(Math.max(1e-3, ratio)) * independent) / (independent + 1));
    }
    factors[h] = Math.min(cap, Math.max(1, factor));
  }
  return factors;
}
