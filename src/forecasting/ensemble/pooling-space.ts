import { logarithmAdvantage } from '../numerics/logarithm-advantage.ts';

/** Where members are averaged and spreads stretched: among the values themselves, or among their logarithms. */
export interface PoolingSpace {
  readonly name: 'target' | 'transformed';
  enter(value: number): number;
  leave(value: number): number;
}

/** `auto` takes logarithms where all values are positive and grow or swing by ratios rather than by amounts. */
export type Transform = 'auto' | 'none' | 'log';

const TARGET: PoolingSpace = { name: 'target', enter: (value) => value, leave: (value) => value };

/** A quantile at or below zero has no logarithm; it counts as this share of the smallest value seen. */
const FLOOR = 0.01;
/** `Math.exp` of more overflows. */
const MOST_LOGARITHM = 700;

/**
 * @param values of the whole series, whose sign alone is looked at
 * @param choosing the part of them that may choose: neither audit nor holdout
 */
export function choosePoolingSpace(
  transform: Transform,
  values: Float64Array,
  choosing: Float64Array,
  season: number,
): PoolingSpace {
  const isPositive = values.every((value) => !(value <= 0));
  if (transform === 'none' || !isPositive) return TARGET;
  if (transform === 'auto' && !(logarithmAdvantage(observed(choosing), season) > 0)) return TARGET;
  // Of the part that may choose: the floor shapes the pooled values, so it must not look at the audit either.
  const floor = FLOOR * observed(choosing).reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  return {
    name: 'transformed',
    enter: (value) => Math.log(Math.max(value, floor)),
    leave: (value) => Math.exp(Math.min(value, MOST_LOGARITHM)),
  };
}

function observed(values: Float64Array): Float64Array {
  return values.filter((value) => !Number.isNaN(value));
}
