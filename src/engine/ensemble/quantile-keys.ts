import type { Weights } from '../weighting/panel.ts';
import type { Member } from './members.ts';

/** Weights as they are written: by quantile, then by model. */
export type WeightsByQuantile = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * A quantile as a key: shortest decimal, no exponent, no trailing zero.
 *
 * @example quantileKey(0.1) // '0.1'
 */
export function quantileKey(quantile: number): string {
  // Quantiles are 0.001 or more, for which the shortest decimal of a number never has an exponent.
  return String(quantile);
}

/** The quantiles asked for, each with every member that gives it, zeros included. */
export function writeWeights(
  weights: Weights,
  members: readonly Member[],
  levels: readonly number[],
  quantiles: readonly number[],
): WeightsByQuantile {
  return Object.fromEntries(
    quantiles.map((quantile) => {
      const q = levels.indexOf(quantile);
      const given = members.flatMap(({ id, supports }, i): [string, number][] =>
        supports[q] ? [[id, (weights[q] as Float64Array)[i] as number]] : [],
      );
      return [quantileKey(quantile), Object.fromEntries(given)];
    }),
  );
}
