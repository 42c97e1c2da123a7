import { studentQuantile } from '../../numerics/student.ts';
import type { Prediction } from './predict.ts';
import { type SpreadChange, spreadFactor } from './spread.ts';

/**
 * What none of the rules below sees (a trend that turns, a wrong number of differences). Of forecasts made inside the
 * history of the M1 and M3 series, at two origins each, this factor gave the lowest interval score; their 80 %
 * intervals then held 79.6 %.
 */
const UNSEEN = 1.1;

/**
 * Quantiles of each step. Student's t, because the variance is an estimate; spread by level and recent residuals (see
 * spread.ts); and, for a positive series, symmetric on the scale of square roots, which is what a variance that grows
 * with the level means: the upper side is longer and nothing falls below zero. The 0.5 quantile is the prediction.
 */
export function quantileRows(
  prediction: Prediction,
  change: SpreadChange,
  quantiles: readonly number[],
  unit: number,
): Float64Array[] {
  const scores = quantiles.map((quantile) => studentQuantile(quantile, prediction.degrees));
  return Array.from(prediction.mean, (mean, h) => {
    const deviation = UNSEEN * Math.sqrt(prediction.variance[h] as number) * spreadFactor(change, mean);
    return Float64Array.from(scores, (score) => unit * placed(mean, deviation, score, change.level > 0 && mean > 0));
  });
}

function placed(mean: number, deviation: number, score: number, positive: boolean): number {
  if (!positive || score === 0) return mean + deviation * score;
  const root = Math.sqrt(mean);
  const moved = Math.max(0, root + (score * deviation) / (2 * root));
  // Rounding must not put a quantile on the wrong side of the median.
  return score > 0 ? Math.max(mean, moved * moved) : Math.min(mean, moved * moved);
}
