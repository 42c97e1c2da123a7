import { type AbortFlag, throwIfAborted } from '../../model.ts';
import { addValue, createSums, type DecayedSums, meanAt, type Smoothing, smoothingsToTry } from './smoothed-means.ts';

/** The sizes of demands: where they lie in each future period, and how past sizes lay around what was forecast. */
export interface SizeFit {
  /** Returns the middle of the sizes in period `t`. */
  middle(t: number): number;
  /** Distances of past sizes from their forecast, oldest first, with the periods in which they occurred. */
  readonly distances: Float64Array;
  readonly times: Float64Array;
  readonly halfLife: number;
}

/** With fewer sizes, the first forecasts would be a large part of all, and they know next to nothing. */
const MIN_MOVING_SIZES = 30;

/**
 * Smooths the sizes of demands like their occurrence, and chooses the smoothing with the smallest squared errors of
 * forecasts `lag` periods ahead.
 *
 * @param sizes on the scale on which they are averaged; NaN for a period without a demand
 */
export function fitSizes(
  sizes: Float64Array,
  periods: readonly number[],
  lag: number,
  signal: AbortFlag | undefined,
): SizeFit {
  let best: Smoothing | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const smoothings of smoothingsToTry(periods, sizes.length)) {
    throwIfAborted(signal);
    const squares = new Float64Array(smoothings.length);
    passThrough(sizes, periods, lag, smoothings, (_t, i, distance) => {
      squares[i] = (squares[i] as number) + distance * distance;
    });
    smoothings.forEach((smoothing, i) => {
      if (best !== undefined && !((squares[i] as number) < least)) return;
      best = smoothing;
      least = squares[i] as number;
    });
  }
  const { halfLife, strengths } = best as Smoothing;
  const distances: number[] = [];
  const times: number[] = [];
  const sums = createSums(periods, halfLife);
  sizes.forEach((size, t) => {
    addValue(sums, t, size);
  });
  // The sizes of a level that moves are compared with what was forecast at the time; those of a stable one with the last
  // means, which are the best ones.
  const count = sizes.reduce((sum, size) => sum + (Number.isNaN(size) ? 0 : 1), 0);
  if (count >= MIN_MOVING_SIZES && halfLife < sizes.length / 2) {
    passThrough(sizes, periods, lag, [{ halfLife, strengths }], (t, _i, distance) => {
      times.push(t);
      distances.push(distance);
    });
  } else {
    const overall = overallMean(sums);
    sizes.forEach((size, t) => {
      if (Number.isNaN(size)) return;
      times.push(t);
      distances.push(size - meanAt(sums, t, overall, strengths));
    });
  }
  return {
    middle: (t) => meanAt(sums, t, overallMean(sums), strengths),
    distances: Float64Array.from(distances),
    times: Float64Array.from(times),
    halfLife,
  };
}

/** Forecasts each size with each smoothing from the sizes up to `lag` periods before it. */
function passThrough(
  sizes: Float64Array,
  periods: readonly number[],
  lag: number,
  smoothings: readonly Smoothing[],
  onSize: (t: number, smoothing: number, distance: number) => void,
): void {
  const sums = createSums(periods, smoothings[0]?.halfLife as number);
  const n = sizes.length;
  for (let t = 0; t < n + lag; t++) {
    if (t >= lag) addValue(sums, t - lag, sizes[t - lag] as number);
    const size = sizes[t] as number;
    if (t >= n || Number.isNaN(size) || !((sums.weights[0]?.[0] as number) > 0)) continue;
    const overall = overallMean(sums);
    for (let i = 0; i < smoothings.length; i++) {
      onSize(t, i, size - meanAt(sums, t, overall, (smoothings[i] as Smoothing).strengths));
    }
  }
}

function overallMean({ sums, weights }: DecayedSums): number {
  return (sums[0]?.[0] as number) / (weights[0]?.[0] as number);
}
