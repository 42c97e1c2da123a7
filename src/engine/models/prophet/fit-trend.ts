import { type CarriedLevel, carryLevel } from './carried-level.ts';
import { estimate } from './estimate.ts';
import type { ProphetRuntime } from './runtime.ts';
import { fourierFeatures, type Seasonality } from './seasonalities.ts';
import { MAX_CHANGEPOINTS, SEASONALITY_PRIOR, type TrendSettings } from './settings.ts';

/** Observed rows on the unit scale. */
export interface Rows {
  readonly times: Float64Array;
  readonly units: Float64Array;
}

/** A fitted Prophet, as much of it as the future needs. Time is scaled: the first row is 0, the last 1. */
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
  // Stan wants at least one feature; Prophet adds a column of zeros too.
  const hasSeason = seasonalities.length > 0;
  const features = Array.from(rows.times, (time) => (hasSeason ? fourierFeatures(time, seasonalities) : [0]));
  const K = (features[0] as number[]).length;
  const { k, m, delta, beta } = estimate(runtime, {
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
    return unit - trend - weigh(features[i] as number[], beta);
  });
  return {
    startMs,
    spanMs,
    level,
    growth,
    changeRate: changepoints.length,
    changeSize: sizes / Math.max(1, changepoints.length),
    carried: carryLevel(residuals, hasSeason ? K : 0),
    seasonal: (timeMs) => weigh(fourierFeatures(timeMs, seasonalities), beta),
  };
}

function weigh(features: readonly number[], weights: Float64Array): number {
  return features.reduce((sum, feature, i) => sum + feature * (weights[i] as number), 0);
}

/** Evenly over the first `range` of the rows, never at the first, as Prophet places them. */
function placeChangepoints(t: readonly number[], range: number): number[] {
  const rows = Math.floor(t.length * range);
  // With a change at almost every row the trend runs through all of them and the likelihood has no maximum.
  const count = Math.min(MAX_CHANGEPOINTS, rows - 1, Math.ceil(t.length / 3));
  if (count < 1) return [0];
  return Array.from({ length: count }, (_, j) => t[Math.round(((j + 1) * (rows - 1)) / count)] as number);
}
