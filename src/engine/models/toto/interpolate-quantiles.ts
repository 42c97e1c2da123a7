import type { QuantileSupport } from '../../model.ts';
import { KNOTS } from './checkpoint/index.ts';

/** The network gives the quantiles 0.1, 0.2, … 0.9 and says nothing about what lies outside. */
export const TOTO_QUANTILES: QuantileSupport = { min: 0.1, max: 0.9, interpolation_inside_range: true };

/** Quantiles on straight lines between the knots that lie around them; ascending where `quantiles` are. */
export function interpolateQuantiles(knots: Float64Array, quantiles: readonly number[]): Float64Array {
  return Float64Array.from(quantiles, (quantile) => {
    // Times ten, not divided by a tenth: so every knot is hit exactly.
    const position = quantile * 10 - 1;
    const below = Math.min(Math.floor(position), KNOTS - 1);
    const low = knots[below] as number;
    const high = knots[Math.min(below + 1, KNOTS - 1)] as number;
    // Rounding must not lift it above the knot after it.
    return Math.min(high, low + (position - below) * (high - low));
  });
}
