import { exp, log } from '../numerics/elementary.ts';
import { logarithmAdvantage } from '../numerics/logarithm-advantage.ts';
import type { QuantileRows } from '../runner.ts';
import type { Weights } from '../weighting/panel.ts';
import { REFERENCE_LEVELS, type SpreadCalibration } from '../weighting/spread-calibration.ts';

/** The shares of the member models in a pool. */
export interface PoolWeights {
  /** The weights of the medians. Without `spread`, those of all quantile values. */
  readonly weights: Weights;
  /** The weights of the distances from the median. Null: the values of each quantile are averaged. */
  readonly spread: Weights | null;
}

/**
 * Pools the rows of several member models in the pooling space, and stretches the spread around the median. A quantile
 * never lies on the other side of one that is closer to the median.
 *
 * @param rows by member model; null for a member model without a forecast, whose weights must be 0
 * @param levels ascending, including the median
 */
export function poolRows(
  rows: readonly (QuantileRows | null)[],
  pool: PoolWeights,
  levels: readonly number[],
  space: PoolingSpace,
  calibration: SpreadCalibration,
): Float64Array[] {
  const steps = rows.find((member) => member !== null)?.length ?? 0;
  const middle = levels.indexOf(REFERENCE_LEVELS.median);
  return Array.from({ length: steps }, (_, step) => {
    const pooled = poolRow(rows, pool, levels, space, step);
    const median = pooled[middle] as number;
    const stretched = pooled.map((value, q) => {
      const factor = q < middle ? calibration.lower : calibration.upper;
      return clampToFinite(space.fromSpace(median + factor * (value - median)));
    });
    for (let q = middle - 1; q >= 0; q--) stretched[q] = Math.min(stretched[q] as number, stretched[q + 1] as number);
    for (let q = middle + 1; q < levels.length; q++) {
      stretched[q] = Math.max(stretched[q] as number, stretched[q - 1] as number);
    }
    return stretched;
  });
}

/** Returns the pooled quantiles of one step, still in the pooling space. */
export function poolRow(
  rows: readonly (QuantileRows | null)[],
  { weights, spread }: PoolWeights,
  levels: readonly number[],
  space: PoolingSpace,
  step: number,
): Float64Array {
  const quantileOf = (member: number, level: number): number =>
    space.toSpace(((rows[member] as QuantileRows)[step] as Float64Array)[level] as number);
  const average = (shares: Float64Array, valueAt: (member: number) => number): number => {
    let sum = 0;
    for (let i = 0; i < shares.length; i++) {
      const share = shares[i] as number;
      if (share !== 0) sum += share * valueAt(i);
    }
    return sum;
  };
  if (spread === null) return Float64Array.from(weights, (shares, q) => average(shares, (i) => quantileOf(i, q)));
  const middle = levels.indexOf(REFERENCE_LEVELS.median);
  const median = average(weights[middle] as Float64Array, (i) => quantileOf(i, middle));
  return Float64Array.from(spread, (shares, q) =>
    q === middle ? median : median + average(shares, (i) => quantileOf(i, q) - quantileOf(i, middle)),
  );
}

/** Replaces an infinite value with the largest or smallest finite number, and negative zero with zero. */
function clampToFinite(value: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value)) + 0;
}

/** The scale on which quantiles are averaged and spreads are stretched: the values themselves or their logarithms. */
interface PoolingSpace {
  toSpace(value: number): number;
  fromSpace(value: number): number;
}

/** `auto` pools logarithms if all values are positive and change by ratios rather than by amounts. */
export type Transform = 'auto' | 'none' | 'log';

const TARGET_SPACE: PoolingSpace = { toSpace: (value) => value, fromSpace: (value) => value };

/**
 * A quantile at or below zero has no logarithm, so it is replaced by this share of the smallest past value. With a
 * share of 0.01, a single member model below zero pulled the geometric mean of all models down. On M1 and M3 histories
 * that end one horizon early, each increase of the share from 0.01 to 0.5 lowered the errors.
 */
const FLOOR_SHARE = 0.5;
/** The largest logarithm that is converted back. The exponential overflows slightly above it, at 709.8. */
const MAX_LOGARITHM = 700;

/**
 * The pooling spaces of one series, one for each origin. Only their floors differ, because a forecast from a past
 * origin must not use a later minimum.
 */
export interface PoolingSpaces {
  readonly name: 'target' | 'transformed';
  /** Returns the space for forecasts that are made after this many periods. */
  atOrigin(periods: number): PoolingSpace;
}

/**
 * Chooses the pooling space of a series.
 *
 * @param values the whole series
 * @param selectionValues the values before the audit window and the holdout. Only the signs of later values are used
 */
export function choosePoolingSpace(
  transform: Transform,
  values: Float64Array,
  selectionValues: Float64Array,
  season: number,
): PoolingSpaces {
  const isPositive = values.every((value) => !(value <= 0));
  const isLog =
    transform === 'log' || (transform === 'auto' && logarithmAdvantage(observedValues(selectionValues), season) > 0);
  return isPositive && isLog
    ? { name: 'transformed', atOrigin: (periods) => logSpace(observedValues(values.subarray(0, periods))) }
    : { name: 'target', atOrigin: () => TARGET_SPACE };
}

function logSpace(pastValues: Float64Array): PoolingSpace {
  const floor = FLOOR_SHARE * pastValues.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  return {
    toSpace: (value) => log(Math.max(value, floor)),
    fromSpace: (value) => exp(Math.min(value, MAX_LOGARITHM)),
  };
}

function observedValues(values: Float64Array): Float64Array {
  return values.filter((value) => !Number.isNaN(value));
}
