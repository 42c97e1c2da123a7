import { exp, log } from '../../numerics/elementary.ts';

/** A scale on which patterns add up. Its functions rise, so quantiles can be computed on it and converted back. */
export interface ValueScale {
  to(value: number): number;
  from(value: number): number;
}

const PLAIN: ValueScale = { to: (value) => value, from: (value) => value };
/** The patterns of values above zero mostly grow with the level. */
const LOGARITHM: ValueScale = { to: log, from: exp };
/** Counts spread like the square root of their mean, and can be zero. */
const ROOT: ValueScale = {
  to: Math.sqrt,
  from: (value) => (value > 0 ? value * value : 0),
};
const NOT_NEGATIVE: ValueScale = { to: (value) => value, from: (value) => Math.max(0, value) };

/** Returns the scales on which the values can be forecast. */
export function scalesFor(values: Float64Array): readonly ValueScale[] {
  let low = Number.POSITIVE_INFINITY;
  for (const value of values) if (value < low) low = value;
  if (low > 0) return [NOT_NEGATIVE, LOGARITHM];
  return low === 0 ? [NOT_NEGATIVE, ROOT] : [PLAIN];
}
