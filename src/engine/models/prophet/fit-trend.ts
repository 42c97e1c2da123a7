import { type CarriedLevel, estimateCarriedLevel } from './carried-level.ts';
import { estimateParameters } from './estimate.ts';
import type { ProphetRuntime } from './runtime.ts';
import { fourierFeatures, type Seasonality } from './seasonalities.ts';

/** Settings of the trend. */
export interface TrendSettings {
  /**
   * Scale of the prior on changes of growth. With a large scale the trend follows the series; with a small one it stays
   * a single line.
   */
  readonly changepointPrior: number;
  /** The share of the history, from its start, in which the growth may change. */
  readonly changepointRange: number;
}

/**
 * Prophet's defaults. A more flexible trend would be closer to the last rows. But forecasts keep the distance of the
 * last rows from the trend, and with that, this steadier trend had smaller past errors on most groups of series.
 */
export const TREND_SETTINGS: TrendSettings = { changepointPrior: 0.05, changepointRange: 0.9 };

export const MAX_CHANGEPOINTS = 25;

/** Scale of the prior on the seasonal weights, in units of the range of the series. It shrinks spurious patterns. */
export const SEASONALITY_PRIOR = 0.15;

/** Observed rows on the unit scale. */
export interface Rows {
  readonly times: Float64Array;
  readonly units: Float64Array;
}

/**
 * The parts of a fitted Prophet model that a forecast needs. Time is scaled: it is 0 at the first row and 1 at the
 * last.
 */
export interface FittedTrend {
  readonly startMs: number;
  readonly spanMs: number;
  /** Trend and growth at the last row. */
  readonly level: number;
  readonly growth: number;
  /** Expected number of growth changes per unit of time, and their mean size. */
  readonly changeRate: number;
  readonly changeSize: number;
  readonly carried: CarriedLevel;
  seasonal(timeMs: number): number;
}

/** Fits the trend and the seasons to observed rows. */
export function fitTrend(
  runtime: ProphetRuntime,
  rows: Rows,
  seasonalities: readonly Seasonality[],
  settings: TrendSettings,
): FittedTrend {
  const n = rows.units.length;
  const startMs = rows.times[0] as number;
  const spanMs = (rows.times[n - 1] as number) - startMs;
  const t = Array.from(rows.times, (time) => (time - startMs) / spanMs);
  const changepoints = placeChangepoints(t, settings.changepointRange);
  // Stan needs at least one feature; like Prophet, add a column of zeros if there is none.
  const hasSeason = seasonalities.length > 0;
  const features = Array.from(rows.times, (time) => (hasSeason ? fourierFeatures(time, seasonalities) : [0]));
  const K = (features[0] as number[]).length;
  const { k, m, delta, beta } = estimateParameters(runtime, {
    T: n,
    y: Array.from(rows.units),
    t,
    cap: new Array<number>(n).fill(0),
    S: changepoints.length,
    t_change: changepoints,
    trend_indicator: 0,
    K,
    s_a: new Array<number>(K).fill(1),
    s_m: new Array<number>(K).fill(0),
    X: features,
    sigmas: new Array<number>(K).fill(SEASONALITY_PRIOR),
    tau: settings.changepointPrior,
  });

  let growth = k;
  let level = m + k;
  let sizes = 0;
  for (let j = 0; j < changepoints.length; j++) {
    growth += delta[j] as number;
    level += (delta[j] as number) * (1 - (changepoints[j] as number));
    sizes += Math.abs(delta[j] as number);
  }
  const residuals = Float64Array.from(rows.units, (unit, i) => {
    const now = t[i] as number;
    const trend = changepoints.reduce((sum, at, j) => sum + (delta[j] as number) * Math.max(0, now - at), m + k * now);
    return unit - trend - weightedSum(features[i] as number[], beta);
  });
  return {
    startMs,
    spanMs,
    level,
    growth,
    changeRate: changepoints.length,
    changeSize: sizes / Math.max(1, changepoints.length),
    carried: estimateCarriedLevel(residuals, hasSeason ? K : 0),
    seasonal: (timeMs) => weightedSum(fourierFeatures(timeMs, seasonalities), beta),
  };
}

function weightedSum(features: readonly number[], weights: Float64Array): number {
  return features.reduce((sum, feature, i) => sum + feature * (weights[i] as number), 0);
}

/**
 * Returns changepoints that are spread evenly over the first share `range` of the rows, without the first row, as in
 * Prophet.
 */
function placeChangepoints(t: readonly number[], range: number): number[] {
  const rows = Math.floor(t.length * range);
  // With a changepoint at almost every row, the trend would pass through all rows and the likelihood would have no
  // maximum.
  const count = Math.min(MAX_CHANGEPOINTS, rows - 1, Math.ceil(t.length / 3));
  if (count < 1) return [0];
  return Array.from({ length: count }, (_, j) => t[Math.round(((j + 1) * (rows - 1)) / count)] as number);
}
