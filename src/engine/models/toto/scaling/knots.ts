import { sinh } from '../../../numerics/elementary.ts';
import { KNOTS } from '../checkpoint/read-config.ts';
import { observedRange, type PatchedRow, type ValueRange } from './patched-row.ts';

/**
 * Converts the network's output for one patch (`KNOTS` numbers per period) to ascending quantiles in the unit of the
 * values. NaN stays NaN, and makes the other numbers of its period unusable.
 */
export function restoreKnots(
  raw: Float32Array,
  location: number,
  scale: number,
  range: ValueRange | undefined,
): Float64Array[] {
  const steps = raw.length / KNOTS;
  const values = Float64Array.from(raw, (value) => sinh(value) * scale + location);
  for (let knot = 0; knot < KNOTS; knot++) replaceInfinite(values, knot, steps);
  if (range !== undefined) {
    for (let i = 0; i < values.length; i++) {
      values[i] = Math.min(Math.max(values[i] as number, range.low), range.high);
    }
  }
  return Array.from({ length: steps }, (_, step) => values.slice(step * KNOTS, (step + 1) * KNOTS).sort());
}

/** Replaces overflowed values by the largest or smallest value of the same knot elsewhere in the patch. */
function replaceInfinite(values: Float64Array, knot: number, steps: number): void {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let step = 0; step < steps; step++) {
    const value = values[step * KNOTS + knot] as number;
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return;
  for (let step = 0; step < steps; step++) {
    const at = step * KNOTS + knot;
    if (values[at] === Number.POSITIVE_INFINITY) values[at] = high;
    if (values[at] === Number.NEGATIVE_INFINITY) values[at] = low;
  }
}

/** Returns the observed range, extended on both sides by `scales` times the scale at the end of the past. */
export function allowedRange(row: PatchedRow, scale: number, scales: number): ValueRange {
  const { low, high } = observedRange(row);
  return { low: low - scales * scale, high: high + scales * scale };
}
