import { normalProbability, normalQuantile } from '../../engine/index.ts';
import { fitMonotoneCurve } from './monotone-curve.ts';

/**
 * The part of the distribution in which a threshold lies: between the outermost quantiles, or in an assumed tail beyond
 * them.
 */
export type DistributionPart = 'interior' | 'lower_tail' | 'upper_tail';

interface Reading {
  /** 0 to 1. */
  readonly probability: number;
  readonly part: DistributionPart;
}

/** The probabilities that a few quantiles imply for every threshold. */
interface Distribution {
  /** Returns the probability of an outcome above `x`. It does not increase with `x`. */
  above(x: number): Reading;
  /**
   * Returns the probability of an outcome of at least `x`. It differs from `above` only if equal quantiles give `x` a
   * point mass.
   */
  atLeast(x: number): Reading;
}

/**
 * Builds a distribution from quantiles.
 *
 * Between the quantiles, values are interpolated over normal scores (Φ⁻¹ of the probability) by a monotone cubic, so
 * that a few quantiles reproduce a normal distribution exactly. Beyond the outermost quantiles the curve is a straight
 * line with the slope of the last segment, which is a normal tail. Equal quantiles are a point mass; if the outermost
 * ones are equal, the whole tail lies at that value. A single quantile implies no spread, so the probability on each
 * side of it is the middle of the possible range.
 *
 * Throws a `RangeError` if the quantiles decrease, have a repeated level or are not finite.
 *
 * @example
 * const { above } = buildDistribution([{ probability: 0.1, value: 90 }, { probability: 0.9, value: 110 }]);
 * above(100); // { probability: 0.5, part: 'interior' }
 */
export function buildDistribution(quantiles: readonly Quantile[]): Distribution {
  const { unit, knots } = scaleKnots(buildKnots(quantiles));
  const { scores, values, probabilities } = knots;
  const curve = fitMonotoneCurve(scores, values);
  const last = values.length - 1;
  const [lowest, highest] = [values[0], values[last]] as [number, number];

  const read = (threshold: number, inclusive: boolean): Reading => {
    if (Number.isNaN(threshold)) throw new RangeError('A threshold must be a number.');
    const x = threshold / unit;
    if (x < lowest) return { probability: lowerTail(knots, x), part: 'lower_tail' };
    if (x > highest) return { probability: upperTail(knots, x), part: 'upper_tail' };
    const [first, final] = [values.indexOf(x), values.lastIndexOf(x)];
    if (first === -1) {
      const segment = values.findLastIndex((value) => value < x);
      return { probability: normalProbability(-curve.solve(segment, x)), part: 'interior' };
    }
    const hasMass = first < final;
    if (hasMass && first === 0 && inclusive) return { probability: 1, part: 'interior' };
    if (hasMass && final === last && !inclusive) return { probability: 0, part: 'interior' };
    return { probability: 1 - (probabilities[inclusive ? first : final] as number), part: 'interior' };
  };
  return { above: (x) => read(x, false), atLeast: (x) => read(x, true) };
}

/** Scales values down if their differences would overflow. The unit is nearly always 1. */
function scaleKnots(knots: Knots): { unit: number; knots: Knots } {
  const unit = Math.max(1, ...knots.values.map((value) => Math.abs(value) / 1e150));
  return { unit, knots: { ...knots, values: knots.values.map((value) => value / unit) } };
}

/** Returns the probability of an outcome above a threshold in the lower tail. */
function lowerTail({ scores, values, probabilities }: Knots, x: number): number {
  const [value, score] = [values[0], scores[0]] as [number, number];
  if (scores.length === 1) return 1 - (probabilities[0] as number) / 2;
  const slope = ((values[1] as number) - value) / ((scores[1] as number) - score);
  // If the slope is 0, the score is minus infinity, and every outcome is above the threshold.
  return normalProbability(-(score - (value - x) / slope));
}

/** Returns the probability of an outcome above a threshold in the upper tail. */
function upperTail({ scores, values, probabilities }: Knots, x: number): number {
  const last = values.length - 1;
  const [value, score] = [values[last], scores[last]] as [number, number];
  if (last === 0) return (1 - (probabilities[0] as number)) / 2;
  const slope = (value - (values[last - 1] as number)) / (score - (scores[last - 1] as number));
  return normalProbability(-(score + (x - value) / slope));
}

/** One quantile of a forecast: with this probability the outcome is at most this value. */
interface Quantile {
  readonly probability: number;
  readonly value: number;
}

/** Quantiles as points of a curve: values over normal scores, both ascending. */
interface Knots {
  readonly probabilities: readonly number[];
  /** Φ⁻¹ of the probabilities. A normal distribution is a straight line over these scores. */
  readonly scores: readonly number[];
  readonly values: readonly number[];
}

/** Sorts quantiles and converts them to knots. Throws a `RangeError` if they do not describe a distribution. */
function buildKnots(quantiles: readonly Quantile[]): Knots {
  if (quantiles.length === 0) throw new RangeError('A distribution needs at least one quantile.');
  const sorted = [...quantiles].sort((a, b) => a.probability - b.probability);
  sorted.forEach(({ probability, value }, i) => {
    if (!(probability > 0 && probability < 1)) {
      throw new RangeError(`The probability of a quantile must be between 0 and 1, not ${probability}.`);
    }
    if (!Number.isFinite(value)) throw new RangeError(`The quantile ${probability} must be a number, not ${value}.`);
    const previous = sorted[i - 1];
    if (previous === undefined) return;
    if (previous.probability === probability) throw new RangeError(`The quantile ${probability} is given twice.`);
    if (previous.value > value) {
      throw new RangeError(`The quantile ${probability} is below the quantile ${previous.probability}.`);
    }
  });
  const probabilities = sorted.map(({ probability }) => probability);
  return { probabilities, scores: probabilities.map(normalQuantile), values: sorted.map(({ value }) => value) };
}
