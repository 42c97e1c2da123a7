import { pow } from '../numerics/elementary.ts';

/** Factors on the distance of quantiles from the median, below and above it. */
export interface SpreadCalibration {
  readonly lower: number;
  readonly upper: number;
  /** Number of past rows from which the factors were computed. */
  readonly rows: number;
}

/** A past row in the pooling space: the actual value, and the pooled 0.1, 0.5 and 0.9 quantiles. */
export interface SpreadRow {
  readonly actual: number;
  readonly low: number;
  readonly median: number;
  readonly high: number;
  /** How much the row counts, from 0 to 1: the share of all rows that its fold was fitted on. */
  readonly weight: number;
}

/** The quantile levels that measure the spread below and above the median. */
export const REFERENCE_LEVELS = { low: 0.1, median: 0.5, high: 0.9 } as const;

const MIN_FACTOR = 0.5;
const MAX_FACTOR = 3;
/**
 * With rows of this total weight, the rows count as much as the starting width. The errors within a fold are correlated
 * and folds overlap, so there are far fewer independent errors than rows.
 */
const STARTING_WIDTH_ROWS = 130;

/** Returns the calibration without any evidence from past rows. */
export function startingCalibration(width: number): SpreadCalibration {
  return { lower: width, upper: width, rows: 0 };
}

/**
 * Computes a factor for each side: with it, nine in ten past rows would have stayed within the outer reference level.
 * The factor is shrunk toward the starting width on the log scale.
 *
 * @param width the factor without any evidence from past rows
 */
export function calibrateSpread(rows: readonly SpreadRow[], width: number): SpreadCalibration {
  if (rows.length === 0) return startingCalibration(width);
  const below = rows.map(({ actual, low, median, weight }) => ({
    distance: (median - actual) / (median - low),
    weight,
  }));
  const above = rows.map(({ actual, high, median, weight }) => ({
    distance: (actual - median) / (high - median),
    weight,
  }));
  return { lower: calibrationFactor(below, width), upper: calibrationFactor(above, width), rows: rows.length };
}

interface WeightedDistance {
  readonly distance: number;
  readonly weight: number;
}

function calibrationFactor(distances: readonly WeightedDistance[], width: number): number {
  const finite = distances.filter(({ distance }) => Number.isFinite(distance)).sort((a, b) => a.distance - b.distance);
  const total = finite.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return width;
  // Squared: with a few dozen rows, the outer reference level depends on two or three of them, which is weak evidence.
  const trust = total ** 2 / (total ** 2 + STARTING_WIDTH_ROWS ** 2);
  return width * pow(clamp(neededFactor(finite, total) / width), trust);
}

/** Returns the factor with which nine tenths of the total weight would have stayed inside. */
function neededFactor(ascending: readonly WeightedDistance[], total: number): number {
  let sum = 0;
  for (const { distance, weight } of ascending) {
    sum += weight;
    if (sum >= REFERENCE_LEVELS.high * total) return Math.max(MIN_FACTOR, distance);
  }
  return Math.max(MIN_FACTOR, ascending.at(-1)?.distance ?? 1);
}

function clamp(value: number): number {
  return Math.min(MAX_FACTOR, Math.max(MIN_FACTOR, value));
}
