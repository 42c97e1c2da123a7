import { sortedQuantile } from '../../numerics/sorted-quantile.ts';
import type { FittedTrend, Rows } from './fit-trend.ts';
import { DAMPINGS } from './settings.ts';
import { expectedPath, simulateDeviations } from './simulate.ts';

/** A fit on the rows before an origin, and the rows after it. */
export interface Holdout {
  readonly trend: FittedTrend;
  readonly after: Rows;
}

/** Long fits are slow, and their spread is well known from one origin. */
const MANY_ROWS = 200;

/**
 * Where to cut the past: two origins, the last values after each held out. None when the rows are too few to spare.
 *
 * @returns `[origin, rows held out]`, the latest origin first
 */
export function holdoutOrigins(rows: number, season: number): [number, number][] {
  const held = Math.min(Math.max(6, Math.ceil(1.5 * season)), 30, Math.floor(rows / 4));
  const least = Math.max(8, season > 1 && rows - held >= 2 * season ? 2 * season : 0);
  if (held < 2 || rows - held < least) return [];
  const earlier = Math.max(least, rows - 2 * held);
  return rows > MANY_ROWS || earlier >= rows - held - 1
    ? [[rows - held, held]]
    : [
        [rows - held, held],
        [earlier, held],
      ];
}

/** The mean absolute error of a damping, on the unit scale. */
function meanError(holdouts: readonly Holdout[], damping: number): number {
  let sum = 0;
  let count = 0;
  for (const { trend, after } of holdouts) {
    const path = expectedPath(trend, damping, after.times);
    for (let i = 0; i < path.length; i++) {
      sum += Math.abs((after.units[i] as number) - (path[i] as number));
      count++;
    }
  }
  return sum / count;
}

/** How strongly a smaller past error speaks for a damping: mildly, because one or two holdouts are weak evidence. */
const TRUST = 3;

/** The mean of the dampings, those with smaller past errors weighted higher. A mean errs less than the winner of a few. */
export function chooseDamping(holdouts: readonly Holdout[]): number {
  const errors = DAMPINGS.map((damping) => (holdouts.length > 0 ? Math.max(meanError(holdouts, damping), 1e-12) : 1));
  const least = Math.min(...errors);
  const weights = errors.map((error) => (least / error) ** TRUST);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return DAMPINGS.reduce((sum, damping, i) => sum + (damping * (weights[i] as number)) / total, 0);
}

/** With no errors to look at. Set so that the 80 % band held about 80 % of past values, monthly and quarterly. */
const USUAL_WIDENING = 1.2;
/** How many errors the usual widening counts as. Those of one holdout go together, so that a dozen say little. */
const USUAL_WEIGHT = 24;
/** A lucky or unlucky holdout is no reason to go beyond these. */
const LEAST = 0.7;
const MOST = 2;

/** The factor by which past errors exceeded the model's own 80 % band. */
export function chooseWidening(holdouts: readonly Holdout[], damping: number, seed: number): number {
  const ratios: number[] = [];
  for (const { trend, after } of holdouts) {
    const path = expectedPath(trend, damping, after.times);
    const deviations = simulateDeviations(trend, damping, after.times, seed);
    for (let i = 0; i < path.length; i++) {
      const half = sortedQuantile(deviations[i] as Float64Array, 0.9);
      ratios.push(Math.abs((after.units[i] as number) - (path[i] as number)) / Math.max(half, 1e-9));
    }
  }
  if (ratios.length === 0) return USUAL_WIDENING;
  const ascending = Float64Array.from(ratios).sort();
  const rank = Math.min(ascending.length, Math.ceil(0.8 * (ascending.length + 1)));
  const needed = ascending[rank - 1] as number;
  const shrunk = (ratios.length * needed + USUAL_WEIGHT * USUAL_WIDENING) / (ratios.length + USUAL_WEIGHT);
  return Math.min(Math.max(shrunk, LEAST), MOST);
}
