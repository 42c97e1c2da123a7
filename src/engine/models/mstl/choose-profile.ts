import { type AbortFlag, throwIfAborted } from '../../model.ts';
import { addRow, createPositionSums, type ProfileSettings, profileOf } from './profile.ts';

/** The pattern of the seasons at one row, from the rows before it. */
export interface Snapshot {
  readonly origin: number;
  readonly profile: Float64Array;
}

export interface ChosenProfile {
  /** Patterns at past origins, oldest first, and after the last row. */
  readonly snapshots: readonly Snapshot[];
  /** The usual distance of rows from the pattern at each position in the shorter season, relative to the mean. */
  readonly usual: Float64Array;
  readonly settings: ProfileSettings;
}

const MAX_ORIGINS = 36;
const MAX_TESTED_ROWS = 1000;
const ROUNDS = [3, 8, 1e6];
const REACHES = [0.02, 0.08];
const STRENGTHS = [1, 4, 16, Number.POSITIVE_INFINITY];

/**
 * Chooses how the pattern is smoothed: with each setting, the rows after each past origin are forecast by the pattern
 * from the rows before it, and the setting with the smallest absolute errors is used.
 *
 * @param detrended rows without the slow level; NaN at a gap
 */
export function chooseProfile(
  detrended: Float64Array,
  periods: readonly number[],
  signal: AbortFlag | undefined,
): ChosenProfile {
  // Every second origin is enough to choose among a few settings.
  const origins = originsOf(detrended.length, periods).filter((_, i) => i % 2 === 0);
  const longer = periods.at(-1) as number;
  const shapes =
    periods.length === 1
      ? [{ reach: 0, strength: 0 }]
      : REACHES.flatMap((share) => STRENGTHS.map((strength) => ({ reach: Math.ceil(share * longer), strength })));
  let best: ProfileSettings | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const rounds of ROUNDS) {
    throwIfAborted(signal);
    const halfLife = rounds * longer;
    const errors = new Float64Array(shapes.length);
    walk(detrended, periods, halfLife, origins, (sums, from, to) => {
      for (let i = 0; i < shapes.length; i++) {
        const profile = profileOf(sums, shapes[i] as ProfileSettings);
        let sum = 0;
        for (let t = from, position = from % longer; t < to; t++) {
          const error = Math.abs((detrended[t] as number) - (profile[position] as number));
          if (error >= 0) sum += error;
          position = position + 1 === longer ? 0 : position + 1;
        }
        errors[i] = (errors[i] as number) + sum;
      }
    });
    shapes.forEach((shape, i) => {
      if (best !== undefined && !((errors[i] as number) < least)) return;
      best = { halfLife, ...shape };
      least = errors[i] as number;
    });
  }
  return measureProfile(detrended, periods, best as ProfileSettings);
}

/** Returns the patterns at past origins with these settings, and how far rows usually are from them. */
export function measureProfile(
  detrended: Float64Array,
  periods: readonly number[],
  settings: ProfileSettings,
): ChosenProfile {
  const origins = originsOf(detrended.length, periods);
  const shorter = periods[0] as number;
  const distances = new Float64Array(shorter);
  const counts = new Float64Array(shorter);
  const snapshots: Snapshot[] = [];
  walk(detrended, periods, settings.halfLife, origins, (sums, from, to) => {
    const profile = profileOf(sums, settings);
    snapshots.push({ origin: from, profile });
    for (let t = from; t < to; t++) {
      const error = Math.abs((detrended[t] as number) - (profile[t % profile.length] as number));
      if (Number.isNaN(error)) continue;
      distances[t % shorter] = (distances[t % shorter] as number) + error;
      counts[t % shorter] = (counts[t % shorter] as number) + 1;
    }
  });
  return { snapshots, usual: shrinkSpread(distances, counts), settings };
}

/** Past origins, and the end. They fall on all positions of the seasons. */
function originsOf(length: number, periods: readonly number[]): number[] {
  const shorter = periods[0] as number;
  // Half of the rows, but a whole round of the longest season, come before the first origin.
  const first = Math.max(periods.at(-1) as number, Math.min(Math.floor(length / 2), 3 * (periods.at(-1) as number)));
  const from = Math.max(first, length - MAX_TESTED_ROWS);
  let step = Math.max(1, Math.ceil((length - from) / MAX_ORIGINS));
  while (step > 1 && shorter > 2 && greatestCommonDivisor(step, shorter) > 1) step++;
  const origins = [];
  for (let origin = length; origin >= from; origin -= step) origins.push(origin);
  return origins.reverse();
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** Adds all rows in order, and calls `at` at each origin with the next origin, or the end. */
function walk(
  detrended: Float64Array,
  periods: readonly number[],
  halfLife: number,
  origins: readonly number[],
  at: (sums: ReturnType<typeof createPositionSums>, from: number, to: number) => void,
): void {
  const sums = createPositionSums(periods, halfLife);
  let next = 0;
  for (let t = 0; t <= detrended.length; t++) {
    if (t === origins[next]) at(sums, t, origins[++next] ?? t);
    if (t < detrended.length) addRow(sums, t, detrended[t] as number);
  }
}

/** A position has few errors of its own: the mean of all positions counts as this many. */
const SPREAD_STRENGTH = 6;
/** No position is treated as more certain than this share of the mean. */
const MIN_SPREAD = 0.1;

/** Returns the mean error of each position, relative to that of all positions. */
function shrinkSpread(distances: Float64Array, counts: Float64Array): Float64Array {
  const total = distances.reduce((sum, one) => sum + one, 0);
  const rows = counts.reduce((sum, one) => sum + one, 0);
  if (!(total > 0)) return distances.fill(1);
  const mean = total / rows;
  return distances.map((sum, p) => {
    const own = (sum + SPREAD_STRENGTH * mean) / ((counts[p] as number) + SPREAD_STRENGTH);
    return Math.max(MIN_SPREAD, own / mean);
  });
}
