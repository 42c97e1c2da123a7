/** Factors on the distance of quantiles from the median, below and above it. */
export interface SpreadCalibration {
  readonly lower: number;
  readonly upper: number;
  /** Past rows the factors were fitted on. */
  readonly rows: number;
}

/** A past row in the pooling space: what happened, and the pooled 0.1, 0.5 and 0.9 quantiles. */
export interface SpreadRow {
  readonly actual: number;
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** The quantiles that tell how wide a side is. */
export const REFERENCE = { low: 0.1, median: 0.5, high: 0.9 } as const;

const SMALLEST = 0.5;
const LARGEST = 3;
/**
 * How many rows it takes for the past to count as much as the models' own spread. Rows of a fold err together and folds
 * overlap, so there are far fewer independent ones than it seems.
 */
const OWN_SPREAD_COUNTS_AS = 130;

export const UNCALIBRATED: SpreadCalibration = { lower: 1, upper: 1, rows: 0 };

/**
 * How far the pooled spread was from what happened, per side: the factor with which nine in ten of the past rows would
 * have stayed within the outer reference quantile. The rank is that of one row more than there are, since the next row
 * is to be covered and not the past ones; shrunk to 1 on the scale of logarithms.
 */
export function calibrateSpread(rows: readonly SpreadRow[]): SpreadCalibration {
  if (rows.length === 0) return UNCALIBRATED;
  return {
    lower: factor(rows.map(({ actual, low, median }) => (median - actual) / (median - low))),
    upper: factor(rows.map(({ actual, high, median }) => (actual - median) / (high - median))),
    rows: rows.length,
  };
}

function factor(distances: number[]): number {
  const known = distances.filter(Number.isFinite).sort((a, b) => a - b);
  if (known.length === 0) return 1;
  const rank = Math.min(known.length, Math.ceil(REFERENCE.high * (known.length + 1)));
  const needed = clamp(known[rank - 1] as number);
  // By squares: with a few dozen rows the rank is one of the last two or three, and says next to nothing.
  const trust = known.length ** 2 / (known.length ** 2 + OWN_SPREAD_COUNTS_AS ** 2);
  return clamp(needed ** trust);
}

function clamp(value: number): number {
  return Math.min(LARGEST, Math.max(SMALLEST, value));
}
