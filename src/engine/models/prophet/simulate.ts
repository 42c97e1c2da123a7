import { drawNormal } from '../../numerics/distributions.ts';
import { exp, log } from '../../numerics/elementary.ts';
import { createRandom } from '../../numerics/random.ts';
import type { FittedTrend } from './fit-trend.ts';

const PAIRS = 500;

/** Returns the most likely path on the unit scale: the damped trend and the season, starting from the current level. */
export function expectedPath(trend: FittedTrend, damping: number, times: Float64Array): Float64Array {
  const path = new Float64Array(times.length);
  let level = trend.level + trend.carried.level;
  let growth = trend.growth;
  let before = trend.startMs + trend.spanMs;
  for (let step = 0; step < times.length; step++) {
    const now = times[step] as number;
    growth *= damping;
    level += (growth * (now - before)) / trend.spanMs;
    path[step] = level + trend.seasonal(now);
    before = now;
  }
  return path;
}

/**
 * Simulates deviations from the expected path and returns one sorted row per step. Deviations have two sources. Future
 * changes of growth are as frequent and as large as in the past; their sizes follow a Laplace distribution and are
 * damped like the growth itself. One-step errors persist in part. Each draw has a mirror image, so that the median is
 * the expected path.
 */
export function simulateDeviations(
  trend: FittedTrend,
  damping: number,
  times: Float64Array,
  seed: number,
): Float64Array[] {
  const { share, errorDeviation } = trend.carried;
  const random = createRandom(seed);
  const rows = Array.from(times, () => new Float64Array(2 * PAIRS));
  const growths = new Float64Array(PAIRS);
  const levels = new Float64Array(PAIRS);
  let before = trend.startMs + trend.spanMs;
  for (let step = 0; step < times.length; step++) {
    const row = rows[step] as Float64Array;
    const duration = ((times[step] as number) - before) / trend.spanMs;
    const expected = Math.min(trend.changeRate * duration, 20);
    const unchanged = exp(-expected);
    before = times[step] as number;
    for (let pair = 0; pair < PAIRS; pair++) {
      let growth = (growths[pair] as number) * damping;
      for (let count = drawPoisson(expected, unchanged, random.uniform()); count > 0; count--) {
        growth += drawLaplace(trend.changeSize, random.uniform());
      }
      growths[pair] = growth;
      const level = (levels[pair] as number) + growth * duration;
      const error = errorDeviation * drawNormal(random);
      const deviation = level + error;
      levels[pair] = level + share * error;
      row[2 * pair] = deviation;
      row[2 * pair + 1] = -deviation;
    }
    row.sort();
  }
  return rows;
}

/**
 * Draws a Poisson number by inversion, at most 50: more changes in one period would make no difference.
 *
 * @param unchanged the probability of 0, which is the same for all draws of a step
 */
function drawPoisson(mean: number, unchanged: number, uniform: number): number {
  let probability = unchanged;
  let cumulative = probability;
  let count = 0;
  while (uniform > cumulative && count < 50) {
    count++;
    probability *= mean / count;
    cumulative += probability;
  }
  return count;
}

function drawLaplace(scale: number, uniform: number): number {
  const centered = uniform - 0.5;
  return -scale * Math.sign(centered) * log(Math.max(1e-300, 1 - 2 * Math.abs(centered)));
}
