import { type FitContext, ModelError, throwIfAborted } from '../../model.ts';
import { sortedQuantile } from '../../numerics/distributions.ts';
import { pow } from '../../numerics/elementary.ts';
import { type FittedTrend, fitTrend, type Rows, TREND_SETTINGS } from './fit-trend.ts';
import type { ProphetRuntime } from './runtime.ts';
import type { Seasonality } from './seasonalities.ts';
import { expectedPath, simulateDeviations } from './simulate.ts';

/** How a fit is extrapolated. Choosing an extrapolation from past errors costs as much as several fits. */
export interface Extrapolation {
  /** The share of the growth that is left after each period. */
  readonly damping: number;
  /** Factor on the simulated deviations. */
  readonly widening: number;
  /** The number of rows from which the extrapolation was chosen. */
  readonly rows: number;
}

/** Fits the rows before one or two past origins, and chooses damping and widening by the errors after these origins. */
export function chooseExtrapolation(
  runtime: ProphetRuntime,
  rows: Rows,
  season: number,
  seasonalities: readonly Seasonality[],
  context: FitContext,
): Extrapolation {
  const origins = holdoutOrigins(rows.units.length, season);
  const holdouts = origins.flatMap(([origin, held]) => {
    throwIfAborted(context.signal);
    return fitHoldout(runtime, rows, origin, held, seasonalities) ?? [];
  });
  const damping = chooseDamping(holdouts);
  const widening = chooseWidening(holdouts, damping, context.seed);
  return { damping, widening, rows: rows.units.length };
}

function fitHoldout(
  runtime: ProphetRuntime,
  rows: Rows,
  origin: number,
  held: number,
  seasonalities: readonly Seasonality[],
): Holdout | null {
  const units = rows.units.subarray(0, origin);
  // The likelihood of constant rows has no maximum, and a search for it makes the Stan program fail.
  if (units.every((unit) => unit === units[0])) return null;
  const before: Rows = { times: rows.times.subarray(0, origin), units };
  const after: Rows = {
    times: rows.times.subarray(origin, origin + held),
    units: rows.units.subarray(origin, origin + held),
  };
  try {
    return { trend: fitTrend(runtime, before, seasonalities, TREND_SETTINGS), after };
  } catch (error) {
    // A past fit that does not converge is left out, because the forecast does not need it.
    if (error instanceof ModelError && error.code === 'NOT_CONVERGED') return null;
    throw error;
  }
}

/** A fit on the rows before an origin, and the rows after it. */
interface Holdout {
  readonly trend: FittedTrend;
  readonly after: Rows;
}

/** With more rows, fits are slow and one origin is enough to determine the spread. */
const MAX_ROWS_FOR_TWO_ORIGINS = 200;

/**
 * Returns up to two past origins and the number of rows to hold out after each. Returns none if there are too few rows.
 *
 * @returns pairs `[origin, rows held out]`, the latest origin first
 */
function holdoutOrigins(rows: number, season: number): [number, number][] {
  const held = Math.min(Math.max(6, Math.ceil(1.5 * season)), 30, Math.floor(rows / 4));
  const smallest = Math.max(8, season > 1 && rows - held >= 2 * season ? 2 * season : 0);
  if (held < 2 || rows - held < smallest) return [];
  const earlier = Math.max(smallest, rows - 2 * held);
  return rows > MAX_ROWS_FOR_TWO_ORIGINS || earlier >= rows - held - 1
    ? [[rows - held, held]]
    : [
        [rows - held, held],
        [earlier, held],
      ];
}

/** Returns the mean absolute error of a damping, on the unit scale. */
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

/**
 * Candidates for the share of the growth that is left after each period. Prophet itself extends the last growth forever
 * (1), which is too much for most series.
 */
const DAMPINGS: readonly number[] = [0.7, 0.8, 0.9, 1];

/** How strongly a smaller past error favors a damping: mildly, because one or two holdouts are weak evidence. */
const ERROR_EXPONENT = 3;

/** Returns the mean of the dampings, weighted by their past errors. A mean is more accurate than the best of a few. */
function chooseDamping(holdouts: readonly Holdout[]): number {
  const errors = DAMPINGS.map((damping) => (holdouts.length > 0 ? Math.max(meanError(holdouts, damping), 1e-12) : 1));
  const smallest = Math.min(...errors);
  const weights = errors.map((error) => pow(smallest / error, ERROR_EXPONENT));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return DAMPINGS.reduce((sum, damping, i) => sum + (damping * (weights[i] as number)) / total, 0);
}

/**
 * The widening if there are no past errors. With it the 80% interval covered about 80% of the past values of monthly
 * and quarterly series.
 */
const DEFAULT_WIDENING = 1.2;
/**
 * The number of past errors that the default widening counts as. Errors within one holdout are correlated, so a dozen
 * of them are weak evidence.
 */
const DEFAULT_WIDENING_WEIGHT = 24;
/** Bounds that keep one lucky or unlucky holdout from deciding. */
const MIN_WIDENING = 0.7;
const MAX_WIDENING = 2;

/**
 * Returns the factor on the deviations with which the 80% interval would have covered past errors, shrunk toward the
 * default.
 */
function chooseWidening(holdouts: readonly Holdout[], damping: number, seed: number): number {
  const ratios: number[] = [];
  for (const { trend, after } of holdouts) {
    const path = expectedPath(trend, damping, after.times);
    const deviations = simulateDeviations(trend, damping, after.times, seed);
    for (let i = 0; i < path.length; i++) {
      const half = sortedQuantile(deviations[i] as Float64Array, 0.9);
      ratios.push(Math.abs((after.units[i] as number) - (path[i] as number)) / Math.max(half, 1e-9));
    }
  }
  if (ratios.length === 0) return DEFAULT_WIDENING;
  const ascending = Float64Array.from(ratios).sort();
  const rank = Math.min(ascending.length, Math.ceil(0.8 * (ascending.length + 1)));
  const needed = ascending[rank - 1] as number;
  const shrunk =
    (ratios.length * needed + DEFAULT_WIDENING_WEIGHT * DEFAULT_WIDENING) / (ratios.length + DEFAULT_WIDENING_WEIGHT);
  return Math.min(Math.max(shrunk, MIN_WIDENING), MAX_WIDENING);
}
