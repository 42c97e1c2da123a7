import { exp, log } from '../../numerics/elementary.ts';
import { logarithmAdvantage } from '../../numerics/logarithm-advantage.ts';

/** Maps values or their logarithms to the unit interval, and back. */
interface ValueScale {
  readonly isLog: boolean;
  toUnit(value: number): number;
  fromUnit(unit: number): number;
}

/** A bound far outside all observed values, which keeps the exponential from overflowing. */
const MAX_OVERSHOOT = 6;

/**
 * Chooses between the values and their logarithms, whichever change more evenly.
 *
 * @returns null if all values are equal up to rounding
 */
export function chooseValueScale(values: Float64Array, season: number): ValueScale | null {
  const isLog = logarithmAdvantage(values, season) >= 0;
  const forward = isLog ? log : (value: number) => value;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    low = Math.min(low, forward(value));
    high = Math.max(high, forward(value));
  }
  const range = high - low;
  if (!(range > 1e-12 * Math.max(Math.abs(low), Math.abs(high), isLog ? 1 : 0)) || range < 1e-290) return null;
  return {
    isLog,
    toUnit: (value) => (forward(value) - low) / range,
    fromUnit: (unit) => {
      const value = low + Math.min(Math.max(unit, -MAX_OVERSHOOT), 1 + MAX_OVERSHOOT) * range;
      // Bounded so that the exponential is above zero and finite.
      return isLog ? exp(Math.min(Math.max(value, -700), 700)) : value;
    },
  };
}
