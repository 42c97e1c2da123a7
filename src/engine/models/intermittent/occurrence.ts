import { type AbortFlag, throwIfAborted } from '../../model.ts';
import { exp, log } from '../../numerics/elementary.ts';
import { addValue, createSums, type DecayedSums, meanAt, type Smoothing, smoothingsToTry } from './smoothed-means.ts';

/** Keeps the logarithm of a probability finite. */
const MIN_PROBABILITY = 1e-4;
/** The product of likelihoods is replaced by its logarithm before it vanishes. */
const SMALL_PRODUCT = 1e-200;
/** Smoothings with a smaller share are left out. */
const MIN_SHARE = 0.01;

/** Returns the probability of a demand in period `t` after the series. */
export type OccurrenceForecast = (t: number) => number;

/**
 * Returns the probability of a demand in each future period: the smoothed share of periods with a demand. Every
 * smoothing forecasts each past period from the rows up to `lag` periods before it; the forecasts of the smoothings are
 * averaged by the likelihood that they gave to what came.
 *
 * @param occurred 1, 0 or NaN for each period
 */
export function fitOccurrence(
  occurred: Float64Array,
  periods: readonly number[],
  lag: number,
  signal: AbortFlag | undefined,
): OccurrenceForecast {
  const tried = smoothingsToTry(periods, occurred.length).flatMap((smoothings) => {
    throwIfAborted(signal);
    return scoreSmoothings(occurred, periods, lag, smoothings);
  });
  const best = Math.max(...tried.map(({ likelihood }) => likelihood));
  const shares = tried.map((one) => ({ ...one, share: exp(one.likelihood - best) }));
  const kept = shares.filter(({ share }) => share >= MIN_SHARE);
  const total = kept.reduce((sum, { share }) => sum + share, 0);
  return (t) =>
    kept.reduce((sum, { share, sums, smoothing }) => {
      return sum + (share / total) * meanAt(sums, t, overallShare(sums), smoothing.strengths);
    }, 0);
}

interface Scored {
  readonly smoothing: Smoothing;
  readonly likelihood: number;
  /** The sums after the last period. */
  readonly sums: DecayedSums;
}

/** Scores smoothings with the same half-life, which share their sums. */
function scoreSmoothings(
  occurred: Float64Array,
  periods: readonly number[],
  lag: number,
  smoothings: readonly Smoothing[],
): Scored[] {
  const sums = createSums(periods, smoothings[0]?.halfLife as number);
  const products = new Float64Array(smoothings.length).fill(1);
  const logs = new Float64Array(smoothings.length);
  const n = occurred.length;
  for (let t = 0; t < n + lag; t++) {
    if (t >= lag) addValue(sums, t - lag, occurred[t - lag] as number);
    const outcome = occurred[t] as number;
    if (t >= n || Number.isNaN(outcome)) continue;
    const overall = overallShare(sums);
    for (let i = 0; i < smoothings.length; i++) {
      const mean = meanAt(sums, t, overall, (smoothings[i] as Smoothing).strengths);
      const share = Math.max(MIN_PROBABILITY, Math.min(1 - MIN_PROBABILITY, mean));
      const product = (products[i] as number) * (outcome > 0 ? share : 1 - share);
      const isSmall = product < SMALL_PRODUCT;
      if (isSmall) logs[i] = (logs[i] as number) + log(product);
      products[i] = isSmall ? 1 : product;
    }
  }
  return smoothings.map((smoothing, i) => ({
    smoothing,
    likelihood: (logs[i] as number) + log(products[i] as number),
    sums,
  }));
}

/** Returns the share of all periods, as if half a demand and half a period without one had come before the first row. */
function overallShare({ sums, weights }: DecayedSums): number {
  return ((sums[0]?.[0] as number) + 0.5) / ((weights[0]?.[0] as number) + 1);
}
