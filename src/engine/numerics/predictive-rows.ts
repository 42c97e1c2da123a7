import { studentQuantile } from './distributions.ts';
import { exp, log1p } from './elementary.ts';
import type { SidedSpread } from './spread.ts';

/** The forecast distribution of each step, by location and spread. */
export interface PredictiveDistribution extends SidedSpread {
  /** The median of each step. */
  readonly center: Float64Array;
  /** Degrees of freedom of the spread: the fewer there are, the wider the tails (Student's t). */
  readonly freedom: number;
  /**
   * Whether errors are proportional to the value. The spread then applies on the log scale, and quantiles stay above
   * zero.
   */
  readonly isRelative: boolean;
}

/** Below three degrees of freedom the tails of t are so wide that they carry no information. */
const MIN_FREEDOM = 3;

/** Returns the requested quantiles of each step. If `quantiles` are ascending, so are the values. */
export function predictiveRows(predictive: PredictiveDistribution, quantiles: readonly number[]): Float64Array[] {
  const { center, above, below, isRelative } = predictive;
  const freedom = Math.max(MIN_FREEDOM, predictive.freedom);
  const scores = quantiles.map((p) => studentQuantile(p, freedom));
  return Array.from(center, (middle, h) =>
    Float64Array.from(scores, (score) => {
      const spread = (score > 0 ? above[h] : below[h]) as number;
      if (!isRelative || middle <= 0) return middle + score * spread;
      const onLogScale = middle * exp(score * Math.sqrt(log1p((spread / middle) ** 2)));
      // Far out in the upper tail the log scale explodes, so the distance is limited to twice the symmetric one.
      return score > 0 ? Math.min(onLogScale, middle + 2 * score * spread) : onLogScale;
    }),
  );
}

/** Converts rows back to the unit of the series; values that overflow become the largest number. */
export function rescaleRows(rows: Float64Array[], scale: number): Float64Array[] {
  for (const row of rows)
    for (let i = 0; i < row.length; i++)
      row[i] = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, (row[i] as number) * scale));
  return rows;
}
