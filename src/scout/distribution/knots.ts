import { normalQuantile } from '../../engine/index.ts';

/** One quantile of a forecast: with this probability the outcome is at most this value. */
export interface Quantile {
  readonly probability: number;
  readonly value: number;
}

/** Quantiles as points of a curve: values over normal scores, both ascending. */
export interface Knots {
  readonly probabilities: readonly number[];
  /** Φ⁻¹ of the probabilities. A normal distribution is a straight line over them. */
  readonly scores: readonly number[];
  readonly values: readonly number[];
}

/** Brings quantiles into order. Throws a `RangeError` for what are no quantiles of anything. */
export function knotsOf(quantiles: readonly Quantile[]): Knots {
  if (quantiles.length === 0) throw new RangeError('A distribution needs at least one quantile.');
  const sorted = [...quantiles].sort((a, b) => a.probability - b.probability);
  sorted.forEach(({ probability, value }, i) => {
    if (!(probability > 0 && probability < 1)) {
      throw new RangeError(`The probability of a quantile must lie between 0 and 1, not ${probability}.`);
    }
    if (!Number.isFinite(value)) throw new RangeError(`The quantile ${probability} must be a number, not ${value}.`);
    const before = sorted[i - 1];
    if (before === undefined) return;
    if (before.probability === probability) throw new RangeError(`The quantile ${probability} is given twice.`);
    if (before.value > value) {
      throw new RangeError(`The quantile ${probability} is below the quantile ${before.probability}.`);
    }
  });
  const probabilities = sorted.map(({ probability }) => probability);
  return { probabilities, scores: probabilities.map(normalQuantile), values: sorted.map(({ value }) => value) };
}
