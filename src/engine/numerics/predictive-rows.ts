import type { Sides } from './lean.ts';
import { studentQuantile } from './student.ts';

/** A forecast distribution per step, by location and spread. */
export interface Predictive extends Sides {
  /** The median of each step. */
  readonly centre: Float64Array;
  /** Degrees of freedom behind the spread: with few of them the tails are wider (Student's t). */
  readonly freedom: number;
  /** Whether errors are proportional to the value: then the spread is taken on the log scale, and stays above zero. */
  readonly isRelative: boolean;
}

/** Below three degrees of freedom the tails of t would say nothing but "anything". */
const MIN_FREEDOM = 3;

/** The requested quantiles of each step, ascending where `quantiles` are. */
export function predictiveRows(predictive: Predictive, quantiles: readonly number[]): Float64Array[] {
  const { centre, above, below, isRelative } = predictive;
  const freedom = Math.max(MIN_FREEDOM, predictive.freedom);
  const scores = quantiles.map((p) => studentQuantile(p, freedom));
  return Array.from(centre, (middle, h) =>
    Float64Array.from(scores, (score) => {
      const spread = (score > 0 ? above[h] : below[h]) as number;
      if (!isRelative || middle <= 0) return middle + score * spread;
      const onLogScale = middle * Math.exp(score * Math.sqrt(Math.log1p((spread / middle) ** 2)));
      // Far out in the upper tail the log scale explodes; twice the symmetric distance is as far as anyone can tell.
      return score > 0 ? Math.min(onLogScale, middle + 2 * score * spread) : onLogScale;
    }),
  );
}

/** Back to the unit of the series; what overflows stays at the largest number. */
export function rescaleRows(rows: Float64Array[], scale: number): Float64Array[] {
  for (const row of rows)
    for (let i = 0; i < row.length; i++)
      row[i] = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, (row[i] as number) * scale));
  return rows;
}
