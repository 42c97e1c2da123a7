import { observedRange } from './observed-range.ts';
import type { PatchedRow } from './patch-statistics.ts';
import type { Range } from './restore-knots.ts';

/** At most `scales` times the scale at the end of the past beyond what was observed in it. */
export function allowedRange(row: PatchedRow, scale: number, scales: number): Range {
  const { low, high } = observedRange(row);
  return { low: low - scales * scale, high: high + scales * scale };
}
