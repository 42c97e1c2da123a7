import { sinh } from '../../../numerics/elementary.ts';
import { KNOT_COUNT } from '../checkpoint/read-config.ts';
import { observedRange, type PatchedRow, type ValueRange } from './patched-row.ts';

/**
 * Converts the network's output for one patch, `KNOT_COUNT` numbers per period, to ascending quantiles in the unit of
 * the values. If a number is NaN, the other numbers of its period are unusable.
 */
export function restoreKnots(
  raw: Float32Array,
  location: number,
  scale: number,
  range: ValueRange | undefined,
): Float64Array[] {
  const steps = raw.length / KNOT_COUNT;
  const values = Float64Array.from(raw, (value) => sinh(value) * scale + location);
  for (let knot = 0; knot < KNOT_COUNT; knot++) replaceInfinite(values, knot, steps);
  if (range !== undefined) {
    for (let i = 0; i < values.length; i++) {
      values[i] = Math.min(Math.max(values[i] as number, range.low), range.high);
    }
  }
  return Array.from({ length: steps }, (_, step) => values.slice(step * KNOT_COUNT, (step + 1) * KNOT_COUNT).sort());
}

/** Replaces infinite values with the largest or smallest finite value of the same knot in the patch. */
function replaceInfinite(values: Float64Array, knot: number, steps: number): void {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let step = 0; step < steps; step++) {
    const value = values[step * KNOT_COUNT + knot] as number;
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return;
  for (let step = 0; step < steps; step++) {
    const at = step * KNOT_COUNT + knot;
    if (values[at] === Number.POSITIVE_INFINITY) values[at] = high;
    if (values[at] === Number.NEGATIVE_INFINITY) values[at] = low;
  }
}

/** Returns the observed range, extended on both sides by `scales` times `scale`, the scale at the end of the past. */
export function allowedRange(row: PatchedRow, scale: number, scales: number): ValueRange {
  const { low, high } = observedRange(row);
  return { low: low - scales * scale, high: high + scales * scale };
}
