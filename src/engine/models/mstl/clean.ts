import { sortedQuantile } from '../../numerics/distributions.ts';
import type { ChosenProfile } from './choose-profile.ts';

/** Values are moved to within this many standard deviations, as the middle half of the distances tells them. */
const LIMIT = 2.5;
/** The standard deviation of normal values whose median size is 1. */
const NORMAL_SPREAD = 1.4826;

/**
 * Moves outliers, such as holidays and outages, toward the level plus the pattern. They would shift the level of the
 * forecasts and the pattern of all later rounds. Errors of past forecasts are measured against the original values.
 */
export function cleanOutliers(
  values: Float64Array,
  level: Float64Array,
  { snapshots, usual }: ChosenProfile,
): Float64Array {
  const profile = snapshots[snapshots.length - 1]?.profile as Float64Array;
  const middle = level.map((value, t) => value + (profile[t % profile.length] as number));
  const usualAt = (t: number): number => usual[t % usual.length] as number;
  const sizes = values.map((value, t) => Math.abs(value - (middle[t] as number)) / usualAt(t));
  const limit = LIMIT * NORMAL_SPREAD * sortedQuantile(sizes.filter((size) => !Number.isNaN(size)).sort(), 0.5);
  // More than half of the rows lie on the pattern; the others are then not outliers of a known spread.
  if (!(limit > 0)) return values;
  return values.map((value, t) => {
    const reach = limit * usualAt(t);
    return Math.max((middle[t] as number) - reach, Math.min((middle[t] as number) + reach, value));
  });
}
