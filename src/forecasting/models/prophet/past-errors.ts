import { sortedQuantile } from '../../numerics/sorted-quantile.ts';
import type { FittedTrend, Rows } from './fit-trend.ts';
import { MARGIN, OTHER_DAMPINGS, USUAL_DAMPING } from './settings.ts';
import { expectedPath, simulateDeviations } from './simulate.ts';

/** A fit on the rows before an origin, and the rows after it. */
export interface Holdout {
  readonly trend: FittedTrend;
  readonly after: Rows;
}

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
  // Long fits are slow, and their spread is well known from one origin.
  return rows > 600 || earlier >= rows - held - 1
    ? [[rows - held, held]]
    : [
        [rows - held, held],
        [earlier, held],
      ];
}

/** The mean absolute error of a damping, on the unit scale. */
export function meanError(holdouts: readonly Holdout[], damping: number): number {
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

/** The usual damping, unless another was clearly better. */
export function chooseDamping(holdouts: readonly Holdout[]): number {
  if (holdouts.length === 0) return USUAL_DAMPING;
  let best = USUAL_DAMPING;
  let least = MARGIN * meanError(holdouts, USUAL_DAMPING);
  for (const damping of OTHER_DAMPINGS) {
    const error = meanError(holdouts, damping);
    if (error < least) {
      least = error;
      best = damping;
    }
  }
  return best;
}

/** With no errors to look at, the spread of a fit that follows its data is known to be this much too narrow. */
const USUAL_WIDENING = 1.7;
/** How many errors the usual widening counts as. */
const USUAL_WEIGHT = 8;
const MOST = 4;

/**
 * The factor by which past errors exceeded the model's own 80 % band. Never below 1: a lucky holdout is no reason to
 * promise more than the model does.
 */
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
  return Math.min(Math.max(shrunk, 1), MOST);
}
