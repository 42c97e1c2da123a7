import { logarithmAdvantage } from '../../numerics/logarithm-advantage.ts';

/** Puts values on the unit interval, straight or by their logarithm, and back. */
export interface ValueScale {
  readonly isLog: boolean;
  toUnit(value: number): number;
  fromUnit(unit: number): number;
}

/** Far outside of anything seen: keeps an exponential from overflowing. */
const FARTHEST = 6;

/** @returns null when all values are the same up to rounding */
export function chooseValueScale(values: Float64Array, season: number): ValueScale | null {
  const isLog = logarithmAdvantage(values, season) >= 0;
  const forward = isLog ? Math.log : (value: number) => value;
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
      const value = low + Math.min(Math.max(unit, -FARTHEST), 1 + FARTHEST) * range;
      // Positive but not zero, and finite, however far the scale reaches.
      return isLog ? Math.exp(Math.min(Math.max(value, -700), 700)) : value;
    },
  };
}
