import { KNOTS } from '../checkpoint/index.ts';

/** Between which values a forecast may lie. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/**
 * From the network's numbers for one patch (`KNOTS` of each period) to ascending quantiles in the unit of the values.
 * NaN stays NaN, and one in a row leaves none of its other numbers trustworthy.
 */
export function restoreKnots(
  raw: Float32Array,
  location: number,
  scale: number,
  range: Range | undefined,
): Float64Array[] {
  const steps = raw.length / KNOTS;
  const values = Float64Array.from(raw, (value) => Math.sinh(value) * scale + location);
  for (let knot = 0; knot < KNOTS; knot++) replaceInfinite(values, knot, steps);
  if (range !== undefined) {
    for (let i = 0; i < values.length; i++) {
      values[i] = Math.min(Math.max(values[i] as number, range.low), range.high);
    }
  }
  return Array.from({ length: steps }, (_, step) => values.slice(step * KNOTS, (step + 1) * KNOTS).sort());
}

/** What overflowed becomes the largest or smallest number that the same knot has elsewhere in the patch. */
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
