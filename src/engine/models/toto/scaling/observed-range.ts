import type { PatchedRow } from './patch-statistics.ts';
import type { Range } from './restore-knots.ts';

/** The smallest and the largest value that was observed; the smallest is above the largest where none was. */
export function observedRange({ values, observed }: PatchedRow): Range {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    if (observed[i] !== 1) continue;
    low = Math.min(low, values[i] as number);
    high = Math.max(high, values[i] as number);
  }
  return { low, high };
}
