import { exp, log } from '../numerics/elementary.ts';
import { logarithmAdvantage } from '../numerics/logarithm-advantage.ts';
import type { QuantileRows } from '../runner.ts';
import type { Weights } from '../weighting/panel.ts';
import { REFERENCE_LEVELS, type SpreadCalibration } from '../weighting/spread-calibration.ts';

/**
 * Pools the rows of several member models: averages their quantile values in the pooling space, stretches the spread
 * around the median, and sorts each row.
 *
 * @param rows by member model; null for a member model without a forecast, whose weight must be 0
 * @param levels ascending, including the median
 */
export function poolRows(
  rows: readonly (QuantileRows | null)[],
  weights: Weights,
  levels: readonly number[],
  space: PoolingSpace,
  calibration: SpreadCalibration,
): Float64Array[] {
  const steps = rows.find((member) => member !== null)?.length ?? 0;
  return Array.from({ length: steps }, (_, step) => {
    const pooled = poolRow(rows, weights, space, step);
    const median = pooled[levels.indexOf(REFERENCE_LEVELS.median)] as number;
    const stretched = pooled.map((value, q) => {
      const factor = (levels[q] as number) < REFERENCE_LEVELS.median ? calibration.lower : calibration.upper;
      return clampToFinite(space.fromSpace(median + factor * (value - median)));
    });
    return stretched.sort();
  });
}

/** Returns the weighted average of the member models' quantiles at one step, still in the pooling space. */
export function poolRow(
  rows: readonly (QuantileRows | null)[],
  weights: Weights,
  space: PoolingSpace,
  step: number,
): Float64Array {
  return Float64Array.from(weights, (shares, q) => {
    let sum = 0;
    for (let i = 0; i < shares.length; i++) {
      const share = shares[i] as number;
      if (share !== 0) sum += share * space.toSpace(((rows[i] as QuantileRows)[step] as Float64Array)[q] as number);
    }
    return sum;
  });
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
