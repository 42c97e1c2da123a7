import { decompose } from '../../numerics/stl.ts';
import { difference, isConstant } from './orders.ts';

/** Upper 5% point of the KPSS statistic for stationarity around a level. */
const KPSS_CRITICAL = 0.463;
/** A season stronger than this is differenced. R's forecast::nsdiffs uses the same value. */
const STRONG_SEASON = 0.64;

/** Counts the seasonal differences that a complete series needs: 0 or 1. */
export function countSeasonalDifferences(x: Float64Array, season: number): number {
  if (season < 2 || x.length <= 2 * season || isConstant(x)) return 0;
  return seasonalStrength(x, season) > STRONG_SEASON ? 1 : 0;
}

/**
 * Counts the first differences, at most 2, that a complete series needs until the KPSS test no longer rejects
 * stationarity.
 */
export function countFirstDifferences(x: Float64Array): number {
  let rest = x;
  for (let d = 0; d < 2; d++) {
    if (rest.length < 2 || isConstant(rest) || !(kpss(rest) > KPSS_CRITICAL)) return d;
    rest = difference(rest, 1);
  }
  return 2;
}

/** Returns the KPSS statistic for a level, with a Bartlett window of 3 sqrt(n) / 13 lags. */
export function kpss(x: Float64Array): number {
  const n = x.length;
  const lags = Math.trunc((3 * Math.sqrt(n)) / 13);
  let mean = 0;
  for (const value of x) mean += value;
  mean /= n;
  let running = 0;
  let squaresOfSums = 0;
  let longRun = 0;
  for (let t = 0; t < n; t++) {
    const e = (x[t] as number) - mean;
    running += e;
    squaresOfSums += running * running;
    longRun += e * e;
  }
  for (let lag = 1; lag <= lags; lag++) {
    let product = 0;
    for (let t = lag; t < n; t++) product += ((x[t] as number) - mean) * ((x[t - lag] as number) - mean);
    longRun += 2 * (1 - lag / (lags + 1)) * product;
  }
  return squaresOfSums / n / longRun;
}

/**
 * Returns the strength of the season, from 0 to 1: one minus the share of the variance of the detrended series that
 * remains when the season is removed.
 */
function seasonalStrength(x: Float64Array, season: number): number {
  const { seasonal, trend } = decompose(x, season, SEASONAL_SPAN);
  const remainder = x.map((value, t) => value - (trend[t] as number) - (seasonal[t] as number));
  const detrended = remainder.map((value, t) => value + (seasonal[t] as number));
  return Math.max(0, Math.min(1, 1 - variance(remainder) / variance(detrended)));
}

/** The span of the seasonal smoother, in seasons, for which `STRONG_SEASON` was calibrated. */
const SEASONAL_SPAN = 11;

function variance(x: Float64Array): number {
  let mean = 0;
  for (const value of x) mean += value;
  mean /= x.length;
  let sum = 0;
  for (const value of x) sum += (value - mean) ** 2;
  return sum / (x.length - 1);
}
