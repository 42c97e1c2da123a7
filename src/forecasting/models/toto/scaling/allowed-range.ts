import type { PatchedRow } from './patch-statistics.ts';
import type { Range } from './restore-knots.ts';

/** At most `scales` times the scale at the end of the past beyond what was observed in it. */
export function allowedRange({ values, observed }: PatchedRow, scale: number, scales: number): Range {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    if (observed[i] !== 1) continue;
    low = Math.min(low, values[i] as number);
    high = Math.max(high, values[i] as number);
  }
  return { low: low - scales * scale, high: high + scales * scale };
}
