import { normalQuantile } from '../numerics/distributions.ts';
import { exp, log } from '../numerics/elementary.ts';
import { logarithmAdvantage } from '../numerics/logarithm-advantage.ts';
import type { QuantileRows } from '../runner.ts';
import type { Weights } from '../weighting/panel.ts';
import type { SpreadPool } from '../weighting/prior-weights.ts';
import { REFERENCE_LEVELS, type SpreadCalibration } from '../weighting/spread-calibration.ts';

/** The shares of the member models in a pool. */
export interface PoolWeights {
  /** The weights of the medians. Without `spread`, those of all quantile values. */
  readonly weights: Weights;
  /** How the distances from the median are pooled. Null: the values of each quantile are averaged. */
  readonly spread: SpreadPool | null;
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
  const distanceOf = (member: number, level: number): number => quantileOf(member, level) - quantileOf(member, middle);
  return Float64Array.from(spread.weights, (shares, q) => {
    if (q === middle) return median;
    const anchor = spread.anchors[q] as number;
    const distance = average(spread.weights[anchor] as Float64Array, (i) => distanceOf(i, anchor));
    if (anchor === q) return median + distance;
    const [outer, inner] = [q, anchor].map((level) => average(shares, (i) => Math.abs(distanceOf(i, level))));
    return (
      median + distance * tailRatio(outer as number, inner as number, levels[q] as number, levels[anchor] as number)
    );
  });
}

/** A tail longer than this many times that of a normal distribution is cut. */
const MAX_TAIL = 3;

/**
 * Returns how much farther from the median an outer level lies than an inner one, from the distances of member models;
 * as in a normal distribution if these have none.
 */
function tailRatio(outer: number, inner: number, outerLevel: number, innerLevel: number): number {
  const normal = normalQuantile(outerLevel) / normalQuantile(innerLevel);
  const own = inner > 0 ? outer / inner : normal;
  return Math.max(1, Math.min(MAX_TAIL * normal, own));
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

/** A series without negative values is one of counts or amounts if at least this share of its past values is 0. */
const COUNT_ZEROS = 0.05;
/** A quantile below this share of the smallest positive past value is 0. */
const NEARLY_ZERO = 0.05;

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
    : { name: 'target', atOrigin: (periods) => targetSpace(observedValues(values.subarray(0, periods))) };
}

/**
 * Counts and amounts are never negative, and often exactly 0. Quantiles of the models lie a little above or below 0 then,
 * and whether an outcome of 0 lies inside an interval would depend on noise.
 */
function targetSpace(pastValues: Float64Array): PoolingSpace {
  let zeros = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const value of pastValues) {
    if (value < 0) return TARGET_SPACE;
    if (value === 0) zeros++;
    else if (value < least) least = value;
  }
  if (!(zeros >= COUNT_ZEROS * pastValues.length) || least === Number.POSITIVE_INFINITY) return TARGET_SPACE;
  const limit = NEARLY_ZERO * least;
  return { toSpace: (value) => value, fromSpace: (value) => (value < limit ? 0 : value) };
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
