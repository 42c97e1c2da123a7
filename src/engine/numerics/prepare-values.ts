import { ModelError } from '../model.ts';

/** A series in units of its own size, so that a fit does not depend on the unit of measurement. */
interface StandardizedValues {
  /** At most the last `limit` values. The first and the last are observed; gaps are NaN. */
  readonly values: Float64Array;
  readonly observed: number;
  /** The size of one unit. */
  readonly scale: number;
  readonly isPositive: boolean;
  readonly isConstant: boolean;
}

/**
 * Divides the last values by their mean absolute value. Throws a `ModelError` for series that no model can forecast.
 */
export function standardizeValues(raw: Float64Array, limit: number): StandardizedValues {
  let from = Math.max(0, raw.length - limit);
  let to = raw.length;
  while (from < to && Number.isNaN(raw[from])) from++;
  while (to > from && Number.isNaN(raw[to - 1])) to--;
  const kept = raw.subarray(from, to);
  let largest = 0;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  let observed = 0;
  for (const value of kept) {
    if (Number.isNaN(value)) continue;
    if (!Number.isFinite(value)) throw new ModelError('INVALID_SERIES', 'The series holds an infinite value.');
    largest = Math.max(largest, Math.abs(value));
    low = Math.min(low, value);
    high = Math.max(high, value);
    observed++;
  }
  if (observed < 2) throw new ModelError('INSUFFICIENT_HISTORY', 'At least two observations are needed.');
  // Divided by the largest first, because the plain sum of huge values overflows.
  let share = 0;
  for (const value of kept) if (!Number.isNaN(value)) share += Math.abs(value / largest) / observed;
  const scale = largest * share;
  const isConstant = low === high || !(scale > 0);
  return { values: kept.map((value) => value / scale), observed, scale, isPositive: low > 0, isConstant };
}

/**
 * Returns a copy with every NaN replaced by linear interpolation between its neighbors, at the ends by the nearest
 * value. Only starting values and decompositions are computed from it; models do not fill gaps.
 */
export function fillGaps(values: Float64Array): Float64Array {
  const filled = Float64Array.from(values);
  let before = -1;
  for (let t = 0; t < filled.length; t++) {
    if (Number.isNaN(filled[t])) continue;
    const from = before < 0 ? (filled[t] as number) : (filled[before] as number);
    const slope = before < 0 ? 0 : ((filled[t] as number) - from) / (t - before);
    for (let gap = before + 1; gap < t; gap++) filled[gap] = from + slope * (gap - before);
    before = t;
  }
  if (before >= 0) filled.fill(filled[before] as number, before + 1);
  return filled;
}
