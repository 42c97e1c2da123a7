import { normalProbability } from '../../engine/index.ts';
import { type Knots, knotsOf, type Quantile } from './knots.ts';
import { monotoneCurve } from './monotone-curve.ts';

/** Where a threshold lies: between the outermost quantiles (these included), or beyond, where the tail is assumed. */
export type DistributionPart = 'interior' | 'lower_tail' | 'upper_tail';

export interface Reading {
  /** 0 to 1. */
  readonly probability: number;
  readonly part: DistributionPart;
}

/** What a few quantiles say about every threshold. */
export interface Distribution {
  /** The probability of an outcome above `x`. Never rises with `x`. */
  above(x: number): Reading;
  /** The same with `x` itself counted in; differs only where several quantiles are equal, so that `x` has a mass. */
  atLeast(x: number): Reading;
}

/**
 * Reads quantiles as a whole distribution.
 *
 * Between them values are interpolated over normal scores (Φ⁻¹ of the probability) by a monotone cubic, so a forecast
 * that is normal is read exactly from few quantiles. Beyond the outermost ones the curve goes on straight with the slope
 * of the last segment: a normal tail as wide as that segment says. Equal quantiles are a point mass; where the outermost
 * ones are equal, all beyond them is at that value. A single quantile says nothing about distances, so below and
 * above it stands the middle of what is possible.
 *
 * Throws a `RangeError` for quantiles that fall, are given twice or are no numbers.
 *
 * @example
 * const { above } = distributionOf([{ probability: 0.1, value: 90 }, { probability: 0.9, value: 110 }]);
 * above(100); // { probability: 0.5, part: 'interior' }
 */
export function distributionOf(quantiles: readonly Quantile[]): Distribution {
  const { unit, knots } = inBounds(knotsOf(quantiles));
  const { scores, values, probabilities } = knots;
  const curve = monotoneCurve(scores, values);
  const last = values.length - 1;
  const [lowest, highest] = [values[0], values[last]] as [number, number];

  const read = (threshold: number, counted: boolean): Reading => {
    if (Number.isNaN(threshold)) throw new RangeError('A threshold must be a number.');
    const x = threshold / unit;
    if (x < lowest) return { probability: belowAll(knots, x), part: 'lower_tail' };
    if (x > highest) return { probability: aboveAll(knots, x), part: 'upper_tail' };
    const [first, final] = [values.indexOf(x), values.lastIndexOf(x)];
    if (first === -1) {
      const segment = values.findLastIndex((value) => value < x);
      return { probability: normalProbability(-curve.solve(segment, x)), part: 'interior' };
    }
    const hasMass = first < final;
    if (hasMass && first === 0 && counted) return { probability: 1, part: 'interior' };
    if (hasMass && final === last && !counted) return { probability: 0, part: 'interior' };
    return { probability: 1 - (probabilities[counted ? first : final] as number), part: 'interior' };
  };
  return { above: (x) => read(x, false), atLeast: (x) => read(x, true) };
}

/** The same in larger units where differences would leave the range of numbers; nearly always the unit is 1. */
function inBounds(knots: Knots): { unit: number; knots: Knots } {
  const unit = Math.max(1, ...knots.values.map((value) => Math.abs(value) / 1e150));
  return { unit, knots: { ...knots, values: knots.values.map((value) => value / unit) } };
}

function belowAll({ scores, values, probabilities }: Knots, x: number): number {
  const [value, score] = [values[0], scores[0]] as [number, number];
  if (scores.length === 1) return 1 - (probabilities[0] as number) / 2;
  const slope = ((values[1] as number) - value) / ((scores[1] as number) - score);
  // Minus infinity where the slope is 0: all of it is above.
  return normalProbability(-(score - (value - x) / slope));
}

function aboveAll({ scores, values, probabilities }: Knots, x: number): number {
  const last = values.length - 1;
  const [value, score] = [values[last], scores[last]] as [number, number];
  if (last === 0) return (1 - (probabilities[0] as number)) / 2;
  const slope = (value - (values[last - 1] as number)) / (score - (scores[last - 1] as number));
  return normalProbability(-(score + (x - value) / slope));
}
