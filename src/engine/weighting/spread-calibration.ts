import { pow } from '../numerics/elementary.ts';

/** Factors on the distance of quantiles from the median, below and above it. */
export interface SpreadCalibration {
  readonly lower: number;
  readonly upper: number;
  /** Number of past rows from which the factors were computed. */
  readonly rows: number;
}

/** A past row in the pooling space: the actual value, and the pooled 0.1, 0.5 and 0.9 quantiles. */
interface SpreadRow {
  readonly actual: number;
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** The quantile levels that measure the spread below and above the median. */
export const REFERENCE_LEVELS = { low: 0.1, median: 0.5, high: 0.9 } as const;

const MIN_FACTOR = 0.5;
const MAX_FACTOR = 3;
/**
 * With this many past rows, the rows count as much as the models' own spread. The errors within a fold are correlated
 * and folds overlap, so there are far fewer independent errors than rows.
 */
const MODEL_SPREAD_ROWS = 130;

export const UNCALIBRATED: SpreadCalibration = { lower: 1, upper: 1, rows: 0 };

/**
 * Computes a factor for each side: with it, nine in ten past rows would have stayed within the outer reference level.
 * The rank counts one row more than there are, because the interval must also cover the next row. The factor is shrunk
 * toward 1 on the log scale.
 */
export function calibrateSpread(rows: readonly SpreadRow[]): SpreadCalibration {
  if (rows.length === 0) return UNCALIBRATED;
  return {
    lower: calibrationFactor(rows.map(({ actual, low, median }) => (median - actual) / (median - low))),
    upper: calibrationFactor(rows.map(({ actual, high, median }) => (actual - median) / (high - median))),
    rows: rows.length,
  };
}

function calibrationFactor(distances: number[]): number {
  const finiteDistances = distances.filter(Number.isFinite).sort((a, b) => a - b);
  if (finiteDistances.length === 0) return 1;
  const rank = Math.min(finiteDistances.length, Math.ceil(REFERENCE_LEVELS.high * (finiteDistances.length + 1)));
  const needed = clamp(finiteDistances[rank - 1] as number);
  // Squared: with a few dozen rows, the rank is that of one of the two or three largest, which is very weak evidence.
  const trust = finiteDistances.length ** 2 / (finiteDistances.length ** 2 + MODEL_SPREAD_ROWS ** 2);
  return clamp(pow(needed, trust));
}

function clamp(value: number): number {
  return Math.min(MAX_FACTOR, Math.max(MIN_FACTOR, value));
}
