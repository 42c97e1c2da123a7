import { ModelError } from '../model.ts';

/** A series in units of its own size, so that a fit does not depend on the unit it was measured in. */
export interface Standardised {
  /** At most `limit` values, the last ones; the first and the last are observed, gaps are NaN. */
  readonly values: Float64Array;
  readonly observed: number;
  /** What a value of 1 stands for. */
  readonly scale: number;
  readonly isPositive: boolean;
  readonly isConstant: boolean;
}

/** Divides by the mean absolute value; refuses what no model can forecast. */
export function standardise(raw: Float64Array, limit: number): Standardised {
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
  // By way of the largest, since the plain sum of huge values overflows.
  let share = 0;
  for (const value of kept) if (!Number.isNaN(value)) share += Math.abs(value / largest) / observed;
  const scale = largest * share;
  const isConstant = low === high || !(scale > 0);
  return { values: kept.map((value) => value / scale), observed, scale, isPositive: low > 0, isConstant };
}
